"""Walk along a chain and say of each row what is wrong with it.

After a fault the scan picks the chain up again, so that one changed row is one fault. A row is *sound* when its hash is
the one of its fields. Sound rows say themselves where they belong; what the others were follows from the sound rows
around them. A row whose body was changed and whose hash was computed anew (which needs no key in a chain without one)
is sound: the link of the next row, or the head, gives it away.
"""

from dataclasses import dataclass

from privguard.audit.attested import Attested
from privguard.audit.books import Books
from privguard.audit.chain import ORIGIN, Hasher, Head, Row, is_keyed_genesis
from privguard.audit.faults import FaultKind, FaultLog
from privguard.audit.lines import Torn
from privguard.audit.ranges import Ranges
from privguard.core.errors import AuditError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doubt:
    """What is no sound row."""

    claim: int | None = None  # the number that it gives itself
    torn: bool = False  # whether it can be what a killed writer left


class Scan:
    """Where the scan stands.

    Args:
        hasher: vouches for rows.
        head: where the chain says that it ends; None where there is no head, or one that nobody sealed.
        log: where the faults go.
        books: is shown every sound row, in order.
        attested: likewise, those that its checkpoints speak of.
    """

    def __init__(self, hasher: Hasher, head: Head | None, log: FaultLog, books: Books, attested: Attested) -> None:
        self.log = log
        self.head = head
        self.expected = 0  # the next number in order
        self._hasher, self._books, self._attested = hasher, books, attested
        self._tip: str | None = ORIGIN  # what the next row must name; None where a fault hides it
        self._at_head: str | None = None  # the hash of the sound row that the head speaks of
        self._suspect: int | None = None  # the row that does not name its predecessor's hash
        self._early: dict[int, Row] = {}  # sound rows that came before their turn
        self._last_early: int | None = None  # the one that came just now, with none in order since
        self._doubtful: list[_Doubt] = []
        self._missing = Ranges()

    def feed(self, row: Row | Torn | None) -> None:
        """Take the next row in stored order."""
        if not isinstance(row, Row):
            self._doubtful.append(_Doubt(torn=row is not None and self._is_torn_here(row)))
            return
        if self._hasher.vouches_for(row):
            self._place(row)
            return
        if not self._hasher.keyed and is_keyed_genesis(row):
            raise AuditError("the chain was written with a key: give it to verify the chain")
        if row.seq == self.expected and row.seq not in self._early and not self._doubtful:
            self._accept_changed()
        else:
            self._doubtful.append(_Doubt(claim=row.seq))

    def _is_torn_here(self, torn: Torn) -> bool:
        """Tell whether the row that would come next may have begun so; a fault before it hides which one that is."""
        return bool(self._early or self._doubtful) or torn.may_follow(self.expected, self._tip)

    def finish(self) -> None:
        """Draw the conclusions that had to wait for the end."""
        if self._early:
            self._skip_to(max(self._early) + 1)
        if self._doubtful:
            self._settle(self.expected if self.head is None else self.head.seq + 1)
        if self.head is not None and self.head.seq >= self.expected:
            self.log.add(FaultKind.TRUNCATED, self.expected, self.head.seq)
        elif self.head is not None and self._at_head not in {None, self.head.hash}:
            if self._suspect == self.head.seq:
                self._suspect = None
            self.log.add(FaultKind.CHANGED, self.head.seq)
        self._blame()
        self.log.add_all(FaultKind.REMOVED, self._missing)

    def _place(self, row: Row) -> None:
        """Put a sound row where its number says."""
        while self.expected in self._early and row.seq != self.expected:
            self.log.add(FaultKind.REORDERED, self.expected)
            self._accept(self._early.pop(self.expected))
        if self._doubtful and row.seq >= self.expected:
            self._settle(row.seq)
            self._skip_to(row.seq)
        if self._last_early is not None and row.seq > self._last_early:
            # Two rows beyond the gap, in order: the gap is real, the first of them did not stray.
            self._skip_to(self._last_early + 1)
        if row.seq == self.expected:
            if self._early.pop(row.seq, None) is not None:
                self.log.add(FaultKind.DUPLICATED, row.seq)
            self._accept(row)
        elif row.seq > self.expected and row.seq not in self._early:
            self._early[row.seq] = row
            self._last_early = row.seq
        else:
            late = row.seq < self.expected and self._missing.take(row.seq)
            self.log.add(FaultKind.REORDERED if late else FaultKind.DUPLICATED, row.seq)

    def _skip_to(self, seq: int) -> None:
        """Go on at `seq`; what lies before it and has not come is missing."""
        in_order = self._last_early
        for early in sorted(early for early in self._early if early < seq):
            if early != in_order:
                self.log.add(FaultKind.REORDERED, early)
            self._pass_gap(early)
            self._accept(self._early.pop(early))
        self._pass_gap(seq)

    def _pass_gap(self, seq: int) -> None:
        if seq > self.expected:
            self._blame()
            self._missing.add(self.expected, seq - 1)
            self.expected = seq
            self._tip = None

    def _settle(self, stop: int) -> None:
        """Give the doubtful rows the numbers between the last row in order and `stop`.

        A claimed number is believed where it fits, the others take the lowest that are left. What finds no number is
        no row of this chain: foreign, unless a killed writer can have left it.
        """
        doubtful, self._doubtful = self._doubtful, []
        taken: set[int] = set()
        others: list[_Doubt] = []
        for doubt in doubtful:
            claim = doubt.claim
            if claim is None or not self.expected <= claim < stop or claim in self._early or claim in taken:
                others.append(doubt)
            else:
                taken.add(claim)
        free = self.expected
        for doubt in others:
            while free in taken or free in self._early:
                free += 1
            if free < stop:
                taken.add(free)
            else:
                self.log.add(FaultKind.UNFINISHED if doubt.torn else FaultKind.FOREIGN, stop)
        for seq in sorted(taken):
            self._skip_to(seq)
            self._accept_changed()

    def _accept(self, row: Row) -> None:
        """Take the sound row that is next in order, and judge its link."""
        if self._tip is None or row.previous == self._tip:
            self._blame()
        elif self._suspect is None:
            self._suspect = row.seq
        else:
            # Neither the link into the row before nor the link out of it holds: that row is the changed one.
            self.log.add(FaultKind.CHANGED, self._suspect)
            self._suspect = None
        if self.head is not None and row.seq == self.head.seq:
            self._at_head = row.hash
        if row.seq == 0:
            self._attested.take_genesis(row)
        if row.seq >= self._attested.next_seq:
            self._attested.take(row)
        self._books.take(row)
        self._tip = row.hash
        self._last_early = None
        self.expected = row.seq + 1

    def _accept_changed(self) -> None:
        self._blame()
        self.log.add(FaultKind.CHANGED, self.expected)
        self._tip = None
        self._last_early = None
        self.expected += 1

    def _blame(self) -> None:
        """A single broken link: the row that is named was changed after the one that names it was written."""
        if self._suspect is not None:
            self.log.add(FaultKind.CHANGED, max(self._suspect - 1, 0))
            self._suspect = None
