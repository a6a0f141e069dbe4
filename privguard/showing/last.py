"""The last exchange, for notebooks: what was decided, what came back and how long it took."""

from privguard.core.audit import AuditRecord
from privguard.guard import Trace, last_trace
from privguard.showing.report import Report, Row, facts_of_unread, parts_of_content, rows_of_content, rows_of_record

_NOT_KEPT = "what left is not kept; client.privguard.keep() keeps it, from the next call on"


class LastExchange:
    """What may be told of one exchange.

    By default that is its audit record, which holds no content. Where the client keeps the content of its last exchange
    (`client.privguard.keep()`), it shows what left as well, and the originals with `show(originals=True)`. Its `repr`
    never holds content.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace, self._content = trace, trace.content

    @property
    def record(self) -> AuditRecord | None:
        """Return the audit record: of an open exchange, as far as it has come, and its outcome counts for nothing.

        None where an exchange is gone that nobody has closed.
        """
        return self._trace.record

    @property
    def ended(self) -> bool:
        """Tell whether the reply was read to its end, or the exchange ended in another way."""
        return self._trace.ended

    def show(self, *, originals: bool = False) -> Report:
        """Return what a notebook or rich shows.

        Args:
            originals: whether the originals are shown, where the client keeps them.
        """
        record = self.record
        if record is None:
            return Report(title="last exchange", facts=(), rows=(), footer="it was never closed, and is gone")
        content = self._content
        rows: tuple[Row, ...] = rows_of_record(record)
        if content is not None:
            rows = rows_of_content(content, originals=originals)
        return Report(
            title="last exchange",
            facts=(
                *_facts(record, ended=self.ended),
                *(() if content is None else facts_of_unread([segment.text for segment in content.sent])),
            ),
            rows=rows,
            parts=() if content is None else parts_of_content(content, originals=originals),
            events=record.events,
            footer="" if content is not None or not record.decisions else _NOT_KEPT,
        )

    def __repr__(self) -> str:
        record = self.record
        if record is None:
            return "LastExchange(gone)"
        outcome = record.outcome.value if self.ended else "open"
        return f"LastExchange({record.request_id}, {record.route}, {outcome}, decisions={len(record.decisions)})"

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()

    def __rich__(self) -> object:
        return self.show()


def last_exchange() -> LastExchange | None:
    """Return the last exchange that began in this thread or task; None where there was none.

    It holds no content, and nothing of an exchange that has ended but its audit record, unless the client keeps more.
    """
    trace = last_trace()
    return None if trace is None else LastExchange(trace)


def _facts(record: AuditRecord, *, ended: bool) -> tuple[tuple[str, str], ...]:
    outcome = record.outcome.value + (f", {record.error}" if record.error else "")
    facts = [("request", record.request_id), ("at", record.at), ("route", record.route)]
    if record.target:
        known = f", theta {record.theta:+.2f}, {record.target_provenance}" if record.profile_id else ""
        facts.append(("target", record.target + known))
    if record.profile_id:
        facts.append(("profile", record.profile_id))
    facts.append(("outcome", outcome if ended else "open"))
    if record.stage_ms:
        facts.append(("time", ", ".join(f"{stage} {took:.1f} ms" for stage, took in record.stage_ms.items())))
    return tuple(facts)
