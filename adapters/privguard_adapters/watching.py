"""A gate that remembers its last exchange, and one that nothing passes but a rehearsal."""

from collections.abc import Callable
from typing import NoReturn

from privguard.core.errors import ConfigError, UnprotectedRouteError
from privguard.guard import Watch, watched
from privguard.showing import Preview
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.wire import openai_files
from privguard_adapters.wire.routes import OPENAI, Api


class WatchedGate(Gate):
    """The gate of one client, and its last exchange."""

    def __init__(self, guard: Guarding, base_url: Callable[[], str], watch: Watch, api: Api = OPENAI) -> None:
        super().__init__(guard, base_url, api)
        self._watch = watch

    def open(self, request: HttpRequest) -> Call:
        """Protect a request, and note its exchange.

        Raises:
            ProtectionError: it may not leave. The record of it is written.
        """
        with watched(self._watch):
            return super().open(request)


class ClosedGate(Gate):
    """The gate of a client that is asked what it would send."""

    def open(self, request: HttpRequest) -> NoReturn:  # noqa: ARG002 - nothing passes, whatever it is
        """Let nothing pass.

        Raises:
            UnprotectedRouteError: always.
        """
        raise UnprotectedRouteError("a preview sends nothing")


def preview_request(guard: Guarding, request: HttpRequest, base_url: Callable[[], str], api: Api = OPENAI) -> Preview:
    """Return what would leave of a request. Nothing is sent, recorded or kept.

    Raises:
        ProtectionError: it would be refused.
        ConfigError: there is no content in it, and nothing to show.
    """
    watch = Watch(keeps=True)
    gate = Gate(guard.rehearsal(), base_url, api)
    with watched(watch):
        call = gate.open(request)
    call.drop()
    trace = watch.trace
    if trace is None or trace.content is None or trace.record is None:
        raise ConfigError("this call sends no content: there is nothing to preview")
    if trace.record.route.startswith(f"{openai_files.NAME}."):
        raise ConfigError("a file holds many requests: preview one of its lines, as the call that it is")
    return Preview(route=trace.record.route, body=call.request.body, content=trace.content)
