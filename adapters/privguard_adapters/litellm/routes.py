"""The calls of LiteLLM that are protected: the route of each, and the codec that reads it."""

from dataclasses import replace
from urllib.parse import unquote

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire import (
    anthropic_messages,
    openai_chat,
    openai_completions,
    openai_embeddings,
    openai_responses,
)
from privguard_adapters.wire.routes import Api, Route

BASE_URL = "https://litellm.invalid"  # what is sent where is LiteLLM's to know: one host stands for all of them

_CODECS = {
    "completion": openai_chat.CODEC,
    "text_completion": openai_completions.CODEC,
    "embedding": openai_embeddings.CODEC,
    "responses": openai_responses.RESPONSES,
    "messages": anthropic_messages.CODEC,
}
_ROUTES = {
    kind: Route(name=f"litellm.{kind}", codec=replace(codec, name=f"litellm.{kind}")) for kind, codec in _CODECS.items()
}
# What LiteLLM calls its calls, in its functions and in its proxy.
_KINDS = {
    "completion": "completion",
    "acompletion": "completion",
    "text_completion": "text_completion",
    "atext_completion": "text_completion",
    "embedding": "embedding",
    "aembedding": "embedding",
    "embeddings": "embedding",
    "responses": "responses",
    "aresponses": "responses",
    "anthropic_messages": "messages",
    "aanthropic_messages": "messages",
}
_LONGEST_NAME = 64


def kind_of(call_type: str) -> str:
    """Return the kind of a call; one that is not protected is its own, and no route is found for it."""
    return _KINDS.get(call_type, call_type)


def url_of(kind: str) -> str:
    """Return the address that stands for the route of a call."""
    return f"{BASE_URL}/{kind}"


def _find_route(method: str, path: str, base_path: str) -> Route:
    route = _ROUTES.get(path.strip("/")) if method == "POST" else None
    if route is None:
        raise UnprotectedRouteError(
            f"{_route_name(method, path, base_path)} is not protected by privguard, so nothing was sent. Protected are "
            f"{', '.join(sorted(_ROUTES))}"
        )
    return route


def _route_name(_method: str, path: str, _base_path: str) -> str:
    name = unquote(path).strip("/")
    return f"litellm.{name}" if name.isidentifier() and name.isascii() and len(name) <= _LONGEST_NAME else "litellm.?"


LITELLM = Api(find_route=_find_route, route_name=_route_name)
