"""Shares of the actions under the shipped profiles."""

from collections.abc import Iterable, Sequence

import pytest

from benchmarks.need.gold import Request, Row
from benchmarks.need.shares import TARGETS, profile_shares, shares_table
from privguard.core.entities import EntityType
from privguard.core.plan import Need
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span

SPANS = tuple(
    Span(start=start, end=start + length, kind=EntityType.PERSON, score=1.0, source="gold")
    for start, length in ((0, 3), (4, 1), (6, 1))
)


class Scripted:
    """Long spans are needed, short ones are not."""

    id = "scripted"

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        del segments
        return tuple(
            tuple(
                Need(b_redact=9.0, b_abstract=9.0) if span.length > 1 else Need(b_redact=-9.0, b_abstract=-9.0)
                for span in row
            )
            for row in spans
        )


def plain(items: Iterable[Request]) -> Iterable[Request]:
    return items


def request() -> Request:
    segment = Segment(path="messages[0].content", role=Role.USER, channel=Channel.TEXT, text="Ada B B")
    needed = Row(kind=EntityType.PERSON, labels=(4,), mentions=((0, 0),))
    spare = Row(kind=EntityType.PERSON, labels=(0,), mentions=((0, 1), (0, 2)))
    return Request(segments=(segment,), spans=(SPANS,), rows=(needed, spare))


def test_shares_count_mentions_and_add_up() -> None:
    shares = profile_shares(Scripted(), [request(), request()], plain, seed=1)
    for name, row in shares.items():
        assert sum(one.value or 0.0 for one in row.values()) == pytest.approx(1.0)
        if not name.startswith("strict"):
            assert row["RETAIN"].value == pytest.approx(1 / 3)
    for target in TARGETS:
        assert shares[f"strict, {target}"]["REDACT"].value == 1.0
    assert shares_table("scripted", shares).row_count == len(shares)
