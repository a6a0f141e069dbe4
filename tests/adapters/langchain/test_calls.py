"""One call of a chat model: what of it is sent, and its reply whole and in pieces of every shape."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from copy import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Media, ToolRule
from privguard.guard import Guard
from privguard_adapters.langchain import adapter
from privguard_adapters.langchain.asked import Asked
from privguard_adapters.langchain.calls import ChatCall, ChatStream, aiterated, iterated
from privguard_adapters.wire.langchain_requests import ChatRequest
from tests.adapters.langchain.conftest import NAME, piece

TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture
def chat(model: ChatOpenAI) -> ChatCall:
    kept: list[ChatRequest] = []
    asked = Asked.of([HumanMessage(f"I am {NAME}")], None, {"tools": [TOOL]})
    call = model.privguard_seam.open("chat", lambda: asked.write(model, kept))  # type: ignore[attr-defined]  # of the protected class
    return ChatCall(call, asked, kept[0])


@pytest.fixture
def placeholder(chat: ChatCall) -> str:
    return chat.messages[0].text.removeprefix("I am ")


def streamed(chat: ChatCall, pieces: list[AIMessageChunk]) -> AIMessageChunk:
    chunks = iter([ChatGenerationChunk(message=each) for each in pieces])
    found = [chunk.message for chunk in iterated(chunks, ChatStream(chat), chat.call)]
    total: Any = found[0]
    for each in found[1:]:
        total += each
    whole: AIMessageChunk = total
    return whole


def every(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text cut in two, everywhere."""
    for at in range(1, len(text)):
        yield text[:at], text[at:]


def test_what_is_sent_holds_a_placeholder(chat: ChatCall, placeholder: str) -> None:
    assert placeholder.startswith("[PERSON_")
    assert chat.options == {"tools": [TOOL]}
    assert chat.stop is None


def test_all_of_a_whole_reply_comes_back(chat: ChatCall, placeholder: str) -> None:
    message = AIMessage(
        [
            {"type": "reasoning", "reasoning": placeholder, "extras": {"signature": placeholder}},
            {
                "type": "text",
                "text": placeholder,
                "annotations": [{"title": placeholder, "end_index": len(placeholder)}],
            },
            {"type": "tool_use", "id": "1", "name": "find", "input": {"who": [placeholder]}},
        ],
        additional_kwargs={
            "reasoning_content": placeholder,
            "function_call": {"name": "find", "arguments": f'"{placeholder}"'},
        },
        tool_calls=[{"name": "find", "args": {"who": [placeholder]}, "id": "1"}],
        invalid_tool_calls=[{"name": "find", "args": f'{{"who": "{placeholder}', "id": "2", "error": None}],
        response_metadata={"note": placeholder},
    )
    found: Any = chat.whole(ChatResult(generations=[ChatGeneration(message=message)], llm_output={"x": placeholder}))
    back = found.generations[0].message
    assert str(back.model_dump()).count(placeholder) == 1  # what a provider signed
    assert back.tool_calls[0]["args"] == back.content[2]["input"] == {"who": [NAME]}
    assert back.content[1]["annotations"] == [{"title": NAME, "end_index": len(NAME)}]
    assert back.invalid_tool_calls[0]["args"] == f'{{"who": "{NAME}'
    assert (found.generations[0].text, found.llm_output) == (NAME, {"x": NAME})


def test_what_is_held_back_comes_before_the_error_of_a_stream(chat: ChatCall, placeholder: str) -> None:
    def broken() -> Iterator[ChatGenerationChunk]:
        for text in (f"Dear {placeholder}, ", "see [PERS"):
            yield ChatGenerationChunk(message=AIMessageChunk(content=text))
        raise ConnectionError

    pieces = iterated(broken(), ChatStream(chat), chat.call)
    found = ""
    try:
        for piece in pieces:
            found += piece.text
    except ConnectionError:
        found += "!"
    assert found == f"Dear {NAME}, see [PERS!"
    assert list(pieces) == []


