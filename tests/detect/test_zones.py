import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.placeholders import write_placeholder
from privguard.core.spans import Span
from privguard.detect.zones import find_zones, outside


def _is_rung(kind: EntityType, phrase: str) -> bool:
    return (kind, phrase) == (EntityType.LOCATION, "a large city in Texas")


def _zones(text: str) -> list[str]:
    return [text[start:end] for start, end in find_zones(text, _is_rung)]


@pytest.mark.parametrize(
    "text", ["[PERSON_7QK2]", "[LOCATION_7QK2: a large city in Texas]", "[FIN_ACCOUNT_A2B3C4D5]", "[SECRET_222A]"]
)
def test_canonical_placeholders_are_zones(text: str) -> None:
    assert _zones(f"😀 x{text}y") == [text]


@pytest.mark.parametrize(
    "text",
    [
        "[PERSON_7QK2: my password is hunter2]",
        "[PERSON_7QK2: a large city in Texas]",
        "[LOCATION_7QK2:a large city in Texas]",
        "[PERSON_7qk2]",
        "[PERSON_ABCD]",
        "[PERSON_2345]",
        "[PERSON_7QK]",
        "[PERSON_7QK2A7QK2A7QK]",
        "[NOBODY_7QK2]",
        "[ PERSON_7QK2]",
        "PERSON_7QK2",
        "[PERSON_7QK2: ]",
        "[PERSON_7QK2\n]",
    ],
)
def test_look_alikes_are_no_zones(text: str) -> None:
    assert _zones(text) == []


@given(st.sampled_from(list(EntityType)))
def test_whatever_the_core_writes_is_a_zone(kind: EntityType) -> None:
    text = write_placeholder(kind, "7QK2")
    assert find_zones(text, _is_rung) == ((0, len(text)),)


_INTERVALS = st.tuples(st.integers(0, 40), st.integers(1, 12))


@given(st.lists(_INTERVALS, max_size=6), st.lists(_INTERVALS, max_size=4))
def test_outside_is_exactly_what_no_zone_covers(spans: list[tuple[int, int]], zones: list[tuple[int, int]]) -> None:
    disjoint: list[tuple[int, int]] = []
    for start, size in sorted(zones):
        if not disjoint or start >= disjoint[-1][1]:
            disjoint.append((start, start + size))
    given_spans = [
        Span(start=start, end=start + size, kind=EntityType.PERSON, score=1.0, source="rules/a")
        for start, size in spans
    ]
    inside = {place for start, end in disjoint for place in range(start, end)}
    wanted = sorted(place for span in given_spans for place in range(span.start, span.end) if place not in inside)
    left = outside(given_spans, disjoint)
    assert sorted(place for span in left for place in range(span.start, span.end)) == wanted
