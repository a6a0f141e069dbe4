import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard.people import People
from privguard.guard.turns import Place


def segment_of(text: str, *names: str, kind: EntityType = EntityType.PERSON) -> tuple[Segment, tuple[Span, ...]]:
    spans, at = [], 0
    for name in names:
        at = text.index(name, at)
        spans.append(Span(start=at, end=at + len(name), kind=kind, score=1.0, source="test"))
        at += len(name)
    return Segment(path="p", role=Role.USER, channel=Channel.TEXT, text=text), tuple(spans)


TEXT = "Kim Roy told Ben Kole that he was late."


def test_beside_somebody_who_is_known_a_pronoun_tells_nothing() -> None:
    segment, row = segment_of(TEXT, "Kim Roy", "Ben Kole")
    people = People([segment], [row])
    people.hear([Place(0, 0), Place(0, 1)])
    assert people.pronouns_of(Place(0, 0)) == people.pronouns_of(Place(0, 1)) == frozenset()


def test_who_comes_to_be_known_later_changes_nothing_of_what_was_told() -> None:
    segment, row = segment_of(TEXT, "Kim Roy", "Ben Kole")
    people = People([segment], [row])
    people.hear([Place(0, 0)])
    assert people.pronouns_of(Place(0, 0)) == {"he"}
    people.hear([Place(0, 1)])
    assert people.pronouns_of(Place(0, 1)) == frozenset()


@pytest.mark.parametrize("names", [("Kim Roy", "Kim Roy"), ("Kim Roy",)])
def test_the_same_name_is_nobody_else(names: tuple[str, ...]) -> None:
    segment, row = segment_of("Kim Roy called. Kim Roy says he is late.", *names)
    people = People([segment], [row])
    people.hear([Place(0, place) for place in range(len(row))])
    assert people.pronouns_of(Place(0, 0)) == {"he"}


def test_a_mention_within_the_span_is_nobody_else() -> None:
    text = "Kim Roy said he is late."
    (segment, (long,)), (_, (short,)) = segment_of(text, "Kim Roy"), segment_of(text, "Roy")
    people = People([segment], [(long, short)])
    people.hear([Place(0, 1)])
    people.hear([Place(0, 0)])
    assert people.pronouns_of(Place(0, 0)) == people.pronouns_of(Place(0, 1)) == {"he"}


def test_a_title_by_itself_is_nobody_else() -> None:
    segment, row = segment_of("Dr Kim Roy said he is late.", "Dr", "Kim Roy")
    people = People([segment], [row])
    people.hear([Place(0, 0), Place(0, 1)])
    assert [people.pronouns_of(Place(0, place)) for place in (0, 1)] == [frozenset(), {"he"}]


def test_what_is_no_person_has_none() -> None:
    segment, row = segment_of("Mrs Roy said she is late.", "Mrs Roy", kind=EntityType.ORGANIZATION)
    people = People([segment], [row])
    people.hear([Place(0, 0)])
    assert people.pronouns_of(Place(0, 0)) == frozenset()
