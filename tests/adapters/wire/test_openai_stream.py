import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai._streaming import SSEDecoder
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from privguard.core.profile import Profile, ToolRule
from privguard.core.views import strictest_view
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.sse import SseParser, with_end
from tests.adapters.fake_guard import FakeExchange, FakeGuard

HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
PIECES = st.sampled_from(["[PERSON_7QK2]", "[EMAIL_4MN5]", "[PERSON_9XY3]", "word ", "[", "]", "😀", "é\n", "[PERSON_"])


OFFERED = ReplyRules(offered=frozenset({"send", "se", "look"}))


def exchange(**profile: Any) -> FakeExchange:  # noqa: ANN401 - fields of the profile
    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, **profile))
    return guard.begin((), target="m")


def chunk(delta: dict[str, Any], *, index: int = 0, finish: str | None = None, **more: Any) -> str:  # noqa: ANN401
    choice = {"index": index, "delta": delta, "finish_reason": finish, **more}
    return json.dumps({**HEAD, "choices": [choice]}, ensure_ascii=False)


def frames(*events: str, done: bool = True) -> bytes:
    raw = b"".join(b"data: " + event.encode() + b"\n\n" for event in events)
    return raw + b"data: [DONE]\n\n" if done else raw


def run(
    raw: bytes, *, cuts: Sequence[int] = (), rules: ReplyRules | None = None, to: FakeExchange | None = None
) -> bytes:
    stream = EventStream(to or exchange(), rules or ReplyRules())
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    return b"".join([*(stream.feed(raw[start:end]) for start, end in pairwise(places)), stream.end()])


def chunks(raw: bytes) -> list[dict[str, Any]]:
    parser = SseParser()
    data = [frame.data for frame in [*parser.feed(raw), *parser.end()]]
    return [json.loads(each) for each in data if each is not None and not each.startswith("[DONE]")]


def contents(raw: bytes, index: int = 0, field: str = "content") -> str:
    return "".join(
        choice["delta"].get(field) or ""
        for each in chunks(raw)
        for choice in each["choices"]
        if choice["index"] == index
    )


def final(raw: bytes) -> Any:  # noqa: ANN401 - a completion of the SDK
    state: Any = ChatCompletionStreamState()
    for each in chunks(raw):
        list(state.handle_chunk(ChatCompletionChunk.model_validate(each)))
    return state.get_final_completion()


