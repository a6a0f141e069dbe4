"""Errors of LiteLLM's proxy, told anew on their way out, on routes that take no other words from a hook."""

import json
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Message: TypeAlias = MutableMapping[str, Any]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

_FIRST_ERROR = 400
_LENGTH = b"content-length"


@dataclass(slots=True)
class _Answer:
    """What is known of the answer to a request while it is made."""

    words: dict[str, str] = field(default_factory=dict, repr=False)
    token: str | None = None


_answers: ContextVar[_Answer | None] = ContextVar("the answer that is made", default=None)


def note(token: str) -> None:
    """Note under what the call of the request at hand is found: some routes tell of a failure without it."""
    answer = _answers.get()
    if answer is not None:
        answer.token = token


def noted() -> str | None:
    """Return under what the call of the request at hand is found, if that was noted."""
    answer = _answers.get()
    return None if answer is None else answer.token


def retell(said: str, restored: str) -> None:
    """Have the answer to the request at hand say something else, where it is an error, or goes on with one."""
    answer = _answers.get()
    if answer is not None:
        answer.words[said] = restored


@contextmanager
def retold(send: Send) -> Iterator[Send]:
    """Yield what sends an answer, and says what is to be said instead."""
    answer = _Answer()
    token = _answers.set(answer)
    try:
        yield _Retold(send, answer.words)
    finally:
        _answers.reset(token)


class _Retold:
    """Sends an answer; the whole of an error at once, and a stream piece by piece.

    The words of an error in the midst of a stream are known right before the piece that says it, and not earlier.
    """

    def __init__(self, send: Send, words: dict[str, str]) -> None:
        self._send, self._words = send, words
        self._start: Message | None = None
        self._body = b""
        self._is_stream = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= _FIRST_ERROR and self._words:
            self._start = message
            return
        if message["type"] == "http.response.start":
            self._is_stream = all(name.lower() != _LENGTH for name, _ in message["headers"])
        if self._start is None or message["type"] != "http.response.body":
            told = {"body": self._retold(message["body"])} if self._is_stream and message.get("body") else {}
            await self._send({**message, **told})
            return
        self._body += message.get("body", b"")
        if not message.get("more_body"):
            await self._tell(self._start)

    async def _tell(self, start: Message) -> None:
        body = self._retold(self._body)
        headers = [pair for pair in start["headers"] if pair[0].lower() != _LENGTH]
        self._start = None
        await self._send({**start, "headers": [*headers, (_LENGTH, str(len(body)).encode())]})
        await self._send({"type": "http.response.body", "body": body})

    def _retold(self, body: bytes) -> bytes:
        # The longest first: an error may say what another one says, and more.
        for said in sorted(self._words, key=len, reverse=True):
            for is_ascii in (False, True):
                body = body.replace(_written(said, is_ascii), _written(self._words[said], is_ascii))
        return body


def _written(text: str, is_ascii: bool) -> bytes:
    return json.dumps(text, ensure_ascii=is_ascii)[1:-1].encode("utf-8", "replace")
