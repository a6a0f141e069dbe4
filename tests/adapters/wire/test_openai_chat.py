import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Media
from privguard.core.segments import Channel
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.openai_chat import CODEC
from privguard_adapters.wire.request import RequestView, name_checks

CANARY = "Zoe Quill, 41 Elm Lane"

# Everything that the chat route takes, with neutral words in every place.
FULL: dict[str, Any] = {
    "model": "gpt-5",
    "messages": [
        {"role": "system", "content": "w"},
        {"role": "developer", "content": [{"type": "text", "text": "w"}]},
        {"role": "user", "name": "w", "content": [{"type": "text", "text": "w"}]},
        {
            "role": "assistant",
            "content": None,
            "refusal": "w",
            "audio": {"id": "audio_1"},
            "function_call": {"name": "f", "arguments": '{"a": "w"}'},
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": ["w"]}'}},
                {"id": "call_2", "type": "custom", "custom": {"name": "g", "input": "w"}},
            ],
        },
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "w"}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "w"},
        {"role": "function", "name": "f", "content": "w"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "w",
                "strict": True,
                "parameters": {
                    "type": "object",
                    "properties": {"p": {"type": "string", "description": "w", "enum": ["w"], "default": "w"}},
                    "required": ["p"],
                },
            },
        },
        {
            "type": "custom",
            "custom": {
                "name": "g",
                "description": "w",
                "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": "w"}},
            },
        },
    ],
    "functions": [{"name": "f", "description": "w", "parameters": {"properties": {"p": {"const": "w"}}}}],
    "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function"}]}},
    "function_call": {"name": "f"},
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "s", "description": "w", "schema": {"properties": {"p": {"examples": ["w"]}}}},
    },
    "prediction": {"type": "content", "content": [{"type": "text", "text": "w"}]},
    "stop": ["w"],
    "metadata": {"k": "w"},
    "user": "w",
    "safety_identifier": "w",
    "prompt_cache_key": "w",
    "web_search_options": {
        "search_context_size": "low",
        "user_location": {
            "type": "approximate",
            "approximate": {"city": "w", "country": "w", "region": "w", "timezone": "w"},
        },
    },
    "logit_bias": {"50256": -100},
    "modalities": ["text"],
    "audio": {"voice": "alloy", "format": "mp3"},
    "reasoning_effort": "low",
    "service_tier": "auto",
    "verbosity": "low",
    "prompt_cache_retention": "24h",
    "moderation": {"model": "omni", "policy": {"input": {"mode": "block"}}},
    "stream": True,
    "stream_options": {"include_usage": True},
    "temperature": 0.5,
    "max_completion_tokens": 1000000,
    "seed": 123456789,
}
# The words that may stand in a place that is sent as it is.
TOKENS = {
    "gpt-5", "audio_1", "call_1", "call_2", "f", "g", "s", "function", "custom", "text", "refusal", "object", "string",
    "grammar", "lark", "allowed_tools", "auto", "json_schema", "content", "low", "approximate", "alloy", "mp3", "24h",
    "omni", "block", "system", "developer", "user", "assistant", "tool",
}  # fmt: skip


def read(body: object) -> RequestView:
    return CODEC.read_request(json.dumps(body).encode())


def leave(body: object, *passed: Media) -> bytes:
    view = read(body)
    return CODEC.write_request(view, view.segments, passed=passed)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - any JSON value
    """Return the path of every string and of every object."""
    if isinstance(value, dict):
        return [path, *(place for key, child in value.items() for place in places(child, (*path, key)))]
    if isinstance(value, list):
        return [place for number, child in enumerate(value) for place in places(child, (*path, number))]
    return [path] if isinstance(value, str) else []


def changed(path: tuple[Any, ...], canary: str) -> dict[str, Any]:
    """Return the full request with the string at a path replaced, or a made-up field in the object there."""
    body: dict[str, Any] = json.loads(json.dumps(FULL))
    node: Any = body
    for step in path[:-1]:
        node = node[step]
    target = node[path[-1]] if path else body
    if isinstance(target, dict):
        target["made_up"] = canary
    else:
        node[path[-1]] = canary
    return body


ALL_PLACES = places(FULL)


@pytest.mark.parametrize("path", ALL_PLACES, ids=lambda path: ".".join(map(str, path)) or "body")
def test_a_value_in_any_place_is_a_segment_or_is_refused(path: tuple[Any, ...]) -> None:
    refusal, view = "", None
    try:
        view = read(changed(path, CANARY))
    except UnknownContentError as error:
        refusal = str(error)
    assert "Zoe" not in refusal
    assert refusal or (view is not None and any(CANARY in segment.text for segment in view.segments))


@pytest.mark.parametrize("path", ALL_PLACES, ids=lambda path: ".".join(map(str, path)) or "body")
def test_a_word_in_any_place_is_a_segment_or_is_checked(path: tuple[Any, ...]) -> None:
    try:
        view = read(changed(path, "zoequill41"))
    except UnknownContentError:
        return
    seen = [segment.text for segment in view.segments] + [check.text for check in view.checks]
    assert any("zoequill41" in text for text in seen)


