"""What LiteLLM has a way of its own with: its options, its loggers, its cache, and its other APIs."""

import asyncio
import inspect
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("litellm", reason="LiteLLM is not installed here; its tests run with `make test-litellm`")

import litellm
from litellm.integrations.custom_logger import CustomLogger
from pydantic import BaseModel

import privguard
from privguard.core.errors import ProtectionError, UnprotectedRouteError
from privguard.guard import Guard
from privguard.testing import Canary, ListSink, ModelServer, Reply, all_canaries, find_canaries, say
from privguard.vault import open_vault
from privguard_adapters.litellm import LiteLLM
from privguard_adapters.litellm.options import OPTIONS
from tests.litellm.litellm_driver import MODEL

CANARIES = all_canaries()
PERSON, EMAIL = Canary.person().value, Canary.email().value
USER: Any = [{"role": "user", "content": f"I am {PERSON}, {EMAIL}"}]
TEXT = USER[0]["content"]


@pytest.fixture
def base(server: ModelServer) -> dict[str, Any]:
    return {"api_base": server.base_url, "api_key": "key", "max_retries": 0}


@pytest.fixture
def protected(guard: Guard) -> LiteLLM:
    return LiteLLM(guard)


@pytest.fixture
def names() -> list[str]:
    known = set(inspect.signature(litellm.completion).parameters) | set(litellm.types.utils.all_litellm_params)
    return sorted(known - OPTIONS - {"model", "messages", "kwargs", "self", "mock_delay", "n"})


def router_of(server: ModelServer, guard: Guard) -> Any:  # noqa: ANN401 - of LiteLLM
    connection = {"model": MODEL, "api_base": server.base_url, "api_key": "key", "max_retries": 0}
    return privguard.wrap(litellm.Router(model_list=[{"model_name": "chat", "litellm_params": connection}]), guard)


@pytest.mark.parametrize("stream", [False, True])
def test_text_completions_come_back_restored(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any], stream: bool
) -> None:
    model = "text-completion-openai/gpt-3.5-turbo-instruct"
    reply = protected.text_completion(TEXT, model=model, stream=stream, **base)
    chunks = reply if stream else [reply]
    assert "".join(chunk.choices[0].text or "" for chunk in chunks) == TEXT
    assert find_canaries(server.wire, CANARIES) == []


def test_embeddings_are_of_what_left(protected: LiteLLM, server: ModelServer, base: dict[str, Any]) -> None:
    reply = protected.embedding(model="openai/text-embedding-3-small", input=[TEXT], **base)
    assert len(reply.data) == 1
    assert server.last.placeholders()
    assert find_canaries(server.wire, CANARIES) == []


@pytest.mark.parametrize("stream", [False, True])
def test_responses_come_back_restored_and_of_the_class_of_litellm(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any], stream: bool
) -> None:
    reply = protected.responses(model=MODEL, input=TEXT, stream=stream, store=False, **base)
    if stream:
        events = list(reply)
        assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == TEXT
        reply = events[-1].response
    assert isinstance(reply, litellm.types.llms.openai.ResponsesAPIResponse)
    assert reply.output[0].content[0].text == TEXT
    assert find_canaries(server.wire, CANARIES) == []


@pytest.mark.parametrize("stream", [False, True])
def test_a_later_response_speaks_of_an_earlier_request(
    guard: Guard, server: ModelServer, base: dict[str, Any], stream: bool
) -> None:
    vault = open_vault("memory:", None)
    protected = LiteLLM(Guard(replace(guard.parts, vault=vault)))
    begun = protected.responses(model=MODEL, input=f"I am {PERSON}", stream=stream, **base)
    first = list(begun)[-1].response if stream else begun
    (placeholder,) = server.last.placeholders()
    server.script(Reply(speak=say(f"You are {placeholder}")))
    later = protected.responses(model=MODEL, input="Who am I?", previous_response_id=first.id, **base)
    assert later.output[0].content[0].text == f"You are {PERSON}"
    assert server.last.json()["previous_response_id"] == "resp_1"


