"""What becomes of a request that does not leave: its record, and an error that holds none of it.

Each takes the work as a function: an error that is raised within a `with` block would keep the one before it reachable,
and what that one says may be content.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from privguard.core.audit import Outcome
from privguard.core.errors import AuditError, PrivguardError, UnknownContentError
from privguard_adapters.guarding import Answered, Guarding

Result = TypeVar("Result")


def recorded(guard: Guarding, route: str, work: Callable[[], Result]) -> Result:
    """Do what comes before any exchange; where that fails, record the refusal.

    Raises:
        PrivguardError: whatever the work raises, as `refusal_of` says it.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever fails, the request does not leave
        refusal = refusal_of(error)
    guard.block(route=route, error=refusal)
    raise refusal


def closing(exchange: Answered, work: Callable[[], Result]) -> Result:
    """Do the last of what a request needs before it leaves; where that fails, close its exchange.

    Raises:
        PrivguardError: whatever the work raises, as `refusal_of` says it.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - likewise
        refusal = refusal_of(error)
    with suppress(AuditError):
        exchange.close(Outcome.BLOCKED, refusal)
    raise refusal


def refusal_of(error: Exception, where: str = "") -> PrivguardError:
    """Return an error that holds nothing of the request.

    Args:
        error: what went wrong.
        where: the place of it, as it may be shown.
    """
    start = f"{where}: " if where else ""
    if isinstance(error, PrivguardError):
        return type(error)(f"{start}{error}") if where else error
    return UnknownContentError(
        f"{start}the request could not be read or written ({type(error).__name__}); nothing was sent"
    )
