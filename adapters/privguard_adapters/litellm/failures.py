"""Errors of LiteLLM with the real values in what they say.

LiteLLM hands the errors that it raises to its loggers, so these stay as they are: callers get copies.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TypeVar

from privguard.core.errors import PrivguardError
from privguard_adapters.call import Call

Failure = TypeVar("Failure", bound=Exception)

_INNER = "original_exception"
_MOST = 8  # errors within errors


def close_failed(call: Call, error: Exception) -> Mapping[str, str]:
    """Close a call that failed, and return what the caller is to read for what its error says; none where that fails.

    Args:
        call: that failed.
        error: as LiteLLM raises it.
    """
    words: dict[str, str] = {}
    with suppress(PrivguardError):
        for said in _said(error):
            restored = _restored(call, said)
            if restored != said:
                words[said] = restored
    call.fail(error)
    return words


def with_words(error: Failure, words: Mapping[str, str]) -> Failure:
    """Return an error that says other words: a copy, unless it says none of them."""
    return _copied(error, words, _MOST) if words else error


def _copied(error: Failure, words: Mapping[str, str], most: int) -> Failure:
    fields = dict(getattr(error, "__dict__", {}))
    inner = fields.get(_INNER)
    if isinstance(inner, Exception) and most:
        fields[_INNER] = _copied(inner, words, most - 1)
    for name, value in fields.items():
        if isinstance(value, str):
            fields[name] = words.get(value, value)
    try:
        copy = type(error).__new__(type(error))  # not by its class, whose arguments nobody knows
    except TypeError:
        return error
    copy.__dict__.update(fields)
    copy.args = tuple([words.get(arg, arg) if isinstance(arg, str) else arg for arg in error.args])
    copy.__suppress_context__ = True
    return copy.with_traceback(error.__traceback__)


def _said(error: Exception) -> Iterator[str]:
    """Yield what an error says, and the errors that it stands for."""
    current: object = error
    for _ in range(_MOST):
        if not isinstance(current, Exception):
            return
        body = getattr(current, "body", None)
        for said in (getattr(current, "message", None), body.get("message") if isinstance(body, Mapping) else None):
            if isinstance(said, str):
                yield said
        current = getattr(current, _INNER, None)


def _restored(call: Call, said: str) -> str:
    body = call.restored(json.dumps({"error": {"message": said}}).encode())
    return str(json.loads(body)["error"]["message"]).encode("utf-8", "replace").decode()
