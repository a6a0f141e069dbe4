import json
from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Media
from privguard_adapters.wire.anthropic_messages import CODEC
from privguard_adapters.wire.anthropic_request import LAYOUT
from privguard_adapters.wire.request import read_body
from tests.adapters.wire.test_anthropic_request import read

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
MEDIA = {
    "image": [IMAGE, {"type": "image", "source": {"type": "url", "url": "https://host.example/a.png"}}],
    "document": [
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}},
        {"type": "document", "source": {"type": "url", "url": "https://host.example/a.pdf"}},
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    ],
}
WITHIN = [
    {"type": "document", "source": {"type": "content", "content": [IMAGE]}},
    {"type": "tool_result", "tool_use_id": "t", "content": [IMAGE]},
]
REFUSED = [
    {"type": "text", "text": "w", "source": {"type": "base64", "data": "AAAA"}},
    {"type": "search_result", "source": {"type": "url"}, "content": []},
    {"type": "document", "source": {"type": "unheard_of"}},
    {"type": "web_fetch_tool_result", "content": {"type": "unheard_of", "text": "w"}},
    {"type": "container_upload", "file_id": "file_1"},
    {"type": "compaction", "content": "w"},
    {"type": "tool_addition", "tool": {"type": "tool_definition"}},
    {"type": "unheard_of", "text": "w"},
]


def ask(block: dict[str, Any], role: str = "user") -> object:
    return read({"model": "m", "messages": [{"role": role, "content": [block]}]})


@pytest.mark.parametrize("block", REFUSED, ids=range(len(REFUSED)))
def test_blocks_that_are_no_text_are_refused(block: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError, match=r"messages\[0\]\.content\[0\].*\.type is .*only text"):
        ask(block)


def test_a_system_text_is_a_text() -> None:
    with pytest.raises(UnknownContentError, match=r"system\[0\]\.type"):
        read({"model": "m", "system": [{"type": "tool_addition"}]})


ALL_MEDIA = [(kind, block) for kind, blocks in MEDIA.items() for block in blocks] + [("image", each) for each in WITHIN]


@pytest.mark.parametrize(("kind", "block"), ALL_MEDIA, ids=range(len(ALL_MEDIA)))
def test_media_leave_unread_where_the_profile_says_so_and_are_refused_elsewhere(
    kind: str, block: dict[str, Any]
) -> None:
    raw = json.dumps({"model": "m", "messages": [{"role": "user", "content": [block]}]}).encode()
    view = CODEC.read_request(raw)
    assert [medium.kind for medium in view.media] == [kind]
    passed = {"image": Media.IMAGE, "document": Media.FILE}
    assert CODEC.write_request(view, view.segments, passed=(passed[kind],)) == raw
    for others in ((), (Media.AUDIO, *[each for name, each in passed.items() if name != kind])):
        with pytest.raises(UnknownContentError, match="pass_parts"):
            CODEC.write_request(view, view.segments, passed=others)


def test_the_address_of_a_medium_is_looked_at() -> None:
    view = CODEC.read_request(json.dumps({"model": "m", "messages": [{"content": MEDIA["image"][1:]}]}).encode())
    assert "https://host.example/a.png" in {check.text for check in view.checks}


def test_the_files_that_tools_of_the_provider_made_come_back() -> None:
    assert ask({"type": "container_upload", "file_id": "file_1"}, "assistant")


def test_a_type_in_the_arguments_of_a_tool_is_the_callers() -> None:
    arguments = {"source": {"type": "url"}, "content": [{"type": "image"}], "type": "image"}
    assert ask({"type": "tool_use", "id": "t", "name": "f", "input": arguments}, "assistant")


@pytest.mark.parametrize(
    "fields",
    [
        {"thread": {"type": "create"}},
        {"thread": {"type": "continue", "previous_message_id": "msg_1"}},
        {"compaction": {"type": "summarize"}},
        {"context_management": {"edits": [{"type": "compact_20260112"}]}},
    ],
)
def test_what_the_provider_would_keep_of_a_conversation_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError, match="send the messages"):
        read({"model": "m", "messages": [], **fields})


def test_a_thread_that_is_none_is_no_thread() -> None:
    assert read_body(b'{"model": "m", "thread": null}', LAYOUT).target == "m"
