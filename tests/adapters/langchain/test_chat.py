"""Protected chat models: no way around the seam, one record for each call, and nothing of a placeholder above it."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import SimpleChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.rate_limiters import InMemoryRateLimiter
from langchain_core.runnables import ConfigurableField
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ProtectionError, RestoreError, UnknownContentError
from privguard.core.profile import Media, OnReply, Profile
from privguard.guard import Guard, use
from privguard.testing import FakeDetector, ListSink, ModelServer, Reply, echo_placeholders, find_canaries
from privguard_adapters.langchain import adapter
from tests.adapters.langchain.conftest import NAME, piece

PROMPT = f"I am {NAME}, yes"
BETA = pytest.mark.filterwarnings("ignore::langchain_core._api.beta_decorator.LangChainBetaWarning")


def outcomes(sink: ListSink) -> list[Outcome]:
    return [record.outcome for record in sink.records]


class Echo(SimpleChatModel):
    """A model that has `_call` alone, says what it is given, and keeps it."""

    given: ClassVar[list[str]] = []

    def _call(self, messages: list[BaseMessage], *_args: Any, **kwargs: Any) -> str:  # noqa: ANN401 - of LangChain
        self.given.extend([str(messages), str(kwargs)])
        return messages[-1].text

    @property
    def _llm_type(self) -> str:
        return "echo"


class Pieces(Echo):
    """A model that streams the pieces it is told to, and closes what it opened."""

    cut: int = 3
    ended: ClassVar[list[str]] = []

    def _stream(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> Iterator[ChatGenerationChunk]:  # noqa: ANN401 - of LangChain
        text = messages[-1].text
        try:
            for start in range(0, len(text), self.cut):
                yield ChatGenerationChunk(message=piece(text[start : start + self.cut]))
        finally:
            self.ended.append("closed")


class Native(Pieces):
    """A model that makes events by itself."""

    def _stream_chat_model_events(self, messages: list[BaseMessage], **_kwargs: Any) -> Iterator[Any]:  # noqa: ANN401 - of LangChain
        raise AssertionError("the events of the model itself show what was sent")

    async def _astream_chat_model_events(self, messages: list[BaseMessage], **_kwargs: Any) -> AsyncIterator[Any]:  # noqa: ANN401 - of LangChain
        raise AssertionError("the events of the model itself show what was sent")
        yield  # type: ignore[unreachable]  # it makes the method a generator


class Watcher(BaseCallbackHandler):
    """Keep everything that callbacks see."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:  # noqa: ANN401 - of LangChain
        self.seen.append(str(messages))

    def on_llm_new_token(self, token: Any, *, chunk: Any = None, **kwargs: Any) -> None:  # noqa: ANN401 - of LangChain
        self.seen.append(f"{token} {chunk}")

    def on_llm_end(self, response: Any, **kwargs: Any) -> None:  # noqa: ANN401 - of LangChain
        self.seen.append(str(response))

    def on_stream_event(self, event: Any, **kwargs: Any) -> None:  # noqa: ANN401 - of LangChain
        self.seen.append(str(event))


@pytest.mark.parametrize("made", [Echo, Pieces, Native])
@BETA
async def test_models_of_all_shapes_are_protected_once_for_each_call(
    made: type[Echo], guard: Guard, sink: ListSink
) -> None:
    Echo.given.clear()
    model = adapter.wrap(made(), guard)
    found: list[str] = [model.invoke(PROMPT).text, (await model.ainvoke(PROMPT)).text]
    found.append("".join([each.text for each in model.stream(PROMPT)]))
    found.append("".join([each.text async for each in model.astream(PROMPT)]))
    if made is not Echo:  # which cannot make events
        found.append("".join([str(text) for text in model.stream_events(PROMPT, version="v3").text]))
        events: Any = await model.astream_events(PROMPT, version="v3")
        found.append(await events.text)
    assert set(found) == {PROMPT}
    assert NAME not in str(Echo.given)
    assert outcomes(sink) == [Outcome.DONE] * len(found)


@BETA
def test_callbacks_see_values_and_no_placeholder(model: ChatOpenAI, server: ModelServer) -> None:
    watcher = Watcher()
    config: Any = {"callbacks": [watcher]}
    model.invoke(PROMPT, config)
    list(model.stream(PROMPT, config))
    list(model.stream_events(PROMPT, config, version="v3").text)
    assert len(watcher.seen) > 10
    assert "PERSON_" not in str(watcher.seen)
    assert find_canaries(server.wire, [NAME]) == []


