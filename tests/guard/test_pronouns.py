"""The pronoun of a person in a placeholder, end to end over a guard of fakes."""

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.plan import Action
from privguard.core.profile import Profile, Rendering
from privguard.core.segments import Channel, Role, Segment
from privguard.guard import Guard, Parts
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink

VALUES = {
    **dict.fromkeys(("Mrs Okafor", "Dr Lena Okafor", "Lena Okafor", "Okafor", "Kim Roy", "Roy", "Ben Kole", "LENA'S"),
                    EntityType.PERSON),
    **dict.fromkeys(("female", "a woman"), EntityType.GENDER),
}  # fmt: skip


def make(**changes: object) -> Guard:
    settings: dict[str, object] = {"id": "fake:1", "name": "fake", "gamma": 0.5, "restore_system": True}
    return Guard(
        Parts(
            detector=FakeDetector(VALUES),
            need=changes.pop("need", FakeNeed(b_redact=-9.0, b_abstract=-9.0)),  # type: ignore[arg-type]
            abstractor=FakeAbstractor({"Kim Roy": "a customer"}),
            profiles=FakeProfiles(Profile(**settings | changes)),  # type: ignore[arg-type]
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


def sent(text: str, **changes: object) -> str:
    """Return what leaves, ids left out; it comes back exactly, and passes a second time unchanged."""
    guard = make(**changes)
    with guard.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert exchange.restore(outgoing) == text
    with guard.begin(text_segments(outgoing), target="m") as again:
        assert again.outgoing[0].text == outgoing
    return re.sub(r"_\w{4,}(?=[\]:])", "", outgoing)


def test_the_first_mention_tells_the_pronoun() -> None:
    assert (
        sent("Lena Okafor called. She was late. Lena Okafor left.")
        == "[PERSON: she] called. She was late. [PERSON] left."
    )


def test_it_stands_behind_a_form() -> None:
    text = "Mrs Okafor called. Lena Okafor was late."
    assert sent(text) == "[PERSON: with title, she] called. [PERSON] was late."


def test_it_stands_behind_a_phrase() -> None:
    need = FakeNeed(b_redact=9.0, b_abstract=-9.0)
    assert sent("Kim Roy said she is late.", need=need) == "[PERSON: a customer, she] said she is late."


def test_a_bare_phrase_tells_none() -> None:
    need = FakeNeed(b_redact=9.0, b_abstract=-9.0)
    assert sent("Kim Roy said she is late.", need=need, rendering=Rendering.PHRASE) == "a customer said she is late."


def test_one_person_who_contradicts_says_nothing_of_another() -> None:
    text = "Mrs Okafor called. Kim Roy said she is late. Then Kim Roy said that he is ill."
    assert sent(text).split("Then")[0] == "[PERSON: she] called. [PERSON] said she is late. "


@pytest.mark.parametrize(
    "changes",
    [
        {"pronouns": False},
        {"floors": {EntityType.GENDER: Action.REDACT}},
        {"floors": {EntityType.GENDER: Action.ABSTRACT}},
    ],
)
def test_it_is_not_told_where_the_profile_hides_it(changes: dict[str, object]) -> None:
    assert sent("Mrs Okafor called.", **changes) == "[PERSON] called."


def test_it_is_not_told_of_whose_gender_is_hidden() -> None:
    assert ": she" not in sent("Mrs Okafor, female, called.")
    keep = FakeNeed(b_redact=-9.0, b_abstract=-9.0)
    assert sent("Mrs Okafor, female, called.", need=keep, ceilings={EntityType.GENDER: Action.RETAIN}) == (
        "[PERSON: she], female, called."
    )


def talk(*texts: str) -> list[Segment]:
    roles = (Role.USER, Role.ASSISTANT)
    return [
        Segment(path=f"messages[{number}].content", role=roles[number % 2], channel=Channel.TEXT, text=text)
        for number, text in enumerate(texts)
    ]


def leaves(guard: Guard, segments: Sequence[Segment]) -> list[str]:
    with guard.begin(segments, target="m") as exchange:
        outgoing = [segment.text for segment in exchange.outgoing]
        assert [exchange.restore(text) for text in outgoing] == [segment.text for segment in segments]
    return outgoing


def test_a_gender_without_a_person_hides_that_of_all() -> None:
    first, _ = leaves(make(), talk("Mrs Okafor called.", "A patient, female."))
    assert ": " not in first
    first, _ = leaves(make(), talk("Mrs Okafor called.", "Kim Roy, female."))
    assert ": she" in first


def test_it_is_told_with_the_message_that_tells_it_and_once() -> None:
    first, _, second, _, third = leaves(
        make(), talk("Kim Roy called.", "Fine.", "Kim Roy said she is late.", "Fine.", "Kim Roy said he is late.")
    )
    assert (": she" in first, ": she" in second, ":" in third) == (False, True, False)


MESSAGES = st.lists(
    st.sampled_from(
        ["Mrs Okafor called.", "Okafor is late.", "Lena Okafor said he is ill.", "She left.",
         "Kim Roy said she is ill.", "Kim Roy said he is ill.", "Mr Roy and Kim Roy.",
         "Roy and Ben Kole said she is ill.", "my brother Kim Roy",
         "Dr Lena Okafor, or Okafor, has LENA'S file.", "Is she?"]
    ),
    min_size=1,
    max_size=7,
)  # fmt: skip


@given(messages=MESSAGES, kept=st.integers(1, 6))
def test_no_later_message_changes_what_an_earlier_one_was_sent_as(messages: list[str], kept: int) -> None:
    guard = make()
    assert leaves(guard, talk(*messages))[:kept] == leaves(guard, talk(*messages[:kept]))


@given(messages=MESSAGES)
def test_a_hint_changes_nothing_but_itself(messages: list[str]) -> None:
    told, untold = (leaves(make(pronouns=each), talk(*messages)) for each in (True, False))
    bare = [re.sub(r"(?:, |: )(?:she|he)(?=\])", "", text) for text in told]
    assert bare == untold


@given(messages=MESSAGES, drop=st.booleans(), other=st.sampled_from(["she", "he", "they"]), data=st.data())
def test_a_reply_restores_the_same_with_the_hint_and_without(
    messages: list[str],
    drop: bool,
    other: str,
    data: st.DataObject,
) -> None:
    with make().begin(talk(*messages), target="m") as exchange:
        outgoing = data.draw(st.sampled_from([segment.text for segment in exchange.outgoing]))
        changed = re.sub(r"(, |: )(?:she|he)(?=\])", "" if drop else rf"\g<1>{other}", outgoing)
        assert exchange.restore(changed) == exchange.restore(outgoing)


@given(messages=st.permutations(["Kim Roy said she is ill.", "Kim Roy said he is ill.", "Kim Roy left."]))
def test_a_message_that_contradicts_itself_tells_no_pronoun(messages: list[str]) -> None:
    (outgoing,) = leaves(make(), talk(" ".join(messages)))
    assert ":" not in outgoing


def test_each_mention_restores_to_its_form(make_guard: Callable[..., Guard]) -> None:
    names = dict.fromkeys(("Dr Lena Okafor", "Okafor", "LENA'S"), EntityType.PERSON)
    guard = make_guard(detector=FakeDetector(names))
    with guard.begin(text_segments("Dr Lena Okafor called. Okafor has LENA'S file."), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        (known,) = set(re.findall(r"PERSON_(\w+)", outgoing))
        assert (
            re.sub(f"_{known}", "", outgoing) == "[PERSON] called. [PERSON: last name] has [PERSON: first name]'S file."
        )
        for reply, restored in {
            "[PERSON_X]'s": "Dr Lena Okafor's",
            "[PERSON_X: last name]'s": "Okafor's",
            "[PERSON_X: first name]'s": "LENA's",
            "[PERSON_X: first name, she]'s": "LENA's",
            "[PERSON_X: she]'s": "Dr Lena Okafor's",
        }.items():
            assert exchange.restore(reply.replace("X", known)) == restored
