"""No text becomes a tag, wherever it stands."""

from xml.dom import minidom

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.report.markup import Markup, element, join

# XML has no control characters; HTML reads them.
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@given(TEXT, TEXT)
def test_text_comes_back_from_content_and_attribute_as_it_was(text: str, value: str) -> None:
    made = element("p", element("b", text), text, title=value)
    root = minidom.parseString(made).documentElement  # noqa: S318 - our own
    assert root is not None
    assert [node.tagName for node in root.getElementsByTagName("*")] == ["b"]
    assert root.getAttribute("title") == value
    texts = [[node.nodeValue for node in parent.childNodes] for parent in (root, root.getElementsByTagName("b")[0])]
    assert texts == ([[None, text], [text]] if text else [[None], []])


def test_markup_is_not_escaped_twice_and_text_once() -> None:
    assert join("<", Markup("<br/>"), "&") == "&lt;<br/>&amp;"
    assert isinstance(join("a"), Markup)


def test_attributes_are_written_as_html_and_svg_name_them() -> None:
    made = element("rect", class_="a", aria_hidden="true", viewBox="0 0 1 1", x=1.50, y=2.0, width=3)
    assert made == '<rect class="a" aria-hidden="true" viewBox="0 0 1 1" x="1.5" y="2" width="3"/>'
    assert element("p") == "<p></p>"


@pytest.mark.parametrize("name", ["", "a b", "a>", "1", 'a"'])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        element(name)
    with pytest.raises(ValueError, match="no name"):
        element("p", **{name: "x"})
