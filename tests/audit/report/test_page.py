"""The page stands by itself, reads well, and holds no content whatever the log holds."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from privguard.audit.checkpoints import Checkpoint
from privguard.audit.faults import Fault, FaultKind, Verdict
from privguard.audit.report.counts import Counts
from privguard.audit.report.gather import Report
from privguard.audit.report.page import page
from privguard.audit.report.tables import tables
from privguard.core.audit import AuditRecord, Outcome

NOW = datetime(2031, 5, 1, 6, 7, tzinfo=UTC)
SIGNED = Checkpoint(chain="c0" * 16, seq=3, hash="aa" * 32, at="2031-04-05T06:07:08.250000+00:00", key_id="ab" * 8)
EMPTY = frozenset({"meta"})


class Reader(HTMLParser):
    """Collect what a page holds, and check that its tags match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)


def read(made: str) -> Reader:
    """Parse a page."""
    reader = Reader()
    reader.feed(made)
    reader.close()
    assert reader.open == []
    return reader


def report(records: Iterable[AuditRecord] = (), verdict: Verdict | None = None) -> Report:
    """Return a report of these records."""
    counts = Counts()
    for record in records:
        counts.add(record)
    return Report(verdict=verdict or Verdict(rows=5), counts=counts, chain_id="c0" * 16)


@pytest.fixture
def records(make_record: Callable[..., AuditRecord]) -> list[AuditRecord]:
    return [replace(make_record(number, outcome), error="DetectionError") for number, outcome in enumerate(Outcome)]


def test_nothing_is_loaded_from_anywhere(records: list[AuditRecord]) -> None:
    made = page(report(records), NOW)
    reader = read(made)
    assert not {"script", "link", "img", "iframe", "object", "image", "use", "a", "form"} & {
        tag for tag, _ in reader.tags
    }
    loading = {"src", "href", "xlink:href", "srcset", "action", "style", "data"}
    assert not [
        attrs for _, attrs in reader.tags if loading & set(attrs) or any(name.startswith("on") for name in attrs)
    ]
    assert re.search(r"url\(|@import|//", made) is None
    policy = {"http-equiv": "Content-Security-Policy", "content": "default-src 'none'; style-src 'unsafe-inline'"}
    assert ("meta", policy) in reader.tags


def test_each_chart_has_its_table_and_the_figures_are_those_of_the_tables(records: list[AuditRecord]) -> None:
    given = report(records)
    reader = read(page(given, NOW))
    tags = [tag for tag, _ in reader.tags]
    filled = [table for table in tables(given.counts) if table.rows]
    assert tags.count("table") == len(filled)
    assert 0 < tags.count("svg") <= tags.count("table")
    assert tags.count("td") == sum(len(values) for table in filled for _, values in table.rows)
    ids = [attrs["id"] for tag, attrs in reader.tags if tag == "section" and "id" in attrs]
    assert ids == [table.id for table in tables(given.counts)]
    heads = [attrs for tag, attrs in reader.tags if tag == "th"]
    assert all(attrs.get("scope") in {"row", "col"} for attrs in heads)


def test_an_empty_report_says_so() -> None:
    reader = read(page(report(), NOW))
    assert "svg" not in [tag for tag, _ in reader.tags]
    assert reader.text.count("None.") == len(tables(Counts()))


def test_the_page_says_whether_the_chain_holds() -> None:
    whole = read(page(report(verdict=Verdict(rows=5, signed=SIGNED)), NOW))
    assert ("div", {"class": "status sound"}) in whole.tags
    assert "row 3, signed at 2031-04-05T06:07:08" in "".join(whole.text)
    assert "1 row behind it can be written anew" in "".join(whole.text)
    faults = tuple(Fault(kind=FaultKind.CHANGED, first=seq, last=seq) for seq in range(0, 600, 2))
    note = Fault(kind=FaultKind.DROPPED, first=9, last=9, count=4)
    broken = read(page(report(verdict=Verdict(rows=600, faults=faults, notes=(note,))), NOW))
    text = "\n".join(broken.text)
    assert ("div", {"class": "status faulty"}) in broken.tags
    assert "The chain has 300 faults" in text
    assert "row 198 was changed" in text
    assert "row 200 was changed" not in text
    assert "and 200 faults more" in text
    assert "4 records before row 9 could not be written" in text


def test_a_checkpoint_that_was_not_checked_is_not_praised() -> None:
    text = "".join(read(page(replace(report(), newest=SIGNED), NOW)).text)
    assert "Its signature was not checked" in text
    assert "checked without a key" in text
    assert "no checkpoint" in "".join(read(page(replace(report(), is_keyed=True), NOW)).text)


def test_names_are_escaped(make_record: Callable[..., AuditRecord]) -> None:
    # The codec lets no such name pass: the page does not rely on it.
    odd = '"><script>alert(1)</script>&'
    reader = read(page(report([replace(make_record(), target=odd)]), NOW))
    assert "script" not in [tag for tag, _ in reader.tags]
    assert odd in "".join(reader.text)
