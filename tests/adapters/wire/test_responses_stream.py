import json
import typing
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai._models import construct_type_unchecked
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.responses import ResponseStreamEvent, response_stream_event

from privguard.core.profile import OnReply, Profile, ToolRule
from privguard.core.views import strictest_view
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.responses_event import is_known_event
from privguard_adapters.wire.responses_reply import restore_response
from privguard_adapters.wire.responses_stream import ResponseEvents
from privguard_adapters.wire.sse import SseParser
from tests.adapters.fake_guard import FakeExchange, FakeGuard

EVENT: Any = ResponseStreamEvent
Json: TypeAlias = dict[str, Any]
MARK, MAIL, ACE = "[PERSON_7QK2]", "[EMAIL_4MN5]", "[PERSON_9XY3]"
PIECES = st.sampled_from([MARK, MAIL, ACE, "word ", "[", "]", "😀", "é\n", "[PERSON_"])
TEXTS = st.lists(PIECES, max_size=6).map("".join)
OFFERED = ReplyRules(offered=frozenset({"send", "look", "shell"}))


def exchange(**profile: Any) -> FakeExchange:  # noqa: ANN401 - fields of the profile
    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, **profile))
    return guard.begin((), target="m")


def response(output: list[Json], status: str = "completed", **more: Any) -> Json:  # noqa: ANN401 - any JSON value
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "m", "output": output,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "metadata": {}, **more,
    }  # fmt: skip


def message(text: str, item_id: str = "msg_1", **part: Any) -> Json:  # noqa: ANN401 - likewise
    content = [{"type": "output_text", "text": text, "annotations": [], **part}]
    return {"id": item_id, "type": "message", "role": "assistant", "status": "completed", "content": content}


def call(arguments: str, name: str = "send", item_id: str = "fc_1") -> Json:
    return {"id": item_id, "type": "function_call", "call_id": "call_1", "name": name, "arguments": arguments}


def reasoning(text: str) -> Json:
    summary = [{"type": "summary_text", "text": text}]
    return {"id": "rs_1", "type": "reasoning", "summary": summary, "encrypted_content": MARK}


