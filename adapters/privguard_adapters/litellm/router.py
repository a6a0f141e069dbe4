"""The adapter for LiteLLM's Router: a protected copy whose calls pass the guard, and which has no others."""

import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NoReturn, TypeVar

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.guarding import Guarding
from privguard_adapters.litellm.calls import Calls
from privguard_adapters.litellm.routes import kind_of

Client = TypeVar("Client")

_SYNC = ("completion", "text_completion", "embedding", "responses")
_ASYNC = ("acompletion", "atext_completion", "aembedding", "aresponses", "anthropic_messages", "aanthropic_messages")
# What a Router tells of its models, and what is set on it; none of these sends anything to a model.
_PASSED_NAMES = """
    model_list model_names fallbacks default_fallbacks context_window_fallbacks content_policy_fallbacks timeout
    num_retries cache routing_strategy get_model_list get_model_names get_model_ids get_model_info
    get_model_group_info get_deployment get_settings update_settings set_model_list add_deployment upsert_deployment
    delete_deployment has_model_id flush_cache reset discard
"""
_PASSED = frozenset(_PASSED_NAMES.split())


class RouterAdapter:
    """Protect `litellm.Router`, and classes that users derive from it."""

    def matches(self, client: object) -> bool:
        """Tell whether the client is a Router."""
        sdk = sys.modules.get("litellm")
        router = getattr(sdk, "Router", None)
        return isinstance(router, type) and isinstance(client, router)

    def wrap(self, client: Client, guard: Guarding) -> Client:
        """Return a protected Router of the same class; the one that is given stays as it is.

        One that is already protected by this guard is returned as it is; one of another guard gets this one instead.
        """
        source, before = getattr(client, "_privguard", (client, None))
        if before is not None and before.guard is guard:
            return client
        router: type = type(source)
        made: Any = object.__new__(_class_of(router))
        object.__setattr__(made, "_privguard", (source, Calls(guard, lambda: source)))
        protected: Client = made
        return protected


adapter = RouterAdapter()


@cache
def _class_of(router: type) -> Any:  # noqa: ANN401 - a class that is made here
    """Return a subclass of a Router that has its protected calls alone."""
    return type(router.__name__, (_Protected, router), {"__module__": router.__module__, "__doc__": router.__doc__})


class _Protected:
    """Stands before a Router: every name is looked up here, and what is not listed is refused."""

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - whatever the Router has there
        if name == "_privguard" or (name.startswith("__") and name.endswith("__")):
            return object.__getattribute__(self, name)
        source, calls = object.__getattribute__(self, "_privguard")
        if name in _SYNC:
            return partial(calls.call, name)
        if name in _ASYNC:
            return partial(calls.acall, name)
        found = getattr(source, name)
        return found if name in _PASSED else _refusal(calls, name, found)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a protected Router is not changed: set {name} on the one that was wrapped")

    def __del__(self) -> None:
        """Leave the Router that was wrapped as it is."""

    def __repr__(self) -> str:
        return f"<protected {type(self).__name__}>"


def _refusal(calls: Calls, name: str, found: object) -> Callable[..., NoReturn]:
    if callable(found):
        return partial(_refuse, calls, name)
    raise AttributeError(f"a protected Router does not show {name}; ask the one that was wrapped")


def _refuse(calls: Calls, name: str, *_arguments: object, **_options: object) -> NoReturn:
    error = UnprotectedRouteError(
        f"Router.{name} is not protected by privguard, so nothing was sent. Protected are "
        f"{', '.join(sorted((*_SYNC, *_ASYNC)))}; if the call holds nothing private, make it with the Router that was "
        "wrapped"
    )
    calls.guard.block(route=f"litellm.{kind_of(name)}", error=error)
    raise error
