"""HTML holds no tag, no attribute and no script of anybody but ours."""

from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.plan import Action
from privguard.showing.html import MOST_CHARACTERS, MOST_ROWS, html_of
from privguard.showing.report import Part, Piece, Report, Row, visible
from tests.showing.conftest import HOSTILE

TAGS = {"div", "b", "i", "p", "table", "thead", "tbody", "tr", "th", "td", "small", "bdi"}


class _Page(HTMLParser):
    """What a browser reads: its tags, their attributes and the text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def row(text: str) -> Row:
    return Row(path=text, kind="PERSON", action="REDACT", reason="need", length=3, p_survive=0.5, leaves_as=text)


def test_every_text_is_escaped_wherever_it_stands(hostile: Report) -> None:
    page = _Page(html_of(hostile))
    assert set(page.tags) <= TAGS
    assert page.attributes == {"style"}
    # The title, a fact, the row with its original, a part given and sent, three events, the footer.
    assert page.text.count(visible(HOSTILE)) >= 18


@given(st.text(max_size=60))
def test_a_page_reads_as_the_text(text: str) -> None:
    part = Part(path="p", sent=(Piece(text=text), Piece(text=text, action=Action.RETAIN)))
    page = _Page(html_of(Report(title="t", facts=((text, "v"),), rows=(row(text),), parts=(part,))))
    assert set(page.tags) <= TAGS
    assert page.text.replace("\r", "\n").count(visible(text)) >= 4


def test_what_is_long_is_cut_and_says_so(hostile: Report) -> None:
    long = Part(path="p", sent=(Piece(text="\u017e" * (MOST_CHARACTERS + 9)), Piece(text="never")))
    html = html_of(replace(hostile, parts=(long,), rows=(row("y"),) * (MOST_ROWS + 2)))
    assert html.count("\u017e") == MOST_CHARACTERS
    assert "never" not in html
    assert "2 more decisions" in html


def test_an_empty_report_says_that_nothing_was_found() -> None:
    html = html_of(Report(title="t", facts=(), rows=()))
    assert "nothing to minimize" in html
    assert "<script" not in html


def test_originals_have_a_column_only_where_they_are_shown(hostile: Report) -> None:
    assert ">original<" in html_of(hostile)
    assert ">original<" not in html_of(replace(hostile, rows=(row("x"),)))
