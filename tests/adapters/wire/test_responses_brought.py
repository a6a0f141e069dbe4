"""Values of the model's own in the events of the Responses API: the real guard, cut between all events."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.profile import OnReply
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.responses_reply import restore_response
from privguard_adapters.wire.responses_stream import ResponseEvents
from tests.adapters.wire.test_brought import ADA, SAID, SHOWN, begin
from tests.adapters.wire.test_responses_stream import (
    call,
    deltas,
    frames,
    message,
    numbered,
    read,
    reasoning,
    response,
    stream_of,
)

Json = dict[str, Any]
RULES = ReplyRules(offered=frozenset({"send"}))
PLACE = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
GIVEN = json.dumps({"to": "Cleo Marsh", "cc": ADA, "body": json.dumps({"tel": 5550188001}), "n": 5550188001})


def shown(events: list[Json], **profile: Any) -> list[Json]:  # noqa: ANN401 - fields of the profile
    stream = ResponseEvents(begin(**profile), RULES)
    return read(stream.feed(frames(events)) + stream.end())


@settings(max_examples=25)
@given(size=st.integers(1, 200))
def test_deltas_and_every_repeat_show_what_the_whole_shows(size: int) -> None:
    output = [reasoning(SAID), message(SAID), call(GIVEN)]
    whole = json.loads(restore_response(json.dumps(response(output)), begin(), RULES))["output"]
    events = shown(stream_of(output, size))
    assert events[-1]["response"]["output"] == whole
    assert [event["item"] for event in events if event["type"] == "response.output_item.done"] == whole
    assert deltas(events, "output_text") == whole[1]["content"][0]["text"] == SHOWN
    assert deltas(events, "reasoning_summary_text") == SHOWN
    assert deltas(events, "function_call_arguments") == whole[2]["arguments"]
    assert "Marsh" not in json.dumps(events)
    assert "5550188001" not in json.dumps(events)
    assert json.loads(whole[2]["arguments"])["cc"] == "Ada Roth"


def halves(text: str) -> Iterator[tuple[str, str]]:
    for cut in range(1, len(text), 5):
        yield text[:cut], text[cut:]


@pytest.mark.parametrize("kind", ["response.output_text.delta", "response.unheard.delta", "response.unheard.piece"])
def test_no_cut_between_events_lets_a_part_of_a_value_pass(kind: str) -> None:
    field = "fact" if kind.endswith("piece") else "delta"
    for first, second in halves(SAID):
        stream = ResponseEvents(begin(), RULES)
        early = stream.feed(frames(numbered([{"type": kind, **PLACE, field: first}])))
        late = stream.feed(frames([{"type": kind, **PLACE, field: second, "sequence_number": 1}])) + stream.end()
        said = ["".join(event.get(field, "") for event in read(raw)) for raw in (early, early + late)]
        assert SHOWN.startswith(said[0])
        assert said[1] == SHOWN


def test_texts_that_take_turns_wait_for_themselves_alone() -> None:
    pieces = [(SAID[at : at + 9], SAID[::-1][at : at + 9]) for at in range(0, len(SAID), 9)]
    mixed = [
        {"type": "response.output_text.delta", **PLACE, "content_index": index, "delta": piece}
        for pair in pieces
        for index, piece in enumerate(pair)
    ]
    events = shown(numbered([*mixed, {"type": "response.completed", "response": response([])}]))
    texts = ["".join(event.get("delta", "") for event in events if event.get("content_index") == n) for n in (0, 1)]
    assert texts == [SHOWN, SAID[::-1]]


def test_an_error_in_the_midst_of_a_value_does_not_cut_it() -> None:
    cut = SAID.index("Cleo") + 6
    kind = "response.output_text.delta"
    first, second = ({"type": kind, **PLACE, "delta": part} for part in (SAID[:cut], SAID[cut:]))
    events = shown(numbered([first, {"type": "error", "message": "x"}, second]))
    assert deltas(events, "output_text") == SHOWN


def test_what_is_flagged_passes_and_is_the_same_in_every_repeat() -> None:
    events = shown(stream_of([message(SAID)], 7), on_reply=OnReply.FLAG)
    plain = SAID.replace(ADA, "Ada Roth")
    assert deltas(events, "output_text") == plain == events[-1]["response"]["output"][0]["content"][0]["text"]


def test_a_part_that_is_added_and_an_item_that_is_no_text_hide_as_well() -> None:
    part = {"type": "response.content_part.added", **PLACE, "part": {"type": "output_text", "text": SAID[:250]}}
    rest = {"type": "response.output_text.delta", **PLACE, "delta": SAID[250:]}
    events = shown(numbered([part, rest, {"type": "response.completed", "response": response([])}]))
    assert events[0]["part"]["text"] + deltas(events, "output_text") == SHOWN
    search = {"id": "w", "type": "web_search_call", "action": {"type": "search", "query": "Who is Cleo Marsh?"}}
    assert "Marsh" not in json.dumps(shown(stream_of([search])))
