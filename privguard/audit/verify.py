"""Find every fault of a chain in one pass, in memory that grows with the faults and not with the rows."""

from collections.abc import Iterable, Sequence

from privguard.audit.attested import Attested
from privguard.audit.books import Books
from privguard.audit.chain import Hasher, Head, Row
from privguard.audit.checkpoints import Checkpoint, PublicKey
from privguard.audit.faults import Fault, FaultKind, FaultLog, Verdict
from privguard.audit.lines import Torn
from privguard.audit.scan import Scan

__all__ = ["Fault", "FaultKind", "Verdict", "verify"]


def verify(
    rows: Iterable[Row | Torn | None],
    head: Head | None,
    *,
    key: bytes | None = None,
    lag: int = 0,
    checkpoints: Iterable[Checkpoint] = (),
    public_keys: Sequence[PublicKey] = (),
) -> Verdict:
    """Check a chain from its genesis to its head.

    Args:
        rows: in stored order; None for a line that is neither a row nor the beginning of one.
        head: None where there is none.
        key: the key that the chain was written with.
        lag: how many rows the head may lie behind, where rows and head are not written in one transaction.
        checkpoints: in the order of their rows.
        public_keys: whose signatures count. Where there are some, a chain that none of them signed is a fault.

    Raises:
        AuditError: the chain was written with a key and none is given.
    """
    hasher, log = Hasher(key), FaultLog()
    books, attested = Books(log), Attested(checkpoints, public_keys, log)
    sealed = head if head is not None and hasher.vouches_for_head(head) else None
    scan = Scan(hasher, sealed, log, books, attested)
    count = 0
    for row in rows:
        count += row.__class__ is Row
        scan.feed(row)
    scan.finish()
    attested.finish(scan.expected)
    books.finish()
    last = scan.expected - 1
    if head is None:
        log.add(FaultKind.HEAD_MISSING, max(last, 0))
    elif sealed is None or head.seq < last - lag:
        log.add(FaultKind.HEAD_CHANGED, head.seq)
    return Verdict(
        rows=count,
        records=books.records,
        erased=len(books.erased),
        faults=log.take(notes=False),
        notes=log.take(notes=True),
        head=head,
        signed=attested.signed,
    )
