"""Two hundred streams of the Messages API at once, and a model that mixes them up: everybody gets their own values."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
from anthropic import AsyncAnthropic

import privguard
from privguard.core.audit import Outcome
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeNeed, FakeProfiles, ListSink
from tests.contract.test_strangers import CANARY, PLACEHOLDER, CanaryDetector

STREAMS = 200


class MixedUpModel:
    """Repeat what was asked in small pieces, and add a placeholder that every other caller sent before."""

    def __init__(self) -> None:
        self._seen: list[str] = []
        self._all_asked = asyncio.Event()
        self.leaked = 0

    async def answer(self, request: httpx2.Request) -> httpx2.Response:
        text = json.loads(request.content)["messages"][-1]["content"]
        self.leaked += len(CANARY.findall(request.content.decode()))
        self._seen += PLACEHOLDER.findall(text)
        if len(self._seen) == STREAMS:
            self._all_asked.set()
        await self._all_asked.wait()  # no stream begins before all are open
        foreign = next(each for each in self._seen if each not in text)
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=_pieces(f"{text} {foreign}"))


async def _pieces(text: str) -> AsyncIterator[bytes]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    deltas = [{"type": "text_delta", "text": text[start : start + 5]} for start in range(0, len(text), 5)]
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *[{"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas],
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    for event in events:
        raw = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        for start in range(0, len(raw), 40):
            await asyncio.sleep(0)
            yield raw[start : start + 40]


async def _ask(client: AsyncAnthropic, number: int) -> None:
    own = f"canary{number:06d}@stranger.example"
    async with client.messages.stream(
        model="m", max_tokens=99, messages=[{"role": "user", "content": f"Write to {own}, again {own}."}]
    ) as stream:
        said = "".join([text async for text in stream.text_stream])
        block = (await stream.get_final_message()).content[0]
    assert said.startswith(f"Write to {own}, again {own}.")
    assert (set(CANARY.findall(said)), block.type == "text" and block.text) == ({own}, said)


async def test_two_hundred_streams_at_once_get_their_own_values_alone() -> None:
    model, sink = MixedUpModel(), ListSink()
    guard = Guard(
        Parts(
            detector=CanaryDetector(),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(),
            sink=sink,
            key=Key.from_text("correct horse battery staple"),
        )
    )
    inner = httpx2.AsyncClient(transport=httpx2.MockTransport(model.answer))
    client = privguard.wrap(AsyncAnthropic(api_key="k", http_client=inner, max_retries=0), guard)
    await asyncio.gather(*[_ask(client, number) for number in range(STREAMS)])
    await client.close()
    assert model.leaked == 0
    assert [record.outcome for record in sink.records] == [Outcome.DONE] * STREAMS
