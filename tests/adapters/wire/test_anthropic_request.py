import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard.core.segments import Channel, Role
from privguard_adapters.wire.anthropic_request import LAYOUT
from privguard_adapters.wire.request import RequestView, read_body, write_body
from tests.adapters.wire.places import changed, places, value_at

CANARY = "Zoe Quill, 41 Elm Lane"
SEALED = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds48Ab+/=="
CACHE = {"type": "ephemeral", "ttl": "1h"}
CITATIONS = [
    {"type": "char_location", "cited_text": "w", "document_title": "w", "document_index": 0, "start_char_index": 0},
    {"type": "web_search_result_location", "cited_text": "w", "url": "w", "title": "w", "encrypted_index": SEALED},
    {"type": "search_result_location", "cited_text": "w", "source": "w", "title": "w", "search_result_index": 0},
]
USER = [
    {"type": "text", "text": "w", "cache_control": CACHE},
    {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "w"},
        "title": "w",
        "context": "w",
        "citations": {"enabled": True},
    },
    {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "w"}]}},
    {"type": "document", "source": {"type": "content", "content": "w"}},
    {"type": "search_result", "source": "w", "title": "w", "content": [{"type": "text", "text": "w"}]},
    {"type": "tool_result", "tool_use_id": "toolu_1", "content": "w", "is_error": False},
    {
        "type": "tool_result",
        "tool_use_id": "toolu_2",
        "content": [{"type": "text", "text": "w"}, {"type": "tool_reference", "tool_name": "f"}],
    },
]
ASSISTANT = [
    {"type": "thinking", "thinking": "w", "signature": SEALED},
    {"type": "redacted_thinking", "data": SEALED},
    {"type": "text", "text": "w", "citations": CITATIONS},
    {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"p": "w", "a": ["w"]}, "caller": {"type": "direct"}},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "w"}},
    {
        "type": "web_search_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": [
            {"type": "web_search_result", "title": "w", "url": "w", "encrypted_content": SEALED, "page_age": "w"}
        ],
    },
    {
        "type": "web_fetch_tool_result",
        "tool_use_id": "srvtoolu_2",
        "content": {
            "type": "web_fetch_result",
            "url": "w",
            "content": {
                "type": "document",
                "title": "w",
                "source": {"type": "text", "media_type": "text/plain", "data": "w"},
            },
        },
    },
    {
        "type": "code_execution_tool_result",
        "tool_use_id": "srvtoolu_3",
        "content": {
            "type": "code_execution_result",
            "stdout": "w",
            "stderr": "w",
            "return_code": 0,
            "content": [{"type": "code_execution_output", "file_id": "file_1"}],
        },
    },
    {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "f", "server_name": "mcp_1", "input": {"q": "w"}},
    {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "content": [{"type": "text", "text": "w"}]},
    {"type": "container_upload", "file_id": "file_1"},
]
# Everything that the route takes, with neutral words in every place.
FULL: dict[str, Any] = {
    "model": "claude-opus-4-6",
    "max_tokens": 64000,
    "system": [{"type": "text", "text": "w", "cache_control": CACHE}],
    "messages": [
        {"role": "user", "content": USER},
        {"role": "assistant", "content": ASSISTANT},
        {"role": "system", "content": "w"},
        {"role": "user", "content": "w"},
    ],
    "tools": [
        {
            "name": "f",
            "description": "w",
            "input_schema": {
                "type": "object",
                "properties": {"p": {"type": "string", "description": "w", "enum": ["w"], "default": "w"}},
                "required": ["p"],
            },
            "input_examples": [{"p": "w"}],
            "cache_control": CACHE,
            "allowed_callers": ["direct"],
        },
        {
            "type": "web_search_20250305",
            "name": "web_search",
            "allowed_domains": ["one.example"],
            "user_location": {"type": "approximate", "city": "w", "country": "w", "region": "w", "timezone": "w"},
        },
        {"type": "mcp_toolset", "mcp_server_name": "mcp_1"},
    ],
    "tool_choice": {"type": "tool", "name": "f"},
    "metadata": {"user_id": "w"},
    "stop_sequences": ["w"],
    "output_config": {
        "effort": "low",
        "format": {"type": "json_schema", "schema": {"type": "object", "properties": {"s": {"examples": ["w"]}}}},
    },
    "thinking": {"type": "enabled", "budget_tokens": 2000, "display": "summarized"},
    "service_tier": "auto",
    "speed": "fast",
    "container": {"id": "container_1", "skills": [{"type": "custom", "skill_id": "skill_1", "version": "latest"}]},
    "context_management": {"edits": [{"type": "clear_tool_uses_20250919", "exclude_tools": ["f"]}]},
    "mcp_servers": [
        {"type": "url", "name": "mcp_1", "url": "https://mcp.example/sse", "authorization_token": "Bearer a1B2c3D4e5F6"}
    ],
    "fallback_credit_token": SEALED,
    "inference_geo": "us",
    "temperature": 0.5,
    "stream": True,
}
ALL_PLACES = places(FULL)
# What may stand in a place that leaves as it is.
WORDS = {
    "text", "ephemeral", "1h", "document", "text/plain", "content", "search_result", "tool_result", "tool_reference",
    "thinking", "redacted_thinking", "char_location", "web_search_result_location", "search_result_location",
    "tool_use",
    "direct", "server_tool_use", "web_search_tool_result", "web_search_result", "web_fetch_tool_result",
    "web_fetch_result", "code_execution_tool_result", "code_execution_result", "code_execution_output", "mcp_tool_use",
    "mcp_tool_result", "container_upload", "user", "assistant", "system", "object", "string", "web_search_20250305",
    "approximate", "mcp_toolset", "tool", "low", "json_schema", "enabled", "summarized", "auto", "fast", "custom",
    "clear_tool_uses_20250919", "url", SEALED,
}  # fmt: skip
CHECKED = {
    "claude-opus-4-6", "toolu_1", "toolu_2", "srvtoolu_1", "srvtoolu_2", "srvtoolu_3", "file_1", "mcptoolu_1", "mcp_1",
    "one.example", "container_1", "skill_1", "latest", "https://mcp.example/sse", "Bearer a1B2c3D4e5F6", "us",
}  # fmt: skip


