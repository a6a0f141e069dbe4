"""What is in force where the code runs: `with privguard.use("strict"):`, `with privguard.conversation("chat-17"):`."""

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from privguard.core.errors import ConfigError
from privguard.core.profile import Profile

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")


class Block(Generic[T]):
    """A `with` block, or a decorator of a function, that may be entered again, also by several threads at once."""

    def __init__(self, entered: "ContextVar[tuple[Block[T], ...]]", value: T) -> None:
        self._entered, self.value = entered, value

    def __enter__(self) -> None:
        self._entered.set((*self._entered.get(), self))

    def __exit__(self, *_error: object) -> None:
        # A generator may be closed within another block, or where this one was never entered: the others stay.
        blocks = self._entered.get()
        place = max((place for place, block in enumerate(blocks) if block is self), default=None)
        if place is not None:
            self._entered.set(blocks[:place] + blocks[place + 1 :])

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return a function, plain or `async`, that runs in the block.

        Raises:
            ConfigError: it is a generator, which would run outside of the block.
        """
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise ConfigError("a generator runs when it is read, outside of the block: put the `with` block within it")

        @wraps(function)
        def inside(*args: P.args, **kwargs: P.kwargs) -> R:
            with self:
                return function(*args, **kwargs)

        @wraps(function)
        async def awaited(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401 - what the function returns
            with self:
                return await function(*args, **kwargs)  # type: ignore[misc] # asked below

        return awaited if inspect.iscoroutinefunction(function) else inside  # type: ignore[return-value] # likewise


# The blocks that the code runs in, the innermost last.
_profiles: ContextVar[tuple[Block[str | Profile], ...]] = ContextVar("privguard_profile", default=())
_conversations: ContextVar[tuple[Block[str], ...]] = ContextVar("privguard_conversation", default=())


def use(profile: str | Profile) -> Block[str | Profile]:
    """Use a profile for every call inside the `with` block, in this thread or task. The block may be entered again.

    Raises:
        ConfigError: it is neither a name nor a profile.
    """
    if not isinstance(profile, str | Profile):
        raise ConfigError(f"use() takes the name of a profile, or a Profile, not {type(profile).__name__}")
    return Block(_profiles, profile)


def conversation(name: str) -> Block[str]:
    """Make one conversation of every request inside the `with` block, in this thread or task.

    The requests share their placeholders, which no other conversation has, and what they hold in a vault, which no
    other conversation finds. Where the guard has a vault, its values are kept there as well, so that a later reply may
    speak of what an earlier request said; without one, a reply gets back what its own request carried. A block within
    another one is a conversation of its own. One block may be entered again, for the next turn, and by several threads.

    Args:
        name: tells this conversation from all others of the tenant, in every process; not empty. Whoever may choose it
            gets the values of the conversation: it is to be as hard to guess as a session's id, or to be checked.

    Raises:
        ConfigError: it is no text, or an empty one.
    """
    check_conversation(name)
    return Block(_conversations, name)


def check_conversation(name: object) -> None:
    """Refuse what cannot be the name of a conversation.

    Raises:
        ConfigError: it is no text, or an empty one.
    """
    if not isinstance(name, str) or not name.strip():
        raise ConfigError("the name of a conversation is a text that is not empty")


def profile_in_force() -> str | Profile | None:
    """Return the profile of the innermost `use` block."""
    blocks = _profiles.get()
    return blocks[-1].value if blocks else None


def conversation_in_force() -> str | None:
    """Return the conversation of the innermost `conversation` block."""
    blocks = _conversations.get()
    return blocks[-1].value if blocks else None
