"""What is done with a chain in tables, whatever the database: over tables in memory."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

import pytest

from privguard.audit.chain import Hasher, Head, Row
from privguard.audit.checkpoints import Checkpoint, Notary
from privguard.audit.erasing import Erasure
from privguard.audit.lines import format_row
from privguard.audit.tables import TableChain, newest, parse_stored
from privguard.audit.verify import verify
from privguard.core.errors import AuditError
from tests.audit.chains import AT, FakeSigner


class Kept:
    """Tables in memory."""

    def __init__(self) -> None:
        self.kept: dict[int, Row] = {}
        self.end: Head | None = None
        self.signed: dict[int, Checkpoint] = {}

    def head(self) -> Head | None:
        return self.end

    def move_head(self, head: Head) -> None:
        self.end = head

    def insert(self, rows: Sequence[Row]) -> None:
        self.kept |= {row.seq: row for row in rows}

    def row(self, seq: int) -> Row | None:
        return self.kept.get(seq)

    def last_row(self) -> Row | None:
        return self.kept[max(self.kept)] if self.kept else None

    def rows(self, numbers: range) -> Iterator[Row | None]:
        return (self.kept.get(seq) for seq in numbers if seq in self.kept)

    def replace(self, rows: Sequence[Row]) -> None:
        self.insert(rows)

    def last_checkpoint(self) -> Checkpoint | None:
        return self.signed[max(self.signed)] if self.signed else None

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        self.signed[checkpoint.seq] = checkpoint


def begun(notary: Notary | None = None) -> tuple[TableChain, Kept]:
    """Return a chain that has begun."""
    chain, tables = TableChain("somewhere", Hasher(), notary), Kept()
    chain.begin(tables)
    return chain, tables


def body(number: int) -> bytes:
    """Return the body of a request."""
    return b'{"at":"%s","request_id":"r%d"}' % (AT.encode(), number)


def test_what_is_appended_erased_and_signed_verifies() -> None:
    chain, tables = begun(Notary(FakeSigner(), every=3))
    assert chain.append(tables, [body(number) for number in range(4)]).seq == 4
    assert chain.append(tables, []).seq == chain.end(tables) == 4
    assert chain.erase(tables, Erasure(request="r2"), range(5), datetime(2031, 5, 1, tzinfo=UTC)) == 1
    assert chain.erase(tables, Erasure(request="r2"), range(6), datetime(2031, 5, 1, tzinfo=UTC)) == 0
    last = chain.sign(tables)
    assert last is not None
    assert chain.sign(tables) == last
    assert sorted(tables.signed) == [4, 5]
    verdict = verify(tables.kept.values(), tables.end, checkpoints=tables.signed.values(), public_keys=[FakeSigner()])
    assert (verdict.ok, verdict.erased, verdict.signed) == (True, 1, last)


def test_what_another_writer_signed_is_not_signed_again() -> None:
    chain, tables = begun(Notary(FakeSigner(), every=3))
    other = TableChain("somewhere", Hasher(), Notary(FakeSigner(), every=3))
    other.resume(tables)
    for number in range(6):
        (chain, other)[number % 2].append(tables, [body(number)])
    assert sorted(tables.signed) == [3, 6]
    assert (chain.signs, TableChain("x", Hasher(), None).signs) == (True, False)


@pytest.mark.parametrize("damage", ["head", "seal", "row", "genesis"])
def test_what_does_not_fit_is_refused_and_nothing_is_written(damage: str) -> None:
    chain, tables = begun(Notary(FakeSigner(), every=1))
    tables.signed.clear()
    if damage == "head":
        tables.end = None
    elif damage == "seal":
        tables.end = Head(seq=0, hash="a" * 64, seal="b" * 64)
    else:
        tables.kept.clear()
    before = dict(tables.kept)
    with pytest.raises(AuditError, match=r"somewhere .* `privguard audit verify`"):
        chain.sign(tables) if damage == "genesis" else chain.resume(tables)
    assert (tables.kept, tables.signed) == (before, {})


@pytest.mark.parametrize("lost", [(3,), (2, 3), (0, 1, 2, 3)], ids=["last", "end", "all"])
@pytest.mark.parametrize("use", ["append", "sign", "erase", "end"])
def test_nothing_follows_rows_that_were_removed_meanwhile(lost: tuple[int, ...], use: str) -> None:
    chain, tables = begun(Notary(FakeSigner(), every=1000))
    chain.append(tables, [body(number) for number in range(3)])
    for seq in lost:
        del tables.kept[seq]
    before, head = dict(tables.kept), tables.end
    uses: dict[str, Callable[[], object]] = {
        "append": lambda: chain.append(tables, [body(3)]),
        "sign": lambda: chain.sign(tables),
        "erase": lambda: chain.erase(tables, Erasure(request="r0"), range(4), datetime(2031, 5, 1, tzinfo=UTC)),
        "end": lambda: chain.end(tables),
    }
    with pytest.raises(AuditError, match="does not end where its head says"):
        uses[use]()
    assert (tables.kept, tables.end, tables.signed) == (before, head, {})


def test_a_stored_line_is_a_row_or_nothing() -> None:
    row = Hasher().genesis("00")
    assert parse_stored(format_row(row).decode()) == row
    assert [parse_stored(line) for line in ("x", b"x", None, 3, "\ud800")] == [None] * 5
    assert newest(iter([None, None])) is None