def pieces_of(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def item_events(item: Json, index: int, size: int) -> Iterator[Json]:
    """Yield the events of one item as the API sends them, without their numbers."""
    place = {"output_index": index, "item_id": item["id"]}
    bare: Json = {**item, **{name: [] for name in ("content", "summary") if name in item}}
    bare |= {name: "" for name in ("arguments", "input", "code") if name in item}
    yield {"type": "response.output_item.added", "output_index": index, "item": bare}
    for at, part in enumerate(item.get("content", ())):
        where = {**place, "content_index": at}
        stem, field = ("output_text", "text") if part["type"] == "output_text" else ("refusal", "refusal")
        yield {"type": "response.content_part.added", **where, "part": {**part, field: ""}}
        for piece in pieces_of(part[field], size):
            more = {"logprobs": [{"token": piece, "logprob": -1.0}]} if part.get("logprobs") else {"logprobs": []}
            yield {"type": f"response.{stem}.delta", **where, "delta": piece, **more}
        for at_note, note in enumerate(part.get("annotations", ())):
            added = {"annotation_index": at_note, "annotation": note}
            yield {"type": "response.output_text.annotation.added", **where, **added}
        yield {"type": f"response.{stem}.done", **where, field: part[field], "logprobs": part.get("logprobs") or []}
        yield {"type": "response.content_part.done", **where, "part": part}
    for at, part in enumerate(item.get("summary", ())):
        where = {**place, "summary_index": at}
        yield {"type": "response.reasoning_summary_part.added", **where, "part": {**part, "text": ""}}
        for piece in pieces_of(part["text"], size):
            yield {"type": "response.reasoning_summary_text.delta", **where, "delta": piece}
        yield {"type": "response.reasoning_summary_text.done", **where, "text": part["text"]}
        yield {"type": "response.reasoning_summary_part.done", **where, "part": part}
    kinds = {"function_call": "function_call_arguments", "mcp_call": "mcp_call_arguments"}
    stem = kinds.get(item["type"], "custom_tool_call_input")
    for field in ("arguments", "input"):
        if field in item:
            for piece in pieces_of(item[field], size):
                yield {"type": f"response.{stem}.delta", **place, "delta": piece}
            yield {"type": f"response.{stem}.done", **place, field: item[field]}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def stream_of(output: list[Json], size: int = 3, **more: Any) -> list[Json]:  # noqa: ANN401 - of the response
    events = [{"type": "response.created", "response": response([], "in_progress", **more)}]
    for index, item in enumerate(output):
        events += item_events(item, index, size)
    events.append({"type": "response.completed", "response": response(output, **more)})
    return numbered(events)


def numbered(events: list[Json]) -> list[Json]:
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def frames(events: list[Json]) -> bytes:
    lines = [f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events]
    return "".join(lines).encode()


def run(
    raw: bytes, *, cuts: Sequence[int] = (), rules: ReplyRules | None = None, to: FakeExchange | None = None
) -> bytes:
    stream = ResponseEvents(to or exchange(), rules or OFFERED)
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    return b"".join([*(stream.feed(raw[start:end]) for start, end in pairwise(places)), stream.end()])


def read(raw: bytes) -> list[Json]:
    parser = SseParser()
    return [json.loads(frame.data) for frame in [*parser.feed(raw), *parser.end()] if frame.data]


def restored(events: list[Json], rules: ReplyRules | None = None, to: FakeExchange | None = None) -> list[Json]:
    return read(run(frames(events), rules=rules, to=to))


def whole(output: list[Json], rules: ReplyRules | None = None, to: FakeExchange | None = None) -> Json:
    body = restore_response(json.dumps(response(output)), to or exchange(), rules or OFFERED)
    found: Json = json.loads(body)
    return found


def deltas(events: list[Json], kind: str) -> str:
    return "".join(event["delta"] for event in events if event["type"] == f"response.{kind}.delta")


def check_numbers(events: list[Json]) -> None:
    numbers = [event["sequence_number"] for event in events]
    assert numbers == list(range(len(numbers)))


@given(text=TEXTS, arguments=TEXTS, thought=TEXTS, size=st.integers(1, 12))
def test_deltas_and_every_repeat_say_what_the_whole_says(text: str, arguments: str, thought: str, size: int) -> None:
    output = [reasoning(thought), message(text), call(json.dumps({"to": arguments}))]
    final = whole(output)["output"]
    events = restored(stream_of(output, size))
    check_numbers(events)
    assert events[-1]["response"]["output"] == final
    assert [event["item"] for event in events if event["type"] == "response.output_item.done"] == final
    assert deltas(events, "output_text") == final[1]["content"][0]["text"]
    assert deltas(events, "reasoning_summary_text") == final[0]["summary"][0]["text"]
    assert deltas(events, "function_call_arguments") == final[2]["arguments"]
    done = {event["type"]: event for event in events if event["type"].endswith(".done")}
    assert done["response.output_text.done"]["text"] == final[1]["content"][0]["text"]
    assert done["response.content_part.done"]["part"] == final[1]["content"][0]
    assert done["response.reasoning_summary_text.done"]["text"] == final[0]["summary"][0]["text"]
    assert done["response.function_call_arguments.done"]["arguments"] == final[2]["arguments"]


@given(text=TEXTS, size=st.integers(1, 9), cuts=st.lists(st.integers(1, 4000), max_size=8))
def test_the_bytes_may_be_cut_anywhere(text: str, size: int, cuts: list[int]) -> None:
    raw = frames(stream_of([message(text), call(json.dumps({"to": text}))], size))
    assert run(raw, cuts=cuts) == run(raw)


def test_what_holds_no_placeholder_passes_byte_for_byte() -> None:
    raw = frames(stream_of([reasoning("Be kind"), message("Hé 😀, [1] and x"), call('{"to": "x"}')]))
    raw = b": ping\n\n" + raw.replace(MARK.encode(), b"gAAAA")
    assert run(raw) == raw


@settings(max_examples=40)
@given(text=TEXTS, arguments=TEXTS, size=st.integers(1, 9))
def test_the_accumulators_of_the_sdk_read_it(text: str, arguments: str, size: int) -> None:
    output = [message(text), call(json.dumps({"to": arguments}))]
    state: Any = ResponseStreamState(input_tools=[], text_format=openai.omit)
    snapshots = {"output_text": "", "function_call_arguments": ""}
    for event in restored(stream_of(output, size)):
        typed = construct_type_unchecked(type_=EVENT, value=event)
        for fired in state.handle_event(typed):
            if fired.type.endswith(".delta"):
                snapshots[fired.type.split(".")[1]] = fired.snapshot
    final = whole(output)["output"]
    assert snapshots == {
        "output_text": final[0]["content"][0]["text"],
        "function_call_arguments": final[1]["arguments"],
    }


def test_texts_that_take_turns_are_apart() -> None:
    first, second = list(item_events(message(f"I am {MARK}"), 0, 2)), list(item_events(message(MAIL, "msg_2"), 1, 2))
    longest = max(len(first), len(second))
    mixed = [
        event
        for pair in zip(first, [*second, *[None] * (longest - len(second))], strict=True)
        for event in pair
        if event
    ]
    events = restored(numbered([{"type": "response.created", "response": response([])}, *mixed]))
    check_numbers(events)
    for index, text in enumerate(("I am Ada Roth", "ada@roth.example")):
        said = [
            event for event in events if event.get("output_index") == index and event["type"].endswith("text.delta")
        ]
        assert "".join(event["delta"] for event in said) == text


def test_a_tail_comes_right_before_the_end_of_its_text_under_a_number_of_its_own() -> None:
    events = restored(stream_of([message("Dear [PERSON_")], 4))
    kinds = [event["type"] for event in events]
    at = kinds.index("response.output_text.done")
    assert events[at - 1]["type"] == "response.output_text.delta"
    assert events[at - 1]["delta"] == "[PERSON_"
    assert events[at - 1]["item_id"] == "msg_1"
    check_numbers(events)


def test_each_tool_gets_what_its_rule_gives() -> None:
    rules = {"send": ToolRule(kinds=frozenset())}
    output = [call(f'{{"to": "{MARK}"}}'), call(f'{{"to": "{MARK}"}}', "look", "fc_2"), call(MARK, "stranger", "fc_3")]
    to = exchange(tools=rules)
    events = restored(stream_of(output), to=to)
    done = [event["arguments"] for event in events if event["type"].endswith("arguments.done")]
    assert done == [f'{{"to": "{MARK}"}}', '{"to": "Ada Roth"}', MARK]
    assert [item["arguments"] for item in events[-1]["response"]["output"]] == done
    assert [item["arguments"] for item in whole(output, to=exchange(tools=rules))["output"]] == done


def test_what_was_done_to_a_text_is_noted_once_however_often_it_is_repeated() -> None:
    to = exchange()
    restored(stream_of([message(f"I am {MARK}"), call(f'{{"to": "{MARK}"}}')]), to=to)
    assert sorted(to.paths) == ["output[0].content[0].text", "output[1].arguments"]


def test_names_of_tools_and_keys_of_arguments_are_the_callers() -> None:
    names = ReplyNames(tools={"send_PERSON_7QK2": "send_ada"}, arguments={"send_PERSON_7QK2": {"PERSON_7QK2": "ada"}})
    rules = ReplyRules(offered=frozenset({"send_PERSON_7QK2"}), names=names)
    output = [call('{"PERSON_7QK2": "x"}', "send_PERSON_7QK2")]
    tools = [
        {
            "type": "function",
            "name": "send_PERSON_7QK2",
            "parameters": {"properties": {"PERSON_7QK2": {}}, "required": ["PERSON_7QK2"]},
        }
    ]
    events = restored(stream_of(output, tools=tools), rules=rules)
    items = [event["item"] for event in events if "item" in event]
    assert {item["name"] for item in items} == {"send_ada"}
    assert deltas(events, "function_call_arguments") == items[-1]["arguments"] == '{"ada": "x"}'
    echoed = events[-1]["response"]["tools"][0]
    assert echoed == {
        "type": "function",
        "name": "send_ada",
        "parameters": {"properties": {"ada": {}}, "required": ["ada"]},
    }


@pytest.mark.parametrize("size", [1, 4, 50])
def test_citations_point_at_the_same_words(size: int) -> None:
    text = f"By {MARK} and {MAIL}."
    start = text.index(MAIL)
    notes = [
        {
            "type": "url_citation",
            "start_index": start,
            "end_index": start + len(MAIL),
            "title": f"Of {MARK}",
            "url": "u",
        },
        {"type": "file_citation", "index": start, "file_id": "f", "filename": "n"},
    ]
    output = [message(text, annotations=notes)]
    final = whole(output)["output"][0]["content"][0]
    said = final["text"]
    first, second = final["annotations"]
    assert said[first["start_index"] : first["end_index"]] == "ada@roth.example"
    assert (said[second["index"] :][:3], first["title"]) == ("ada", "Of Ada Roth")
    events = restored(stream_of(output, size))
    added = [event["annotation"] for event in events if event["type"].endswith("annotation.added")]
    assert added == final["annotations"] == events[-1]["response"]["output"][0]["content"][0]["annotations"]


def test_log_probabilities_stay_where_the_text_does_and_go_where_it_changes() -> None:
    tokens = [{"token": "x", "logprob": -1.0, "bytes": [], "top_logprobs": []}]
    same, other = message("plain", logprobs=tokens), message(MARK, "msg_2", logprobs=tokens)
    output = restored(stream_of([same, other]))[-1]["response"]["output"]
    assert [item["content"][0]["logprobs"] for item in output] == [tokens, []]
    hidden = exchange(on_reply=OnReply.REDACT)
    output = restored(stream_of([same]), to=hidden)[-1]["response"]["output"]
    assert output[0]["content"][0]["logprobs"] == []


def test_what_the_request_held_is_repeated_as_the_caller_wrote_it() -> None:
    more: Json = {"instructions": f"Serve {MARK}", "metadata": {"k": MAIL, "id": MARK}, "user": MARK}
    answer = restored(stream_of([], **more))[-1]["response"]
    assert answer["instructions"] == "Serve Ada Roth"
    assert (answer["metadata"], answer["user"]) == ({"k": "ada@roth.example", "id": "Ada Roth"}, "Ada Roth")


def test_ids_and_what_is_sealed_stay_as_they_are() -> None:
    item = {**reasoning("x"), "id": MARK}
    assert restored(stream_of([item]))[-1]["response"]["output"] == [item]


OUTPUT: list[Json] = [
    {"id": "c1", "type": "custom_tool_call", "call_id": "c", "name": "send", "input": MARK},
    {"id": "m1", "type": "mcp_call", "name": "x", "arguments": f'{{"to": "{MARK}"}}', "output": MARK},
    {"id": "s1", "type": "shell_call", "call_id": "c", "action": {"commands": [f"echo {MARK}"]}, "status": "completed"},
    {"id": "w1", "type": "web_search_call", "action": {"type": "search", "query": MARK}, "status": "completed"},
    {"id": "i1", "type": "code_interpreter_call", "code": f"print('{MARK}')", "container_id": "c", "outputs": []},
    {"id": "t1", "type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": MARK}]},
    {"id": "p1", "type": "apply_patch_call", "operation": {"type": "create_file", "path": MARK, "diff": MARK}},
    {"id": "u1", "type": "unheard_of", "text": MARK},
]  # fmt: skip


