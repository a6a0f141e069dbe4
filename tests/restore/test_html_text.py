"""Character references are read as a browser reads them, however the text is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.restore.html_text import ReferenceReader, twin

PIECES = [
    "&",
    "#",
    "x",
    "X",
    "0",
    "00000",
    "3",
    "a",
    "A",
    ";",
    "58",
    "sol",
    "colon",
    "amp;",
    "quot",
    "Tab",
    " ",
    "[",
    "é",
]


def read(text: str) -> str:
    reader = ReferenceReader()
    return reader.feed(text) + reader.flush()


@pytest.mark.parametrize(
    "written",
    ["&#58;", "&#058;", "&#x3a;", "&#X3A;", "&#x03A;", "&colon;", "&#58", "&#x3a", "&#" + "0" * 500 + "58;"],
)
def test_every_spelling_of_a_reference_is_read(written: str) -> None:
    assert read(f"https{written}//") == "https://"


@pytest.mark.parametrize(
    "written", ["&", "&;", "&#;", "&#x;", "&nothing;", "&sol", "& sol;", "&eacute;", "&#233;", "AT&T"]
)
def test_what_is_no_reference_to_an_ascii_character_stays(written: str) -> None:
    assert read(f"a{written} b") == f"a{written} b"


@pytest.mark.parametrize("written", ["&Tab;", "&NewLine;", "&#9;", "&#10;", "&#xD;"])
def test_tabs_and_line_breaks_vanish(written: str) -> None:
    assert read(f"ht{written}tps") == "https"


@pytest.mark.parametrize(("written", "delimiter"), [("&quot;", '"'), ("&#39;", "'"), ("&lt;", "<"), ("&#32;", " ")])
def test_a_delimiter_becomes_its_twin(written: str, delimiter: str) -> None:
    assert read(written) == twin(delimiter) != delimiter


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("https&amp;#58;", "https:"),
        ("&amp;amp;sol;", "/"),
        ("&amp;#32;", twin(" ")),
        ("ht&amp;#9;tps", "https"),
        ("&amp;", "&"),
        ("AT&amp;T", "AT&T"),
    ],
)
def test_a_document_in_an_attribute_is_read_once_more(written: str, read_as: str) -> None:
    assert read(written) == read_as


@pytest.mark.parametrize("written", ["&amp;quot;", "&amp;#34;", "&amp;gt;", "&amp;#39;"])
def test_but_nothing_ends_there(written: str) -> None:
    assert read(written) == written


@pytest.mark.parametrize(
    ("written", "read_as"), [("&quot/", twin('"') + "/"), ("&lt", twin("<")), ("&quot=", "&quot="), ("&lta", "&lta")]
)
def test_some_names_need_no_semicolon(written: str, read_as: str) -> None:
    assert read(written) == read_as


@given(words=st.lists(st.sampled_from(PIECES), max_size=12), data=st.data())
def test_cutting_never_changes_what_is_read(words: list[str], data: st.DataObject) -> None:
    text = "".join(words)
    at = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    reader = ReferenceReader()
    read_in_pieces = "".join([reader.feed(text[start:end]) for start, end in pairwise([0, *at, len(text)])])
    # A number's leading zeros are not kept where no number follows: nothing depends on them.
    assert (read_in_pieces + reader.flush()).replace("0", "") == read(text).replace("0", "")


def test_text_without_a_reference_passes_at_once() -> None:
    reader = ReferenceReader()
    assert reader.feed("plain text") == "plain text"
    assert reader.flush() == ""


def test_what_is_held_back_is_bounded() -> None:
    for text in ("&#" + "0" * 100_000, "&" + "a" * 100_000, "&#" * 50_000, "&" * 100_000):
        reader = ReferenceReader()
        for start in range(0, len(text), 97):
            reader.feed(text[start : start + 97])
            assert len(reader._carry) <= 40
