import json
from typing import Any

import pytest

from privguard.core.profile import Profile
from privguard_adapters.wire.openai_chunk import Chunk
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules, read_reply
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.sse import SseParser, write_frame
from privguard_adapters.wire.streamed import StreamedChoice
from privguard_adapters.wire.tools import Tools
from tests.adapters.fake_guard import FakeGuard


def chunk(**event: Any) -> Chunk:  # noqa: ANN401 - fields of an event
    document = read_reply(json.dumps(event))
    assert document is not None
    profile = Profile(id="fake:1", name="fake", gamma=0.5)
    return Chunk(document, FakeGuard().begin((), target="m"), ReplyRules(), Tools(profile=profile))


def test_the_head_holds_what_every_event_repeats() -> None:
    assert chunk(id="c", created=1, choices=[], usage=None, other="x").head() == {"id": "c", "created": 1}


@pytest.mark.parametrize(
    ("error", "is_one"),
    [({}, False), ("", False), ({"code": 0}, False), ({"code": None}, False), ("x", True), ({"code": 429}, True)],
)
def test_an_empty_error_is_none(error: object, is_one: bool) -> None:
    assert chunk(error=error).is_error() is is_one


def test_the_places_of_the_choices_are_those_of_the_list() -> None:
    assert chunk(choices=[{"index": 3}, {"index": 1}]).choice_numbers() == [0, 1]


def test_only_what_is_replaced_changes_in_an_event() -> None:
    event = chunk(id="c", choices=[{"index": 0, "delta": {"content": "[PERSON_7QK2]"}}], note="as it was")
    assert event.restore_choice(0, StreamedChoice(index="0")) == []
    assert event.changed
    event.restore_rest()
    assert event.text() == json.dumps(
        {"id": "c", "choices": [{"index": 0, "delta": {"content": "Ada Roth"}}], "note": "as it was"}
    )


def test_what_is_held_back_goes_out_with_the_end_of_its_choice() -> None:
    choice = StreamedChoice(index="0")
    chunk(choices=[{"index": 0, "delta": {"content": "see [x"}}]).restore_choice(0, choice)
    before = chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]).restore_choice(0, choice)
    assert [tail for _, tail in before] == ["[x"]
    assert choice.finished
    assert not any(text.holds for text in choice.texts.values())


NAMES = ReplyNames(
    tools={"get_PERSON_7QK2": "get_anna", "PERSON_7QK2": "anna"},
    arguments={"get_PERSON_7QK2": {"PERSON_7QK2_notes": "anna_notes"}},
)
OFFERED = frozenset({"get_PERSON_7QK2", "PERSON_7QK2", "PERSON_7QK2_2"})


def call(name: str | None, arguments: str | None = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - fields
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {"tool_calls": [{"index": 0, **more, "function": function}]}


def called(*deltas: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the calls as an accumulator of deltas sees them, each by its id."""
    rules = ReplyRules(offered=OFFERED, names=NAMES)
    stream = EventStream(FakeGuard().begin((), target="m"), rules)
    ends = [*[None] * len(deltas), "tool_calls"]
    choices = [{"index": 0, "delta": d, "finish_reason": end} for d, end in zip([*deltas, {}], ends, strict=True)]
    events = [{"choices": [choice]} for choice in choices]
    raw = stream.feed(b"".join([write_frame(json.dumps(event)) for event in events])) + stream.end()
    calls: list[list[str]] = [["", ""]]
    for frame in SseParser().feed(raw):
        for each in json.loads(frame.data or "")["choices"][0]["delta"].get("tool_calls", []):
            if "id" in each and any(calls[-1]):
                calls.append(["", ""])
            calls[-1][0] += each["function"].get("name", "")
            calls[-1][1] += each["function"].get("arguments", "")
    return [(name, arguments) for name, arguments in calls]


@pytest.mark.parametrize("pieces", [["get_PERSON_7QK2"], ["get_", "PERSON_7QK2"], ["get_PERSON_7", "", "QK2"]])
@pytest.mark.parametrize("size", [1, 4, 100])
def test_names_and_keys_of_a_call_come_back_however_it_is_streamed(pieces: list[str], size: int) -> None:
    arguments = '{"PERSON_7QK2_notes": "[PERSON_7QK2]", "x": 1}'
    parts = [arguments[start : start + size] for start in range(0, len(arguments), size)]
    back = [("get_anna", '{"anna_notes": "Ada Roth", "x": 1}')]
    assert called(*[call(piece, "") for piece in pieces], *[call(None, part) for part in parts]) == back
    # All at once, and the arguments before the rest of the name.
    assert called(*[call(piece) for piece in pieces[:-1]], call(pieces[-1], arguments)) == back
    assert called(call(pieces[0], arguments), *[call(piece) for piece in pieces[1:]])[0][1] == back[0][1]


def test_a_name_that_might_go_on_is_whole_once_its_arguments_come() -> None:
    assert called(call("PERSON_7QK2"), call(None, "{}")) == [("anna", "{}")]
    assert called(call("PERSON_7QK2", "{}")) == [("anna", "{}")]
    assert called(call("PERSON_7QK2")) == [("anna", "")]
    assert called(call("PERSON_7QK2"), call("_2"), call(None, "{}")) == [("PERSON_7QK2_2", "{}")]


def test_two_calls_at_one_index_have_each_their_names() -> None:
    first, second = call("PERSON_7QK2", "{}", id="a"), call("get_PERSON_7QK2", '{"PERSON_7QK2_notes":1}', id="b")
    assert called(first, second) == [("anna", "{}"), ("get_anna", '{"anna_notes":1}')]


def test_the_one_call_of_older_replies_has_its_names_too() -> None:
    choice, said = StreamedChoice(index="0"), []
    rules = ReplyRules(offered=OFFERED, names=NAMES)
    tools = Tools(profile=Profile(id="fake:1", name="fake", gamma=0.5), offered=OFFERED, names=NAMES)
    exchange = FakeGuard().begin((), target="m")
    for function in ({"name": "get_PERSON_7QK2"}, {"arguments": '{"PERSON_7'}, {"arguments": 'QK2_notes": 1}'}):
        document = read_reply(json.dumps({"choices": [{"index": 0, "delta": {"function_call": function}}]}))
        assert document is not None
        event = Chunk(document, exchange, rules, tools)
        assert event.restore_choice(0, choice) == []
        said.append(json.loads(event.text())["choices"][0]["delta"]["function_call"])
    assert said == [{"name": "get_anna"}, {"arguments": "{"}, {"arguments": '"anna_notes": 1}'}]


def test_a_name_in_no_delta_comes_back_as_well() -> None:
    function = {"name": "get_PERSON_7QK2", "arguments": {"PERSON_7QK2_notes": 1}}
    document = read_reply(json.dumps({"message": {"function_call": function}}))
    assert document is not None
    rules = ReplyRules(offered=OFFERED, names=NAMES)
    tools = Tools(profile=Profile(id="fake:1", name="fake", gamma=0.5), offered=OFFERED, names=NAMES)
    event = Chunk(document, FakeGuard().begin((), target="m"), rules, tools)
    event.restore_rest()
    back = {"name": "get_anna", "arguments": {"anna_notes": 1}}
    assert json.loads(event.text())["message"]["function_call"] == back
