"""One client on one connection: how long until the first event of a stream is there."""

import http.client
import json
import time
from collections.abc import Sequence
from random import Random
from threading import Event
from typing import Any, Self
from urllib.parse import urlsplit

from benchmarks.latency.texts import make_text

TARGET = "gpt-5"
HISTORY = 6  # messages that were seen before
HISTORY_SIZE = 200  # characters of each
PROMPT_SIZE = 84  # characters of the new one
FIRST = 100  # characters that are left out before it
LONG_SIZE = 8_000  # characters of a text that others send meanwhile

Message = dict[str, str]


class Probe:
    """A connection that is kept."""

    def __init__(self, base_url: str) -> None:
        url = urlsplit(base_url)
        self._path = f"{url.path}/chat/completions"
        self._connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=60)
        self._connection.connect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def first_event_ms(self, messages: Sequence[Message]) -> float:
        """Ask for a stream, and return the milliseconds from the request to its first event.

        Raises:
            RuntimeError: the reply is no stream of events.
        """
        body = json.dumps({"model": TARGET, "stream": True, "messages": list(messages)}).encode()
        headers = {"content-type": "application/json", "authorization": "Bearer a-key-of-a-caller"}
        started = time.perf_counter()
        self._connection.request("POST", self._path, body, headers)
        response = self._connection.getresponse()
        first = response.readline()
        taken = 1000 * (time.perf_counter() - started)
        response.read()
        if response.status != 200 or not first.startswith(b"data:"):
            raise RuntimeError(f"no stream of events, but status {response.status}")
        return taken


class Conversation:
    """Messages that were seen before, and a new one for each request."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        roles = ("user", "assistant")
        self._history = [
            {"role": roles[number % 2], "content": make_text(rng, HISTORY_SIZE)} for number in range(HISTORY)
        ]
        self.same = self.new()

    def new(self) -> list[Message]:
        """Return the conversation with a last message that was never seen."""
        # The first sentence of a text is one of a few, the second holds values and is not.
        return [*self._history, {"role": "user", "content": make_text(self._rng, FIRST + PROMPT_SIZE)[FIRST:]}]


def keep_embedding(base_url: str, rng: Random, done: Event) -> None:
    """Have new long texts embedded, one after the other, until that is over."""
    url = urlsplit(base_url)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=60)
    while not done.is_set():
        body = json.dumps({"model": "embedder", "input": make_text(rng, LONG_SIZE)}).encode()
        connection.request("POST", f"{url.path}/embeddings", body, {"content-type": "application/json"})
        connection.getresponse().read()
    connection.close()


def figure_of(metrics: str, name: str, **labels: str) -> float:
    """Read one figure out of the text of /metrics, 0 where it is not there."""
    wanted = "".join(sorted(f'{key}="{value}"' for key, value in labels.items()))
    total: Any = 0.0
    for line in metrics.splitlines():
        head, _, value = line.rpartition(" ")
        found, _, rest = head.partition("{")
        if found == name and "".join(sorted(rest.rstrip("}").split(","))) == wanted:
            total += float(value)
    return float(total)
