import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.markers import MARKER, write_marker
from privguard.core.placeholders import ALPHABET, is_placeholder_id
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.core.spans import Span
from privguard.detect.zones import find_zones, outside
from privguard.restore import Restorer

KINDS = list(EntityType)
IDS = st.text(ALPHABET, min_size=4, max_size=12).filter(is_placeholder_id)


def test_a_marker_says_its_type_in_words() -> None:
    assert write_marker(EntityType.PERSON) == "[REDACTED PERSON]"
    assert write_marker(EntityType.FIN_ACCOUNT) == "[REDACTED FIN ACCOUNT]"
    assert write_marker(EntityType.PERSON, 2) == "[REDACTED PERSON 2]"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [1, 2, 12])
def test_a_marker_is_known_as_one(kind: EntityType, number: int) -> None:
    assert MARKER.fullmatch(write_marker(kind, number))


def test_no_marker_is_the_start_of_another() -> None:
    written = [write_marker(kind, number) for kind in KINDS for number in (1, 2)]
    assert not any(other.startswith(one) for one, other in itertools.permutations(written, 2))


@given(
    placeholder_id=IDS,
    kind=st.sampled_from(KINDS),
    around=st.tuples(*[st.sampled_from(["", " ", "[", "]", "_", "PERSON", "x", '"'])] * 2),
    channel=st.sampled_from([Channel.TEXT, Channel.JSON]),
)
def test_r_reads_no_marker(placeholder_id: str, kind: EntityType, around: tuple[str, str], channel: Channel) -> None:
    entry = RestoreEntry(placeholder_id=placeholder_id, kind=kind, value="VALUE")
    text = write_marker(kind).join(around)
    restored = Restorer(RestoreTable(entries={placeholder_id: entry})).restore(text, channel)
    assert restored.text == text
    assert not restored.events


def test_a_second_pass_finds_nothing_in_a_marker() -> None:
    text = "Ask [REDACTED PERSON] or [PERSON_7QK2]: [REDACTED GOV ID 2]"
    zones = find_zones(text, lambda _kind, _phrase: False)
    assert [text[start:end] for start, end in zones] == ["[REDACTED PERSON]", "[PERSON_7QK2]", "[REDACTED GOV ID 2]"]
    row = [Span(start=14, end=20, kind=EntityType.PERSON, score=1.0, source="s")]
    assert outside(row, zones) == ()
    assert find_zones("[REDACTED Ada Roth] [REDACTED PERSON Ada Roth]", lambda _kind, _phrase: False) == ()
