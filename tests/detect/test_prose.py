"""What is a mention of a name or a number, and what is a word or a number that is spelled like it."""

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.spread import spread

NAMES = dict.fromkeys(
    ("Uwe Koch", "Rosa Casa", "Luis Carta", "Eva Brief", "Ina Schneider", "Tobias Hellmerich", "Jan Kern"),
    EntityType.PERSON,
)
WORDS = [
    "koch das Wasser",
    "La casa blanca",
    "escribe una carta",
    "be brief, a brief summary",
    "brief_id, briefId, brief.txt, /api/brief",
    "Suche einen Koch",
    "Schreibe einen Brief",
    "Schreibe einen kurzen Brief an die Bank",
    "Schneide das, schneider",
    "frag den Schneider",
    "una Carta de pago",
    "der kern der sache ist klar",
]
MENTIONS = [
    ("ask hellmerich about it today", "hellmerich"),
    ("und dann hat uwe koch angerufen", "uwe koch"),
    ("von kern, jan am Dienstag gesendet", "kern"),
    ("dann hat herr koch noch angerufen", "koch"),
    ("dann hat u. koch noch angerufen", "koch"),
    ("fix/koch-login", "koch"),
    ("/home/koch/data", "koch"),
    ("mail an @koch bitte jetzt senden", "koch"),
    ('{"name": "koch", "city": "x"}', "koch"),
    ("uid,name\n7,kern,8", "kern"),
    ("koch", "koch"),
    ("Herr Koch kommt, Frau Brief auch", "Koch Brief"),
    ("Der Koch Uwe kommt", "Koch Uwe"),
    ("Koch hat zugesagt", "Koch"),
    ("der Kollege Koch und unsere kollegin Brief", "Koch Brief"),
    ("escribe a Carta, schreib an Brief", "Carta Brief"),
    ("3 Koch 450", "Koch"),
    ("KOCH_TOTAL koch_7", "KOCH koch"),
    ("zu schneider_2.pdf", "schneider"),
]
NUMBERS = [
    ("12,345 people", False),
    ("1.2345 m", False),
    ("1 23 45", False),
    ("12345.67 m", False),
    ("12345,67 \u20ac", False),
    ("0.12345", False),
    ("id 12345.", True),
    ("[12345,67890]", True),
    ("12345,2,7.99", True),
    ("12345.pdf", True),
    ("no_12345", True),
]


def carried(values: dict[str, EntityType], text: str) -> list[str]:
    """Return what is found in a text once the values were found in another."""
    head = "; ".join(values)
    row = [
        Span(start=head.index(value), end=head.index(value) + len(value), kind=kind, score=0.9, source="test")
        for value, kind in values.items()
    ]
    segments = [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=each) for each in (head, text)]
    return [text[span.start : span.end] for span in spread(segments, [row, ()])[1]]


@pytest.mark.parametrize("text", WORDS, ids=range(len(WORDS)))
def test_ordinary_words_that_are_names_as_well_stay(text: str) -> None:
    assert carried(NAMES, text) == []


@pytest.mark.parametrize(("text", "expected"), MENTIONS, ids=range(len(MENTIONS)))
def test_a_part_of_a_name_is_found_where_it_can_be_nothing_else(text: str, expected: str) -> None:
    assert " ".join(carried(NAMES, text)) == expected


def test_a_name_that_was_found_in_lower_case_is_found_in_running_text() -> None:
    assert carried({"uwe koch": EntityType.PERSON}, "dann hat koch den Vertrag gebracht") == ["koch"]


@pytest.mark.parametrize(("text", "expected"), NUMBERS, ids=range(len(NUMBERS)))
def test_a_short_number_is_found_only_as_it_is_written(text: str, expected: bool) -> None:
    assert carried({"12345": EntityType.RECORD_ID}, text) == ["12345"] * expected


def test_a_short_number_is_found_without_its_separators_and_with_no_others() -> None:
    assert carried({"12-345": EntityType.RECORD_ID}, "12345; 12-345; 12,345 left") == ["12345", "12-345"]


def test_single_ordinary_words_of_other_types_stay_in_lower_case_and_identifiers() -> None:
    values = {"Stress": EntityType.HEALTH, "City": EntityType.LOCATION, "Finance": EntityType.ORGANIZATION}
    assert carried(values, "stress test, StressTest, city_name, finance_report, Stress") == ["Stress"]


@pytest.mark.parametrize("word", ["Translate", "Schreibe", "Resume"])
def test_what_requests_begin_with_is_no_name(word: str) -> None:
    assert carried({word: EntityType.PERSON}, f"{word} this") == []