def test_so_does_it_where_a_stream_is_awaited(chat: ChatCall, placeholder: str) -> None:
    async def broken() -> AsyncIterator[ChatGenerationChunk]:
        yield ChatGenerationChunk(message=AIMessageChunk(content=f"{placeholder}, [PERS"))
        raise ConnectionError

    async def read() -> str:
        found = ""
        try:
            async for piece in aiterated(broken(), ChatStream(chat), chat.call):
                found += piece.text
        except ConnectionError:
            found += "!"
        return found

    assert asyncio.run(read()) == f"{NAME}, [PERS!"


def test_texts_in_blocks_come_back_however_they_are_cut(chat: ChatCall, placeholder: str) -> None:
    for index in (0, "lc_txt_0"):
        for first, second in [next(every(placeholder)), *list(every(placeholder))[3::4]]:
            pieces = [piece([{"type": "text", "text": text, "index": index}]) for text in (first, second)]
            other = piece([{"type": "text", "text": "[", "index": 7}])
            whole = streamed(_again(chat), [pieces[0], other, pieces[1]])
            assert [block["text"] for block in whole.content] == [NAME, "["]  # type: ignore[index]  # blocks are mappings
            assert whole.content[0]["index"] == index  # type: ignore[index]  # likewise


def test_arguments_in_pieces_come_back(chat: ChatCall, placeholder: str) -> None:
    for first, second in list(every(f'{{"who": "{placeholder}"}}'))[::3]:
        parts = [
            {"name": "find", "args": first, "id": "1", "index": 0},
            {"name": None, "args": second, "id": None, "index": 0},
        ]
        whole = streamed(_again(chat), [piece("", tool_call_chunks=[part]) for part in parts])
        assert whole.tool_calls[0]["args"] == {"who": NAME}


def test_arguments_in_blocks_come_back(chat: ChatCall, placeholder: str) -> None:
    text = f'{{"who": "{placeholder}"}}'
    for first, second in list(every(text))[::5]:
        blocks: list[dict[str, Any]] = [
            {"type": "tool_use", "id": "1", "name": "find", "input": {}, "index": 1},
            {"type": "input_json_delta", "partial_json": first, "index": 1},
            {"type": "input_json_delta", "partial_json": second, "index": 1},
        ]
        whole: Any = streamed(_again(chat), [piece([block]) for block in blocks])
        assert whole.content[0]["partial_json"] == f'{{"who": "{NAME}"}}'


def test_a_rule_holds_for_arguments_in_blocks_whose_name_came_before(
    plain: ChatOpenAI, make_guard: Callable[..., Guard]
) -> None:
    rules = {"find": ToolRule(), "*": ToolRule(kinds=frozenset())}
    chat = again(adapter.wrap(plain, make_guard(tools=rules)), [HumanMessage(f"I am {NAME}")], tools=[TOOL])
    text = f'{{"who": "{chat.messages[0].text.removeprefix("I am ")}"}}'
    blocks: list[dict[str, Any]] = [
        {"type": "tool_use", "id": "1", "name": "find", "input": {}, "index": 1},
        {"type": "input_json_delta", "partial_json": text, "index": 1},
    ]
    whole: Any = streamed(chat, [piece([block]) for block in blocks])
    assert whole.content[0] == {**blocks[0], "partial_json": f'{{"who": "{NAME}"}}'}


def test_calls_that_come_at_once_come_back(chat: ChatCall, placeholder: str) -> None:
    call = {"name": "find", "args": {"who": placeholder}, "id": "1", "type": "tool_call"}
    block = {"type": "tool_use", "id": "1", "name": "find", "input": {"who": placeholder}}
    whole_piece = piece([block], tool_calls=[call], chunk_position="last")
    whole: Any = streamed(chat, [whole_piece])
    assert whole.tool_calls[0]["args"] == whole.content[0]["input"] == {"who": NAME}


