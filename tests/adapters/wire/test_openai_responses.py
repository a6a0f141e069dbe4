import json
import typing
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias

import pytest
import typing_extensions
from hypothesis import given
from hypothesis import strategies as st
from openai.types.responses import (
    response_create_params,
    response_input_content_param,
    response_input_item_param,
    tool_param,
)

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Media
from privguard.core.segments import Channel, Role
from privguard_adapters.wire.fields import FIELD_NAMES
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.openai_responses import RESPONSES
from privguard_adapters.wire.request import RequestView
from privguard_adapters.wire.responses_items import (
    PARTS,
    REFUSED_ITEMS,
    REFUSED_PARTS,
    REFUSED_TOOLS,
    SPEAKERS,
    TOOLS,
)

CANARY = "Zoe Quill, 41 Elm Lane"
SEALED = "gAAAAABo" + "x1Y2" * 12

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"p": {"type": "string", "description": "w", "enum": ["w"], "default": "w"}},
    "required": ["p"],
}
ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "w"},
    {"type": "message", "role": "developer", "status": "completed", "content": [{"type": "input_text", "text": "w"}]},
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "phase": "final_answer",
        "content": [
            {
                "type": "output_text",
                "text": "w",
                "annotations": [
                    {"type": "url_citation", "start_index": 0, "end_index": 1, "title": "w", "url": "w"},
                    {"type": "file_citation", "file_id": "file_1", "filename": "w", "index": 0},
                    {"type": "container_file_citation", "container_id": "cntr_1", "file_id": "file_2",
                     "filename": "w", "start_index": 0, "end_index": 1},
                ],
            },
            {"type": "refusal", "refusal": "w"},
        ],
    },
    {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": '{"a": ["w"]}',
     "status": "completed", "caller": {"type": "program", "caller_id": "prog_1"}},
    {"type": "function_call_output", "id": "fco_1", "call_id": "call_1", "output": "w", "status": "completed"},
    {"type": "function_call_output", "call_id": "call_2", "output": [{"type": "input_text", "text": "w"}]},
    {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_3", "name": "g", "input": "w", "namespace": "n"},
    {"type": "custom_tool_call_output", "id": "cto_1", "call_id": "call_3", "output": "w"},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "w"}],
     "content": [{"type": "reasoning_text", "text": "w"}], "encrypted_content": SEALED, "status": "completed"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed",
     "action": {"type": "search", "query": "w", "queries": ["w"], "sources": [{"type": "url", "url": "w"}]}},
    {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["w"],
     "results": [{"file_id": "file_3", "filename": "w", "text": "w", "score": 0.5, "attributes": {"k": "w"}}]},
    {"type": "code_interpreter_call", "id": "ci_1", "container_id": "cntr_2", "code": "w", "status": "completed",
     "outputs": [{"type": "logs", "logs": "w"}]},
    {"type": "local_shell_call", "id": "lsh_1", "call_id": "call_4", "status": "completed",
     "action": {"type": "exec", "command": ["w"], "env": {"k": "w"}, "user": "w", "working_directory": "w"}},
    {"type": "local_shell_call_output", "id": "call_4", "output": "w"},
    {"type": "shell_call", "id": "sh_1", "call_id": "call_5", "action": {"commands": ["w"], "timeout_ms": 5},
     "environment": {"type": "local", "skills": [{"name": "w", "description": "w", "path": "w"}]}},
    {"type": "shell_call_output", "call_id": "call_5",
     "output": [{"stdout": "w", "stderr": "w", "outcome": {"type": "exit", "exit_code": 0}}]},
    {"type": "apply_patch_call", "call_id": "call_6", "status": "completed",
     "operation": {"type": "create_file", "path": "w", "diff": "w"}},
    {"type": "apply_patch_call_output", "call_id": "call_6", "status": "completed", "output": "w"},
    {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "desk",
     "tools": [{"name": "h", "description": "w", "input_schema": SCHEMA, "annotations": {"title": "w"}}]},
    {"type": "mcp_approval_request", "id": "mcpr_1", "server_label": "desk", "name": "h", "arguments": '{"a": "w"}'},
    {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True, "reason": "w"},
    {"type": "mcp_call", "id": "mcp_1", "server_label": "desk", "name": "h", "arguments": '{"a": "w"}',
     "output": "w", "error": {"type": "http_error", "code": 500, "message": "w"}},
    {"type": "tool_search_call", "call_id": "call_7", "execution": "client", "arguments": {"a": "w"}},
    {"type": "tool_search_output", "call_id": "call_7", "execution": "client",
     "tools": [{"type": "function", "name": "i", "description": "w", "parameters": SCHEMA}]},
]  # fmt: skip
# Everything that the route takes, with neutral words in every place.
FULL: dict[str, Any] = {
    "model": "gpt-5",
    "instructions": "w",
    "input": ITEMS,
    "previous_response_id": "resp_1",
    "prompt": {
        "id": "pmpt_1",
        "version": "2",
        "variables": {"k": "w", "l": {"type": "input_text", "text": "w"}},
    },
    "text": {
        "format": {"type": "json_schema", "name": "s", "description": "w", "strict": True, "schema": SCHEMA},
        "verbosity": "low",
    },
    "tools": [
        {"type": "function", "name": "f", "description": "w", "strict": True, "parameters": SCHEMA},
        {"type": "custom", "name": "g", "description": "w",
         "format": {"type": "grammar", "syntax": "lark", "definition": "w"}},
        {"type": "namespace", "name": "n", "description": "w",
         "tools": [{"type": "function", "name": "j", "description": "w", "parameters": SCHEMA}]},
        {"type": "mcp", "server_label": "desk", "server_url": "https://mcp.desk.example/sse",
         "server_description": "w", "headers": {"X-Api-Key": "a1b2c3d4e5f6a7b8"}, "authorization": "a1b2c3d4e5f6a7b9",
         "allowed_tools": ["h"], "require_approval": {"never": {"tool_names": ["h"]}}},
        {"type": "web_search", "search_context_size": "low", "filters": {"allowed_domains": ["desk.example"]},
         "user_location": {"type": "approximate", "city": "w", "country": "w", "region": "w", "timezone": "w"}},
        {"type": "file_search", "vector_store_ids": ["vs_1"], "max_num_results": 5,
         "filters": {"type": "and", "filters": [{"type": "eq", "key": "w", "value": "w"}]}},
        {"type": "code_interpreter", "container": {"type": "auto", "file_ids": ["file_4"], "memory_limit": "4g"}},
        {"type": "shell", "environment": {"type": "container_reference", "container_id": "cntr_3"}},
    ],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
    "metadata": {"k": "w"},
    "user": "w",
    "safety_identifier": "w",
    "prompt_cache_key": "w",
    "prompt_cache_retention": "24h",
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"effort": "low", "summary": "auto"},
    "truncation": "auto",
    "service_tier": "auto",
    "store": True,
    "stream": True,
    "stream_options": {"include_obfuscation": False},
    "parallel_tool_calls": True,
    "temperature": 0.5,
    "max_output_tokens": 1000000,
    "max_tool_calls": 5,
}  # fmt: skip


