import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit, splice
from privguard.core.errors import PlanError


@st.composite
def texts_and_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(st.text(max_size=60))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=10)))
    pairs = [(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False) if start < end]
    return text, [Edit(start=start, end=end, replacement=draw(st.text(max_size=12))) for start, end in pairs]


@given(st.text())
def test_without_edits_the_text_is_the_same(text: str) -> None:
    assert splice(text, []) == text


@given(texts_and_edits())
def test_lengths_add_up(drawn: tuple[str, list[Edit]]) -> None:
    text, edits = drawn
    change = sum(len(edit.replacement) - (edit.end - edit.start) for edit in edits)
    assert len(splice(text, edits)) == len(text) + change


@given(texts_and_edits())
def test_everything_outside_the_edits_stays_in_its_order(drawn: tuple[str, list[Edit]]) -> None:
    text, edits = drawn
    gone = {place for edit in edits for place in range(edit.start, edit.end)}
    emptied = [Edit(start=edit.start, end=edit.end, replacement="") for edit in edits]
    assert splice(text, emptied) == "".join(letter for place, letter in enumerate(text) if place not in gone)


@given(texts_and_edits())
def test_every_replacement_stands_where_its_span_stood(drawn: tuple[str, list[Edit]]) -> None:
    text, edits = drawn
    result, shift = splice(text, edits), 0
    for edit in edits:
        start = edit.start + shift
        assert result[start : start + len(edit.replacement)] == edit.replacement
        shift += len(edit.replacement) - (edit.end - edit.start)


def test_a_replacement_is_never_rewritten_by_a_later_edit() -> None:
    edits = [Edit(start=0, end=3, replacement="Ben"), Edit(start=4, end=7, replacement="Ada")]
    assert splice("Ada Ben", edits) == "Ben Ada"


@pytest.mark.parametrize(
    "spans",
    [[(0, 3), (2, 4)], [(4, 6), (0, 2)], [(0, 99)], [(0, 2), (0, 2)]],
    ids=["overlap", "order", "beyond", "twice"],
)
def test_edits_that_do_not_fit_are_refused_without_content(spans: list[tuple[int, int]]) -> None:
    edits = [Edit(start=start, end=end, replacement="CANARY") for start, end in spans]
    with pytest.raises(PlanError) as refused:
        splice("Ada Roth", edits)
    assert "CANARY" not in str(refused.value)
    assert "Roth" not in str(refused.value)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2)])
def test_an_edit_needs_a_span(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Edit(start=start, end=end, replacement="")


def test_an_edit_never_shows_its_replacement() -> None:
    assert "CANARY" not in repr(Edit(start=0, end=1, replacement="CANARY"))
