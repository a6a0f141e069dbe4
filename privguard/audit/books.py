"""Keep the books of what the entries of a chain say: what was erased, what was dropped, what has no record."""

from dataclasses import dataclass

from privguard.audit.chain import Row
from privguard.audit.entries import Begun, Erased, Opened, Tally, decode_entry, is_entry, request_of
from privguard.audit.faults import FaultKind, FaultLog
from privguard.audit.ranges import Ranges
from privguard.core.audit import AuditMode


@dataclass(slots=True, kw_only=True)
class _Session:
    """A writer that has not ended."""

    seq: int  # of the row in which it begins
    mode: AuditMode
    open: int = 0
    dropped: int = 0


class Books:
    """What the rows said so far. Grows with what is open, erased or wrong, not with the rows."""

    def __init__(self, log: FaultLog) -> None:
        self.records = 0
        self.erased = Ranges()
        self._log = log
        self._named = Ranges()  # the rows that entries name as erased
        self._begun: dict[bytes, int] = {}  # by request id: the row in which it begins
        self._sessions: dict[str, _Session] = {}

    def take(self, row: Row) -> None:
        """Take the next sound row in order."""
        if row.erased is not None:
            self.erased.add(row.seq, row.seq)
        elif not is_entry(row.body):
            if row.seq > 0:
                self.records += 1
                if self._begun:
                    self._begun.pop(request_of(row.body), None)
        else:
            self._enter(row)

    def finish(self) -> None:
        """Draw the conclusions at the end of the chain."""
        self._log.add_all(FaultKind.ERASED, self.erased.minus(self._named))
        gone = self._log.rows(FaultKind.REMOVED, FaultKind.CHANGED, FaultKind.TRUNCATED)
        self._log.add_all(FaultKind.UNERASED, self._named.minus(self.erased).minus(gone))
        for seq in self._begun.values():
            self._log.add(FaultKind.UNRECORDED, seq)
        for session in self._sessions.values():
            self._log.count(FaultKind.UNCLOSED, session.seq, session.open)

    def _enter(self, row: Row) -> None:
        match decode_entry(row.body):
            case Begun(intent=intent):
                self._begun[intent.request_id.encode("ascii", "replace")] = row.seq
            case Opened() as opened:
                self._sessions[opened.session] = _Session(seq=row.seq, mode=opened.mode)
            case Tally() as tally:
                self._count(row.seq, tally)
            case Erased(rows=rows):
                for first, last in rows:
                    # An entry speaks of what stands before it.
                    self._named.add(first, min(last, row.seq - 1))
            case None:
                pass

    def _count(self, seq: int, tally: Tally) -> None:
        session = self._sessions.get(tally.session)
        if session is None:
            # The log was moved away under its writer, and this one goes on.
            session = self._sessions[tally.session] = _Session(seq=seq, mode=AuditMode.BEST_EFFORT)
        if tally.dropped > session.dropped:
            self._log.count(FaultKind.DROPPED, seq, tally.dropped - session.dropped)
        session.dropped, session.open = tally.dropped, tally.open
        if tally.final:
            del self._sessions[tally.session]
            # Where the audit is required, each of these has a row of its own that tells.
            if tally.open and session.mode is AuditMode.BEST_EFFORT:
                self._log.count(FaultKind.UNENDED, seq, tally.open)
