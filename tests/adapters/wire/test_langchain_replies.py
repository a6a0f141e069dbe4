"""Replies as documents, whole and in pieces, and that what was restored is put where it was."""

import json
from typing import Any

import pytest

from privguard_adapters.wire.langchain_messages import dump, load
from privguard_adapters.wire.langchain_replies import ChunkCodec, ReplyCodec


def test_a_reply_comes_back_with_all_that_came_with_it() -> None:
    thing = object()
    fields = {"content": [{"type": "text", "text": "a"}], "tool_calls": [], "additional_kwargs": {"x": thing}}
    shown = load(dump(ReplyCodec().show(fields, {"generation": {"finish_reason": "stop"}}, logprobs=True, index=0)))
    assert shown["logprobs"] == {}
    shown["message"]["content"][0]["text"] = "b"
    shown["logprobs"] = None
    woven, info, keeps = ReplyCodec().weave(fields, {"generation": {"finish_reason": "stop"}}, shown)
    assert woven["content"] == [{"type": "text", "text": "b"}]
    assert woven["additional_kwargs"] == {"x": thing}
    assert (info, keeps) == ({"generation": {"finish_reason": "stop"}}, False)


def test_pieces_are_events_and_whole_calls_stand_apart() -> None:
    codec = ChunkCodec()
    part = {"name": "f", "args": '{"a"', "id": "1", "index": 0, "type": "tool_call_chunk"}
    whole = {"name": "g", "args": "{}", "id": "2", "index": None, "type": "tool_call_chunk"}
    fields = {"content": "", "tool_call_chunks": [part, whole], "additional_kwargs": {}}
    event = load(dump(codec.show(fields, {}, logprobs=False, is_last=True)))
    choice = event["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["delta"]["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a"'}
    assert choice["delta"]["tool_calls"][1] is None
    assert choice["whole"]["tool_calls"][0]["function"] == {"name": "g", "arguments": "{}"}
    choice["whole"]["tool_calls"][0]["function"]["name"] = "h"
    woven, _, _ = codec.weave(fields, {}, event)
    assert [each["name"] for each in woven["tool_call_chunks"]] == ["f", "h"]


@pytest.mark.parametrize(
    ("delta", "fields"),
    [
        ({"content": "x"}, {"content": "x"}),
        (
            {"content": [{"index": 1000, "type": "text", "text": "x"}]},
            {"content": [{"index": "lc_0", "type": "text", "text": "x"}]},
        ),
        (
            {"content": [{"index": 1, "type": "input_json_delta", "function": {"arguments": "x"}}]},
            {"content": [{"index": 1, "type": "input_json_delta", "partial_json": "x"}]},
        ),
        ({"content": ["x"]}, {"content": ["x"]}),
        (
            {"content": [{"type": "other", "function": {"arguments": "x"}}]},
            {"content": [{"type": "other", "function": {"arguments": "x"}}]},
        ),
        (
            {"content": [{"type": "input_json_delta", "function": "x"}]},
            {"content": [{"type": "input_json_delta", "function": "x"}]},
        ),
        (
            {"tool_calls": [{"index": 2, "function": {"arguments": "x"}}]},
            {
                "content": "",
                "tool_call_chunks": [
                    {"name": None, "args": "x", "id": None, "index": 2, "type": "tool_call_chunk"},
                ],
            },
        ),
    ],
    ids=["text", "block", "input", "bare", "field", "word", "call"],
)
def test_what_was_held_back_is_a_piece_of_its_own(delta: dict[str, Any], fields: dict[str, Any]) -> None:
    codec = ChunkCodec()
    blocks = [
        {"type": "text", "text": "a", "index": "lc_0"},
        {"type": "input_json_delta", "partial_json": "{", "index": 1},
    ]
    codec.show({"content": blocks, "additional_kwargs": {}}, {}, logprobs=False, is_last=False)
    assert codec.tail(json.loads(json.dumps({"choices": [{"delta": delta}]}))) == fields
