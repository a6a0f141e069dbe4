from collections.abc import AsyncIterator, Iterator

import pytest

from privguard_adapters.pulling import Ending, Pulled, pull, pull_awaited

FAILURE = ValueError("cut")


def pieces(*, breaks: bool) -> Iterator[bytes]:
    yield b"a"
    yield b""
    if breaks:
        raise FAILURE


async def awaited(*, breaks: bool) -> AsyncIterator[bytes]:
    for piece in pieces(breaks=breaks):
        yield piece


@pytest.mark.parametrize(("breaks", "last"), [(False, Pulled()), (True, Pulled(failure=FAILURE))])
async def test_pieces_come_one_by_one_and_then_the_end_or_what_broke_off(breaks: bool, last: Pulled[bytes]) -> None:
    source, async_source = pieces(breaks=breaks), awaited(breaks=breaks)
    expected = [Pulled(piece=b"a"), Pulled(piece=b""), last]
    assert [pull(source) for _ in expected] == expected
    assert [await pull_awaited(async_source) for _ in expected] == expected


def test_what_is_no_error_passes_at_once() -> None:
    class Interrupted:
        def __iter__(self) -> Iterator[bytes]:
            return self

        def __next__(self) -> bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull(iter(Interrupted()))


def test_a_failure_is_told_once() -> None:
    ending = Ending()
    ending.failure = FAILURE
    assert ending.take(StopIteration) is FAILURE
    assert isinstance(ending.take(StopIteration), StopIteration)
