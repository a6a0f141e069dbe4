"""The guardrail for LiteLLM's proxy: requests leave it minimized, and replies go to whoever asked with the values back.

`guardrail: privguard_adapters.litellm.guardrail.Guardrail` in its `config.yaml`. It is always on, for every request and
in both directions: neither a caller nor a key of the proxy can turn it off.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any
from uuid import uuid4
from weakref import finalize

import litellm
from litellm.integrations.custom_guardrail import CustomGuardrail

from privguard.api import load_guard
from privguard.core.errors import PrivguardError
from privguard.guard import Guard
from privguard_adapters.call import Call
from privguard_adapters.handover import drop_in_thread, open_in_thread, restore_beside_loop
from privguard_adapters.litellm.callers import Callers
from privguard_adapters.litellm.doors import shut_doors
from privguard_adapters.litellm.failures import close_failed
from privguard_adapters.litellm.opening import ask, restoring
from privguard_adapters.litellm.options import PROXY_OPTIONS
from privguard_adapters.litellm.owned import token_of
from privguard_adapters.litellm.proxied import Proxied
from privguard_adapters.litellm.refusals import refusal, with_message
from privguard_adapters.litellm.retelling import note, noted, retell
from privguard_adapters.litellm.routes import kind_of
from privguard_adapters.litellm.streams import RestoredStream
from privguard_adapters.litellm.unheard import stand_first

_BEFORE, _AFTER = "pre_call", "post_call"
# LiteLLM looks for hooks in the class of a guardrail alone, not in those that it is derived from.
_HOOKS = (
    "async_pre_call_hook",
    "async_post_call_success_hook",
    "async_post_call_streaming_iterator_hook",
    "async_post_call_failure_hook",
    "async_pre_call_deployment_hook",
)


def _never(_guardrail: object) -> bool:
    return False


def _stays(_guardrail: object, _value: object) -> None:
    """Take no setting: LiteLLM would throw away what a guardrail in that mode makes of a request."""


def _tell_end_user(key: Any, end_user: str | None) -> None:  # noqa: ANN401 - LiteLLM's own
    """Note whom spend is counted for in what loggers are told of a key, if anybody is noted there."""
    if getattr(key, "end_user_id", None) is not None:
        key.end_user_id = end_user


def _retell(error: Exception, words: Mapping[str, str]) -> Exception:
    """Have the caller read other words than the loggers, who are told of the error that is returned."""
    for said, restored in words.items():
        retell(said, restored)
    return error


class Guardrail(CustomGuardrail):  # type: ignore[misc]  # LiteLLM is not installed where types are checked
    """What stands between the callers of a proxy and its models."""

    run_in_parallel = property(_never, _stays)
    scan_raw_request = property(_never, _stays)

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401 - LiteLLM's own
        super().__init_subclass__(**options)
        for name in _HOOKS:
            setattr(cls, name, getattr(cls, name))

    def __init__(self, guardrail_name: str = "privguard", **_settings: Any) -> None:  # noqa: ANN401 - LiteLLM's own
        """Build the guard from the environment: `PRIVGUARD_KEY`, `PRIVGUARD_PROFILES`, `PRIVGUARD_VAULT` and so on."""
        super().__init__(guardrail_name=guardrail_name, event_hook=[_BEFORE, _AFTER], default_on=True)
        guard = self.make_guard()
        self._callers = Callers(guard)
        shut_doors(guard)
        stand_first(litellm.callbacks)
        stand_first(litellm.input_callback)
        self._open: dict[str, Call] = {}

    def make_guard(self) -> Guard:
        """Return the guard; a subclass may have another."""
        return load_guard()

    def should_run_guardrail(self, data: object, event_type: Any) -> bool:  # noqa: ANN401, ARG002 - LiteLLM's own
        """Tell whether to run: always, before every call of whatever kind and after it."""
        name = str(getattr(event_type, "value", event_type))
        return name.startswith("pre_") or name == _AFTER

    async def async_pre_call_hook(
        self,
        user_api_key_dict: Any,  # noqa: ANN401 - LiteLLM's own
        cache: object,  # noqa: ARG002 - likewise
        data: dict[str, Any],
        call_type: str,
    ) -> dict[str, Any]:
        """Minimize a request, or refuse it."""
        proxied = Proxied(data)
        failure: Exception
        try:
            gate = self._callers.gate_for(str(getattr(user_api_key_dict, "api_key", None) or ""))
            asked = ask(gate, kind_of(call_type), proxied.arguments, PROXY_OPTIONS)
            call = await open_in_thread(gate, asked.request)
            with call.watched():
                token = uuid4().hex
                proxied.leave(asked, call, token)
                _tell_end_user(user_api_key_dict, proxied.end_user())
            self._keep(token, call, data)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever fails, nothing of it may leave or be logged
            failure = error
        else:
            return data
        proxied.empty()
        _tell_end_user(user_api_key_dict, None)
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        raise refusal(failure)

    async def async_post_call_success_hook(
        self,
        data: dict[str, Any],
        user_api_key_dict: object,  # noqa: ARG002 - LiteLLM's own
        response: Any,  # noqa: ANN401 - likewise
    ) -> Any:  # noqa: ANN401 - likewise
        """Return a reply with the real values in it. The one that is given stays as it is, for the loggers."""
        call = self._take(data)
        if call is None:
            return response
        failure: PrivguardError
        try:
            with call.watched():
                return await restore_beside_loop(call, restoring(call, response))
        except PrivguardError as error:
            failure = error
        raise refusal(failure)

    async def async_post_call_streaming_iterator_hook(
        self,
        user_api_key_dict: object,  # noqa: ARG002 - LiteLLM's own
        response: Any,  # noqa: ANN401 - likewise
        request_data: dict[str, Any],
    ) -> AsyncIterator[Any]:
        """Yield the chunks of a reply with the real values in them."""
        call = self._take(request_data)
        if call is None:
            async for chunk in response:
                yield chunk
            return
        stream = RestoredStream(aiter(response), call, _retell)
        try:
            async for chunk in stream:
                yield chunk
        finally:
            call.leave()

    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,
        user_api_key_dict: object,  # noqa: ARG002 - LiteLLM's own
        traceback_str: str | None = None,  # noqa: ARG002 - likewise
    ) -> Exception | None:
        """Close the exchange of a request that failed, and return the error with the real values in what it says."""
        call = self._take(request_data, noted())
        if call is None:
            return None
        words = await restore_beside_loop(call, partial(close_failed, call, original_exception))
        _retell(original_exception, words)
        restored = words.get(getattr(original_exception, "message", ""))
        return None if restored is None else with_message(original_exception, restored)

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: object) -> dict[str, Any]:  # noqa: ARG002 - LiteLLM's own
        """Leave a call as it is: it was minimized when it came."""
        return kwargs

    def _keep(self, token: str, call: Call, data: dict[str, Any]) -> None:
        self._open[token] = call
        note(token)
        # A request that neither hook hears of again: its caller has left before the reply.
        logged = data.get("litellm_logging_obj")
        if logged is not None:
            finalize(logged, self._forget, token)

    def _forget(self, token: str) -> None:
        call = self._open.pop(token, None)
        if call is not None:
            drop_in_thread(call)

    def _take(self, data: dict[str, Any], otherwise: str | None = None) -> Call | None:
        token = token_of(data) or otherwise
        return self._open.pop(token, None) if token else None
