"""Tell the audit log of a request before it leaves, where the log wants to know."""

from collections.abc import Callable
from contextlib import suppress

from privguard.core.audit import Intent, Outcome
from privguard.core.errors import AuditError, UnrecordedError
from privguard.core.protocols import AuditSink
from privguard.core.segments import Segment
from privguard.guard.exchange import Exchange, Life


def announce(sink: AuditSink, life: Life, outgoing: tuple[Segment, ...]) -> Exchange[tuple[Segment, ...]]:
    """Return the exchange of a request that may leave.

    Raises:
        UnrecordedError: the audit is required, and the request could not be recorded.
    """
    exchange = Exchange(life, outgoing)
    begin: Callable[[Intent], None] | None = getattr(sink, "begin", None)
    if begin is None:
        return exchange
    intent = Intent(request_id=life.request_id, at=life.at, route=life.route, target=life.plan.target.name)
    try:
        begin(intent)
    except AuditError as error:
        refusal = UnrecordedError(f"the audit is required, so nothing was sent: {error}")
    else:
        return exchange
    with suppress(AuditError):
        exchange.close(Outcome.BLOCKED, refusal)
    raise refusal
