"""What comes in the frames of a stream goes out in their order, and what is held back before the end."""

import pytest

from privguard.core.json_leaves import Document
from privguard_adapters.wire.framed import FramedEvents
from privguard_adapters.wire.sse import Frame
from tests.adapters.fake_guard import FakeGuard


class Holding(FramedEvents):
    """Hold every event back but errors, which may be the last."""

    def __init__(self) -> None:
        super().__init__(FakeGuard().begin((), target="m"))
        self.held = b""

    def _read(self, frame: Frame, document: Document) -> bytes:
        if "error" in document.text:
            self._failure.append(lambda: frame.raw)
        else:
            self.held += frame.raw
        return b""

    def _close_all(self) -> bytes:
        held, self.held = self.held, b""
        return held


ONE, ERROR, DONE = b'data: {"n": 1}\n\n', b'data: {"error": 1}\n\n', b"data: [DONE]\n\n"


def run(*chunks: bytes) -> tuple[bytes, bool]:
    events = Holding()
    out = b"".join([events.feed(chunk) for chunk in chunks])
    return out + events.end(), events.complete


def test_an_error_comes_behind_what_is_held_where_the_stream_ends() -> None:
    assert run(ERROR + ONE) == (ERROR + ONE, False)
    assert run(ONE + ERROR) == (ONE + ERROR, False)


def test_comments_wait_with_an_error_that_waits() -> None:
    assert run(ONE + ERROR + b": still here\n\n") == (ONE + ERROR + b": still here\n\n", False)


def test_the_mark_of_the_end_ends_what_is_held() -> None:
    assert run(ONE + DONE) == (ONE + DONE, True)
    assert run(ONE + ERROR + DONE) == (ONE + ERROR + DONE, True)


@pytest.mark.parametrize("cut", range(1, len(ONE + DONE)))
def test_a_cut_between_bytes_changes_nothing(cut: int) -> None:
    whole = ONE + DONE
    assert run(whole[:cut], whole[cut:]) == run(whole)


def test_what_breaks_off_comes_last_and_as_it_is() -> None:
    assert run(ONE + b'data: {"n"') == (ONE + b'data: {"n"', False)
