"""What one writer counts, so that the log can tell what it lacks."""

from collections.abc import Sequence
from dataclasses import dataclass

from privguard.audit.entries import Opened, Tally, encode_entry
from privguard.core.audit import AuditMode

_MOST_OPEN = 65_536  # requests that are told apart; older ones count as open for good


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Rows that are written together."""

    rows: tuple[bytes, ...]
    records: int  # how many of them are records
    tally: Tally | None = None  # the one that is among them


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers:
    begun: int = 0
    open: int = 0
    dropped: int = 0


class Session:
    """The numbers of one writer, and the entries that tell them. Not thread-safe."""

    def __init__(self, name: str, mode: AuditMode) -> None:
        self._name, self._mode = name, mode
        self._is_opened = False  # whether the log knows of the session
        self._begun = self._recorded = self._dropped = self._forgotten = 0
        self._open: dict[str, None] = {}
        self._noted = _Numbers()  # what the log was told last
        self._tells = False  # whether a tally is due

    @property
    def wants_tally(self) -> bool:
        """Tell whether the log should hear that requests are open, or are not any more, while nothing else is written.

        Where the audit is required each request has a row of its own before it leaves.
        """
        numbers = self._numbers()
        changed = numbers.open != self._noted.open or (numbers.open > 0 and numbers.begun != self._noted.begun)
        return changed and self._mode is AuditMode.BEST_EFFORT

    def ask_for_tally(self) -> None:
        """Have the next batch tell the numbers."""
        self._tells = True

    def begin(self, request_id: str) -> None:
        """Count a request that is about to leave."""
        self._begun += 1
        self._open[request_id] = None
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
            self._forgotten += 1

    def end(self, request_id: str) -> bool:
        """Count a request that has ended; tell whether it had begun."""
        was_open = request_id in self._open
        self._open.pop(request_id, None)
        return was_open

    def take_back(self, request_id: str) -> None:
        """Uncount a request that did not leave after all."""
        self._begun -= self.end(request_id)

    def drop(self, count: int = 1) -> None:
        """Count records that are lost."""
        self._dropped += count

    def compose(self, bodies: Sequence[bytes], records: int, at: str, *, opens: bool, ends: bool) -> Batch:
        """Return what is written for the bodies of records and requests, with the entries that are due.

        Args:
            bodies: in order.
            records: how many of them are records.
            at: the time, UTC, ISO 8601.
            opens: whether the log hears of the session although nothing else is written.
            ends: whether the session ends with it.
        """
        is_gap = self._noted.dropped != self._dropped
        if not (bodies or opens or is_gap or self._tells or (ends and (self._is_opened or self._begun))):
            return Batch(rows=(), records=0)
        rows = list(bodies)
        tally = None
        if ends or self._tells or is_gap:
            tally = self._tally(at, records if ends else 0, final=ends)
            # A gap is told before what comes after it; the end of the session comes last.
            rows.insert(len(rows) if ends else 0, encode_entry(tally))
        if not self._is_opened:
            rows.insert(0, encode_entry(Opened(session=self._name, at=at, mode=self._mode)))
        return Batch(rows=tuple(rows), records=records, tally=tally)

    def learn(self, batch: Batch) -> None:
        """Learn that a batch was written."""
        self._is_opened = self._is_opened or bool(batch.rows)
        self._recorded += batch.records
        if batch.tally is not None:
            self._tells = False
            self._noted = _Numbers(begun=batch.tally.begun, open=batch.tally.open, dropped=batch.tally.dropped)

    def _tally(self, at: str, writing: int, *, final: bool) -> Tally:
        numbers = self._numbers()
        return Tally(
            session=self._name,
            at=at,
            begun=numbers.begun,
            open=numbers.open,
            recorded=self._recorded + writing,
            dropped=numbers.dropped,
            final=final,
        )

    def _numbers(self) -> _Numbers:
        return _Numbers(begun=self._begun, open=len(self._open) + self._forgotten, dropped=self._dropped)
