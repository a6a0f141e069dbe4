"""The profile that is in force where the code runs: `with privguard.use("strict"):`."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from privguard.core.errors import ConfigError
from privguard.core.profile import Profile

_in_force: ContextVar[str | Profile | None] = ContextVar("privguard_profile", default=None)


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


def profile_in_force() -> str | Profile | None:
    """Return the profile of the innermost `use` block."""
    return _in_force.get()
