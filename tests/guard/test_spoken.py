from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard.spoken import batches_of
from privguard.guard.turns import Place

PERSON = EntityType.PERSON


class Told(NamedTuple):
    past: tuple[tuple[Span, ...], ...]
    turns: tuple[tuple[Place, ...], ...]


def segment(text: str, role: Role = Role.USER) -> Segment:
    return Segment(path="p", role=role, channel=Channel.TEXT, text=text)


def span(text: str, value: str, kind: EntityType = PERSON) -> Span:
    start = text.index(value)
    return Span(start=start, end=start + len(value), kind=kind, score=1.0, source="test")


def test_mentions_come_message_by_message_with_what_stands_around_them() -> None:
    first, second = "Ada Roth met Ben. Ida left", "x ada@roth.example"
    rows = [
        [span(first, each) for each in ("Ada Roth", "Ben", "Ida")],
        [span(second, "ada@roth.example", EntityType.EMAIL)],
    ]
    told, mail = batches_of([segment(first), segment(second, Role.ASSISTANT)], rows, None)
    assert [(each.segment, each.place, each.surface.text) for each in told] == [
        (0, 0, "Ada Roth"),
        (0, 1, "Ben"),
        (0, 2, "Ida"),
    ]
    assert told[0].surface.after == " met Ben. Ida left"[:24]
    assert told[0].surface.sentence == told[1].surface.sentence != told[2].surface.sentence
    assert (mail[0].surface.before, mail[0].surface.sentence) == ("", None)


def test_what_was_known_later_comes_later_and_shares_the_sentence_of_what_was_known() -> None:
    text = "Ada Roth met Ben. Ida left"
    rows = [[span(text, each) for each in ("Ada Roth", "Ben", "Ida")]]
    past = ((span(text, "Roth"),),)
    turns = ((Place(0, 3), Place(0, 1)), (Place(0, 0), Place(0, 2)))
    first, second = batches_of([segment(text)], rows, Told(past, turns))
    assert [(each.surface.text, each.is_past) for each in first] == [("Roth", True), ("Ben", False)]
    assert [(each.surface.text, each.is_past) for each in second] == [("Ada Roth", False), ("Ida", False)]
    assert second[0].surface.sentence == first[1].surface.sentence
    assert second[1].surface.sentence not in {each.surface.sentence for each in first}


def test_a_message_without_mentions_is_left_out() -> None:
    assert list(batches_of([segment("x"), segment("y", Role.ASSISTANT)], [[], []], None)) == []


def test_in_a_document_in_the_midst_of_a_text_a_value_is_what_its_string_says() -> None:
    document = r'{"by": "CORP\\tala", "at": "12 Elm Lane\nRydal"}'
    texts = (f"Here:\n```json\n{document}\n```", f"Is it {document}?", "CORP\\tala")
    account, address = EntityType.USERNAME, EntityType.ADDRESS
    rows = [[span(text, r"CORP\\tala", account), span(text, r"12 Elm Lane\nRydal", address)] for text in texts[:2]] + [
        [span(texts[2], texts[2], account)]
    ]
    told = [each for batch in batches_of([segment(text) for text in texts], rows, None) for each in batch]
    assert [each.spelling for each in told] == [
        ("CORP\\tala", r"CORP\\tala"),
        ("12 Elm Lane\nRydal", r"12 Elm Lane\nRydal"),
        ("CORP\\tala", r"CORP\\tala"),
        ("12 Elm Lane\nRydal", r"12 Elm Lane\nRydal"),
        ("CORP\\tala", ""),
    ]


def test_one_backslash_of_an_account_in_a_document_is_none_of_an_escape() -> None:
    account, secret, value = EntityType.USERNAME, EntityType.SECRET, r"CORP\tala"
    text, key = f'Who?\n{{"by": "{value}"}}', r"-----BEGIN\nabc"
    rows = [[span(text, value, account)], [span(value, value, account)], [span(f'["{key}"]', key, secret)]]
    texts = [segment(each) for each in (text, value, f'["{key}"]')]
    told = [each for batch in batches_of(texts, rows, None) for each in batch]
    assert [each.surface.text for each in told] == [value, value, "-----BEGIN\nabc"]
