from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import is_form
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard.entities import Entity, Mention, group_entities

PERSON = EntityType.PERSON


def group(*turns: tuple[Role, Sequence[str]], kind: EntityType = PERSON, **options: object) -> tuple[Entity, ...]:
    """Group the given values, one span each, turn by turn."""
    segments, rows = [], []
    for role, values in turns:
        text, row = "", []
        for value in values:
            text += "; "
            row.append(Span(start=len(text), end=len(text) + len(value), kind=kind, score=1.0, source="test"))
            text += value
        segments.append(Segment(path="p", role=role, channel=Channel.TEXT, text=text))
        rows.append(tuple(row))
    return group_entities(segments, rows, **options)  # type: ignore[arg-type]


def said(entity: Entity) -> list[str]:
    """Return the spellings of the mentions, in order."""
    by_form = dict(entity.forms)
    return [by_form[mention.form] if mention.form else entity.surface for mention in entity.mentions]


def test_mentions_group_by_type_and_normalised_value_in_request_order() -> None:
    ada, ben = group((Role.USER, ["Ada", "ADA"]), (Role.USER, ["ada", "Ben"]))
    assert ada.mentions == (
        Mention(segment=0, place=0),
        Mention(segment=0, place=1, form="other spelling"),
        Mention(segment=1, place=0, form="other spelling 2"),
    )
    assert ada.surfaces == ("Ada", "ADA", "ada")
    assert ben.mentions == (Mention(segment=1, place=1),)
    assert "Ada" not in repr(ada)


def test_a_full_name_in_the_same_message_gives_the_id_wherever_it_stands() -> None:
    (before,) = group((Role.USER, ["Mr Reik", "Johnny Reik"]))
    (behind,) = group((Role.USER, ["Johnny Reik", "REIK'S", "J. Reik", "John Reik", "reik"]))
    assert before.normal_value == behind.normal_value == "johnny reik"
    assert said(before) == ["Mr Reik", "Johnny Reik"]
    assert [form for form, _ in behind.forms] == ["last name", "initials", "short form", "last name 2"]


def test_a_later_turn_never_changes_what_an_earlier_one_was_linked_to() -> None:
    first = (Role.USER, ["Mr Reik"])
    (alone,) = group(first)
    reik, mara, ambiguous = group(
        first,
        (Role.ASSISTANT, []),
        (Role.USER, ["Johnny Reik"]),
        (Role.ASSISTANT, []),
        (Role.USER, ["Mara Reik", "Reik"]),
    )
    assert reik.normal_value == alone.normal_value
    assert reik.surface == "Mr Reik"
    assert reik.forms == (("full name", "Johnny Reik"),)
    assert mara.surfaces == ("Mara Reik",)
    assert ambiguous.surfaces == ("Reik",)
    assert len({each.normal_value for each in (reik, mara, ambiguous)}) == 3


NAMES = st.sampled_from(
    ["Johnny Reik", "Mr Reik", "Mrs Reik", "Reik", "REIK'S", "Mara Reik", "Mara", "J. Reik", "Dr. Reik", "John", "Alex",
     "Alex Roth", "Alexandra Moor", "van der Moor", "Müller", "Mueller", "田中", "田中太郎", "7", "Acme", "Acme GmbH",
     "0170 1234567", "+49 170 1234567", "(0170) 123-45 67", "+43 170 1234567", "7-AB-99201", "7AB99201"]
)  # fmt: skip
TURNS = st.lists(
    st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL]), st.lists(NAMES, max_size=4)), max_size=6
)
KINDS = st.sampled_from(
    [EntityType.PERSON, EntityType.ORGANIZATION, EntityType.EMAIL, EntityType.PHONE, EntityType.RECORD_ID]
)


TOLD = st.lists(NAMES, max_size=4)


@given(st.lists(TOLD, max_size=4), TOLD, KINDS)
def test_a_message_is_linked_by_what_stands_in_it_and_before_it(
    messages: list[list[str]], later: list[str], kind: EntityType
) -> None:
    turns = [(Role.USER if number % 2 else Role.ASSISTANT, values) for number, values in enumerate([*messages, later])]
    assert placeholders(group(*turns, kind=kind), len(messages)) == placeholders(
        group(*turns[:-1], kind=kind), len(messages)
    )


@given(TURNS, TURNS, KINDS)
def test_what_was_sent_before_a_reply_leaves_the_same_way_after_it(
    turns: list[tuple[Role, list[str]]], later: list[tuple[Role, list[str]]], kind: EntityType
) -> None:
    while turns and turns[-1][0] is Role.ASSISTANT:
        turns = turns[:-1]
    grown = [*turns, (Role.ASSISTANT, ["Reik"]), *later]
    assert placeholders(group(*grown, kind=kind), len(turns)) == placeholders(group(*turns, kind=kind), len(turns))


def placeholders(entities: Sequence[Entity], segments: int) -> set[tuple[int, int, str, str, str]]:
    return {
        (mention.segment, mention.place, entity.normal_value, mention.form, entity.surface)
        for entity in entities
        for mention in entity.mentions
        if mention.segment < segments
    }


@given(TURNS, KINDS)
def test_every_mention_keeps_its_own_spelling_and_no_two_entities_share_an_identity(
    turns: list[tuple[Role, list[str]]], kind: EntityType
) -> None:
    entities = group(*turns, kind=kind)
    assert len({each.normal_value for each in entities}) == len(entities)
    for entity in entities:
        assert all(is_form(form) for form, _ in entity.forms)
        assert len(dict(entity.forms)) == len(entity.forms)
        for mention, spelling in zip(entity.mentions, said(entity), strict=True):
            assert turns[mention.segment][1][mention.place] == spelling
    assert sum(len(each.mentions) for each in entities) == sum(len(values) for _, values in turns)


def test_equal_ages_share_an_entity_and_each_keeps_its_notation() -> None:
    written = ["34", "34 years old", "thirty-four years old", "34"]
    (age,) = group((Role.USER, written), kind=EntityType.AGE)
    assert said(age) == written
    allowed, other = group((Role.USER, written), kind=EntityType.AGE, is_apart=lambda value: value == "34")
    assert (allowed.surfaces, other.surfaces) == (("34",), ("34 years old", "thirty-four years old"))


def test_one_telephone_number_is_one_entity_in_every_notation() -> None:
    written = ["0170 1234567", "+49 170 1234567", "(0170) 123-45 67", "+49 170 1234567"]
    (number,) = group((Role.USER, written), kind=EntityType.PHONE)
    assert number.surface == "+49 170 1234567"
    assert said(number) == written
    later = group((Role.USER, written[:1]), (Role.ASSISTANT, []), (Role.USER, written[1:]), kind=EntityType.PHONE)
    assert [(each.surface, said(each)) for each in later] == [("0170 1234567", written)]


def test_an_allowed_term_is_an_entity_of_its_own() -> None:
    long, short = group(
        (Role.USER, ["Acme GmbH", "Acme"]), kind=EntityType.ORGANIZATION, is_apart=lambda value: value == "Acme"
    )
    assert (long.surfaces, short.surfaces) == (("Acme GmbH",), ("Acme",))