async def test_events_of_version_2_show_values_and_no_placeholder(guard: Guard) -> None:
    model = adapter.wrap(Pieces(), guard)
    events = [event async for event in model.astream_events(PROMPT, version="v2")]
    pieces = [event["data"]["chunk"].text for event in events if event["event"] == "on_chat_model_stream"]
    assert "".join(pieces) == PROMPT
    assert "PERSON_" not in str(events)


def test_what_langchain_makes_of_a_model_is_protected(
    model: ChatOpenAI, plain: ChatOpenAI, server: ModelServer
) -> None:
    changed: Any = model.configurable_fields(temperature=ConfigurableField(id="t"))
    ways: list[Any] = [
        model.bind(stop=["END"]),
        model.with_retry(),
        model.with_config(tags=["a"]),
        (lambda text: text) | model,
        changed.with_config(configurable={"t": 0.1}),
        model.with_fallbacks([model]),
    ]
    for way in ways:
        assert way.invoke(PROMPT).text == PROMPT
    assert [reply.text for reply in model.batch([PROMPT, PROMPT])] == [PROMPT] * 2
    assert len(server.requests) == len(ways) + 2
    assert find_canaries(server.wire, [NAME]) == []
    plain.invoke("hello")  # the one that was wrapped stays as it is
    assert server.last.json()["messages"][0]["content"] == "hello"


def test_a_cache_holds_values_and_keeps_the_request_home(guard: Guard, server: ModelServer, plain: ChatOpenAI) -> None:
    limiter = InMemoryRateLimiter(requests_per_second=1000, check_every_n_seconds=0.001, max_bucket_size=10)
    model = adapter.wrap(plain.model_copy(update={"cache": InMemoryCache(), "rate_limiter": limiter}), guard)
    assert [model.invoke(PROMPT).text, model.invoke(PROMPT).text] == [PROMPT, PROMPT]
    assert len(server.requests) == 1


@pytest.mark.parametrize("method", ["function_calling", "json_mode", "json_schema"])
def test_structured_output_is_parsed_with_values(model: ChatOpenAI, server: ModelServer, method: Any) -> None:  # noqa: ANN401 - a literal
    class Found(BaseModel):
        placeholders: list[str]

    asked = model.with_structured_output(Found, method=method)
    assert asked.invoke(f"{PROMPT} as JSON") == Found(placeholders=[NAME])
    assert list(asked.stream(f"{PROMPT} as JSON"))[-1] == Found(placeholders=[NAME])
    assert find_canaries(server.wire, [NAME]) == []


@pytest.mark.parametrize("version", [None, "v1"])
def test_the_responses_api_is_protected_as_well(
    plain: ChatOpenAI, guard: Guard, server: ModelServer, version: str | None
) -> None:
    class Found(BaseModel):
        name: str

    made = plain.model_copy(update={"use_responses_api": True, "output_version": version})
    model = adapter.wrap(made, guard)
    assert model.invoke(PROMPT).text == "".join([each.text for each in model.stream(PROMPT)]) == PROMPT
    parsed = model.with_structured_output(Found)
    assert [parsed.invoke(PROMPT), *parsed.stream(PROMPT)][:2] == [Found(name=NAME)] * 2
    tool = {"type": "function", "function": {"name": "find", "parameters": Found.model_json_schema()}}
    asked: Any = model.bind(tools=[tool])
    said = sum_of(list(asked.stream(PROMPT)))
    assert said.tool_calls[0]["args"] == {"name": NAME}
    assert "PERSON_" not in str(said)
    answered = [HumanMessage(PROMPT), said, ToolMessage(NAME, tool_call_id=said.tool_calls[0]["id"])]
    assert asked.invoke(answered).text == NAME
    assert find_canaries(server.wire, [NAME]) == []


def sum_of(pieces: list[Any]) -> Any:  # noqa: ANN401 - a message
    total = pieces[0]
    for each in pieces[1:]:
        total += each
    return total


def test_a_stream_that_is_left_is_recorded_once_and_closes_what_is_behind_it(guard: Guard, sink: ListSink) -> None:
    Pieces.ended.clear()
    stream = adapter.wrap(Pieces(), guard).stream(PROMPT)
    next(stream)
    stream.close()  # type: ignore[attr-defined]  # a generator
    assert outcomes(sink) == [Outcome.ABANDONED]
    assert Pieces.ended == ["closed"]


