import json

from privguard.core.json_leaves import parse
from privguard.core.profile import Profile
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_event import Event, is_known_event
from privguard_adapters.wire.responses_open import OpenTexts
from privguard_adapters.wire.sse import Frame
from tests.adapters.fake_guard import FakeGuard


def event(opened: OpenTexts, **fields: object) -> Event:
    data = json.dumps(fields)
    return Event(Frame(raw=f"data: {data}\n\n".encode(), data=data), parse(data, FIELD_NAMES), opened)


def texts() -> OpenTexts:
    profile = Profile(id="f:1", name="f", gamma=0.5)
    return OpenTexts(FakeGuard(profile=profile).begin((), target="m"), ReplyRules())


def test_texts_without_indices_are_told_apart_by_their_item() -> None:
    opened = texts()
    kind = "response.output_text.delta"
    for item, piece in (("a", "[PERSON_"), ("b", "[EMAIL_"), ("a", "7QK2]")):
        last = event(opened, type=kind, item_id=item, delta=piece)
        last.run(closes_all=False)
    assert b"Ada Roth" in last.written()


def test_a_delta_that_is_an_object_has_a_text_in_each_field() -> None:
    opened = texts()
    kind = "response.shell_call_output_content.delta"
    event(opened, type=kind, output_index=0, delta={"stdout": "[PERSON_", "stderr": "x"}).run(closes_all=False)
    last = event(opened, type=kind, output_index=0, delta={"stdout": "7QK2]", "stderr": "y"})
    last.run(closes_all=False)
    assert json.loads(last.written()[6:])["delta"] == {"stdout": "Ada Roth", "stderr": "y"}


def test_binary_data_is_no_text() -> None:
    opened = texts()
    for kind, field in (
        ("response.audio.delta", "delta"),
        ("response.image_generation_call.partial_image", "partial_image_b64"),
    ):
        one = event(opened, type=kind, **{field: "AAAA"})
        one.run(closes_all=False)
        assert one.written() == one._frame.raw
    assert not opened.holds


def test_states_of_calls_are_known_and_made_up_ones_are_not() -> None:
    assert is_known_event("response.web_search_call.searching")
    assert not is_known_event("response.web_search_call.musing")
    assert not is_known_event("response.made_up.delta")
    assert not is_known_event("")
