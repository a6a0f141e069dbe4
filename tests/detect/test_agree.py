from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.agree import agree, agree_by, name_of

KINDS = st.sampled_from([EntityType.PERSON, EntityType.LOCATION, EntityType.SECRET, EntityType.EMAIL])
MENTIONS = st.tuples(
    st.sampled_from(["Ada", "ADA", "Ada  Roth", "ada roth", "Zo\u00eb", "Zoe\u0308"]),
    KINDS,
    st.sampled_from([0.5, 0.95]),
)


def placed(mentions: list[tuple[str, EntityType, float]]) -> tuple[list[Segment], list[tuple[Span, ...]]]:
    segments: list[Segment] = []
    rows: list[tuple[Span, ...]] = []
    for text, kind, score in mentions:
        segments.append(Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text))
        rows.append((Span(start=0, end=len(text), kind=kind, score=score, source="test"),))
    return segments, rows


def kinds(mentions: list[tuple[str, EntityType, float]]) -> list[EntityType]:
    segments, rows = placed(mentions)
    return [span.kind for row in agree(segments, rows) for span in row]


@given(st.lists(MENTIONS, max_size=8))
def test_equal_values_have_one_type_and_nothing_else_changes(mentions: list[tuple[str, EntityType, float]]) -> None:
    segments, rows = placed(mentions)
    agreed = agree(segments, rows)
    by_value: dict[str, set[EntityType]] = {}
    for (text, _, _), before, after in zip(mentions, rows, agreed, strict=True):
        assert [(s.start, s.end, s.score, s.source) for s in before] == [
            (s.start, s.end, s.score, s.source) for s in after
        ]
        name = normalize("NFC", " ".join(text.casefold().split()))
        by_value.setdefault(name, set()).update(span.kind for span in after)
    assert all(len(found) == 1 for found in by_value.values())
    assert agree(segments, agreed) == agreed


@given(st.lists(MENTIONS, min_size=1, max_size=5), st.lists(MENTIONS, max_size=5))
def test_an_uncertain_later_mention_changes_no_type(
    mentions: list[tuple[str, EntityType, float]], later: list[tuple[str, EntityType, float]]
) -> None:
    uncertain: list[tuple[str, EntityType, float]] = [
        (text, kind, 0.5) for text, kind, _ in later if kind is not EntityType.SECRET
    ]
    assert kinds(mentions + uncertain)[: len(mentions)] == kinds(mentions)


@given(st.lists(MENTIONS, min_size=1, max_size=6))
def test_later_messages_change_no_type(mentions: list[tuple[str, EntityType, float]]) -> None:
    _, rows = placed(mentions)
    names = [[name_of(text)] for text, _, _ in mentions]
    turns = [[number] for number in range(len(rows))]
    for length in range(1, len(rows)):
        before = agree_by(names[:length], rows[:length], turns[:length])
        assert agree_by(names, rows, turns)[:length] == before


def test_a_surer_type_counts_from_its_message_on() -> None:
    said = [("Ada", EntityType.LOCATION, 0.85), ("Ada", EntityType.PERSON, 0.95), ("Ada", EntityType.LOCATION, 0.85)]
    agreed = agree_by([["ada"]] * 3, placed(said)[1], [[0], [1], [2]])
    assert [row[0].kind for row in agreed] == [EntityType.LOCATION, EntityType.PERSON, EntityType.PERSON]


def test_a_secret_wins_then_a_certain_identifier_then_the_first() -> None:
    ada, place = ("Ada", EntityType.PERSON, 0.85), ("Ada", EntityType.LOCATION, 0.85)
    assert kinds([ada, place]) == [EntityType.PERSON] * 2
    assert kinds([ada, place, ("ada", EntityType.EMAIL, 0.95)]) == [EntityType.EMAIL] * 3
    assert kinds([ada, ("ada", EntityType.EMAIL, 0.95), ("ADA", EntityType.SECRET, 0.5)]) == [EntityType.SECRET] * 3


def test_a_number_behind_its_label_keeps_its_type_beside_mentions_without() -> None:
    phone, account = ("7740 5512", EntityType.PHONE, 0.99), ("7740 5512", EntityType.FIN_ACCOUNT, 0.7)
    assert kinds([phone, account]) == [EntityType.FIN_ACCOUNT] * 2
    assert kinds([account, phone]) == [EntityType.FIN_ACCOUNT] * 2
