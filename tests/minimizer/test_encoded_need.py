from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.plan import Need
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.encoder.encoder import Encoded, TokenEncoder
from privguard.encoder.loading import load_encoder
from privguard.guard.shapes import text_segments
from privguard.minimizer.encoded_need import EncoderNeedModel, find_turns
from privguard.minimizer.need_table import TableNeedModel

MODEL = Path(__file__).parents[1] / "encoder" / "model"
WORDS = st.lists(
    st.sampled_from(["Ada Roth", "in Bern", "translate", "the email", "who is", "555"]), min_size=1, max_size=6
)
TALK = st.lists(st.tuples(st.sampled_from(Role), WORDS.map(" ".join)), min_size=1, max_size=8)
Talk = Sequence[tuple[Role, str]]


@pytest.fixture(scope="session")
def encoder() -> TokenEncoder:
    return load_encoder(MODEL, device="cpu")


@pytest.fixture(scope="session")
def model(encoder: TokenEncoder) -> EncoderNeedModel:
    return EncoderNeedModel(encoder)


def segments(talk: Talk) -> list[Segment]:
    return [Segment(path="text", role=role, channel=Channel.TEXT, text=text) for role, text in talk]


def first_words(talk: Talk, kind: EntityType = EntityType.PERSON) -> list[list[Span]]:
    """Return a span at the beginning of every text."""
    return [[Span(start=0, end=3, kind=kind, score=1.0, source="test")] if text else [] for _, text in talk]


def needs(model: EncoderNeedModel, talk: Talk) -> list[Need]:
    return [need for row in model.need(segments(talk), first_words(talk)) for need in row]


@settings(max_examples=50)
@given(TALK)
def test_there_is_one_need_for_each_span(model: EncoderNeedModel, talk: Talk) -> None:
    spans = first_words(talk)
    spans[0] = []
    rows = model.need(segments(talk), spans)
    assert [len(row) for row in rows] == [len(row) for row in spans]
    # Where nobody asks for anything the table answers, which knows nothing of what is public.
    asked = bool(find_turns(segments(talk), spans)[1])
    assert all((need.p_public is not None) == asked for row in rows for need in row)


@settings(max_examples=50)
@given(TALK, st.lists(st.tuples(st.sampled_from(Role), WORDS.map(" ".join)), max_size=4))
def test_a_longer_conversation_never_lowers_a_need(model: EncoderNeedModel, talk: Talk, more: Talk) -> None:
    # The instruction must be the same: a turn that goes on is another turn.
    talk = [(Role.USER, "who is Ada Roth"), *talk, (Role.ASSISTANT, "Ben")]
    before, after = needs(model, talk), needs(model, [*talk, *more])
    for old, new in zip(before, after, strict=False):
        assert new.b_redact >= old.b_redact
        assert new.b_abstract >= old.b_abstract


@settings(max_examples=50)
@given(TALK, WORDS.map(" ".join), st.sampled_from([Role.TOOL, Role.ASSISTANT, Role.OTHER]))
def test_nobody_but_the_user_raises_a_need(model: EncoderNeedModel, talk: Talk, said: str, role: Role) -> None:
    talk = [*talk, (Role.USER, "the email please")]
    assert needs(model, [*talk, (role, said)])[: len(talk)] == needs(model, talk)


@settings(max_examples=30)
@given(TALK)
def test_remembering_changes_nothing(encoder: TokenEncoder, model: EncoderNeedModel, talk: Talk) -> None:
    fresh = EncoderNeedModel(encoder)
    asked = (segments(talk), first_words(talk))
    first = fresh.need(*asked)
    assert first == fresh.need(*asked)
    for row, other in zip(first, model.need(*asked), strict=True):
        for new, old in zip(row, other, strict=True):
            assert abs(new.b_redact - old.b_redact) < 1e-3


def test_the_instruction_decides(model: EncoderNeedModel) -> None:
    material = (Role.TOOL, "Ada Roth in Bern")
    first, second = (needs(model, [material, (Role.USER, text)])[0] for text in ("the email", "who is in Graz?"))
    assert first.b_redact != second.b_redact


