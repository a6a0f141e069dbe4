"""Tell the audit log of a request before it leaves, where the log wants to know."""

from collections.abc import Callable
from contextlib import suppress

from privguard.core.audit import Intent, Outcome
from privguard.core.errors import AuditError, UnrecordedError
from privguard.core.protocols import AuditSink
from privguard.guard.exchange import Exchange, Out


def announce(sink: AuditSink, exchange: Exchange[Out], *, at: str, route: str) -> Exchange[Out]:
    """Return the exchange when its request may leave.

    Args:
        sink: where its record will go.
        exchange: of the request.
        at: the time of its record.
        route: the route of its record.

    Raises:
        UnrecordedError: the audit is required, and the request could not be recorded.
    """
    begin: Callable[[Intent], None] | None = getattr(sink, "begin", None)
    if begin is None:
        return exchange
    intent = Intent(request_id=exchange.request_id, at=at, route=route, target=exchange.plan.target.name)
    try:
        begin(intent)
    except AuditError as error:
        refusal = UnrecordedError(f"the audit is required, so nothing was sent: {error}")
    else:
        return exchange
    with suppress(AuditError):
        exchange.close(Outcome.BLOCKED, refusal)
    raise refusal
