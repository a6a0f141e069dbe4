import asyncio
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any

import pytest

from privguard.core.errors import ConfigError
from privguard.guard import conversation, conversation_in_force, profile_in_force, use


def test_blocks_nest_and_end_with_an_error_too() -> None:
    assert profile_in_force() is None
    with use("outer"):
        with use("inner"):
            assert profile_in_force() == "inner"
        with pytest.raises(KeyError), use("failing"):
            raise KeyError
        assert profile_in_force() == "outer"
    assert profile_in_force() is None


def test_another_thread_is_not_in_the_block() -> None:
    with use("mine"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(profile_in_force).result() is None


def test_conversations_nest_and_the_innermost_counts() -> None:
    assert conversation_in_force() is None
    with conversation("outer"):
        with conversation("inner"):
            assert conversation_in_force() == "inner"
        with pytest.raises(KeyError), conversation("failing"):
            raise KeyError
        assert conversation_in_force() == "outer"
    assert conversation_in_force() is None


def test_a_block_may_be_entered_again_within_itself_and_by_other_threads() -> None:
    block = conversation("mine")
    for _ in range(2):
        with block:
            assert conversation_in_force() == "mine"
            with use("inner"), block, ThreadPoolExecutor(1) as pool:
                assert pool.submit(_told, block).result() == "mine"
            assert conversation_in_force() == "mine"
        assert conversation_in_force() is None
    assert block(conversation_in_force)() == "mine"
    assert conversation_in_force() is None


async def test_decorated_functions_run_in_the_block_async_ones_too() -> None:
    @use("strict")
    async def ask(count: int) -> tuple[int, object]:
        await asyncio.sleep(0)
        return count, profile_in_force()

    assert use("strict")(profile_in_force)() == "strict"
    assert await ask(3) == (3, "strict")
    assert profile_in_force() is None


def test_a_generator_cannot_be_decorated_since_it_would_run_outside() -> None:
    with pytest.raises(ConfigError, match="within it"):

        @use("strict")
        def parts() -> Generator[None]:
            yield


def test_a_generator_that_is_closed_within_another_block_ends_its_own_alone() -> None:
    def parts() -> Generator[None]:
        with use("lenient"):
            yield

    reply = parts()
    next(reply)
    with use("strict"):
        reply.close()
        assert profile_in_force() == "strict"
    assert profile_in_force() is None


def test_a_block_that_ends_where_it_was_never_entered_ends_no_other() -> None:
    block = use("lenient")
    block.__enter__()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_ended_within, block).result() == "strict"
    block.__exit__(None, None, None)
    assert profile_in_force() is None


def _ended_within(block: AbstractContextManager[None]) -> object:
    with use("strict"):
        block.__exit__(None, None, None)
        return profile_in_force()


def _told(block: AbstractContextManager[None]) -> str | None:
    with block:
        return conversation_in_force()


@pytest.mark.parametrize("name", ["", "  ", 5, None], ids=["empty", "blank", "number", "none"])
def test_a_conversation_without_a_name_is_refused(name: Any) -> None:  # noqa: ANN401 - on purpose
    with pytest.raises(ConfigError, match="name of a conversation"), conversation(name):
        pass


async def test_tasks_are_in_the_conversation_that_started_them_and_in_no_other() -> None:
    async def inside(name: str) -> tuple[str | None, str | None]:
        with conversation(name):
            await asyncio.sleep(0)
            return conversation_in_force(), await asyncio.to_thread(conversation_in_force)

    with conversation("outer"):
        found = await asyncio.gather(*[inside(name) for name in "abc"])
        assert found == [("a", "a"), ("b", "b"), ("c", "c")]
        assert conversation_in_force() == "outer"
