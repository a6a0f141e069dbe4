"""Messages as mappings: what of them may be sent, and messages made of what comes back."""

from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk

from privguard.core.errors import UnknownContentError
from privguard_adapters.langchain.messages import (
    extra_chunk,
    fields_of,
    is_last,
    message_of,
    rebuilt,
    reply_fields,
    to_be_sent,
)
from tests.adapters.langchain.conftest import piece

CALL = {"name": "f", "args": {"a": "b"}, "id": "1", "type": "tool_call"}


@pytest.mark.parametrize(
    ("message", "role"),
    [
        (HumanMessage("a"), "user"),
        (HumanMessageChunk(content="a"), "user"),
        (AIMessage("a"), "assistant"),
        (piece("a"), "assistant"),
        (SystemMessage("a"), "system"),
        (ToolMessage("a", tool_call_id="1"), "tool"),
        (FunctionMessage(name="f", content="a"), "function"),
        (ChatMessage(role="critic", content="a"), "critic"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseMessage) else value,
)
def test_each_message_has_its_role(message: BaseMessage, role: str) -> None:
    whole = to_be_sent(message)
    assert fields_of(whole)["role"] == role
    assert message_of(whole, fields_of(whole)).text == "a"


@pytest.mark.parametrize(
    "message", [RemoveMessage(id="1"), type("Mine", (HumanMessage,), {})("a")], ids=["remove", "mine"]
)
def test_a_message_of_another_class_is_refused(message: BaseMessage) -> None:
    with pytest.raises(UnknownContentError):
        to_be_sent(message)


@pytest.mark.parametrize(
    "message",
    [
        ToolMessage.model_construct(content="a", tool_call_id="1", status="Ada Roth"),
        HumanMessage.model_construct(content="a", type="Ada Roth"),
    ],
    ids=["status", "type"],
)
def test_fixed_words_are_those_of_langchain(message: BaseMessage) -> None:
    with pytest.raises(UnknownContentError):
        to_be_sent(message)


def test_what_is_not_for_the_model_does_not_go_on() -> None:
    said = AIMessage(
        "a",
        id="lc_run--1",
        tool_calls=[CALL],
        additional_kwargs={"parsed": object(), "refusal": None},
        response_metadata={"id": "resp_0123456789", "model_provider": "openai", "headers": {"x": "Ada Roth"}},
        usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    )
    sent: Any = message_of(said, fields_of(said))
    assert (sent.id, sent.usage_metadata, sent.tool_calls) == (None, None, said.tool_calls)
    assert sent.additional_kwargs == {"refusal": None}
    assert sent.response_metadata == {"id": "resp_0123456789", "model_provider": "openai"}
    found = ToolMessage("a", tool_call_id="1", artifact={"name": "Ada Roth"})
    assert "Ada Roth" not in repr(message_of(found, fields_of(found)))
    assert found.artifact == {"name": "Ada Roth"}


def test_ids_that_a_provider_made_go_on() -> None:
    assert fields_of(AIMessage("a", id="msg_0123456789abcdef"))["id"] == "msg_0123456789abcdef"
    assert [fields_of(AIMessage("a", id=each))["id"] for each in ("run-0123456789", "Ada Roth", None)] == [None] * 3


def test_fields_that_only_the_application_knows_are_written_anew() -> None:
    message = HumanMessage("a", mood="b")
    fields = fields_of(message)
    assert fields["extra"] == {"mood": "b"}
    assert message_of(message, fields | {"extra": {"mood": "c"}}).model_extra == {"mood": "c"}
    assert message.model_extra == {"mood": "b"}


def test_the_note_is_a_message_of_the_system() -> None:
    assert message_of(None, {"role": "system", "content": "note"}) == SystemMessage("note")


def test_a_reply_is_made_anew_with_all_that_came_with_it() -> None:
    message = AIMessage(
        "a", additional_kwargs={"parsed": "p"}, response_metadata={"logprobs": {"x": 1}, "m": 1}, id="1"
    )
    old = ChatGeneration(message=message, generation_info={"finish_reason": "stop", "logprobs": {"x": 1}})
    fields, info, has_logprobs = reply_fields(old)
    assert has_logprobs
    new = rebuilt(old, fields | {"content": "b"}, info, keeps_logprobs=False)
    assert (new.text, new.message.text, new.message.id) == ("b", "b", "1")
    assert new.generation_info == {"finish_reason": "stop", "logprobs": None}
    assert new.message.response_metadata == {"m": 1, "logprobs": None}
    assert new.message.additional_kwargs == {"parsed": "p"}
    assert rebuilt(old, fields, info, keeps_logprobs=True).generation_info == old.generation_info


def test_a_piece_reads_its_calls_anew() -> None:
    part = {"name": "f", "args": '{"a": "b"}', "id": "1", "index": 0, "type": "tool_call_chunk"}
    message = piece("", tool_call_chunks=[part], chunk_position="last", id="1")
    old = ChatGenerationChunk(message=message)
    fields, info, _ = reply_fields(old)
    new: Any = rebuilt(old, fields | {"tool_call_chunks": [part | {"args": '{"a": "c"}'}]}, info, keeps_logprobs=True)
    assert new.message.tool_calls[0]["args"] == {"a": "c"}
    assert (new.message.chunk_position, new.message.id, new.generation_info) == ("last", "1", None)


@pytest.mark.parametrize("ending", ["finish_reason", "stop_reason", "done_reason"])
def test_the_end_of_a_reply_is_known(ending: str) -> None:
    assert is_last(ChatGenerationChunk(message=piece("", response_metadata={ending: "stop"})))
    assert is_last(ChatGenerationChunk(message=piece(""), generation_info={ending: "stop"}))
    assert is_last(ChatGenerationChunk(message=piece("", chunk_position="last")))
    assert not is_last(ChatGenerationChunk(message=piece(""), generation_info={ending: None}))


def test_what_was_held_back_says_nothing_twice() -> None:
    metadata = {"model_provider": "openai", "finish_reason": "stop"}
    last = ChatGenerationChunk(message=piece("a", id="1", response_metadata=metadata))
    extra = extra_chunk(last, {"content": "b"})
    merged = (last + extra).message
    assert (merged.text, merged.id, merged.response_metadata) == ("ab", "1", metadata)
