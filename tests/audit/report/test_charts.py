"""What a chart draws has the proportions of its numbers, stays within its frame, and can be read aloud."""

from itertools import pairwise
from xml.dom import minidom
from xml.dom.minidom import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.report.charts import MOST_BARS, WIDTH, chart
from privguard.audit.report.tables import Column, Table

COLUMNS = (Column(name="requests"), Column(name="retained", tone="retained"), Column(name="redacted", tone="redacted"))
ROWS = st.lists(st.tuples(*[st.integers(0, 10**9)] * 3), min_size=1, max_size=40)


def table(rows: list[tuple[int, int, int]], *, over_time: bool = False) -> Table:
    """Return a table with these numbers."""
    named = tuple((f"row{place}", values) for place, values in enumerate(rows))
    return Table(id="t", title="A title", label="row", columns=COLUMNS, rows=named, is_over_time=over_time)


def drawn(made: str) -> tuple[Element, list[Element]]:
    """Return the root of a chart and its blocks."""
    root = minidom.parseString(made).documentElement  # noqa: S318 - our own
    assert root is not None
    return root, list(root.getElementsByTagName("rect"))


def number(element: Element, name: str) -> float:
    """Return a measure of an element."""
    return float(element.getAttribute(name))


@pytest.mark.parametrize("over_time", [False, True], ids=["bars", "columns"])
@given(rows=ROWS)
def test_blocks_have_the_proportions_of_their_numbers_and_stay_in_the_frame(
    over_time: bool, rows: list[tuple[int, int, int]]
) -> None:
    made = chart(table(rows, over_time=over_time))
    shown = [row[1:] for row in rows] if over_time else [row[1:] for row in rows if any(row[1:])][:MOST_BARS]
    values = [value for row in shown for value in row if value]
    assert bool(made) == any(any(row[1:]) for row in rows)
    if not made:
        return
    root, blocks = drawn(made)
    width, height = map(float, root.getAttribute("viewBox").split()[2:])
    assert width == WIDTH
    assert len(blocks) == len(values)
    measure = "height" if over_time else "width"
    scale = max(
        number(block, measure) / value for block, value in zip(blocks, values, strict=True) if value == max(values)
    )
    for block, value in zip(blocks, values, strict=True):
        assert number(block, measure) == pytest.approx(value * scale, abs=0.02)
        assert 0 <= number(block, "x") <= number(block, "x") + number(block, "width") <= width + 0.02
        assert number(block, "y") >= -0.02
        assert number(block, "y") + number(block, "height") <= height + 0.02


def test_each_block_says_what_it_is_and_the_chart_names_itself() -> None:
    root, blocks = drawn(chart(table([(9, 1200, 3)])))
    titles = [block.getElementsByTagName("title")[0].firstChild for block in blocks]
    assert [title.nodeValue for title in titles if title is not None] == ["row0, retained: 1,200", "row0, redacted: 3"]
    assert [block.getAttribute("class") for block in blocks] == ["tone retained", "tone redacted"]
    assert root.getAttribute("role") == "img"
    assert root.getAttribute("aria-label").startswith("A title.")


def test_long_names_are_shortened_and_long_tables_cut() -> None:
    rows = tuple((f"{place}" + "m" * 60, (1, 1, 1)) for place in range(40))
    root, blocks = drawn(chart(Table(id="t", title="T", label="l", columns=COLUMNS, rows=rows)))
    assert len(blocks) == 2 * MOST_BARS
    texts = [text.firstChild.nodeValue or "" for text in root.getElementsByTagName("text") if text.firstChild]
    assert max(map(len, texts)) == 26


def test_labels_of_an_axis_do_not_overlap() -> None:
    root, _ = drawn(chart(table([(1, 1, 1)] * 62, over_time=True)))
    labels = [text for text in root.getElementsByTagName("text") if text.getAttribute("text-anchor") == "middle"]
    places = [number(label, "x") for label in labels]
    assert len(places) > 4
    assert min(b - a for a, b in pairwise(places)) >= 76
