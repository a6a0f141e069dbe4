from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.anthropic_request import LAYOUT
from privguard_adapters.wire.request import read_body
from tests.adapters.wire.test_anthropic_request import read

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
REFUSED = [
    IMAGE,
    {"type": "image", "source": {"type": "url", "url": "https://host.example/a.png"}},
    {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}},
    {"type": "document", "source": {"type": "url", "url": "https://host.example/a.pdf"}},
    {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    {"type": "document", "source": {"type": "content", "content": [IMAGE]}},
    {"type": "tool_result", "tool_use_id": "t", "content": [IMAGE]},
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
        read({"model": "m", "system": [IMAGE]})


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