def read(body: object) -> RequestView:
    return RESPONSES.read_request(json.dumps(body).encode())


def leave(body: object, *passed: Media) -> bytes:
    view = read(body)
    return RESPONSES.write_request(view, view.segments, passed=passed)


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
GROUPS: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
for _path in ALL_PLACES:
    GROUPS.setdefault(_path[:2], []).append(_path)


@pytest.mark.parametrize("group", GROUPS, ids=[".".join(map(str, group)) or "body" for group in GROUPS])
def test_a_value_in_any_place_is_a_segment_or_is_checked_or_refused(group: tuple[Any, ...]) -> None:
    for path in GROUPS[group]:
        refusal, view = "", None
        try:
            view = read(changed(path, CANARY))
        except UnknownContentError as error:
            refusal = str(error)
        assert "Zoe" not in refusal
        seen = [] if view is None else [each.text for each in view.segments]
        seen += [] if view is None else [check.text for check in view.checks if not check.opens]
        assert refusal or any(CANARY in text for text in seen), path


@pytest.mark.parametrize("group", GROUPS, ids=[".".join(map(str, group)) or "body" for group in GROUPS])
def test_a_word_in_any_place_is_a_segment_or_is_checked(group: tuple[Any, ...]) -> None:
    for path in GROUPS[group]:
        with suppress(UnknownContentError):
            view = read(changed(path, "zoequill41"))
            seen = [segment.text for segment in view.segments] + [check.text for check in view.checks]
            assert any("zoequill41" in text for text in seen), path


def test_nothing_of_a_request_changes_where_nothing_is_minimized() -> None:
    raw = json.dumps(FULL, indent=1).encode()
    view = RESPONSES.read_request(raw)
    assert RESPONSES.write_request(view, view.segments) == raw
    assert (view.target, view.stream, view.json_reply) == ("gpt-5", True, True)
    names = {"f", "g", "n", "j", "i", "h"}
    assert view.offered == names | {"mcp", "web_search", "file_search", "code_interpreter", "shell"}


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


