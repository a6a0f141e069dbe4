"""One call of LiteLLM under guard: its arguments on the way out, its reply on the way back."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from privguard.core.errors import ConfigError, PrivguardError, UnknownContentError
from privguard_adapters.call import Call, HttpRequest, Mode
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.litellm.ids import ReplyIds, standing_for
from privguard_adapters.litellm.objects import read_fields, read_reply, write_json, write_reply
from privguard_adapters.litellm.options import OPTIONS, Sorted, join_arguments, sort_arguments
from privguard_adapters.litellm.routes import BASE_URL, LITELLM, url_of
from privguard_adapters.wire.headers import Headers

_JSON: Headers = ((b"content-type", b"application/json"),)
_EVENTS: Headers = ((b"content-type", b"text/event-stream"),)
_PREVIOUS = "previous_response_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The arguments of one call, as far as they are read."""

    request: HttpRequest
    given: Sorted = field(repr=False)

    def arguments(self, call: Call) -> dict[str, Any]:
        """Return the arguments that may leave."""
        given = {**self.given.request, **self.given.added}
        if call.request.body == self.request.body:
            return join_arguments(self.given, list(given.values()))
        fields = read_fields(call.request.body)
        if _PREVIOUS in given:
            fields[list(given).index(_PREVIOUS)] = given[_PREVIOUS]  # LiteLLM's own id
        return join_arguments(self.given, fields)


def gate_of(guard: Guarding) -> Gate:
    """Return the gate that all calls of LiteLLM pass."""
    return Gate(guard, lambda: BASE_URL, LITELLM)


def ask(
    gate: Gate, kind: str, arguments: Callable[[], Mapping[str, object]], passed: frozenset[str] = OPTIONS
) -> Asked:
    """Read the arguments of a call.

    Args:
        gate: that the call will pass.
        kind: of the call.
        arguments: returns them, by their names.
        passed: names of those that go along unread.

    Raises:
        ProtectionError: they cannot be read. The record of it is written.
    """
    refusal: PrivguardError
    try:
        given = sort_arguments(_with_schema(arguments()), passed)
        headers = tuple((_bytes(name), _bytes(value)) for name, value in given.headers)
        body = write_json(_with_short_id({**given.request, **given.added}))
        request = HttpRequest(method="POST", url=url_of(kind), headers=(*headers, *_JSON), body=body)
        return Asked(request=request, given=given)
    except PrivguardError as error:
        refusal = error
    except Exception as error:  # noqa: BLE001 - its text may hold content
        refusal = UnknownContentError(f"the arguments could not be read ({type(error).__name__}); nothing was sent")
    gate.guard.block(route=f"litellm.{kind}", error=refusal)
    raise refusal


def receive(call: Call, *, streams: bool) -> Mode:
    """Tell a call that its reply is here."""
    return call.receive(200, _EVENTS if streams else _JSON)


def restored(call: Call, reply: Any) -> Any:  # noqa: ANN401 - of any class of LiteLLM
    """Return a whole reply with the real values in it, and close the call. The one that is given stays as it is."""
    return _restore(call, receive(call, streams=False), reply)


def _restore(call: Call, mode: Mode, reply: Any) -> Any:  # noqa: ANN401 - likewise
    if mode is Mode.RAW:
        call.finish()
        return reply
    ids = ReplyIds()
    body = ids.shorten(write_reply(reply), reply)
    # A stream was asked for, and a whole reply came.
    new = call.whole(body) if mode is Mode.WHOLE else call.feed(body) + call.end()
    return reply if new == body else read_reply(ids.lengthen(new), reply)


def restoring(call: Call, reply: Any) -> Callable[[], Any]:  # noqa: ANN401 - likewise
    """Return what restores a whole reply, to be called in another thread."""
    return partial(_restore, call, receive(call, streams=False), reply)


def _with_short_id(fields: dict[str, object]) -> dict[str, object]:
    previous = fields.get(_PREVIOUS)
    return {**fields, _PREVIOUS: standing_for(previous)} if isinstance(previous, str) else fields


def _with_schema(arguments: Mapping[str, object]) -> Mapping[str, object]:
    """Write a class that structured output is asked for with as the schema that it means."""
    if not isinstance(arguments.get("response_format"), type):
        return arguments
    sdk: Any = sys.modules["litellm"]
    schema = sdk.utils.type_to_response_format_param(response_format=arguments["response_format"])
    return {**arguments, "response_format": schema}


def _bytes(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8")


def load() -> Any:  # noqa: ANN401 - the module of the SDK
    """Import LiteLLM, without the list of prices that it would fetch.

    Raises:
        ConfigError: it is not installed.
    """
    import os

    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        import litellm
    except ImportError:
        raise ConfigError("LiteLLM is not installed: pip install 'privguard[litellm]'") from None
    return litellm
