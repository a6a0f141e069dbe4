"""What is in force where the code runs: `with privguard.use("strict"):`, `with privguard.conversation("chat-17"):`."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from privguard.core.errors import ConfigError
from privguard.core.profile import Profile

_in_force: ContextVar[str | Profile | None] = ContextVar("privguard_profile", default=None)
_conversation: ContextVar[str | None] = ContextVar("privguard_conversation", default=None)


@contextmanager
def use(profile: str | Profile) -> Iterator[None]:
    """Use a profile for every call inside the `with` block, in this thread or task.

    Raises:
        ConfigError: it is neither a name nor a profile.
    """
    if not isinstance(profile, str | Profile):
        raise ConfigError(f"use() takes the name of a profile, or a Profile, not {type(profile).__name__}")
    token = _in_force.set(profile)
    try:
        yield
    finally:
        _in_force.reset(token)


@contextmanager
def conversation(name: str) -> Iterator[None]:
    """Make one conversation of every request inside the `with` block, in this thread or task.

    The requests share their placeholders, which no other conversation has, and what they hold in a vault, which no
    other conversation finds. Where the guard has a vault, its values are kept there as well, so that a later reply may
    speak of what an earlier request said; without one, a reply gets back what its own request carried. A block within
    another one is a conversation of its own.

    Args:
        name: tells this conversation from all others of the tenant, in every process; not empty. Whoever may choose it
            gets the values of the conversation: it is to be as hard to guess as a session's id, or to be checked.

    Raises:
        ConfigError: it is no text, or an empty one.
    """
    check_conversation(name)
    token = _conversation.set(name)
    try:
        yield
    finally:
        _conversation.reset(token)


def check_conversation(name: object) -> None:
    """Refuse what cannot be the name of a conversation.

    Raises:
        ConfigError: it is no text, or an empty one.
    """
    if not isinstance(name, str) or not name.strip():
        raise ConfigError("the name of a conversation is a text that is not empty")


def profile_in_force() -> str | Profile | None:
    """Return the profile of the innermost `use` block."""
    return _in_force.get()


def conversation_in_force() -> str | None:
    """Return the conversation of the innermost `conversation` block."""
    return _conversation.get()