def test_everybody_speaks_for_themselves() -> None:
    roles = {segment.path: segment.role for segment in read(FULL).segments}
    assert roles["instructions"] is Role.SYSTEM
    assert roles["input[0].content"] is Role.USER
    assert roles["input[1].content[0].text"] is Role.SYSTEM
    assert roles["input[2].content[0].text"] is Role.ASSISTANT
    assert roles["input[3].arguments.$.{0}[0]"] is Role.ASSISTANT
    assert roles["input[4].output"] is Role.TOOL
    assert roles["input[11].code"] is Role.ASSISTANT
    assert roles["input[11].outputs[0].logs"] is Role.TOOL
    assert roles["prompt.variables.{0}"] is Role.USER
    assert read({"model": "m", "input": "w"}).segments[0].role is Role.USER


def test_schemas_are_schemas_and_each_tool_has_its_own() -> None:
    view = read(FULL)
    channels = {segment.path: segment.channel for segment in view.segments}
    assert channels["tools[0].parameters.properties.{0}.enum[0]"] is Channel.SCHEMA
    assert channels["text.format.schema.properties.{0}.enum[0]"] is Channel.SCHEMA
    scopes = {tool: set(names) for tool, names in view.identifiers.scopes.items() if names}
    assert scopes == {"f": {"p"}, "j": {"p"}, "i": {"p"}, "h": {"p"}, "n": {"j"}}
    assert view.identifiers.output == {"p", "s"}


def test_what_the_provider_sealed_goes_back_as_it_came_and_nothing_else_does() -> None:
    view = read({"model": "m", "input": [{"type": "reasoning", "id": "rs_1", "encrypted_content": SEALED}]})
    seen = [*[segment.text for segment in view.segments], *[check.text for check in view.checks]]
    assert all(SEALED not in text for text in seen)
    open_word = read({"model": "m", "input": [{"type": "reasoning", "encrypted_content": "zoe"}]})
    assert [check.text for check in open_word.checks if check.label.startswith("input")] == ["zoe"]
    with pytest.raises(UnknownContentError, match=r"input\[0\]\.encrypted_content"):
        read({"model": "m", "input": [{"type": "reasoning", "encrypted_content": "zoe quill"}]})


@pytest.mark.parametrize("value", ["zoe quill", "zoequill"])
def test_a_header_of_an_mcp_server_that_opens_nothing_is_looked_at(value: str) -> None:
    tools = [{"type": "mcp", "server_label": "d", "headers": {"X-Patient": value}, "authorization": value}]
    checks = [check for check in read({"model": "m", "input": "w", "tools": tools}).checks if check.text == value]
    assert [(check.opens, check.key) for check in checks] == [(False, "X-Patient"), (False, "")]


@pytest.mark.parametrize("kind", sorted(REFUSED_ITEMS))
def test_items_that_cannot_be_minimized_are_refused_with_the_reason(kind: str) -> None:
    with pytest.raises(UnknownContentError, match=r"input\[0\]\.type is"):
        read({"model": "m", "input": [{"type": kind, "id": "x_1"}]})


@pytest.mark.parametrize("item", [{"type": "unheard_of"}, {"id": "msg_1"}, {"type": None, "id": "msg_1"}])
def test_items_that_nobody_knows_are_refused(item: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError, match=r"input\[0\]\."):
        read({"model": "m", "input": [item]})


@pytest.mark.parametrize("kind", [*sorted(REFUSED_PARTS), "unheard_of"])
@pytest.mark.parametrize("place", ["content", "output"])
def test_parts_that_are_no_text_are_refused(kind: str, place: str) -> None:
    item = {"role": "user", "content": "w"} if place == "content" else {"type": "function_call_output", "call_id": "c"}
    with pytest.raises(UnknownContentError, match=rf"input\[0\]\.{place}\[0\]\.type is"):
        leave({"model": "m", "input": [{**item, place: [{"type": kind, "text": "w"}]}]})


MEDIA: list[tuple[Media, dict[str, Any]]] = [
    (Media.IMAGE, {"type": "input_image", "image_url": "data:image/png;base64," + "AAAA" * 500, "detail": "low"}),
    (Media.IMAGE, {"type": "input_image", "file_id": "file_1", "detail": "auto"}),
    (Media.FILE, {"type": "input_file", "file_data": "AAAA" * 500, "filename": "a.pdf"}),
    (Media.FILE, {"type": "input_file", "file_url": "https://host.example/a.pdf"}),
]


