"""What a call of a chat model asks: its arguments, sorted, and the document that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from privguard.core.errors import UnknownContentError
from privguard_adapters.langchain.messages import fields_of, to_be_sent
from privguard_adapters.langchain.seam import Outgoing, Value, settings_of
from privguard_adapters.wire.langchain_requests import ChatRequest

HEADERS = "extra_headers"
_QUERY = "extra_query"
_ASIDE = frozenset({HEADERS, _QUERY, "stream", "model"})
_NAMES = ("model", "model_name", "model_id", "deployment_name", "deployment")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the caller asked of a model."""

    messages: Sequence[BaseMessage] = field(repr=False)
    stop: list[str] | None = field(default=None, repr=False)
    options: Mapping[str, Value] = field(default_factory=dict, repr=False)
    aside: Mapping[str, Value] = field(default_factory=dict, repr=False)  # what is in no document
    output: type | None = None  # what the reply is parsed into

    @classmethod
    def of(cls, messages: Sequence[BaseMessage], stop: list[str] | None, options: Mapping[str, Value]) -> "Asked":
        """Sort the arguments of a call."""
        output = options.get("response_format")
        return cls(
            messages=messages,
            stop=stop,
            options={key: item for key, item in options.items() if key not in _ASIDE},
            aside={key: item for key, item in options.items() if key in _ASIDE},
            output=output if isinstance(output, type) else None,
        )

    def write(self, model: BaseChatModel, kept: list[ChatRequest]) -> Outgoing:
        """Write what the call would send, and keep what its document was written from."""
        request = self._request(model)
        kept.append(request)
        return Outgoing(body=request.body(), **beside(model, self.aside))

    def _request(self, model: BaseChatModel) -> ChatRequest:
        if not isinstance(self.aside.get("stream"), bool | None) or not isinstance(self.aside.get("model"), str | None):
            raise UnknownContentError("stream is neither true nor false, or model is no text; nothing was sent")
        options = dict(self.options)
        if self.output is not None:
            options["response_format"] = _schema_of(self.output)
        if self.stop is not None:
            options["stop"] = self.stop
        sends = model._get_invocation_params()
        return ChatRequest(
            target=self.aside.get("model") or target_of(model),
            messages=[fields_of(to_be_sent(message)) for message in self.messages],
            options=options,
            settings=settings_of(model, BaseChatModel, sends) | names_of(model),
        )


def beside(model: Value, given: Mapping[str, Value]) -> dict[str, Any]:
    """Return the headers and the query that go beside a document, those of the model and those of a call."""
    return {
        "headers": {**(getattr(model, "default_headers", None) or {}), **(given.get(HEADERS) or {})},
        "query": {**(getattr(model, "default_query", None) or {}), **(given.get(_QUERY) or {})},
    }


def target_of(model: Value) -> str:
    """Return the name of the model that reads the request. It leaves, so it is looked at."""
    return next(iter(_names(model)), str(model.privguard_original.__name__))


def names_of(model: Value) -> dict[str, Sequence[str]]:
    """Return the other names of a model, which leave as well."""
    return {"model": names} if (names := _names(model)[1:]) else {}


def _names(model: Value) -> list[str]:
    found = [getattr(model, name, None) for name in _NAMES]
    return list(dict.fromkeys([name for name in found if isinstance(name, str) and name]))


def _schema_of(output: type) -> Value:
    """Write a class that the reply is parsed into as the provider reads it.

    The SDK would validate placeholders; the reply is parsed when the values are back.
    """
    try:
        from openai.lib._parsing import type_to_response_format_param
    except ImportError:
        pass
    else:
        return type_to_response_format_param(output)
    raise UnknownContentError("response_format is a class, which only the OpenAI SDK can write; give a JSON schema")
