import pytest

from privguard.research.training.edits import Edit, LabelledSpan, apply_edits, inside, map_signs

SPANS = (
    LabelledSpan(start=0, end=3, label="PERSON", index=1),
    LabelledSpan(start=7, end=9, label="AGE", index=0),
)


def test_spans_move_with_the_text_before_them() -> None:
    edits = (Edit(start=0, end=3, text="Eleonora"), Edit(start=4, end=6, text="is"), Edit(start=7, end=9, text="8"))
    text, spans = apply_edits("Ada am 41.", SPANS, edits)
    assert text == "Eleonora is 8."
    assert [text[span.start : span.end] for span in spans] == ["Eleonora", "8"]
    assert [(span.label, span.index) for span in spans] == [("PERSON", 1), ("AGE", 0)]


@pytest.mark.parametrize("gone", [(0, 3), (7, 9)])
def test_a_span_never_vanishes(gone: tuple[int, int]) -> None:
    signs = ["" if gone[0] <= place < gone[1] else sign for place, sign in enumerate("Ada am 41.")]
    text, spans = map_signs("Ada am 41.", SPANS, signs)
    assert text == "Ada am 41."
    assert spans == SPANS


def test_covered_places_are_told_apart() -> None:
    assert inside(SPANS, 10) == [True] * 3 + [False] * 4 + [True] * 2 + [False]
