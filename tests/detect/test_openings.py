"""A word that begins a sentence is told from a name by what else the text says."""

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.openings import Openings
from privguard.detect.spread import spread


def found(*words: tuple[int, int]) -> list[Span]:
    return [Span(start=start, end=end, kind=EntityType.PERSON, score=0.9, source="test") for start, end in words]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Trim the text. Then trim it again.", "Trim", True),
        ("Trim the text.", "Trim", False),
        ("Trim called, and trim the text. I told Trim.", "Trim", False),
        ("Kernberg called. Ask kernberg.", "Kernberg", False),
        ("We met Trim and trim it.", "Trim", False),
    ],
    ids=range(5),
)
def test_only_a_word_that_is_written_as_no_name_elsewhere_is_none(text: str, word: str, expected: bool) -> None:
    start = text.index(word)
    assert Openings(text, found((start, start + len(word)))).holds(word) is expected


def test_a_name_that_is_found_in_lower_case_as_well_is_a_name() -> None:
    text = "Trim called. I asked trim."
    assert not Openings(text, found((0, 4), (21, 25))).holds("Trim")


def test_a_word_that_is_no_name_is_not_looked_for_elsewhere() -> None:
    segments = [
        Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)
        for text in ("Trim the text. Then trim it again.", "Trim it")
    ]
    assert spread(segments, [found((0, 4)), ()])[1] == ()