@pytest.mark.parametrize("item", OUTPUT, ids=[item["type"] for item in OUTPUT])
def test_every_sort_of_item_comes_back_whole_and_streamed(item: Json) -> None:
    final = whole([item])["output"]
    assert MARK not in json.dumps(final)
    assert "Ada Roth" in json.dumps(final)
    events = restored(stream_of([item]))
    assert events[-1]["response"]["output"] == final
    assert events[-2]["item"] == final[0]


@pytest.mark.parametrize("kind", ["mcp_call", "mcp_approval_request"])
def test_what_the_provider_calls_is_shown_as_the_user_may_see_it_whatever_rules_say(kind: str) -> None:
    to = exchange(tools={"*": ToolRule(kinds=frozenset())}, remote_tools=("x",))
    item = {"id": "m1", "type": kind, "server_label": "desk", "name": "x", "arguments": f'{{"to": "{ACE}"}}'}
    final = whole([item], to=to)["output"]
    assert json.loads(final[0]["arguments"]) == {"to": 'Ben "Ace" Kole'}
    events = stream_of([item])
    if kind == "mcp_approval_request":  # comes whole, in its item
        events = numbered([event for event in events if "custom_tool_call_input" not in event["type"]])
    streamed = restored(events, to=to)
    assert streamed[-1]["response"]["output"] == final
    assert set(to.views.values()) == {None}