def read(body: object) -> RequestView:
    return read_body(json.dumps(body).encode(), LAYOUT)


@pytest.mark.parametrize("path", ALL_PLACES, ids=lambda path: ".".join(map(str, path)) or "body")
def test_a_value_in_any_place_is_a_segment_or_is_refused(path: tuple[Any, ...]) -> None:
    refusal, view = "", None
    try:
        view = read(changed(FULL, path, CANARY))
    except UnknownContentError as error:
        refusal = str(error)
    assert "Zoe" not in refusal
    seen: list[str] = []
    if view is not None:
        seen = [each.text for each in view.segments] + [check.text for check in view.checks]
    assert refusal or any(CANARY in text for text in seen)


@pytest.mark.parametrize("path", ALL_PLACES, ids=lambda path: ".".join(map(str, path)) or "body")
def test_a_word_in_any_place_is_a_segment_or_is_checked(path: tuple[Any, ...]) -> None:
    try:
        view = read(changed(FULL, path, "zoequill41"))
    except UnknownContentError:
        return
    seen = [segment.text for segment in view.segments] + [check.text for check in view.checks]
    assert any("zoequill41" in text for text in seen)


def test_only_listed_words_are_neither_minimized_nor_checked() -> None:
    view = read(FULL)
    segments, checks = {each.text for each in view.segments}, {each.text for each in view.checks}
    strings = {value_at(FULL, path) for path in ALL_PLACES if isinstance(value_at(FULL, path), str)}
    assert strings <= segments | checks | WORDS
    assert segments == {"w", "f", "p", "a", "s", "q", "web_search"}
    assert checks - {""} == CHECKED


def test_nothing_else_of_the_full_request_changes() -> None:
    raw = json.dumps(FULL, indent=1).encode()
    view = read_body(raw, LAYOUT)
    assert write_body(view, view.segments) == raw
    assert (view.target, view.stream, view.json_reply) == ("claude-opus-4-6", True, True)
    assert view.offered == {"f", "web_search"}


@given(path=st.sampled_from([path for path in ALL_PLACES if path]), key=st.sampled_from(["role", "id", "type", "x"]))
def test_a_structural_name_in_a_strange_place_hides_nothing(path: tuple[Any, ...], key: str) -> None:
    body = json.loads(json.dumps(FULL))
    value_at(body, path[:-1])[path[-1]] = {"deep": {key: CANARY}}
    try:
        view = read(body)
    except UnknownContentError:
        return
    assert any(segment.text == CANARY for segment in view.segments)


def test_schemas_are_schemas_and_each_speaker_is_known() -> None:
    found = {segment.path: segment for segment in read(FULL).segments}
    assert found["tools[0].input_schema.properties.{0}.enum[0]"].channel is Channel.SCHEMA
    assert found["output_config.format.schema.properties.{0}.examples[0]"].channel is Channel.SCHEMA
    roles = {
        "system[0].text": Role.SYSTEM,
        "messages[0].content[0].text": Role.USER,
        "messages[0].content[1].source.data": Role.USER,
        "messages[0].content[5].content": Role.TOOL,
        "messages[0].content[6].content[0].text": Role.TOOL,
        "messages[1].content[0].thinking": Role.ASSISTANT,
        "messages[1].content[3].input.{0}": Role.ASSISTANT,
        "messages[2].content": Role.SYSTEM,
        "tools[0].description": Role.OTHER,
        "stop_sequences[0]": Role.OTHER,
    }
    assert {path: found[path].role for path in roles} == roles


@pytest.mark.parametrize("place", ["signature", "data"])
@pytest.mark.parametrize(
    "text", ["Zoe Quill", "zoe@quill.example", "4111111111111111", "GB33BUKB20201555555555", "zoequill", "ZoeQuill1987"]
)
def test_what_no_machine_sealed_is_looked_at_or_refused(place: str, text: str) -> None:
    blocks = [{"type": "thinking", "thinking": "", "signature": SEALED}, {"type": "redacted_thinking", "data": SEALED}]
    blocks[place == "data"][place] = text
    refusal, seen = "", {""}
    try:
        view = read({"model": "m", "messages": [{"role": "assistant", "content": blocks}]})
        seen = {check.text for check in view.checks}
    except UnknownContentError as error:
        refusal = str(error)
    assert text not in refusal
    assert refusal or text in seen


def test_the_token_for_a_server_is_a_credential_if_a_machine_made_it() -> None:
    def checks(token: str) -> dict[str, bool]:
        view = read({"model": "m", "mcp_servers": [{"authorization_token": token}]})
        return {check.text: check.opens for check in view.checks if check.text == token}

    assert checks("tok-a1B2c3D4e5F6") == {"tok-a1B2c3D4e5F6": True}
    assert checks("that of Zoe Quill") == {"that of Zoe Quill": False}