@pytest.mark.parametrize("stream", [False, True])
def test_messages_come_back_restored(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any], stream: bool
) -> None:
    async def ask() -> str:
        options = base | {"api_base": server.base_url.removesuffix("/v1")}
        reply = await protected.anthropic_messages(
            model="anthropic/claude-sonnet-4-5", max_tokens=100, messages=USER, stream=stream, **options
        )
        if not stream:
            return str(reply["content"][0]["text"])
        raw = b"".join([chunk async for chunk in reply]).decode()
        events = [json.loads(line[6:]) for line in raw.splitlines() if line.startswith("data: ")]
        return "".join(each["delta"].get("text", "") for each in events if each["type"] == "content_block_delta")

    assert asyncio.run(ask()) == TEXT
    assert find_canaries(server.wire, CANARIES) == []


class _Recorder(CustomLogger):  # type: ignore[misc]  # not installed where types are checked
    """Keeps what LiteLLM tells its loggers, late and in a thread of its own: also of calls of other tests."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.awaited = ""  # stands in what is told of the call that is waited for
        self.heard = threading.Event()

    def log_pre_api_call(self, model: object, messages: object, kwargs: object) -> None:
        self.told.append(repr((model, messages, kwargs)))

    def log_success_event(self, kwargs: object, response_obj: object, start_time: object, end_time: object) -> None:
        self.told.append(repr((kwargs, response_obj)))
        if self.awaited in self.told[-1]:
            self.heard.set()


_RECORDER = _Recorder()  # LiteLLM keeps the first logger of a class, whatever is done with its list


@pytest.fixture
def recorder() -> _Recorder:
    if _RECORDER not in litellm.callbacks:
        litellm.callbacks.append(_RECORDER)
    _RECORDER.told.clear()
    _RECORDER.heard.clear()
    return _RECORDER


@pytest.mark.parametrize("stream", [False, True])
def test_loggers_see_what_left(protected: LiteLLM, base: dict[str, Any], recorder: _Recorder, stream: bool) -> None:
    beside = {"metadata": {PERSON: EMAIL, "tags": [PERSON]}, "user": EMAIL, "litellm_session_id": PERSON}
    temperature = 0.7512 if stream else 0.7513  # of no other call
    recorder.awaited = str(temperature)
    reply = protected.completion(MODEL, USER, stream=stream, temperature=temperature, **beside, **base)
    if stream:
        assert [*reply][-1].choices[0].finish_reason == "stop"
    assert recorder.heard.wait(60)
    told = "\n".join(recorder.told)
    assert "[PERSON_" in told
    assert find_canaries(told.encode(), CANARIES) == []


def test_a_cached_reply_comes_back_restored(protected: LiteLLM, server: ModelServer, base: dict[str, Any]) -> None:
    litellm.cache = litellm.Cache()
    try:
        replies = [protected.completion(model=MODEL, messages=USER, caching=True, **base) for _ in range(2)]
        kept = repr(litellm.cache.cache.cache_dict)
    finally:
        litellm.cache = None
    assert [reply.choices[0].message.content for reply in replies] == [TEXT, TEXT]
    assert len(server.requests) == 1
    assert find_canaries(kept.encode(), CANARIES) == []


class Person(BaseModel):
    """Somebody."""

    name: str


def test_structured_output_by_a_class_comes_back_restored(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any]
) -> None:
    reply = protected.completion(model=MODEL, messages=USER, response_format=Person, **base)
    assert Person.model_validate_json(reply.choices[0].message.content).name == PERSON
    assert find_canaries(server.wire, CANARIES) == []


def test_options_are_no_content(protected: LiteLLM, server: ModelServer, base: dict[str, Any]) -> None:
    made = {"api_key": EMAIL, "timeout": 5.0, "num_retries": 0, "cache": {"no-cache": True}, "fallbacks": ["openai/x"]}
    reply = protected.completion(model=MODEL, messages=USER, **(base | made))
    assert reply.choices[0].message.content == TEXT
    assert server.last.header("authorization") == f"Bearer {EMAIL}"


def test_no_argument_of_the_sdk_lets_a_value_pass(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any], names: list[str]
) -> None:
    """The reflection canary: every argument that LiteLLM knows, but for those that go along unread."""
    said: list[str] = []
    for name in names:
        for value in (PERSON, {PERSON: [{"text": EMAIL}]}):
            try:
                protected.completion(**({"model": MODEL, "messages": USER} | base | {name: value}))
            except ProtectionError as error:
                said.append(str(error))
            except Exception:  # noqa: BLE001, S112 - LiteLLM's own, which the caller reads with the values in it
                continue
    assert find_canaries("\n".join(said).encode(), CANARIES) == []
    assert find_canaries(server.wire, CANARIES) == []


def test_streams_at_the_same_time_stay_apart(protected: LiteLLM, server: ModelServer, base: dict[str, Any]) -> None:
    values = [each.value for each in CANARIES if each.kind.value in ("PERSON", "EMAIL", "PHONE", "ORGANIZATION")]

    def ask(number: int) -> bool:
        text = f"{number}: {values[number % len(values)]}"
        messages = [{"role": "user", "content": text}]
        chunks = protected.completion(model=MODEL, messages=messages, stream=True, **base)
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == text

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(ask, range(200)))
    assert find_canaries(server.wire, CANARIES) == []


def test_a_router_has_its_protected_calls_alone(server: ModelServer, guard: Guard, sink: ListSink) -> None:
    router = router_of(server, guard)
    assert isinstance(router, litellm.Router)
    assert router.completion(model="chat", messages=USER).choices[0].message.content == TEXT
    assert [each["model_name"] for each in router.model_list] == ["chat"]
    for name in ("image_generation", "aspeech", "arerank", "acreate_batch", "amoderation", "abatch_completion"):
        with pytest.raises(UnprotectedRouteError, match=name):
            getattr(router, name)(prompt=PERSON)
    assert len(server.requests) == 1
    assert [record.error for record in sink.records[1:]] == ["UnprotectedRouteError"] * 6


def test_a_router_protects_the_other_apis(server: ModelServer, guard: Guard) -> None:
    router = router_of(server, guard)

    async def ask() -> tuple[Any, Any]:
        responded = await router.aresponses(model="chat", input=TEXT, store=False)
        completed = await router.atext_completion(model="chat", prompt=TEXT)
        return responded, completed

    responded, completed = asyncio.run(ask())
    assert responded.output[0].content[0].text == TEXT
    assert completed.choices[0].text == TEXT
    assert find_canaries(server.wire, CANARIES) == []


def test_wrapping_twice_leaves_one_guard(server: ModelServer, guard: Guard, sink: ListSink) -> None:
    router = router_of(server, guard)
    assert privguard.wrap(router, guard) is router
    other = Guard(guard.parts)
    again = privguard.wrap(router, other)
    assert again.completion(model="chat", messages=USER).choices[0].message.content == TEXT
    assert len(sink.records) == 1


def test_leaving_a_stream_closes_the_exchange(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any], sink: ListSink
) -> None:
    hold = threading.Event()
    server.script(Reply(hold=hold))
    stream = protected.completion(model=MODEL, messages=USER, stream=True, **base)
    next(stream)
    stream.close()
    hold.set()
    assert [record.outcome.value for record in sink.records] == ["abandoned"]
    assert list(stream) == []


def test_an_image_sends_nothing(protected: LiteLLM, server: ModelServer, base: dict[str, Any]) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    with pytest.raises(ProtectionError):
        protected.completion(model=MODEL, messages=[{"role": "user", "content": [image]}], **base)
    assert server.requests == ()


@pytest.mark.parametrize("name", [PERSON, f"openai/{EMAIL}"])
def test_a_fallback_that_holds_a_value_sends_nothing(
    protected: LiteLLM, server: ModelServer, base: dict[str, Any], name: str
) -> None:
    server.script(Reply(status=500))
    for fallbacks in ([name], [{MODEL: [name]}], [{name: [MODEL]}]):
        with pytest.raises(ProtectionError):
            protected.completion(model=MODEL, messages=USER, fallbacks=fallbacks, **base)
    assert server.requests == ()