def test_arguments_whose_item_was_not_told_are_those_of_the_call_that_their_events_name() -> None:
    to = exchange(tools={"*": ToolRule(kinds=frozenset())})
    place = {"output_index": 0, "item_id": "m1"}
    pieces = [{"type": "response.mcp_call_arguments.delta", **place, "delta": piece} for piece in ('{"to": "', MARK)]
    done = {"type": "response.mcp_call_arguments.done", **place, "arguments": f'{{"to": "{MARK}'}
    found = restored(numbered([*pieces, done]), to=to)
    assert deltas(found, "mcp_call_arguments") == found[-1]["arguments"] == '{"to": "Ada Roth'
    begun = {"type": "response.output_item.added", "output_index": 0, "item": {**call("", name="look"), "id": "m1"}}
    hidden = restored(numbered([begun, *pieces, done]), to=to)
    assert deltas(hidden, "mcp_call_arguments") == hidden[-1]["arguments"] == '{"to": "[PERSON_7QK2]'


def test_what_nobody_knows_gets_what_everybody_may_see() -> None:
    to = exchange(tools={"*": ToolRule(kinds=frozenset())})
    item = {"id": "u1", "type": "unheard_of", "text": MARK}
    assert whole([item], to=to)["output"] == [item]
    assert to.views["output[0].text"] == strictest_view(to.profile)


