import re
from collections.abc import Callable

import pytest

from privguard.core.audit import Cause
from privguard.core.entities import EntityType
from privguard.core.errors import PlanError
from privguard.core.note import EXAMPLE, NOTE
from privguard.core.profile import Profile, Rendering
from privguard.guard import Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles

BARE = FakeProfiles(Profile(id="bare:1", name="bare", gamma=0.5, rendering=Rendering.PHRASE))
RUNGS = FakeAbstractor({"Zurich": "a large city", "Ada Roth": "a customer", "Ben Kole": "a customer"})
ABSTRACT = FakeNeed(b_redact=9.0, b_abstract=-9.0)


@pytest.fixture
def bare(make_guard: Callable[..., Guard]) -> Guard:
    return make_guard(profiles=BARE, abstractor=RUNGS, need=ABSTRACT)


def test_a_phrase_of_one_value_stands_bare_and_restores(bare: Guard) -> None:
    text = "Zurich is home. I love Zurich."
    with bare.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert outgoing == "a large city is home. I love a large city."
        assert exchange.restore("A large city it is; a large city!") == "Zurich it is; Zurich!"
        assert exchange.restore(outgoing) == text


def test_a_phrase_that_two_values_share_keeps_its_placeholders(bare: Guard) -> None:
    text = "Ada Roth met Ben Kole"
    with bare.begin(text_segments(text), target="m") as exchange:
        assert exchange.outgoing[0].text.count("[PERSON_") == 2
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_a_phrase_that_the_caller_also_wrote_keeps_its_placeholder(bare: Guard) -> None:
    text = "Zurich is A Large City"
    with bare.begin(text_segments(text), target="m") as exchange:
        assert "[LOCATION_" in exchange.outgoing[0].text
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_a_text_that_imitates_every_id_is_blocked(make_guard: Callable[..., Guard]) -> None:
    from privguard.core.placeholders import MAX_ID, MIN_ID
    from privguard.replacements.identity import long_id
    from privguard.replacements.key import Key

    letters = long_id(Key.from_text("correct horse battery staple"), EntityType.PERSON, "ada roth")
    imitations = " ".join(f"[PERSON_{letters[:length]}]" for length in range(MIN_ID, MAX_ID + 1))
    with pytest.raises(PlanError) as blocked:
        make_guard().begin(text_segments(f"Ada Roth {imitations}"), target="m")
    assert "Ada" not in str(blocked.value)


def test_a_phrase_beside_a_letter_keeps_its_placeholder(make_guard: Callable[..., Guard]) -> None:
    detector = FakeDetector({"田中太郎": EntityType.PERSON})
    guard = make_guard(
        profiles=BARE, abstractor=FakeAbstractor({"田中太郎": "a person"}), need=ABSTRACT, detector=detector
    )
    text = "田中太郎さん asks"
    with guard.begin(text_segments(text), target="m") as exchange:
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_a_look_alike_beside_a_phrase_that_cannot_be_read_stays(make_guard: Callable[..., Guard]) -> None:
    detector = FakeDetector({"田中太郎": EntityType.PERSON})
    parts = {"profiles": BARE, "abstractor": FakeAbstractor(), "need": ABSTRACT, "detector": detector}
    with make_guard(**parts).begin(text_segments("田中太郎さん"), target="m") as exchange:
        (placeholder_id,) = {decision.placeholder_id for decision in exchange.plan}
    text = f"田中太郎さん asks what PERSON_{placeholder_id} means"
    with make_guard(**parts).begin(text_segments(text), target="m") as exchange:
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_a_phrase_with_two_spellings_keeps_its_placeholders(make_guard: Callable[..., Guard]) -> None:
    detector = FakeDetector({"Zurich": EntityType.LOCATION, "ZURICH": EntityType.LOCATION})
    text = "ZURICH, I love Zurich"
    with make_guard(profiles=BARE, abstractor=RUNGS, need=ABSTRACT, detector=detector).begin(
        text_segments(text), target="m"
    ) as exchange:
        assert "[LOCATION_" in exchange.outgoing[0].text
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_the_hint_stands_at_the_first_plain_mention_and_forms_at_the_others(make_guard: Callable[..., Guard]) -> None:
    detector = FakeDetector(dict.fromkeys(("Ada Roth", "Ms Roth", "ROTH"), EntityType.PERSON))
    guard = make_guard(detector=detector, abstractor=RUNGS, need=ABSTRACT)
    text = "Ms Roth: I am Ada Roth. ROTH! Ada Roth"
    with guard.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert re.fullmatch(
            r"\[PERSON_(\w+): with title, she\]: I am \[PERSON_\1: a customer\]\. "
            r"\[PERSON_\1: last name\]! \[PERSON_\1\]",
            outgoing,
        )
        assert exchange.restore(outgoing) == text
        stream = exchange.stream()
        assert "".join([*map(stream.feed, outgoing), stream.flush()]) == text
    with guard.begin(text_segments(outgoing), target="m") as exchange:
        assert exchange.outgoing[0].text == outgoing


@pytest.mark.parametrize(
    "phrase",
    [
        "a city [by a lake]",
        "a city\nby a lake",
        " a city",
        "",
        "Full name",
        "x" * 81,
        "a city: ]",
        'a "city"',
        "a\\city",
        "a\tcity",
    ],
)
def test_a_phrase_that_cannot_stand_in_a_placeholder_becomes_the_noun(
    make_guard: Callable[..., Guard], phrase: str
) -> None:
    guard = make_guard(abstractor=FakeAbstractor({"Zurich": phrase}), need=ABSTRACT)
    text = "Zurich is home. I love Zurich."
    with guard.begin(text_segments(text), target="m") as exchange:
        assert re.fullmatch(
            r"\[LOCATION_(\w+): a place\] is home\. I love \[LOCATION_\1\]\.", exchange.outgoing[0].text
        )
        assert exchange.restore(exchange.outgoing[0].text) == text


@pytest.mark.parametrize(("note", "causes"), [(True, []), (False, [Cause.UNKNOWN])])
def test_the_example_of_the_note_is_known_where_the_note_leaves(
    make_guard: Callable[..., Guard], note: bool, causes: list[Cause]
) -> None:
    guard = make_guard(profiles=FakeProfiles(Profile(id="note:1", name="note", gamma=0.5, note=note)))
    exchange = guard.begin(text_segments("I am Ada Roth"), target="m")
    assert exchange.restore(f"{NOTE} {EXAMPLE.lower()}") == f"{NOTE} {EXAMPLE.lower()}"
    assert [event.cause for event in exchange.close().events] == causes


def test_by_hand_no_note_is_added(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(profiles=FakeProfiles(Profile(id="note:1", name="note", gamma=0.5, note=True)))
    with guard.begin(text_segments("I am Ada Roth"), target="m") as exchange:
        assert NOTE not in "".join(segment.text for segment in exchange.outgoing)
        assert [exchange.restore(segment.text) for segment in exchange.outgoing] == ["I am Ada Roth"]