def test_what_is_held_comes_before_the_end_or_behind_it(chat: ChatCall, placeholder: str) -> None:
    for end in (piece("", response_metadata={"finish_reason": "stop"}), piece("")):
        whole = streamed(_again(chat), [piece(f"{placeholder} [PERSON_"), end])
        assert whole.text == f"{NAME} [PERSON_"


def test_pieces_without_anything_of_ours_pass_as_they_are(chat: ChatCall) -> None:
    chunk = ChatGenerationChunk(message=piece("hello"), generation_info={"x": object()})
    assert next(iterated(iter([chunk]), ChatStream(chat), chat.call)) is chunk


def test_a_stream_of_nothing_gives_nothing(chat: ChatCall) -> None:
    assert list(iterated(iter([]), ChatStream(chat), chat.call)) == []
    assert chat.call.is_closed


async def test_async_pieces_come_back(chat: ChatCall, placeholder: str) -> None:
    async def chunks() -> Any:  # noqa: ANN401 - an iterator
        for text in placeholder:
            yield ChatGenerationChunk(message=piece(text))

    found = [chunk.text async for chunk in aiterated(chunks(), ChatStream(chat), chat.call)]
    assert "".join(found) == NAME


def _again(chat: ChatCall) -> ChatCall:
    """Return a call of the same request whose reply was not read yet."""
    made = copy(chat)
    made.call = copy(chat.call)
    made.call.finish = lambda: None  # type: ignore[method-assign]  # the exchange serves several replies here
    return made


SIGNATURE = "Ab1" * 30


def test_what_a_model_thought_goes_back_byte_for_byte(model: ChatOpenAI, chat: ChatCall, placeholder: str) -> None:
    thought: dict[str, Any] = {"type": "thinking", "thinking": f"{placeholder} lives in Kassel", "index": 0}
    pieces = [piece([{**thought, "thinking": text}]) for text in next(every(thought["thinking"]))]
    said = streamed(chat, [*pieces, piece([{"type": "thinking", "signature": SIGNATURE, "index": 0}])])
    assert said.content == [thought | {"signature": SIGNATURE}]
    history = [HumanMessage(f"I am {NAME}"), said]
    sent: Any = again(model, history).messages[1]
    assert sent.content == said.content
    with pytest.raises(UnknownContentError, match="leave the block out"):
        again(model, [HumanMessage("hello"), AIMessage([thought | {"signature": SIGNATURE[3:] + "Cd2"}])])


def test_what_a_model_thought_may_be_written_in_the_standard_form(model: ChatOpenAI, chat: ChatCall) -> None:
    thought = {"type": "thinking", "thinking": "In Kassel", "signature": SIGNATURE}
    chat.whole(ChatResult(generations=[ChatGeneration(message=AIMessage([thought]))]))
    standard = {"type": "reasoning", "reasoning": "In Kassel", "extras": {"signature": SIGNATURE}}
    sent: Any = again(model, [HumanMessage("hello"), AIMessage([standard])]).messages[1]
    assert sent.content == [standard]


@pytest.mark.parametrize("key", ["signature", "encrypted_content"])
def test_what_should_be_sealed_is_looked_at(model: ChatOpenAI, key: str) -> None:
    for text in (NAME, "Ada_Roth"):
        with pytest.raises(UnknownContentError):
            again(model, [HumanMessage(f"I am {NAME}"), AIMessage([{"type": "reasoning", key: text}])])


def again(model: ChatOpenAI, messages: list[Any], **options: Any) -> ChatCall:  # noqa: ANN401 - of a call
    kept: list[ChatRequest] = []
    asked = Asked.of(messages, None, options)
    return ChatCall(model.privguard_seam.open("chat", lambda: asked.write(model, kept)), asked, kept[0])  # type: ignore[attr-defined]  # of the protected class