def test_only_listed_words_are_neither_minimized_nor_checked() -> None:
    view = read(FULL)
    seen = {segment.text for segment in view.segments} | {check.text for check in view.checks}
    for path in ALL_PLACES:
        node: Any = FULL
        for step in path:
            node = node[step]
        if isinstance(node, str) and not node.startswith("{"):
            assert node in seen or node in TOKENS
    assert seen <= TOKENS | {"w", "k", "p", "a", "50256", "1000000", "123456789"}


def test_nothing_else_of_the_full_request_changes() -> None:
    raw = json.dumps(FULL, indent=1).encode()
    view = CODEC.read_request(raw)
    assert CODEC.write_request(view, view.segments) == raw
    assert (view.target, view.stream, view.json_reply) == ("gpt-5", True, True)


@given(path=st.sampled_from([path for path in ALL_PLACES if path]), key=st.sampled_from(["role", "id", "type", "x"]))
def test_a_structural_name_in_a_strange_place_hides_nothing(path: tuple[Any, ...], key: str) -> None:
    body: Any = json.loads(json.dumps(FULL))
    node = body
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = {"deep": {key: CANARY}}
    try:
        view = read(body)
    except UnknownContentError:
        return
    assert any(segment.text == CANARY for segment in view.segments)


def test_tool_descriptions_are_texts_and_schemas_are_schemas() -> None:
    channels = {segment.path: segment.channel for segment in read(FULL).segments}
    assert channels["tools[0].function.parameters.properties.{0}.enum[0]"] is Channel.SCHEMA
    assert channels["response_format.json_schema.schema.properties.{0}.examples[0]"] is Channel.SCHEMA
    assert channels["messages[0].content"] is Channel.TEXT


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": "https://host.example/a.png"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "file", "file": {"file_data": "AAAA", "filename": "a.pdf"}},
        {"type": "unheard_of", "text": "w"},
    ],
)
def test_parts_that_are_no_text_are_refused(part: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError, match=r"messages\[0\]\.content\[0\]\.type"):
        leave({"model": "m", "messages": [{"role": "user", "content": [part]}]})


DATA = "data:image/png;base64," + "AAAA" * 500
MEDIA: list[tuple[Media, dict[str, Any]]] = [
    (Media.IMAGE, {"type": "image_url", "image_url": {"url": DATA, "detail": "low"}}),
    (Media.IMAGE, {"type": "image_url", "image_url": {"url": "https://host.example/a.png"}}),
    (Media.AUDIO, {"type": "input_audio", "input_audio": {"data": "AAAA" * 500, "format": "wav"}}),
    (Media.FILE, {"type": "file", "file": {"file_data": "AAAA" * 500, "filename": "a.pdf"}}),
]


@pytest.mark.parametrize(("kind", "part"), MEDIA, ids=range(len(MEDIA)))
def test_a_part_leaves_unread_where_its_kind_may(kind: Media, part: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "w"}, part]}]}
    raw = json.dumps(body).encode()
    assert leave(body, kind) == raw
    with pytest.raises(UnknownContentError, match="pass_parts"):
        leave(body, *[other for other in Media if other is not kind])


def test_of_a_part_that_leaves_unread_only_what_it_carries_is_unread() -> None:
    part = {"type": "file", "file": {"file_data": "AAAA", "filename": CANARY}}
    view = read({"model": "m", "messages": [{"role": "user", "content": [part]}]})
    assert CANARY in [segment.text for segment in view.segments]
    image = {"type": "image_url", "image_url": {"url": "https://host.example/zoe.png"}, "note": CANARY}
    view = read({"model": "m", "messages": [{"role": "user", "content": [image]}]})
    assert CANARY in [segment.text for segment in view.segments]
    assert ("https://host.example/zoe.png", True) in [(check.text, check.opens) for check in view.checks]


def test_a_medium_that_stands_where_no_part_is_does_not_leave_unread() -> None:
    with pytest.raises(UnknownContentError, match="binary data"):
        read({"model": "m", "messages": [{"role": "user", "content": "w", "extra": {"image_url": DATA}}]})
    with pytest.raises(UnknownContentError, match=r"prediction\.content\[0\]\.type"):
        read({"model": "m", "messages": [], "prediction": {"content": [MEDIA[0][1]]}})


def test_names_that_the_developer_chose_may_hold_that_of_a_place() -> None:
    tool = {"type": "function", "function": {"name": "look_up", "parameters": {"$ref": "#/$defs/a"}}}
    calls = [{"id": "c7", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}]
    messages = [{"role": "assistant", "tool_calls": calls}, {"role": "tool", "tool_call_id": "c7", "content": "x"}]
    view = read({"model": "m7", "messages": messages, "tools": [tool]})
    checks = (*view.checks, *name_checks(rename(view.identifiers, view.segments)))
    assert {check.text for check in checks if not check.chosen} == {"c7"}
    assert {check.text for check in checks if check.chosen} == {"m7", "look_up"}
