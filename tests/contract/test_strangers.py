"""One guard serves many callers at once, and a model that mixes them up: everybody gets their own values alone."""

import asyncio
import json
import random
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI, OpenAI

import privguard
from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeNeed, FakeProfiles, ListSink

THREADS = 16
LOOPS = 2
SHARE_OF_LOOPS = 5  # one request in so many is made on an event loop
CANARY = re.compile(r"canary[0-9]{6}@stranger\.example")
PLACEHOLDER = re.compile(r"\[EMAIL_[0-9A-Z]+\]")


class CanaryDetector:
    """Find every canary, with the threads of all callers at once."""

    id = "canaries-1"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return tuple(
            tuple(
                Span(start=hit.start(), end=hit.end(), kind=EntityType.EMAIL, score=1.0, source="canary")
                for hit in CANARY.finditer(segment.text)
            )
            for segment in segments
        )


class MixedUpModel:
    """Repeat what was asked, and add placeholders that other callers sent."""

    def __init__(self) -> None:
        self._seen: list[str] = []
        self._lock = threading.Lock()
        self._random = random.Random(7)  # noqa: S311 - nothing secret
        self.leaked = 0

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        text = body["messages"][-1]["content"]
        own = PLACEHOLDER.findall(text)
        with self._lock:
            self.leaked += len(CANARY.findall(request.content.decode()))
            foreign = [self._random.choice(self._seen) for _ in range(3)] if self._seen else []
            self._seen += own
        reply = f"{text} {' '.join(each for each in foreign if each not in own)}"
        if not body.get("stream"):
            return httpx2.Response(200, json=_completion(reply))
        cuts = [reply[start : start + 7] for start in range(0, len(reply), 7)]
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=_events(cuts))

    async def answer_later(self, request: httpx2.Request) -> httpx2.Response:
        await asyncio.sleep(0)
        whole = self.answer(request)
        return httpx2.Response(whole.status_code, headers=whole.headers, content=_in_pieces(whole.content))


async def _in_pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 50):
        await asyncio.sleep(0)
        yield body[start : start + 50]


def _completion(text: str) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def _events(pieces: list[str]) -> bytes:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas = [{"index": 0, "delta": {"content": piece}, "finish_reason": None} for piece in pieces]
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = [json.dumps(head | {"choices": [delta]}) for delta in [*deltas, last]]
    return "".join(f"data: {chunk}\n\n" for chunk in [*chunks, "[DONE]"]).encode()


def _canaries(number: int) -> tuple[str, str]:
    """Return two values of a request: one of its own, one that every tenth request shares."""
    return f"canary{number:06d}@stranger.example", f"canary{900_000 + number % 10:06d}@stranger.example"


def _prompt(number: int) -> str:
    own, shared = _canaries(number)
    return f"Write to {own} and {shared}, again to {own}."


def _check(number: int, answer: str) -> None:
    own, shared = _canaries(number)
    assert answer.startswith(f"Write to {own} and {shared}, again to {own}.")
    assert set(CANARY.findall(answer)) <= {own, shared}


def _ask(client: OpenAI, number: int) -> None:
    messages: Any = [{"role": "user", "content": _prompt(number)}]
    if number % 2:
        whole = client.chat.completions.create(model="m", messages=messages)
        _check(number, whole.choices[0].message.content or "")
        return
    stream = client.chat.completions.create(model="m", messages=messages, stream=True)
    _check(number, "".join(chunk.choices[0].delta.content or "" for chunk in stream))


async def _ask_later(client: AsyncOpenAI, number: int) -> None:
    messages: Any = [{"role": "user", "content": _prompt(number)}]
    if number % 2:
        whole = await client.chat.completions.create(model="m", messages=messages)
        _check(number, whole.choices[0].message.content or "")
        return
    stream = await client.chat.completions.create(model="m", messages=messages, stream=True)
    _check(number, "".join([chunk.choices[0].delta.content or "" async for chunk in stream]))


def _guard(sink: ListSink, tenant: str) -> Guard:
    return Guard(
        Parts(
            detector=CanaryDetector(),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(),
            sink=sink,
            key=Key.from_text(f"the key of the tenant {tenant}"),
        )
    )


@pytest.mark.parametrize("requests", [1000, pytest.param(5000, marks=pytest.mark.long)])
def test_nobody_gets_the_values_of_a_stranger_on_threads_and_event_loops(requests: int) -> None:
    model, sink = MixedUpModel(), ListSink()
    guard = _guard(sink, "one")

    def threaded(share: range) -> int:
        client = privguard.wrap(
            OpenAI(api_key="k", http_client=httpx2.Client(transport=httpx2.MockTransport(model.answer))), guard
        )
        for number in share:
            _ask(client, number)
        return len(share)

    def looped(share: range) -> int:
        async def run() -> int:
            inner = httpx2.AsyncClient(transport=httpx2.MockTransport(model.answer_later))
            client = privguard.wrap(AsyncOpenAI(api_key="k", http_client=inner), guard)
            for start in range(0, len(share), 50):
                await asyncio.gather(*(_ask_later(client, number) for number in share[start : start + 50]))
            await client.close()
            return len(share)

        return asyncio.run(run())

    on_loops = requests // SHARE_OF_LOOPS
    work = [*_shares(on_loops, LOOPS, looped, 0), *_shares(requests - on_loops, THREADS, threaded, on_loops)]
    with ThreadPoolExecutor(THREADS + LOOPS) as pool:
        done = sum(pool.map(lambda task: task(), work))
    assert (done, model.leaked) == (requests, 0)
    assert [record.outcome for record in sink.records] == [Outcome.DONE] * requests


def _shares(total: int, parts: int, run: Callable[[range], int], first: int) -> Iterator[Callable[[], int]]:
    size = -(-total // parts)
    for start in range(first, first + total, size):
        share = range(start, min(start + size, first + total))
        yield lambda share=share: run(share)  # type: ignore[misc] # bound now


def test_a_tenant_gets_nothing_for_the_placeholder_of_another() -> None:
    sink = ListSink()
    first, second = _guard(sink, "one"), _guard(sink, "two")
    text = _prompt(1)
    one = privguard.minimize(text, target="m", guard=first)
    two = privguard.minimize(text, target="m", guard=second)
    assert set(PLACEHOLDER.findall(one.outgoing)).isdisjoint(PLACEHOLDER.findall(two.outgoing))
    assert two.restore(one.outgoing) == one.outgoing
    assert one.restore(one.outgoing) == two.restore(two.outgoing) == text


def test_a_conversation_gets_nothing_for_the_placeholder_of_another_one() -> None:
    guard = _guard(ListSink(), "one")
    one = privguard.minimize(_prompt(1), target="m", guard=guard)
    two = privguard.minimize(_prompt(2), target="m", guard=guard)
    foreign = set(PLACEHOLDER.findall(one.outgoing)) - set(PLACEHOLDER.findall(two.outgoing))
    assert foreign
    for each in foreign:
        assert two.restore(each) == each