@pytest.mark.parametrize("kind", ["surprise_call", "shell_call"])
@pytest.mark.parametrize(
    "rule",
    [{"remote_tools": ("*",)}, {"tools": {"find": ToolRule(kinds=frozenset())}}],
    ids=["remote", "rule"],
)
def test_calls_of_other_types_get_no_more_than_a_rule_gives(
    plain: ChatOpenAI, make_guard: Callable[..., Guard], kind: str, rule: dict[str, Any]
) -> None:
    model = adapter.wrap(plain, make_guard(**rule))
    chat, other = (again(model, [HumanMessage(f"I am {NAME}")]) for _ in range(2))
    placeholder = chat.messages[0].text.removeprefix("I am ")
    place = "action" if kind == "shell_call" else "arguments"
    said: dict[str, Any] = {"type": kind, "name": "find", place: {"who": placeholder}, "index": 1}
    found: Any = chat.whole(ChatResult(generations=[ChatGeneration(message=AIMessage([said, placeholder]))]))
    assert found.generations[0].message.content == [said, NAME]
    pieces = [piece([{**said, place: text}]) for text in (f'{{"who": "{placeholder[:5]}', f'{placeholder[5:]}"}}')]
    del pieces[1].content[0]["name"]  # type: ignore[union-attr]  # blocks are mappings
    whole: Any = streamed(other, pieces)
    assert whole.content[0][place] == f'{{"who": "{placeholder}"}}'


def test_calls_of_other_types_come_back_where_no_rule_says_otherwise(chat: ChatCall, placeholder: str) -> None:
    for kind, place in (("surprise_call", "arguments"), ("custom_tool_call", "input")):
        for first, second in list(every(f"look for '{placeholder}'"))[::5]:
            blocks = [{"type": kind, "name": "find", place: text, "index": 1} for text in (first, second)]
            del blocks[1]["name"]
            whole: Any = streamed(_again(chat), [piece([block]) for block in blocks])
            assert whole.content[0] == {"type": kind, "name": "find", place: f"look for '{NAME}'", "index": 1}


@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_citations_of_a_stream_point_at_the_text_as_it_comes_back(chat: ChatCall, placeholder: str, cut: int) -> None:
    text = f"{placeholder} and {placeholder} live here"
    cited = {"type": "citation", "start_index": text.rindex("["), "end_index": len(text)}
    pieces = [piece([{"type": "text", "text": text[at : at + cut], "index": 0}]) for at in range(0, len(text), cut)]
    pieces.append(piece([{"type": "text", "annotations": [cited], "index": 0}]))
    block: Any = streamed(chat, pieces).content[0]
    found = block["annotations"][0]
    assert block["text"][found["start_index"] : found["end_index"]] == f"{NAME} live here"


@pytest.mark.parametrize(
    "document",
    [
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": f"By {NAME}: hello"}},
        {"type": "text-plain", "mime_type": "text/plain", "text": f"By {NAME}: hello"},
    ],
    ids=["anthropic", "standard"],
)
def test_citations_of_documents_point_at_the_callers_own(model: ChatOpenAI, document: dict[str, Any]) -> None:
    text = f"By {NAME}: hello"
    given: list[str | dict[str, Any]] = [{"type": "text-plain", "text": NAME}, document]
    chats = [again(model, [HumanMessage(given)]) for _ in range(2)]
    sent: Any = chats[0].messages[0].content[1]
    left = sent.get("text") or sent["source"]["data"]
    assert NAME not in left
    cited = {"type": "char_location", "document_index": 1, "cited_text": left[: left.index(": ")]}
    cited |= {"start_char_index": 3, "end_char_index": left.index(": ")}
    said: dict[str, Any] = {"type": "text", "text": "hello", "citations": [cited], "index": 0}
    whole: Any = chats[0].whole(ChatResult(generations=[ChatGeneration(message=AIMessage([said]))]))
    standard = {"type": "text", "annotations": [{"type": "citation", "extras": cited}], "index": 0}
    pieces: Any = streamed(chats[1], [piece([said]), piece([standard])]).content
    found = [whole.generations[0].message.content[0]["citations"][0]]
    found += [pieces[0]["citations"][0], pieces[0]["annotations"][0]["extras"]]
    for each in found:
        assert each["cited_text"] == f"By {NAME}"
        assert (each["start_char_index"], each["end_char_index"]) == (3, text.index(": "))


