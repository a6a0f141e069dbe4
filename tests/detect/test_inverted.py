import re

import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.inverted import join_inverted
from tests.growth import costs_in_proportion, seconds

MARK = re.compile(r"\[([^]]*)\]")


def read(marked: str, kind: EntityType = EntityType.PERSON) -> tuple[str, list[Span]]:
    """Return a text and its spans, which stand in square brackets."""
    spans, text, taken = [], "", 0
    for match in MARK.finditer(marked):
        text += marked[taken : match.start()]
        spans.append(Span(start=len(text), end=len(text) + len(match[1]), kind=kind, score=0.9, source="test"))
        text, taken = text + match[1], match.end()
    return text + marked[taken:], spans


def joined(marked: str) -> list[str]:
    text, spans = read(marked)
    return [text[span.start : span.end] for span in join_inverted(text, spans)]


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        ("Attendees: [Roth, Ada]; [Roth], [Tom]; [Kern], [Ada].", ["Roth, Ada", "Roth, Tom", "Kern, Ada"]),
        ("[Roth], [Ada]\n[Kern], Tom\n", ["Roth, Ada", "Kern, Tom"]),
        ("- [Roth], [Ada]\n- [von Kern], [Tom]", ["Roth, Ada", "von Kern, Tom"]),
        ("([Roth], [Ada M.]; [O'Brien], [Tom])", ["Roth, Ada M.", "O'Brien, Tom"]),
    ],
)
def test_a_list_with_the_surname_first_holds_whole_names(marked: str, names: list[str]) -> None:
    assert joined(marked) == names


@pytest.mark.parametrize(
    "marked",
    [
        "[Roth], [Ada] came.",
        "[Roth], [Ada] and [Tom]; [Kern], who left",
        "[Kern], Berlin; [Roth], Wien",
        "We met [Ada], [Tom]; then [Ben], [Kern] too",
    ],
)
def test_what_is_no_such_list_stays(marked: str) -> None:
    assert joined(marked) == [match[1] for match in MARK.finditer(marked)]


def test_a_town_behind_a_surname_is_no_given_name() -> None:
    text, people = read("[Kern], Berlin; [Roth], [Ada]")
    town = Span(start=6, end=12, kind=EntityType.LOCATION, score=0.9, source="test")
    spans = (people[0], town, *people[1:])
    assert join_inverted(text, spans) == spans


def test_a_long_text_costs_time_in_proportion() -> None:
    def cost(count: int) -> float:
        text, spans = read("[Roth], [Ada]; Roth, Roth, Aa Bb Cc, " * count)
        return seconds(lambda: join_inverted(text, spans))

    assert costs_in_proportion(cost, 400, least_s=0.002)
