"""Content blocks: which leave, which of them no detector can read, and which call a tool."""

from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import parse
from privguard.core.profile import Media
from privguard_adapters.wire.langchain_blocks import inputs_of, keeps_type, media_of
from privguard_adapters.wire.langchain_messages import dump

DATA = {"type": "base64", "media_type": "image/png", "data": "aaaa"}


def found(*blocks: Any) -> list[str]:  # noqa: ANN401 - any block
    values = parse(dump({"messages": [{"role": "user", "content": list(blocks)}]}).decode()).values()
    return [medium.kind for medium in media_of(values).values()]


@pytest.mark.parametrize(
    ("block", "medium"),
    [
        ({"type": "image", "base64": "aaaa", "mime_type": "image/png"}, Media.IMAGE),
        ({"type": "image_url", "image_url": {"url": "https://a.example/a.png"}}, Media.IMAGE),
        ({"type": "input_image", "image_url": "https://a.example/a.png"}, Media.IMAGE),
        ({"type": "image", "source": DATA}, Media.IMAGE),
        ({"type": "audio", "base64": "aaaa"}, Media.AUDIO),
        ({"type": "input_audio", "input_audio": {"data": "aaaa", "format": "wav"}}, Media.AUDIO),
        ({"type": "file", "file_id": "file-1"}, Media.FILE),
        ({"type": "input_file", "file_id": "file-1"}, Media.FILE),
        ({"type": "document", "source": DATA}, Media.FILE),
        ({"type": "text-plain", "url": "https://a.example/a.txt"}, Media.FILE),
    ],
    ids=lambda given: given["type"] if isinstance(given, dict) else given.value,
)
def test_media_are_told_wherever_blocks_stand(block: dict[str, Any], medium: Media) -> None:
    kind = str(block["type"])
    assert keeps_type(block)
    assert found(block, {"type": "text", "text": "a"}) == [kind]
    assert found({"type": "non_standard", "value": block}) == [kind]
    assert found({"type": "tool_result", "content": [block]}) == [kind]
    assert found({"type": "document", "source": {"type": "content", "content": [block]}}) == [kind]
    values = parse(dump({"messages": [{"content": [block]}]}).decode()).values()
    assert [each.may_leave([medium]) for each in media_of(values).values()] == [True]
    assert [each.may_leave(set(Media) - {medium}) for each in media_of(values).values()] == [False]


def test_documents_that_are_texts_are_no_files() -> None:
    assert (
        found({"type": "text-plain", "text": "a"}, {"type": "document", "source": {"type": "text", "data": "a"}}) == []
    )


def test_what_a_model_said_aloud_is_a_medium() -> None:
    said = {"role": "assistant", "content": "", "additional_kwargs": {"audio": {"id": "audio_1", "data": "aaaa"}}}
    assert [each.kind for each in media_of(parse(dump({"messages": [said]}).decode()).values()).values()] == ["audio"]


@pytest.mark.parametrize(
    "block", [{"type": "video"}, {"type": "surprise", "args": {}}, {"type": 1}, {"text": "a", "b": 1}]
)
def test_what_is_not_known_does_not_leave(block: dict[str, Any]) -> None:
    with pytest.raises(UnknownContentError):
        keeps_type(block)


def test_arguments_are_told_in_calls_of_any_type() -> None:
    assert inputs_of({"type": "tool_use", "input": {}}) == ("partial_json", "input")
    assert inputs_of({"type": "surprise_call", "arguments": "{}"}) == ("arguments",)
    assert inputs_of({"type": "text", "text": "a", "input": "b"}) == inputs_of({"arguments": "{}"}) == ()
    assert inputs_of({"type": "surprise_call", "function": {"arguments": "{}"}}) == ()