def test_a_stream_that_nobody_holds_is_recorded(guard: Guard, sink: ListSink) -> None:
    stream = adapter.wrap(Pieces(), guard).stream(PROMPT)
    next(stream)
    del stream
    gc.collect()
    assert outcomes(sink) == [Outcome.ABANDONED]


def test_a_stream_that_is_left_behind_its_end_is_done(model: ChatOpenAI, sink: ListSink) -> None:
    stream = model.stream(PROMPT, stream_usage=True)
    for each in stream:
        if each.response_metadata.get("finish_reason"):
            break
    stream.close()  # type: ignore[attr-defined]  # a generator
    assert outcomes(sink) == [Outcome.DONE]


async def test_a_task_that_is_cancelled_is_recorded_once(guard: Guard, sink: ListSink) -> None:
    begun = asyncio.Event()

    class Slow(Echo):
        async def _astream(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> Any:  # noqa: ANN401 - of LangChain
            yield ChatGenerationChunk(message=piece("a"))
            begun.set()
            await asyncio.Event().wait()

        async def _agenerate(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> ChatResult:  # noqa: ANN401 - of LangChain
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError("nobody wakes it")

    model = adapter.wrap(Slow(), guard)

    async def read() -> None:
        async for _ in model.astream(PROMPT):
            pass

    for work in (read, lambda: model.ainvoke(PROMPT)):
        begun.clear()
        task = asyncio.ensure_future(work())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert outcomes(sink) == [Outcome.ABANDONED] * 2


def test_a_failing_model_is_recorded_and_its_error_passes(guard: Guard, sink: ListSink) -> None:
    class Broken(Pieces):
        def _call(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> str:  # noqa: ANN401 - of LangChain
            raise OSError("down")

        def _stream(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> Iterator[ChatGenerationChunk]:  # noqa: ANN401 - of LangChain
            yield ChatGenerationChunk(message=piece("a"))
            raise OSError("down")

    model = adapter.wrap(Broken(), guard)
    for call in (lambda: model.invoke(PROMPT), lambda: list(model.stream(PROMPT))):
        with pytest.raises(OSError, match="down"):
            call()
    assert outcomes(sink) == [Outcome.FAILED] * 2


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "image_url", "image_url": {"url": "https://a.example/a.png"}}],
        [{"type": "image", "base64": "aaaa", "mime_type": "image/png"}],
        [{"type": "file", "file": {"file_id": "file-123"}}],
        [{"type": "input_audio", "input_audio": {"data": "aaaa", "format": "wav"}}],
        [{"type": "surprise", "text": "hello"}],
        [{"type": "non_standard", "value": {"type": "surprise"}}],
        [{"type": "text", "text": "data:image/png;base64,aaaa"}],
        [{"no": "type"}],
    ],
    ids=["image_url", "image", "file", "audio", "unknown", "nested", "data-url", "untyped"],
)
def test_what_is_not_text_is_refused(
    model: ChatOpenAI, server: ModelServer, sink: ListSink, content: list[str | dict[Any, Any]]
) -> None:
    for call in (lambda: model.invoke([HumanMessage(content)]), lambda: list(model.stream([HumanMessage(content)]))):
        with pytest.raises(UnknownContentError):
            call()
    assert server.requests == ()
    assert outcomes(sink) == [Outcome.BLOCKED] * 2


MEDIA: list[dict[str, Any]] = [
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUFB", "detail": "low"}},
    {"type": "image", "base64": "QUFB" * 500, "mime_type": "image/png"},
    {"type": "image", "url": "https://host.example/a.png"},
    {"type": "file", "base64": "QUFB" * 500, "mime_type": "application/pdf", "filename": f"{NAME}.pdf"},
    {"type": "file", "file": {"file_id": "file-1234567890"}},
    {"type": "input_audio", "input_audio": {"data": "QUFB" * 500, "format": "wav"}},
]


