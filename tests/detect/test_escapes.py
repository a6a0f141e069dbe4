from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.escapes import soften, unite

TEXTS = st.lists(st.sampled_from(["\\", "n", "t", "x", " ", "\\n", "4111", "é😀"]), max_size=12).map("".join)


def span(start: int, end: int, kind: EntityType = EntityType.EMAIL) -> Span:
    return Span(start=start, end=end, kind=kind, score=1.0, source="test")


@given(TEXTS)
def test_softening_keeps_every_offset_and_is_done_once(text: str) -> None:
    soft = soften(text)
    assert len(soft) == len(text)
    assert all(b in (a, " ") for a, b in zip(text, soft, strict=True))
    assert soften(soft) == soft


def test_a_written_line_break_is_no_letter_of_the_value_behind_it() -> None:
    text = "to:\\nada@roth.example"
    assert soften(text) == "to:  ada@roth.example"
    assert unite(text, [span(4, 21)], [span(5, 21)]) == (span(5, 21),)


def test_what_only_the_plain_text_shows_stays() -> None:
    text = "CORP\\nora"
    assert unite(text, [span(0, 9)], []) == (span(0, 9),)
    assert unite(text, [span(5, 9)], []) == (span(5, 9),)
    assert unite(text, [span(5, 9)], [span(6, 9, EntityType.PERSON)]) == (span(5, 9), span(6, 9, EntityType.PERSON))


def test_the_backslash_of_a_written_line_break_ends_a_value_that_is_no_secret() -> None:
    text = "n4111\\ncall"
    assert unite(text, [span(1, 6)], []) == (span(1, 5),)
    assert unite(text, [span(1, 6, EntityType.SECRET)], []) == (span(1, 6, EntityType.SECRET),)
    assert unite(text, [span(5, 6)], []) == (span(5, 6),)
    assert unite("\\n4111\\n", [span(1, 7)], [span(2, 6)]) == (span(2, 6),)
