import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.guard.reply.documents import DocumentEnd

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.lists(VALUES, max_size=3) | st.dictionaries(st.text(max_size=4), VALUES, max_size=3)


@given(value=DOCUMENTS, behind=st.text(max_size=8), size=st.integers(1, 9), is_ascii=st.booleans())
def test_a_document_ends_with_its_own_last_bracket_however_it_is_cut(
    value: object, behind: str, size: int, is_ascii: bool
) -> None:
    written = json.dumps(value, ensure_ascii=is_ascii)
    text, ends = written + behind, DocumentEnd()
    found = [(at, ends.find(text[at : at + size])) for at in range(0, len(written), size)]
    assert [at + end for at, end in found if end is not None] == [len(written)]


@pytest.mark.parametrize("text", ["", "hello", '"a" 5', '{"a": "}', '{"a\\\\"', "[[1]", '["\\"]'])
def test_what_is_open_has_no_end(text: str) -> None:
    assert DocumentEnd().find(text) is None


def test_a_bracket_that_closes_nothing_ends_what_stands_before_it() -> None:
    assert DocumentEnd().find("a} b") == 2
