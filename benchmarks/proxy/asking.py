"""The five calls of the proxy, whole and streamed, as plain HTTP: what is asked, and the text that comes back."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from benchmarks.proxy.running import KEY

HEADERS = {"authorization": f"Bearer {KEY}", "anthropic-version": "2023-06-01"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """One sort of call."""

    name: str
    path: str
    body: Callable[[str], dict[str, Any]]
    text: Callable[[dict[str, Any]], str]  # of a whole reply
    delta: Callable[[dict[str, Any]], str] | None  # of an event; None where there are no streams


def _chat(text: str) -> dict[str, Any]:
    return {"model": "chat", "messages": [{"role": "user", "content": text}]}


def _message(text: str) -> dict[str, Any]:
    return {"model": "claude", "max_tokens": 4000, "messages": [{"role": "user", "content": text}]}


def _choice(event: dict[str, Any]) -> dict[str, Any]:
    choices = event.get("choices") or [{}]
    return dict(choices[0])


SORTS = (
    Sort(
        name="chat",
        path="/v1/chat/completions",
        body=_chat,
        text=lambda reply: str(reply["choices"][0]["message"]["content"]),
        delta=lambda event: _choice(event).get("delta", {}).get("content") or "",
    ),
    Sort(
        name="completions",
        path="/v1/completions",
        body=lambda text: {"model": "text", "prompt": text},
        text=lambda reply: str(reply["choices"][0]["text"]),
        delta=lambda event: _choice(event).get("text") or "",
    ),
    Sort(
        name="responses",
        path="/v1/responses",
        body=lambda text: {"model": "chat", "input": text, "store": False},
        text=lambda reply: str(reply["output"][0]["content"][0]["text"]),
        delta=lambda event: event["delta"] if event.get("type") == "response.output_text.delta" else "",
    ),
    Sort(
        name="messages",
        path="/v1/messages",
        body=_message,
        text=lambda reply: str(reply["content"][0]["text"]),
        delta=lambda event: event["delta"].get("text", "") if event.get("type") == "content_block_delta" else "",
    ),
    Sort(
        name="embeddings",
        path="/v1/embeddings",
        body=lambda text: {"model": "vectors", "input": [text]},
        text=lambda reply: "" if reply["data"] else "none",
        delta=None,
    ),
)


def ask(client: httpx.Client, url: str, sort: Sort, text: str, *, stream: bool) -> str:
    """Ask, and return the text of the reply; "" of embeddings.

    Raises:
        httpx.HTTPError: the request failed, or the reply broke off.
    """
    body = sort.body(text)
    if not stream or sort.delta is None:
        reply = client.post(f"{url}{sort.path}", json=body, headers=HEADERS)
        reply.raise_for_status()
        return sort.text(reply.json())
    said: list[str] = []
    with client.stream("POST", f"{url}{sort.path}", json={**body, "stream": True}, headers=HEADERS) as events:
        events.raise_for_status()
        for line in events.iter_lines():
            if line.startswith("data: ") and line != "data: [DONE]":
                said += [sort.delta(json.loads(line[6:]))]
    return "".join(said)