def split(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@given(pieces=st.lists(PIECES, max_size=8), size=st.integers(1, 9), cuts=st.lists(st.integers(0, 2000), max_size=6))
def test_the_stream_adds_up_to_the_whole_however_it_is_cut(pieces: list[str], size: int, cuts: list[int]) -> None:
    text = "".join(pieces)
    deltas = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": part}) for part in split(text, size))]
    raw = frames(*deltas, chunk({}, finish="stop"))
    restored = run(raw, cuts=cuts)
    assert contents(restored) == exchange().restore(text)
    assert restored == run(raw)


@given(text=st.text(st.characters(exclude_characters="[", exclude_categories=["Cs"])), size=st.integers(1, 9))
def test_a_stream_without_placeholders_passes_byte_for_byte(text: str, size: int) -> None:
    raw = frames(*(chunk({"content": part}) for part in split(text, size)), chunk({}, finish="stop"))
    assert run(raw) == raw


def test_text_that_is_held_back_comes_before_the_finish_reason() -> None:
    restored = run(frames(chunk({"content": "see [1"}), chunk({}, finish="stop")))
    assert [each["choices"][0]["finish_reason"] for each in chunks(restored)] == [None, None, "stop"]
    assert contents(restored) == "see [1"
    assert chunks(restored)[1] | {"choices": []} == HEAD | {"choices": []}


def test_text_that_is_held_back_goes_into_the_last_chunk_where_it_has_a_place() -> None:
    restored = run(frames(chunk({"content": "see [1"}), chunk({"content": "]"}, finish="stop")))
    assert len(chunks(restored)) == 2
    assert contents(restored) == "see [1]"
    restored = run(frames(chunk({"content": "see [1"}), chunk({"content": "2"}, finish="stop")))
    assert contents(restored) == "see [12"


@pytest.mark.parametrize("done", [True, False])
def test_nothing_is_lost_where_a_stream_ends_without_a_finish_reason(done: bool) -> None:
    restored = run(frames(chunk({"content": "see [PERSON_"}), done=done))
    assert contents(restored) == "see [PERSON_"
    assert restored.endswith(b"data: [DONE]\n\n") is done


def test_a_stream_that_ends_inside_an_event_loses_nothing() -> None:
    raw = frames(chunk({"content": "see [PERSON_7QK2] [x"}), done=False).rstrip(b"\n")
    assert contents(run(raw).replace(b"}data:", b"}\n\ndata:")) == "see Ada Roth [x"


def test_choices_are_told_apart_by_their_index() -> None:
    events = [
        chunk({"content": part}, index=index)
        for pair in zip(split("[PERSON_7QK2]!", 3), split("[EMAIL_4MN5]!", 3), strict=False)
        for index, part in enumerate(pair)
    ]
    events += [chunk({}, index=index, finish="stop") for index in range(2)]
    restored = run(frames(*events))
    assert contents(restored, 0).startswith("Ada Roth")
    assert contents(restored, 1).startswith("ada@roth.example")


def test_what_is_held_back_of_a_text_waits_for_its_own_next_piece_or_the_end() -> None:
    restored = run(
        frames(
            chunk({"reasoning_content": "think [PERSON_"}),
            chunk({"content": "say"}),
            chunk({"content": " [b"}),
            chunk({"reasoning_content": "7QK2] [a"}),
            chunk({}, finish="stop"),
        )
    )
    order = [next(iter(each["choices"][0]["delta"].items()), None) for each in chunks(restored)]
    assert order == [
        ("reasoning_content", "think "), ("content", "say"), ("content", " "), ("reasoning_content", "Ada Roth "),
        ("reasoning_content", "[a"), ("content", "[b"), None,
    ]  # fmt: skip


@given(order=st.lists(st.sampled_from(["content", "reasoning"]), max_size=80), size=st.integers(1, 9))
def test_however_two_texts_take_turns_each_reads_as_it_does_alone(order: list[str], size: int) -> None:
    whole = {"content": "Dear [PERSON_7QK2], see [1", "reasoning": "[EMAIL_4MN5] [PERSON_7QK2] [PERSON_"}
    rest = {name: split(text, size) for name, text in whole.items()}
    turns = [*order, *(name for name, pieces in rest.items() for _ in pieces)]
    events = [chunk({name: rest[name].pop(0)}) for name in turns if rest[name]]
    restored = run(frames(*events, chunk({}, finish="stop")))
    assert {name: contents(restored, field=name) for name in whole} == {
        name: exchange().restore(text) for name, text in whole.items()
    }


def test_two_texts_that_stream_side_by_side_do_not_cut_each_other_off() -> None:
    events = [chunk({"reasoning": part, "content": part}) for part in split("[PERSON_7QK2].", 4)]
    restored = run(frames(*events, chunk({}, finish="stop")))
    assert contents(restored) == contents(restored, field="reasoning") == "Ada Roth."


def tool(index: int, arguments: str, **first: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a tool call
    name = {"name": first.pop("name")} if "name" in first else {}
    return {"tool_calls": [{"index": index, **first, "function": {**name, "arguments": arguments}}]}


@pytest.mark.parametrize("size", range(1, 30))
def test_the_sdk_puts_tool_calls_together_with_valid_arguments(size: int) -> None:
    arguments = [json.dumps({"to": "[PERSON_9XY3]", "x": "[a"}), json.dumps({"to": "[PERSON_7QK2]"})]
    events = [chunk({"role": "assistant", "content": None})]
    for index, text in enumerate(arguments):
        events.append(chunk(tool(index, "", id=f"call_{index}", type="function", name=f"f{index}")))
        events += [chunk(tool(index, part)) for part in split(text, size)]
    calls = final(run(frames(*events, chunk({}, finish="tool_calls")))).choices[0].message.tool_calls
    assert [call.function.name for call in calls] == ["f0", "f1"]
    assert json.loads(calls[0].function.arguments) == {"to": 'Ben "Ace" Kole', "x": "[a"}
    assert json.loads(calls[1].function.arguments) == {"to": "Ada Roth"}


def test_what_is_held_back_of_arguments_comes_out_at_their_place_whatever_tool_comes_next() -> None:
    restored = run(
        frames(
            chunk(tool(0, "[open", id="call_0", type="function", name="f")),
            chunk(tool(1, "{}", id="call_1", type="function", name="g")),
            chunk({}, finish="tool_calls"),
        )
    )
    calls = final(restored).choices[0].message.tool_calls
    assert [call.function.arguments for call in calls] == ["[open", "{}"]
    deltas = [call for each in chunks(restored) for call in each["choices"][0]["delta"].get("tool_calls", ())]
    assert [call["index"] for call in deltas] == [0, 1, 0]


@pytest.mark.parametrize("name_first", [True, False])
def test_a_remote_tool_gets_placeholders(name_first: bool) -> None:
    guarded = exchange(remote_tools=("send",))
    events = [chunk(tool(0, "", id="c", type="function", name="send"))] if name_first else []
    events += [chunk(tool(0, part)) for part in split('{"to": "[PERSON_7QK2]"}', 5)]
    restored = run(frames(*events, chunk({}, finish="tool_calls")), to=guarded)
    arguments = "".join(
        call["function"]["arguments"]
        for each in chunks(restored)
        for call in each["choices"][0]["delta"].get("tool_calls", ())
    )
    assert arguments == '{"to": "[PERSON_7QK2]"}'
    assert guarded.refused == ["choices[0].message.tool_calls[0].function.arguments"]


def test_a_tool_name_that_is_repeated_in_every_chunk_is_one_name() -> None:
    guarded = exchange(remote_tools=("send",))
    events = [chunk(tool(0, part, name="send")) for part in ("", "", '"[PERSON_7QK2]"')]
    assert b"Ada" not in run(frames(*events), to=guarded)


def test_json_that_was_asked_for_stays_json() -> None:
    text = json.dumps({"to": "[PERSON_9XY3]"})
    raw = frames(*(chunk({"content": part}) for part in split(text, 3)), chunk({}, finish="stop"))
    assert json.loads(contents(run(raw, rules=ReplyRules(json_reply=True)))) == {"to": 'Ben "Ace" Kole'}


def test_usage_and_unknown_events_pass() -> None:
    usage = json.dumps({**HEAD, "choices": [], "usage": {"total_tokens": 3}})
    raw = b": ping\n\n" + frames(usage, json.dumps({"unheard": "of"}), "no json")
    assert run(raw) == raw


def test_an_error_comes_after_the_text_before_it() -> None:
    restored = run(
        frames(chunk({"content": "see [x"}), json.dumps({"error": {"message": "no [PERSON_7QK2]"}}), done=False)
    )
    events = chunks(restored)
    assert [list(event)[-1] for event in events] == ["choices", "choices", "error"]
    assert events[1]["choices"][0]["delta"] == {"content": "[x"}
    assert events[2]["error"]["message"] == "no Ada Roth"


def test_log_probabilities_go_with_the_chunks_whose_text_changed() -> None:
    logprobs = {"content": [{"token": "x", "logprob": -1.0, "bytes": [1], "top_logprobs": []}]}
    restored = run(
        frames(
            chunk({"content": "hi "}, logprobs=logprobs),
            chunk({"content": "[PERSON_7QK2]"}, logprobs=logprobs),
            chunk({}, finish="stop"),
        )
    )
    assert [each["choices"][0].get("logprobs") for each in chunks(restored)] == [logprobs, None, None]


def test_citations_point_at_the_same_words() -> None:
    text = "As [PERSON_7QK2] said, see the page."
    start = text.index("the page")
    citation = {"type": "url_citation", "url_citation": {"start_index": start, "end_index": start + 8}}
    restored = run(
        frames(
            *(chunk({"content": part}) for part in split(text, 4)), chunk({"annotations": [citation]}, finish="stop")
        )
    )
    moved = chunks(restored)[-1]["choices"][0]["delta"]["annotations"][0]["url_citation"]
    assert contents(restored)[moved["start_index"] : moved["end_index"]] == "the page"


def test_legacy_texts_are_streamed_too() -> None:
    events = [
        json.dumps(
            {"id": "cmpl-1", "object": "text_completion", "choices": [{"index": 0, "text": part, "logprobs": None}]}
        )
        for part in split("Dear [PERSON_7QK2] [x", 4)
    ]
    events.append(json.dumps({"id": "cmpl-1", "choices": [{"index": 0, "text": "", "finish_reason": "stop"}]}))
    restored = chunks(run(frames(*events)))
    assert "".join(each["choices"][0]["text"] for each in restored) == "Dear Ada Roth [x"


def test_paths_are_those_of_a_whole_reply() -> None:
    guarded = exchange()
    run(frames(chunk({"content": "x"}, index=2), chunk({"unheard": "x"}, index=2)), to=guarded)
    unheard = "choices[2].message.{0}"
    assert sorted(guarded.paths) == ["choices[2].message.content", unheard, f"{unheard}#key"]


def test_done_makes_the_stream_complete() -> None:
    stream = EventStream(exchange(), ReplyRules())
    assert not stream.complete
    stream.feed(frames(chunk({"content": "x"})))
    assert stream.complete


def test_text_without_a_bracket_passes_at_once() -> None:
    stream = EventStream(exchange(), ReplyRules())
    for number in range(500):
        assert contents(stream.feed(frames(chunk({"content": f"word{number} "}), done=False))) == f"word{number} "


def call(name: str | None = None, arguments: str | None = None) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {"tool_calls": [{"index": 0, "function": function}]}


def arguments_of(raw: bytes) -> str:
    return "".join(
        tool["function"].get("arguments") or ""
        for each in chunks(raw)
        for choice in each["choices"]
        for tool in choice["delta"].get("tool_calls") or []
    )


@pytest.mark.parametrize(
    "pieces",
    [
        [("send", "[PERSON_7QK2]")],
        [("se", "[PERSON_7QK2]"), ("nd", "[PERSON_7QK2]")],
        [(None, "[PERSON_7QK2]"), ("send", "")],
        [("send", ""), ("send", "[PERSON_7QK2]")],
        [("s", ""), (None, "[PERSON_"), ("end", "7QK2]")],
        [(None, "[PERSON_7QK2]")],
    ],
)
@pytest.mark.parametrize("finish", ["tool_calls", None])
def test_a_remote_tool_is_known_wherever_the_rest_of_its_name_comes(
    pieces: list[tuple[str | None, str]], finish: str | None
) -> None:
    guarded = exchange(remote_tools=("send",))
    ends = [chunk({}, finish=finish)] if finish else []
    restored = run(frames(*(chunk(call(*piece)) for piece in pieces), *ends), to=guarded)
    assert "Ada" not in restored.decode()
    assert arguments_of(restored) == "".join(arguments for _, arguments in pieces)
    assert guarded.refused == ["choices[0].message.tool_calls[0].function.arguments"]


@pytest.mark.parametrize("name", ["se", "look"])
@pytest.mark.parametrize("done", [True, False])
def test_a_tool_whose_name_only_begins_like_a_remote_one_gets_its_values(name: str, done: bool) -> None:
    raw = frames(chunk(call(name, "[PERSON_")), chunk(call(None, "7QK2]")), done=done)
    assert arguments_of(run(raw, rules=OFFERED, to=exchange(remote_tools=("send",)))) == "Ada Roth"


ODD_NAMES = ["", "sen", "send ", " send", "Send", "functions.send", "send<|channel|>", "send\u200b", "unheard"]


@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_a_name_that_the_request_does_not_offer_gets_what_every_tool_gets(name: str) -> None:
    for rules in (OFFERED, ReplyRules()):
        for pieces in ([name], list(name), [name[:3], name[3:]]):
            for begun in (0, len(pieces) - 1):  # the arguments come with the first or with the last piece
                events = [
                    chunk(call(piece, "[PERSON_7QK2]" if number == begun else ""))
                    for number, piece in enumerate(pieces)
                ]
                guarded = exchange(remote_tools=("send",))
                restored = run(frames(*events, chunk({}, finish="tool_calls")), rules=rules, to=guarded)
                assert arguments_of(restored) == ("[PERSON_7QK2]" if events else "")


def test_a_remote_tool_is_known_in_a_message_that_is_no_delta() -> None:
    function = {"name": "send", "arguments": "[PERSON_7QK2]"}
    event = json.dumps({**HEAD, "choices": [{"index": 0, "message": {"tool_calls": [{"function": function}]}}]})
    guarded = exchange(remote_tools=("send",))
    assert run(frames(event), to=guarded) == frames(event)
    assert guarded.refused


@pytest.mark.parametrize("odd", ["NaN", '1, "z": 2', '"\\ud83d"', "[" * 250 + "]" * 250])
def test_odd_events_are_restored_leaf_by_leaf(odd: str) -> None:
    events = [chunk({"content": part})[:-1] + f', "z": {odd}}}' for part in ("[PERSON", "_7QK2]")]
    restored = run(frames(*events))
    assert contents(restored) == "Ada Roth"
    events = [chunk(call("send", "[PERSON_7QK2]"))[:-1] + f', "z": {odd}}}']
    assert "Ada" not in run(frames(*events), to=exchange(remote_tools=("send",))).decode()


def test_an_event_that_is_no_json_is_not_restored_where_there_are_remote_tools() -> None:
    raw = frames('{"arguments": "[PERSON_7QK2]"')
    assert "Ada" not in run(raw, to=exchange(remote_tools=("send",))).decode()
    assert "Ada" in run(raw).decode()


def test_an_index_that_is_spelled_as_a_string_shows_as_a_number_and_no_other_string_shows() -> None:
    for index, shown in (("0", "0"), ("Ada Roth", "{0}"), ("4111111111111111", "{0}")):
        guarded = exchange()
        events = [json.dumps({**HEAD, "choices": [{"index": index, "delta": {"content": "[PERSON_"}}]})]
        assert contents(run(frames(*events), to=guarded), index=index) == "[PERSON_"  # type: ignore[arg-type]
        assert guarded.paths == [f"choices[{shown}].message.content", "choices[0].index"]


@pytest.mark.parametrize(("choices", "complete"), [(1, True), (2, False)])
def test_a_reply_is_complete_once_every_choice_is_finished(choices: int, complete: bool) -> None:
    stream = EventStream(exchange(), ReplyRules(choices=choices))
    stream.feed(frames(chunk({"content": "x"}), done=False))
    assert not stream.complete
    stream.feed(frames(chunk({}, finish="stop"), done=False))
    assert stream.complete is complete
    stream.feed(frames(chunk({}, index=1, finish="stop"), done=False))
    assert stream.complete


@pytest.mark.parametrize("odd", [{"finish_reason": ""}, {"finish_reason": None}])
@pytest.mark.parametrize("error", [{}, {"error": {}}, {"error": []}, {"error": {"message": "", "code": None}}])
def test_an_empty_reason_and_an_empty_error_end_nothing(odd: dict[str, Any], error: dict[str, Any]) -> None:
    events = [
        json.dumps({**HEAD, "choices": [{"index": 0, "delta": {"content": part}, **odd}], **error})
        for part in split("see [PERSON_7QK2]", 3)
    ]
    stream = EventStream(exchange(), ReplyRules())
    restored = stream.feed(frames(*events, done=False))
    assert not stream.complete
    assert contents(restored) == "see Ada Roth"
    assert b"7QK2" not in restored


def test_an_error_that_is_a_string_comes_after_the_text_before_it() -> None:
    restored = run(frames(chunk({"content": "see [x"}), json.dumps({"error": "overloaded"}), done=False))
    assert [list(event)[-1] for event in chunks(restored)] == ["choices", "choices", "error"]


def entry(name: str, arguments: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a tool call
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


SECRETS_FOR_ONE = {"remote_tools": ("web_search",), "tools": {"deploy": ToolRule(secrets=True)}}
DEPLOY, SEARCH = '{"to": "[PERSON_7QK2]"}', '{"q": "[PERSON_7QK2]"}'


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"index": 0, "id": "a"}, {"index": 0, "id": "b"}),
        ({"id": "a"}, {"id": "b"}),
        ({"index": 0}, {"index": 0}),
        ({"index": 0, "id": ""}, {"index": 0, "id": ""}),
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_a_second_call_at_the_place_of_the_first_gets_what_its_own_tool_gets(
    first: dict[str, Any], second: dict[str, Any], together: bool
) -> None:
    calls = [entry("deploy", DEPLOY[:-6], **first), entry("web_search", SEARCH, **second)]
    groups = [calls] if together and "index" in first else [[call] for call in calls]
    guarded = exchange(**SECRETS_FOR_ONE)
    raw = frames(*(chunk({"tool_calls": group}) for group in groups), chunk({}, finish="tool_calls"))
    rules = ReplyRules(offered=frozenset({"deploy", "web_search"}))
    restored = run(raw, rules=rules, to=guarded)
    assert arguments_of(restored) == DEPLOY[:-6] + SEARCH
    assert len(guarded.refused) == 1
    raw = frames(*(chunk({"tool_calls": [call]}) for call in reversed(calls)), chunk({}, finish="tool_calls"))
    assert arguments_of(run(raw, rules=rules, to=exchange(**SECRETS_FOR_ONE))) == SEARCH + DEPLOY[:-6]


def test_each_of_two_calls_at_one_place_is_restored_for_itself() -> None:
    calls = [entry("deploy", DEPLOY, index=0, id="a"), entry("web_search", SEARCH, index=0, id="b")]
    deployed = DEPLOY.replace("[PERSON_7QK2]", "Ada Roth")
    rules = ReplyRules(offered=frozenset({"deploy", "web_search"}))
    for order, expected in ((1, deployed + SEARCH), (-1, SEARCH + deployed)):
        raw = frames(*(chunk({"tool_calls": [call]}) for call in calls[::order]), chunk({}, finish="tool_calls"))
        assert arguments_of(run(raw, rules=rules, to=exchange(**SECRETS_FOR_ONE))) == expected
        assert arguments_of(run(raw, to=exchange(**SECRETS_FOR_ONE))) == (
            DEPLOY + SEARCH if order == 1 else SEARCH + DEPLOY
        )


def test_an_id_that_differs_in_every_event_of_one_call_cuts_nothing_without_rules() -> None:
    events = [
        chunk({"tool_calls": [{"index": 0, "id": f"call_{number}", "function": {"arguments": part}}]})
        for number, part in enumerate(split(DEPLOY, 3))
    ]
    assert arguments_of(run(frames(*events, chunk({}, finish="tool_calls")))) == '{"to": "Ada Roth"}'


def test_a_new_id_without_a_name_gets_what_every_tool_gets() -> None:
    calls = [
        {"index": 0, "id": "a", "function": {"name": "deploy", "arguments": DEPLOY}},
        {"index": 0, "id": "b", "function": {"arguments": DEPLOY}},
    ]
    raw = frames(*(chunk({"tool_calls": [call]}) for call in calls), chunk({}, finish="tool_calls"))
    rules = ReplyRules(offered=frozenset({"deploy", "web_search"}))
    shown = arguments_of(run(raw, rules=rules, to=exchange(**SECRETS_FOR_ONE)))
    assert shown == DEPLOY.replace("[PERSON_7QK2]", "Ada Roth") + DEPLOY


def test_a_remote_tool_after_the_arguments_of_another_gets_placeholders() -> None:
    calls = [entry("look", DEPLOY, index=0), entry("web_search", SEARCH, index=0)]
    raw = frames(*(chunk({"tool_calls": [call]}) for call in calls), chunk({}, finish="tool_calls"))
    for offered, looked in ((("look", "web_search"), "Ada Roth"), (("look",), "Ada Roth"), ((), "[PERSON_7QK2]")):
        rules = ReplyRules(offered=frozenset(offered))
        shown = arguments_of(run(raw, rules=rules, to=exchange(**SECRETS_FOR_ONE)))
        assert shown == DEPLOY.replace("[PERSON_7QK2]", looked) + SEARCH


@pytest.mark.parametrize(
    "call",
    [
        {"name": "web_search", "arguments": SEARCH},
        {"function": {"name": "web_search", "parameters": SEARCH}},
        {"type": "mcp", "mcp": {"name": "web_search", "arguments": {"q": SEARCH}}},
    ],
)
def test_a_streamed_tool_call_of_an_unknown_shape_gets_what_the_user_and_every_tool_gets(call: dict[str, Any]) -> None:
    guarded = exchange(**SECRETS_FOR_ONE)
    raw = frames(
        chunk({"content": "[PERSON_7QK2]"}), chunk({"tool_calls": [{"index": 0, **call}]}), chunk({}, finish="stop")
    )
    restored = run(raw, to=guarded)
    assert restored.decode().count("Ada Roth") == contents(restored).count("Ada Roth") == 1
    assert guarded.views.pop("choices[0].message.content") is None
    assert strictest_view(guarded.profile) in guarded.views.values()
    assert None not in guarded.views.values()


@pytest.mark.parametrize("number", ["9" * 5000, '"' + "9" * 5000 + '"', '"\u00b2"', "1" * 30])
def test_numbers_that_are_too_long_to_read_lose_no_reply(number: str) -> None:
    head = f'"created": {number}, "choices": [{{"index": {number}, "delta": '
    arguments = [
        f'{{"tool_calls": [{{"index": {number}, "function": {{"arguments": "{part}"}}}}]}}' for part in ("[", "x")
    ]
    citations = f'{{"annotations": [{{"start_index": {number}}}], "content": "[PERSON_7QK2] [z"}}'
    events = [
        f"{{{head}{delta}}}]}}" for delta in ('{"content": "[PERSON_"}', '{"content": "7QK2]"}', *arguments, citations)
    ]
    guarded = exchange()
    restored = run(frames(*events), to=guarded).decode()
    assert restored.count("Ada Roth") == 2
    assert "[z" in restored
    assert number.strip('"')[:30] not in "".join(guarded.paths)


def test_tool_calls_are_told_apart_by_numbers_that_are_too_long_to_read() -> None:
    events = [
        f'{{"choices": [{{"index": 0, "delta": {{"tool_calls": [{{"index": {number}, "function": {{"name": "{name}", '
        f'"arguments": "{part}"}}}}]}}}}]}}'
        for number, name, part in (("9" * 5000, "look", "[PERSON_7QK2]"), ("8" * 5000, "send", "[EMAIL_4MN5]"))
    ]
    restored = run(frames(*events), rules=OFFERED, to=exchange(remote_tools=("send",))).decode()
    assert "Ada Roth" in restored
    assert "[EMAIL_4MN5]" in restored


def read_by_the_sdk(raw: bytes) -> list[str]:
    return [event.data for event in SSEDecoder().iter_bytes(iter([raw]))]


def said(events: list[str]) -> str:
    """Return the content of all events; raises where one is no JSON, as the SDK does."""
    deltas = [json.loads(data)["choices"][0]["delta"] for data in events if not data.startswith("[DONE]")]
    return "".join([delta.get("content") or "" for delta in deltas])


LINE_ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("line_end", LINE_ENDS, ids=range(len(LINE_ENDS)))
@pytest.mark.parametrize("text", ["Hi [PERSON_7QK2] and [x", "Find [x"], ids=range(2))
def test_a_stream_that_breaks_off_anywhere_loses_no_text_and_stays_readable(text: str, line_end: str) -> None:
    events = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": part}) for part in split(text, 9))]
    raw = frames(*events, chunk({}, finish="stop")).replace(b"\n\n", b"\n: ping\nid: 1\n\n")
    raw = raw.replace(b"\n", line_end.encode())
    for end in range(len(raw) + 1):
        came = raw[:end]
        readings = {exchange().restore(said(read_by_the_sdk(came)))}
        with suppress(ValueError):  # what came of the last event is no JSON
            readings.add(exchange().restore(said(read_by_the_sdk(with_end(came)))))
        assert said(read_by_the_sdk(run(came))) in readings


@pytest.mark.parametrize(
    ("last", "shown"),
    [
        (': "a comm', "Find [x"),
        ("dat", "Find [x"),
        ('data: {"choices": [{"index": 0, "del', "Find [x"),
        ("data: " + chunk({"content": " now"}), "Find [x now"),
        ("data: " + chunk({"content": " now"}) + "\n", "Find [x now"),
        ("data: [DONE]", "Find [x"),
        ("data: [DO", "Find [x"),
    ],
    ids=range(7),
)
def test_what_is_held_back_is_not_glued_to_an_event_that_breaks_off(last: str, shown: str) -> None:
    raw = frames(chunk({"content": "Find [x"}), done=False) + last.encode()
    restored = run(raw)
    assert said(read_by_the_sdk(restored)) == shown
    # Who reads line by line finds what broke off where it came, at the end.
    assert restored.rstrip(b"\n").endswith(last.strip().encode()) or shown != "Find [x"


def test_an_untouched_event_that_lacks_its_blank_line_passes_as_it_came() -> None:
    for last in ('data: {"choices": []}', "data: [DONE]", ": ping", 'data: {"cho'):
        raw = frames(chunk({"content": "word. "}), done=False) + last.encode()
        assert run(raw) == raw


@pytest.mark.parametrize(
    "title", ["[PERSON_7QK2]", "Biography of [PERSON_7QK2]", "Find [x", "[PERSON_", "7QK2]"], ids=range(5)
)
def test_an_annotation_is_whole_in_its_event(title: str) -> None:
    def citation(number: int) -> dict[str, Any]:
        place = {"start_index": 0, "end_index": 3, "url": f"https://e.example/{number}", "title": title}
        return {"type": "url_citation", "index": number, "url_citation": place}

    raw = frames(
        chunk({"role": "assistant", "content": "see [PERSON_"}),
        chunk({"content": "7QK2] it", "annotations": [citation(0)]}),
        chunk({"content": ".", "annotations": [citation(1)]}),
        chunk({}, finish="stop"),
    )
    restored = run(raw)
    assert contents(restored) == "see Ada Roth it."
    found = [each for event in chunks(restored) for each in event["choices"][0]["delta"].get("annotations", ())]
    shown = exchange().restore(title)
    assert [(each["index"], each["url_citation"]["title"]) for each in found] == [(0, shown), (1, shown)]
    assert len(final(restored).choices[0].message.annotations) == 2


@pytest.mark.parametrize("cut", range(13))
def test_a_field_that_the_api_does_not_know_may_come_in_pieces(cut: int) -> None:
    text = "[PERSON_7QK2]"
    first = {"content": "x", "unheard": text[:cut], "role": "assistant"}
    restored = run(frames(chunk(first), chunk({"unheard": text[cut:]}), chunk({}, finish="stop")))
    deltas = [event["choices"][0]["delta"] for event in chunks(restored)]
    assert "".join(delta.get("unheard", "") for delta in deltas) == "Ada Roth"
    assert [delta["role"] for delta in deltas if "role" in delta] == ["assistant"]


@pytest.mark.parametrize("finish", ["stop", None])
def test_the_rest_of_a_part_tells_its_type(finish: str | None) -> None:
    def parts(text: str, **more: Any) -> str:  # noqa: ANN401 - other fields of the choice
        return chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]}, **more)

    raw = frames(parts("I see [PERSON_"), parts("7QK2] and [x"), chunk({}, finish=finish))
    found = [event["choices"][0]["delta"].get("content") for event in chunks(run(raw))]
    texts = [part["text"] for content in found if content for each in content for part in each["thinking"]]
    assert "".join(texts) == "I see Ada Roth and [x"
    kinds = {
        (each["type"], part["type"]) for content in found if content for each in content for part in each["thinking"]
    }
    assert kinds == {("thinking", "text")}


def test_an_error_passes_at_once_where_nothing_is_held() -> None:
    error = frames(json.dumps({"error": {"message": "no [PERSON_7QK2]"}}), done=False)
    shown = error.replace(b"[PERSON_7QK2]", b"Ada Roth")
    for text, is_late in (("see [PERSON_7QK2] and", False), ("see [x", True)):
        stream = EventStream(exchange(), ReplyRules())
        stream.feed(frames(chunk({"content": text}), done=False))
        assert stream.feed(error) == (b"" if is_late else shown)
        assert stream.feed(b": ping\n\n") == (b"" if is_late else b": ping\n\n")
        assert stream.end().endswith(shown + b": ping\n\n" if is_late else b"")
    assert EventStream(exchange(), ReplyRules()).feed(error) == shown
