from privguard.core.json_leaves import parse
from privguard.core.profile import Profile
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_open import Key, OpenTexts
from privguard_adapters.wire.sse import Frame
from tests.adapters.fake_guard import FakeGuard

PLACE = frozenset({("output_index", "0"), ("content_index", "0")})
KEY = Key(stem="response.output_text", indices=PLACE)
EVENT = '{"type": "response.output_text.delta", "delta": "x", "logprobs": [1], "sequence_number": 4}'


def texts(rules: ReplyRules | None = None) -> OpenTexts:
    profile = Profile(id="f:1", name="f", gamma=0.5)
    return OpenTexts(FakeGuard(profile=profile).begin((), target="m"), rules or ReplyRules())


def begun(opened: OpenTexts, piece: str) -> str:
    new = opened.open(KEY, opened.texts.said, "p").feed(piece)
    opened.carry(KEY, Frame(raw=f"data: {EVENT}\n\n".encode(), data=EVENT), parse(EVENT))
    return new


def test_a_tail_takes_the_next_number_and_moves_all_that_follow() -> None:
    opened = texts()
    assert opened.number(4) == 4
    assert begun(opened, "I am [PER") == "I am "
    assert opened.holds
    extra = opened.close(opened.ended_by(PLACE, KEY.stem))
    assert extra == (
        b'data: {"type": "response.output_text.delta", "delta": "[PER", "logprobs": [], "sequence_number": 5}\n\n'
    )
    assert opened.number(5) == 6
    assert not opened.holds


def test_an_event_ends_the_texts_of_its_place_alone() -> None:
    opened = texts()
    begun(opened, "x")
    assert opened.ended_by(frozenset({("output_index", "0")})) == (KEY,)
    assert opened.ended_by(frozenset({("output_index", "1")})) == ()
    assert opened.ended_by(PLACE, "response.refusal") == ()


def test_what_became_of_a_text_is_known_when_it_ends() -> None:
    opened = texts()
    begun(opened, "I am [PERSON_7QK2]")
    assert opened.close_all() == b""
    assert opened.texts.restore("I am [PERSON_7QK2]", opened.texts.said(), "p") == "I am Ada Roth"
    assert opened.offsets(PLACE) is not None


def test_a_tail_that_the_caller_has_is_not_written_again() -> None:
    opened = texts(ReplyRules(after=5))
    opened.number(4)
    begun(opened, "[PER")
    assert opened.is_old
    assert opened.close_all() == b""