def test_media_leave_unread_where_the_profile_lets_them(
    plain: ChatOpenAI, make_guard: Callable[..., Guard], server: ModelServer
) -> None:
    content: list[Any] = [{"type": "text", "text": PROMPT}, *MEDIA]
    model = adapter.wrap(plain, make_guard(pass_parts=tuple(Media)))
    assert model.invoke([HumanMessage(content)]).text.startswith(PROMPT)
    sent = server.last.json()["messages"][0]["content"]
    assert sent[1] == MEDIA[0]
    assert [each["type"] for each in sent[1:]] == [*["image_url"] * 3, *["file"] * 2, "input_audio"]
    assert "QUFB" * 500 in sent[2]["image_url"]["url"]
    assert "PERSON_" in sent[4]["file"]["filename"]
    assert find_canaries(server.wire, [NAME]) == []
    named = {"type": "image", "url": f"https://host.example/{NAME.replace(' ', '-')}.png"}
    for parts, passed in (([*content, named], tuple(Media)), (content, (Media.IMAGE, Media.FILE))):
        with pytest.raises(ProtectionError):
            adapter.wrap(plain, make_guard(pass_parts=passed)).invoke([HumanMessage(parts)])
    assert len(server.requests) == 1


def test_a_message_of_an_unknown_class_is_refused(model: ChatOpenAI, server: ModelServer) -> None:
    class Mine(AIMessage):
        secret: str = NAME

    with pytest.raises(UnknownContentError):
        model.invoke([Mine(content="hello")])
    assert server.requests == ()


def test_counting_tokens_passes_the_guard(guard: Guard, sink: ListSink) -> None:
    class Counting(Echo):
        def get_token_ids(self, text: str) -> list[int]:
            self.given.append(text)
            return [len(word) for word in text.split()]

        def get_num_tokens_from_messages(self, messages: list[BaseMessage], tools: Any = None, **_kwargs: Any) -> int:  # noqa: ANN401 - of LangChain
            self.given.append(f"{messages} {tools}")
            return 7

    Echo.given.clear()
    model = adapter.wrap(Counting(), guard)

    def find(name: str = NAME) -> str:
        """Find somebody."""
        return name

    assert len(model.get_token_ids(PROMPT)) == model.get_num_tokens(PROMPT) == 4
    assert model.get_num_tokens_from_messages([HumanMessage(PROMPT)], tools=[find]) == 7
    assert NAME not in str(Echo.given)
    assert outcomes(sink) == [Outcome.DONE] * 3


async def test_two_hundred_streams_at_once_get_their_own_values(guard: Guard, sink: ListSink) -> None:
    model = adapter.wrap(Pieces(cut=8), guard)

    async def read(number: int) -> bool:
        prompt = f"{number}: {NAME if number % 2 else 'Kassel'}."
        return "".join([each.text async for each in model.astream(prompt)]) == prompt

    assert all(await asyncio.gather(*map(read, range(200))))
    assert outcomes(sink) == [Outcome.DONE] * 200


async def test_the_detector_does_not_block_the_loop(guard: Guard) -> None:
    loop_thread = threading.get_ident()
    seen: list[int] = []
    detect = guard.parts.detector.detect

    class Noting:
        id = "noting/1"

        def detect(self, segments: Any) -> Any:  # noqa: ANN401 - of the protocol
            seen.append(threading.get_ident())
            return detect(segments)

    model = adapter.wrap(Pieces(), Guard(replace(guard.parts, detector=Noting())))
    await model.ainvoke(PROMPT)
    assert "".join([each.text async for each in model.astream(PROMPT)]) == PROMPT
    assert seen
    assert loop_thread not in seen


async def test_the_profile_in_force_reaches_every_call(guard: Guard, sink: ListSink) -> None:
    model = adapter.wrap(Pieces(), guard)
    with use(Profile(id="other:1", name="other", gamma=0.5)):
        model.invoke(PROMPT)
        await model.ainvoke(PROMPT)
        model.batch([PROMPT])
        async for _ in model.astream(PROMPT):
            pass
    assert {record.profile_id for record in sink.records} == {"other:1"}


def test_a_model_that_always_streams_is_protected(plain: ChatOpenAI, guard: Guard, server: ModelServer) -> None:
    model = type(adapter.wrap(plain, guard))(
        model="gpt-5",
        api_key="key",  # type: ignore[arg-type]  # a text does
        base_url=server.base_url,
        streaming=True,
        http_client=plain.http_client,
    )
    assert model.invoke(PROMPT).text == PROMPT
    assert server.last.json()["stream"] is True
    assert find_canaries(server.wire, [NAME]) == []


