"""Erase bodies from a log: which rows, why, and the entry that says so. The chain stays whole."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from privguard.audit.chain import Hasher, Row
from privguard.audit.entries import Erased, EraseReason, encode_entry, is_entry, request_of, time_of
from privguard.core.errors import AuditError

_BEGUN = b'{"entry":"begun"'
_SECONDS = len("2031-04-05T06:07:08")


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """Rows of requests to erase: those made before a time, or those of one request."""

    before: datetime | None = None  # with a time zone
    request: str = ""  # the whole id

    def __post_init__(self) -> None:
        """Check that it names one of the two."""
        if (self.before is None) is not bool(self.request):
            raise ValueError("name a time or a request")

    @property
    def _limit(self) -> str:
        return "" if self.before is None else self.before.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")

    def chooser(self) -> Callable[[Row], bool]:
        """Return what tells whether a row is to be erased. What the log says of itself stays."""
        limit, wanted = self._limit.encode("ascii"), self.request.encode("utf-8")

        def choose(row: Row) -> bool:
            body = row.body
            if row.seq == 0 or row.erased is not None or (is_entry(body) and not body.startswith(_BEGUN)):
                return False
            return request_of(body) == wanted if wanted else b"" < time_of(body)[:_SECONDS] < limit

        return choose

    def entry(self, rows: Iterable[tuple[int, int]], now: datetime) -> bytes:
        """Return the body of the entry that names the erased rows. It does not name the request."""
        return encode_entry(
            Erased(
                at=now.isoformat(),
                reason=EraseReason.REQUEST if self.request else EraseReason.AGE,
                before=self._limit,
                rows=tuple(rows),
            )
        )


def check_rows(rows: Iterable[Row | None], erasure: Erasure, hasher: Hasher) -> Iterator[Row]:
    """Yield the rows to erase, as they are.

    Raises:
        AuditError: one of the rows does not verify, which could not be told any more; or it is of the first version.
    """
    chosen = erasure.chooser()
    for row in rows:
        wanted = row is not None and chosen(row)
        if row is None or (wanted and not hasher.vouches_for(row)):
            raise AuditError("the audit log has rows that do not verify: run `privguard audit verify` before erasing")
        if wanted and not row.can_be_erased:
            raise AuditError(
                f"row {row.seq} of the audit log was written by an earlier version: the chain does not hold without "
                "it; move the log away, with its head, and remove it as a whole when it is old enough"
            )
        if wanted:
            yield row