def test_a_value_in_pieces_of_an_event_that_nobody_knows_is_held_together() -> None:
    pieces = ["I am [PER", "SON_7QK2", "]."]
    events = [{"type": "response.unheard.piece", "output_index": 0, "fact": piece} for piece in pieces]
    found = restored(numbered(events))
    assert "".join(event["fact"] for event in found) == "I am Ada Roth."


def test_a_text_that_begins_where_its_part_is_added_goes_on_in_deltas() -> None:
    place = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
    part = {"type": "output_text", "text": "I am [PERSON_", "annotations": []}
    delta = {"type": "response.output_text.delta", **place, "delta": "7QK2]", "logprobs": []}
    end = {"type": "response.output_text.done", **place, "text": f"I am {MARK}", "logprobs": []}
    begun = {"type": "response.content_part.added", **place, "part": part}
    events = restored(numbered([begun, delta, end]))
    assert [events[0]["part"]["text"], events[1]["delta"], events[2]["text"]] == ["I am ", "Ada Roth", "I am Ada Roth"]
    cut = restored(numbered([begun, {**end, "text": "I am [PERSON_"}]))
    assert [event["type"].rpartition(".")[2] for event in cut] == ["added", "delta", "done"]
    assert (cut[1]["delta"], cut[1]["item_id"], cut[1]["content_index"]) == ("[PERSON_", "msg_1", 0)
    check_numbers(cut)