def test_what_the_providers_tools_did_goes_back_minimized(model: ChatOpenAI) -> None:
    sealed = "Ab1/" * 300
    history: list[str | dict[Any, Any]] = [
        {"type": "web_search_call", "id": "ws_12345678", "action": {"type": "search", "query": NAME}},
        {"type": "code_interpreter_call", "id": "ci_12345678", "code": f"print('{NAME}')", "outputs": []},
        {"type": "mcp_approval_request", "id": "mcpr_12345678", "name": "find", "arguments": f'{{"who": "{NAME}"}}'},
        {"type": "web_search_tool_result", "content": [{"title": NAME, "encrypted_content": sealed}]},
        {"type": "code_execution_result", "code_execution_result": NAME, "outcome": 1},
        {"type": "server_tool_result", "tool_call_id": "1", "output": {"found": [NAME]}},
        {"type": "text", "text": "hello", "citations": [{"cited_text": NAME, "encrypted_index": sealed}]},
    ]
    signed = {"__gemini_function_call_thought_signatures__": {"call-1": sealed}}
    message: Any = again(model, [HumanMessage("hello"), AIMessage(history, additional_kwargs=signed)]).messages[1]
    sent = str(message.content)
    assert message.additional_kwargs == signed
    assert NAME not in sent
    assert sent.count("[PERSON_") == len(history)
    assert sent.count(sealed) == 2


TEXTS = st.sampled_from([NAME, f"hi {NAME}", f'{{"a": "{NAME}"}}', "hello"])
KEYS = st.sampled_from(
    ["type", "text", "args", "input", "arguments", "content", "source", "value", "data", "url", "base64", "file", "id"]
)
KINDS = st.sampled_from(
    [
        "text",
        "image",
        "input_audio",
        "file",
        "document",
        "text-plain",
        "tool_use",
        "mcp_call",
        "tool_result",
        "thinking",
    ]
)
ANY = st.recursive(
    TEXTS | st.none() | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(KEYS | TEXTS, inner, max_size=3)
        | st.tuples(st.dictionaries(KEYS, inner, max_size=3), KINDS).map(lambda made: {**made[0], "type": made[1]})
    ),
    max_leaves=6,
)
BLOCKS = st.tuples(st.dictionaries(KEYS, ANY, min_size=1, max_size=3), KINDS).map(
    lambda made: {**made[0], "type": made[1]}
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(blocks=st.lists(BLOCKS, min_size=1, max_size=2), more=st.dictionaries(KEYS, ANY, max_size=2), option=ANY)
@example(blocks=[{"type": "image", "base64": f"hi {NAME}"}], more={}, option=None)
@example(blocks=[{"type": "file", "file": {"filename": NAME}}], more={"audio": {"data": f"hi {NAME}"}}, option=None)
def test_no_value_leaves_in_blocks_of_any_shape(
    plain: ChatOpenAI,
    make_guard: Callable[..., Guard],
    blocks: list[str | dict[Any, Any]],
    more: dict[str, Any],
    option: Any,  # noqa: ANN401 - any JSON
) -> None:
    model = adapter.wrap(plain, make_guard(pass_parts=tuple(Media)))
    try:
        chat = again(model, [HumanMessage(f"I am {NAME}"), AIMessage(blocks, additional_kwargs=more)], metadata=option)
    except UnknownContentError:
        return  # nothing was sent
    assert NAME not in f"{[message.model_dump() for message in chat.messages]} {chat.options}"
