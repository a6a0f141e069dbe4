import asyncio
from concurrent.futures import ThreadPoolExecutor
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