def test_an_error_comes_behind_what_is_held_and_does_not_cut_what_goes_on() -> None:
    place = {"output_index": 0, "content_index": 0, "item_id": "msg_1", "logprobs": []}
    first = {"type": "response.output_text.delta", **place, "delta": "I am [PERSON_"}
    error = {"type": "error", "message": f"about {MARK}", "code": None, "param": None}
    ended = restored(numbered([first, error]))
    assert [event["type"] for event in ended] == ["response.output_text.delta"] * 2 + ["error"]
    assert ended[-1]["message"] == "about Ada Roth"
    check_numbers(ended)
    going = restored(numbered([first, error, {**first, "delta": "7QK2]"}]))
    assert deltas(going, "output_text") == "I am Ada Roth"
    check_numbers(going)
    closed = read(run(frames(numbered([first, error])) + b"data: [DONE]\n\n").replace(b"[DONE]", b"{}"))[:-1]
    assert closed == ended


def test_a_stream_that_ends_early_brings_what_was_held_unless_it_may_be_asked_for_again() -> None:
    raw = frames(stream_of([message("I am [PERSON_")], 50)[:4])
    assert deltas(read(run(raw)), "output_text") == "I am [PERSON_"
    later = ReplyRules(offered=OFFERED.offered, resumes=True)
    assert deltas(read(run(raw, rules=later)), "output_text") == "I am "


@pytest.mark.parametrize("size", [1, 2, 7])
def test_what_the_caller_has_does_not_come_again(size: int) -> None:
    raw = frames(stream_of([message(f"Dear [PERSON_, {MARK}"), call("[PERSON_")], size))
    events = read(run(raw))
    check_numbers(events)
    for last in range(len(events)):
        rules = ReplyRules(offered=OFFERED.offered, resumes=True, after=last)
        assert read(run(raw, rules=rules)) == events[last + 1 :]


def test_the_id_is_told_once_before_anything_is_passed_on() -> None:
    told: list[str] = []
    rules = ReplyRules(bind=told.append)
    run(frames(stream_of([message("x")])), rules=rules)
    whole([message("x")], ReplyRules(bind=told.append))
    assert told == ["resp_1", "resp_1"]


def test_a_reply_that_was_asked_for_again_says_itself_what_was_asked() -> None:
    tools = [{"type": "function", "name": "send", "parameters": {}}]
    text = {"format": {"type": "json_schema", "name": "s", "schema": {}}}
    output = [message(f'{{"a": "{ACE}"}}'), call(f'{{"to": "{ACE}"}}')]
    events = restored(stream_of(output, tools=tools, text=text), rules=ReplyRules())
    final = events[-1]["response"]["output"]
    assert json.loads(final[0]["content"][0]["text"]) == {"a": 'Ben "Ace" Kole'}
    assert json.loads(final[1]["arguments"]) == {"to": 'Ben "Ace" Kole'}


def test_data_that_is_no_event_is_restored_for_any_reader() -> None:
    assert run(b'data: "[PERSON_7QK2]"\n\ndata: [DONE]\n\n') == b'data: "Ada Roth"\n\ndata: [DONE]\n\n'
    assert restore_response("[PERSON_7QK2] failed", exchange(), OFFERED) == "Ada Roth failed"


def test_every_event_of_the_installed_sdk_is_known() -> None:
    union = typing.get_args(response_stream_event.ResponseStreamEvent)[0]
    kinds = {typing.get_args(each.model_fields["type"].annotation)[0] for each in typing.get_args(union)}
    assert len(kinds) > 50
    assert {kind for kind in kinds if not is_known_event(kind)} == set()
    assert not is_known_event("response.unheard.piece")