def test_fixed_words_among_the_settings_are_nobodys(plain: ChatOpenAI, make_guard: Callable[..., Guard]) -> None:
    guard = make_guard()
    parts = replace(guard.parts, detector=FakeDetector({"Ann Low": EntityType.PERSON}))
    model = adapter.wrap(plain.model_copy(update={"reasoning_effort": "low"}), Guard(parts))
    assert model.invoke("I am Ann Low").text == "I am Ann Low"


def test_headers_and_a_profile_of_one_call(model: ChatOpenAI, server: ModelServer, sink: ListSink) -> None:
    model.invoke(PROMPT, extra_headers={"x-privguard-profile": "test", "x-request": "a"})
    headers = {name.lower(): value for name, value in server.last.headers}
    assert headers["x-request"] == "a"
    assert "x-privguard-profile" not in headers
    for options in ({"extra_headers": {"x-note": NAME}}, {"extra_query": {"owner": NAME}}, {"model": NAME}):
        with pytest.raises(ProtectionError):
            model.invoke("hello", **options)
    assert len(server.requests) == 1


def test_what_is_set_on_the_model_is_looked_at(plain: ChatOpenAI, guard: Guard, server: ModelServer) -> None:
    for name, value in (
        ("model_kwargs", {"user": NAME}),
        ("stop", [NAME]),
        ("extra_body", {"note": NAME}),
        ("default_headers", {"x-note": NAME}),
        ("model_name", NAME),
    ):
        with pytest.raises(ProtectionError):
            adapter.wrap(plain.model_copy(update={name: value}), guard).invoke("hello")
    assert server.requests == ()


def test_what_opens_doors_holds_nothing_that_the_request_hides(
    plain: ChatOpenAI, guard: Guard, server: ModelServer
) -> None:
    for name, value in (("extra_body", {"a": {"token": "Kassel"}}), ("openai_organization", "Kassel")):
        model = adapter.wrap(plain.model_copy(update={name: value}), guard)
        with pytest.raises(ProtectionError):
            model.invoke("I live in Kassel")
        model.invoke("hello")
    with pytest.raises(ProtectionError):
        adapter.wrap(plain.model_copy(update={"extra_body": {"token": NAME}}), guard).invoke("hello")
    assert len(server.requests) == 2


async def test_values_of_the_models_own_are_hidden_where_the_profile_says(
    make_guard: Callable[..., Guard], server: ModelServer
) -> None:
    guard = make_guard(on_reply=OnReply.REDACT)

    class Telling(Pieces):
        def _call(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> str:  # noqa: ANN401 - of LangChain
            return f"By Bob Lane: {messages[-1].text}"

        def _stream(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> Iterator[ChatGenerationChunk]:  # noqa: ANN401 - of LangChain
            for letter in f"By Bob Lane: {messages[-1].text}":
                yield ChatGenerationChunk(message=piece(letter))

    model = adapter.wrap(Telling(), guard)
    found: list[str] = [model.invoke(PROMPT).text, (await model.ainvoke(PROMPT)).text]
    found.append("".join([each.text for each in model.stream(PROMPT)]))
    found.append("".join([each.text async for each in model.astream(PROMPT)]))
    assert len(set(found)) == 1
    assert "Bob" not in found[0]
    assert NAME in found[0]


def test_a_reply_that_cannot_be_read_is_a_restore_error(guard: Guard, sink: ListSink) -> None:
    class Odd(Echo):
        def _generate(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> ChatResult:  # noqa: ANN401 - of LangChain
            return ChatResult.model_construct(generations=[object()], llm_output=None)

    with pytest.raises(RestoreError) as caught:
        adapter.wrap(Odd(), guard).invoke(PROMPT)
    assert caught.value.__context__ is None
    assert outcomes(sink) == [Outcome.FAILED]


@pytest.mark.parametrize("cut", [1, 2, 5, 8, 100])
def test_a_placeholder_comes_back_however_it_is_cut(guard: Guard, cut: int) -> None:
    model = adapter.wrap(Pieces(cut=cut), guard)
    pieces: list[Any] = list(model.stream(f"{NAME} [and {NAME}"))
    assert "".join([each.text for each in pieces]) == f"{NAME} [and {NAME}"
    assert pieces[-1].chunk_position == "last"


def test_log_probabilities_of_changed_text_are_dropped(model: ChatOpenAI, server: ModelServer) -> None:
    server.script(Reply(speak=echo_placeholders), Reply())
    assert model.invoke(PROMPT, logprobs=True).response_metadata["logprobs"] is None
    assert model.invoke("hello", logprobs=True).response_metadata["logprobs"] is not None
