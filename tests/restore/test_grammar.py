"""What is read as a placeholder, and what at the end of a chunk may still become one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import MAX_HINT, MAX_ID, MIN_ID, write_placeholder
from privguard.restore import grammar

KINDS = list(EntityType)
OPENS = ["[", "\\[", "\\\\[", "&#91;", "&#091;", "&#x5b;", "&#X5B;", "&lbrack;", "&lsqb;", "\\u005b", "\\\\u005B", ""]
CLOSES = ["]", "\\]", "&#93;", "&#x5D;", "&rbrack;", "&rsqb;", "\\u005d", ""]
SEPARATORS = ["_", "\\_", "\\\\_", "&#95;", "&#x5f;", "&lowbar;", "\\u005f"]
SPACES = ["", " ", "\n", "\t", "\u00a0", "  ", " \r\n "]


@st.composite
def forms(draw: st.DrawFn) -> tuple[EntityType, str]:
    kind = draw(st.sampled_from(KINDS))
    space = st.sampled_from(SPACES)
    words = [draw(st.sampled_from([word, word.lower(), word.title()])) for word in kind.value.split("_")]
    words.append(draw(st.sampled_from(["7QK2", "7qk2", "7QK2M3N4P5R6"])))
    text = words[0]
    for word in words[1:]:
        text += draw(space) + draw(st.sampled_from(SEPARATORS)) + draw(space) + word
    opening, closing = draw(st.sampled_from(OPENS)), draw(st.sampled_from(CLOSES))
    if opening:
        text = opening + draw(space) + text
    if closing:
        hint = draw(st.sampled_from(["", ": a large city", ":", ": " + "x" * MAX_HINT]))
        text += draw(space) + (hint if opening else "") + closing
    return kind, text


@given(forms())
def test_every_form_is_found_by_its_separator(form: tuple[EntityType, str]) -> None:
    kind, text = form
    anchor = list(grammar.anchors_of(text).finditer(text))[-1]  # `_ACCOUNT` looks like one too
    assert anchor[1].upper().startswith("7QK2")
    left = grammar.LEFT.search(text, 0, anchor.start())
    assert left is not None
    assert grammar.kind_of(left[2]) is kind
    assert left.start() == 0


@given(forms(), st.data())
def test_every_start_of_every_form_is_held_back(form: tuple[EntityType, str], data: st.DataObject) -> None:
    _, text = form
    end = data.draw(st.integers(1, len(text) - 1))
    held = grammar.HELD_BACK.search(text[:end])
    assert held is not None
    assert held.start() == 0
    assert len(text) <= grammar.MAX_FORM


@pytest.mark.parametrize("kind", KINDS)
def test_a_complete_placeholder_is_not_held_back(kind: EntityType) -> None:
    for text in (write_placeholder(kind, "7QK2"), write_placeholder(kind, "7QK2", "a hint")):
        assert grammar.HELD_BACK.search(f"so {text}") is None


@pytest.mark.parametrize(
    "text",
    [
        "Dear reader, ",
        "a large city.",
        "x = y + 1",
        "3 > 2 & ",
        "], ",
        "[1] ",
        "[x](y)",
        "array[index",
        "[PERSONAL",
        "impers",
    ],
)
def test_what_cannot_become_a_placeholder_passes(text: str) -> None:
    held = grammar.HELD_BACK.search(text)
    assert held is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_type_is_recognised_with_any_separator(kind: EntityType) -> None:
    for separator in SEPARATORS:
        assert grammar.kind_of(kind.value.lower().replace("_", separator)) is kind


@pytest.mark.parametrize("text", ["x_1234567890123", "a_B2", "_" + "A2" * 7, "PERSON_7QK2_x", "PERSON_7QK2é_7QK"])
def test_what_is_too_short_or_too_long_for_an_id_is_no_anchor(text: str) -> None:
    found = [anchor[1] for anchor in grammar.anchors_of(text).finditer(text)]
    assert all(MIN_ID <= len(written) <= MAX_ID for written in found)
    assert len(found) == text.count("é")


@given(
    st.lists(
        st.sampled_from([*OPENS, *CLOSES, *SEPARATORS, *SPACES, "PERSON", "GOV", "ID", "7QK2", ":", "x"]), max_size=40
    )
)
def test_nothing_is_held_back_for_longer_than_a_form(words: list[str]) -> None:
    text = "".join(words)
    held = grammar.HELD_BACK.search(text)
    assert held is None or len(text) - held.start() <= grammar.MAX_FORM