@pytest.mark.parametrize(("kind", "part"), MEDIA, ids=range(len(MEDIA)))
def test_a_part_leaves_unread_where_its_kind_may(kind: Media, part: dict[str, Any]) -> None:
    answer = {"type": "function_call_output", "call_id": "c", "output": [part]}
    body = {"model": "m", "input": [{"role": "user", "content": [part]}, answer]}
    assert leave(body, kind) == json.dumps(body).encode()
    with pytest.raises(UnknownContentError, match="pass_parts"):
        leave(body, *[other for other in Media if other is not kind])


@pytest.mark.parametrize("kind", [*sorted(REFUSED_TOOLS), "unheard_of"])
def test_tools_that_nobody_protects_are_refused(kind: str) -> None:
    with pytest.raises(UnknownContentError, match=r"tools\[0\]\.type is"):
        read({"model": "m", "input": "w", "tools": [{"type": kind}]})


@pytest.mark.parametrize(
    "body",
    [
        {"input": [{"role": "assistant", "content": [{"type": "output_text", "text": "", "logprobs": [{"token": "Zo"}]}]}]},  # noqa: E501
        {"input": "w", "context_management": [{"type": "compaction"}]},
        {"input": "w", "image": {"detail": "low"}},
        {"input": "w", "prompt": {"id": "p", "variables": {"x": {"type": "input_image", "image_url": "w"}}}},
        {"input": "w", "tools": [{"type": "shell", "environment": {"network_policy": {"domain_secrets": [{"value": "w"}]}}}]},  # noqa: E501
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError):
        read({"model": "m", **body})


@pytest.mark.parametrize(
    ("body", "later"),
    [
        ({}, Later(is_kept=True)),
        ({"store": False}, Later()),
        ({"background": True}, Later(is_kept=True, needs="background = true")),
        ({"background": False, "conversation": None}, Later(is_kept=True)),
        (
            {"background": True, "previous_response_id": "resp_1"},
            Later(earlier=("resp_1",), is_kept=True, needs="background = true"),
        ),
        (
            {"previous_response_id": "resp_1"},
            Later(earlier=("resp_1",), is_kept=True, needs="previous_response_id"),
        ),
        (
            {"conversation": {"id": "conv_1"}},
            Later(earlier=("conv_1",), joined="conv_1", is_kept=True, needs="conversation"),
        ),
        (
            {"conversation": "conv_1"},
            Later(earlier=("conv_1",), joined="conv_1", is_kept=True, needs="conversation"),
        ),
    ],
)
def test_a_request_says_what_it_has_to_do_with_later_replies(body: dict[str, Any], later: Later) -> None:
    assert read({"model": "m", "input": "w", **body}).later == later


Hint: TypeAlias = Any


def members(hint: Hint) -> Iterator[Hint]:
    """Yield the alternatives of a union of the SDK."""
    origin: Hint = typing.get_origin(hint)
    if origin in (typing.Annotated, typing_extensions.Required, typing_extensions.NotRequired):
        yield from members(typing.get_args(hint)[0])
    elif origin is typing.Union:
        for each in typing.get_args(hint):
            yield from members(each)
    else:
        yield hint


def types_of(union: Hint) -> set[str]:
    """Return the values that `type` may have in a union of the SDK."""
    found: set[str] = set()
    for each in members(union):
        for literal in members(typing_extensions.get_type_hints(each)["type"]):
            found |= {value for value in typing.get_args(literal) if isinstance(value, str)}
    return found


def test_every_type_of_the_installed_sdk_is_taken_or_refused_on_purpose() -> None:
    items = types_of(response_input_item_param.ResponseInputItemParam)
    assert items == {*SPEAKERS, *REFUSED_ITEMS}
    assert types_of(tool_param.ToolParam) == {*TOOLS, *REFUSED_TOOLS}
    assert types_of(response_input_content_param.ResponseInputContentParam) <= {*PARTS, *REFUSED_PARTS}


def test_every_field_of_the_installed_sdk_has_a_name_that_is_no_content() -> None:
    fields: set[str] = set()
    for params in (
        response_create_params.ResponseCreateParamsNonStreaming,
        *members(response_input_item_param.ResponseInputItemParam),
        *members(tool_param.ToolParam),
    ):
        fields |= set(typing_extensions.get_type_hints(params))
    assert fields - FIELD_NAMES == {"continuation_id", "context_compression", "prewarm"} & fields
