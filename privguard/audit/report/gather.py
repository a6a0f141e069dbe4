"""Read a log once: check it, and count what its records say."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from privguard.audit.chain import Row, chain_id_of, is_keyed_genesis
from privguard.audit.checkpoints import Checkpoint, PublicKey
from privguard.audit.faults import Verdict
from privguard.audit.lines import Torn
from privguard.audit.read import Log, verify_log
from privguard.audit.report.counts import Counts, Period


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a page tells of a log."""

    verdict: Verdict
    counts: Counts
    chain_id: str = ""  # hexadecimal digits, "" where there is no genesis
    is_keyed: bool = False
    newest: Checkpoint | None = None  # that the log has, whoever signed it


class _Passing:
    """What is noticed while the log goes by."""

    def __init__(self) -> None:
        self.newest: Checkpoint | None = None
        self.genesis: Row | None = None

    def checkpoints(self, found: Iterable[Checkpoint]) -> Iterator[Checkpoint]:
        """Pass the checkpoints on, and keep the newest."""
        for each in found:
            if self.newest is None or each.seq >= self.newest.seq:
                self.newest = each
            yield each

    def rows(self, found: Iterable[Row | Torn | None]) -> Iterator[Row | Torn | None]:
        """Pass the rows on, and keep the genesis."""
        for row in found:
            if self.genesis is None and isinstance(row, Row) and row.seq == 0:
                self.genesis = row
            yield row


def gather(
    log: Log,
    period: Period | None = None,
    *,
    key: bytes | None = None,
    public_keys: Sequence[PublicKey] = (),
    checkpoints: Iterable[Checkpoint] = (),
) -> Report:
    """Verify a log that is open, as a whole, and count the records of a period.

    Args:
        log: it is read to its end.
        period: the days whose records count; default: all.
        key: the key that the chain was written with.
        public_keys: whose checkpoints count.
        checkpoints: some that were kept elsewhere.

    Raises:
        AuditError: the log cannot be read, or it was written with a key and none is given.
        ConfigError: the key is too short.
    """
    counts, passing = Counts(period=period or Period()), _Passing()
    watched = replace(log, rows=counts.watch(passing.rows(log.rows)), checkpoints=passing.checkpoints(log.checkpoints))
    verdict = verify_log(watched, key, public_keys=public_keys, checkpoints=checkpoints)
    genesis = passing.genesis
    return Report(
        verdict=verdict,
        counts=counts,
        chain_id="" if genesis is None else chain_id_of(genesis),
        is_keyed=genesis is not None and is_keyed_genesis(genesis),
        newest=passing.newest,
    )
