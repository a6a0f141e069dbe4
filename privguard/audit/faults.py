"""What a scan of a chain finds: faults, and notes that are none."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from privguard.audit.chain import Head
from privguard.audit.checkpoints import Checkpoint
from privguard.audit.ranges import Ranges


class FaultKind(StrEnum):
    """What is wrong with a row, with the head or with a checkpoint; behind the line: what is worth a note."""

    CHANGED = "changed"
    REMOVED = "removed"
    REORDERED = "reordered"
    DUPLICATED = "duplicated"
    FOREIGN = "foreign"  # a row or anything else that belongs nowhere in this chain
    TRUNCATED = "truncated"  # the head, or a checkpoint, says that the chain went on
    ERASED = "erased"  # the body is gone, and no entry of the chain names the row
    HEAD_MISSING = "head missing"
    HEAD_CHANGED = "head changed"  # badly sealed, or behind the rows
    REWRITTEN = "rewritten"  # not the row that was signed: all before it may be another chain's
    FORGED = "forged"  # a checkpoint that its key did not sign
    OTHER_CHAIN = "other chain"  # a checkpoint of another log
    UNSIGNED = "unsigned"  # no checkpoint is signed with the key that was given
    # ------
    UNFINISHED = "unfinished"  # the beginning of a row that a killed writer left; no row is missing
    UNRECORDED = "unrecorded"  # the request that begins in this row has no record
    UNCLOSED = "unclosed"  # the writer that begins in this row has not ended: it still writes, or it was killed
    UNENDED = "unended"  # the writer that ends in this row left requests without a record
    DROPPED = "dropped"  # records that could not be written
    UNERASED = "unerased"  # an entry says that the body is gone, and it is there


NOTES = frozenset(
    {
        FaultKind.UNFINISHED,
        FaultKind.UNRECORDED,
        FaultKind.UNCLOSED,
        FaultKind.UNENDED,
        FaultKind.DROPPED,
        FaultKind.UNERASED,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Fault:
    """Neighbouring rows with one kind of fault, `first` to `last` inclusive.

    FOREIGN and UNFINISHED name the row in front of which something stands, the others the row itself.
    """

    first: int
    last: int
    kind: FaultKind
    count: int = 0  # of records or requests, where the kind speaks of several


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a scan found."""

    rows: int  # genesis included, sound or not; lines that are no row do not count
    records: int = 0  # of requests
    erased: int = 0  # rows whose body was removed
    faults: tuple[Fault, ...] = ()
    notes: tuple[Fault, ...] = ()  # worth knowing, and no fault
    head: Head | None = None
    signed: Checkpoint | None = None  # the newest that holds, where a public key was given

    @property
    def ok(self) -> bool:
        """Tell whether there is no fault."""
        return not self.faults


class FaultLog:
    """Faults and notes as they are found, neighbours of one kind joined."""

    def __init__(self) -> None:
        self._ranges: dict[FaultKind, Ranges] = {}
        self._counted: list[Fault] = []

    def add(self, kind: FaultKind, first: int, last: int | None = None) -> None:
        """Add a row, or all rows from `first` to `last`."""
        self._ranges.setdefault(kind, Ranges()).add(first, first if last is None else last)

    def add_all(self, kind: FaultKind, ranges: Iterable[tuple[int, int]]) -> None:
        """Add the rows of all ranges."""
        for first, last in ranges:
            self.add(kind, first, last)

    def count(self, kind: FaultKind, seq: int, count: int) -> None:
        """Add a row that tells of several records or requests."""
        self._counted.append(Fault(kind=kind, first=seq, last=seq, count=count))

    def rows(self, *kinds: FaultKind) -> Ranges:
        """Return the rows with a fault of these kinds."""
        return Ranges(pair for kind in kinds for pair in self._ranges.get(kind, ()))

    def take(self, *, notes: bool) -> tuple[Fault, ...]:
        """Return what was found, in order."""
        found = [
            Fault(kind=kind, first=first, last=last) for kind, ranges in self._ranges.items() for first, last in ranges
        ]
        return tuple(sorted(fault for fault in (*found, *self._counted) if (fault.kind in NOTES) is notes))
