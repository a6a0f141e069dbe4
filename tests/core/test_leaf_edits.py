import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit, splice
from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import parse
from privguard.core.leaf_edits import Change, Spelling, edit_leaves, splice_leaves

LETTERS = st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\/\né😀')


@st.composite
def spelled(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a JSON string, and how each of its code points is spelled."""
    letters = draw(st.lists(LETTERS, min_size=1, max_size=12))
    written = [json.dumps(letter, ensure_ascii=draw(st.booleans()))[1:-1] for letter in letters]
    return f'"{"".join(written)}"', written


@given(text=spelled(), data=st.data())
def test_what_stands_around_an_edit_keeps_its_spelling(text: tuple[str, list[str]], data: st.DataObject) -> None:
    raw, letters = text
    start = data.draw(st.integers(0, len(letters) - 1))
    end = data.draw(st.integers(start + 1, len(letters)))
    new = splice_leaves(parse(raw), {0: [Edit(start=start, end=end, replacement='a "b"')]})
    assert new == "".join(['"', *letters[:start], 'a \\"b\\"', *letters[end:], '"'])


@given(text=spelled())
def test_every_offset_leads_to_the_spelling_of_its_letter(text: tuple[str, list[str]]) -> None:
    raw, letters = text
    spelling = Spelling(parse(raw), parse(raw).leaves[0])
    places = [spelling.at(offset) for offset in range(len(letters) + 1)]
    assert [raw[start:end] for start, end in itertools.pairwise(places)] == letters


def test_edits_of_several_leaves_come_in_order() -> None:
    text = '["a\\u0062c", 12, "d"]'
    edits: dict[int, Change] = {
        2: "x",
        0: [Edit(start=1, end=2, replacement="-")],
        1: [Edit(start=0, end=1, replacement="3")],
    }
    assert splice(text, edit_leaves(parse(text), edits)) == '["a-c", "32", "x"]'


def test_keys_that_would_become_one_by_edits_are_refused() -> None:
    with pytest.raises(UnknownContentError, match="another key"):
        splice_leaves(parse('{"ab": 1, "cb": 2}'), {0: [Edit(start=0, end=1, replacement="c")]})