def test_a_span_in_the_instruction_is_judged_otherwise(model: EncoderNeedModel) -> None:
    own, other = (
        needs(model, [(Role.USER, "Ada Roth in Bern")])[0],
        needs(model, [(Role.SYSTEM, "Ada Roth in Bern")])[0],
    )
    assert own == other  # where nobody speaks as the user, the system's words are the instruction
    spoken = needs(model, [(Role.TOOL, "Ada Roth in Bern"), (Role.USER, "Ada Roth in Bern")])
    assert spoken[0].b_redact != spoken[1].b_redact == own.b_redact


@pytest.mark.parametrize(
    ("roles", "first", "turns"),
    [
        ("u", [0], [(0,)]),
        ("suatu", [0, 0, 0, 0, 1], [(1,), (4,)]),
        ("uuauu", [0, 0, 0, 1, 1], [(0, 1), (3, 4)]),
        ("ss", [0, 0], [(0, 1)]),
        ("ta", [0, 0], [(0,)]),
        ("", [], []),
    ],
)
def test_turns_are_those_of_the_user(roles: str, first: list[int], turns: list[tuple[int, ...]]) -> None:
    names = {"u": Role.USER, "s": Role.SYSTEM, "a": Role.ASSISTANT, "t": Role.TOOL}
    talk = [(names[letter], "long text" if letter == "t" else "text") for letter in roles]
    assert find_turns(segments(talk)) == (first, turns)


def test_what_stands_beside_a_conversation_has_no_need(model: EncoderNeedModel) -> None:
    asked = (Role.USER, "who is Ada Roth")
    beside = needs(model, [(Role.OTHER, "Ada Roth"), asked])
    assert beside[0].b_redact < -5 < beside[1].b_redact
    assert beside[1:] == needs(model, [asked])
    assert needs(model, [(Role.OTHER, "Ada Roth")])[0].b_redact > -5  # alone, it is all that is asked


def test_values_of_a_document_ask_for_nothing_unless_they_are_sentences() -> None:
    def told(role: Role, text: str) -> list[Segment]:
        return [replace(segment, role=role) for segment in text_segments(text)]

    rule, data = told(Role.SYSTEM, "Sort the cases."), told(Role.USER, '{"name": "Ada Roth", "dob": "1987-03-14"}')
    assert find_turns([*rule, *data])[1] == [(0,)]
    assert find_turns(data)[1] == []
    assert find_turns([*told(Role.USER, "Who is it?"), *told(Role.ASSISTANT, "Whom?"), *data])[1] == [(0,)]
    sentence = told(Role.USER, '{"name": "Ada Roth", "task": "write her a short letter of thanks"}')
    ((number,),) = find_turns(sentence)[1]
    assert sentence[number].text.startswith("write")


def test_a_value_alone_goes_on_with_what_was_asked_before(model: EncoderNeedModel) -> None:
    talk = [(Role.USER, "who is in Bern?"), (Role.ASSISTANT, "Whom do you mean?"), (Role.USER, "Ada")]
    spans = [[], [], first_words(talk)[2]]
    assert find_turns(segments(talk), spans) == ([0, 0, 0], [(0,)])
    assert find_turns(segments(talk[2:]), spans[2:]) == ([0], [])
    assert needs(model, [(Role.USER, "Ada")]) == [
        need for row in TableNeedModel().need(segments(talk[2:]), spans[2:]) for need in row
    ]


def test_the_new_turn_is_all_that_is_computed(encoder: TokenEncoder) -> None:
    asked: list[int] = []

    class Counting:
        id = encoder.id
        artifact = encoder.artifact

        class need_head:  # noqa: N801 - the name of an attribute
            prepare = staticmethod(encoder.need_head.prepare)

            @staticmethod
            def score(spans: object, tags: Sequence[int], own: object, instruction: object) -> object:
                asked.append(len(tags))
                return encoder.need_head.score(spans, tags, own, instruction)  # type: ignore[arg-type] # passed on

        def encode(self, texts: Sequence[str]) -> tuple[Encoded, ...]:
            return encoder.encode(texts)

    model = EncoderNeedModel(Counting())  # type: ignore[arg-type] # a stand-in
    talk = [(Role.USER, "who is Ada Roth"), (Role.ASSISTANT, "Ben"), (Role.USER, "the email")]
    needs(model, talk[:2])
    needs(model, talk)
    needs(model, talk)
    assert asked == [2, 3]


def test_it_says_who_it_is(encoder: TokenEncoder, model: EncoderNeedModel) -> None:
    assert model.id == f"encoder:{encoder.id}"
