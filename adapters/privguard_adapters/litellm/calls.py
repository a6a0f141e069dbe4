"""The protected calls: LiteLLM's own functions, or those of one of its Routers, from outside.

Whatever LiteLLM does with a call, logging, callbacks, caching, retries and fallbacks, it does with the minimized one.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from privguard.core.errors import RestoreError, UnknownContentError
from privguard_adapters.call import Call
from privguard_adapters.guarding import Guarding
from privguard_adapters.handover import open_in_thread, restore_beside_loop
from privguard_adapters.litellm.failures import close_failed, with_words
from privguard_adapters.litellm.objects import is_stream
from privguard_adapters.litellm.opening import ask, gate_of, restored, restoring
from privguard_adapters.litellm.routes import kind_of
from privguard_adapters.litellm.streams import restored_stream


class Calls:
    """The calls of one source, behind one guard. Each has the arguments and the reply of the one that it is named for.

    Raises:
        ProtectionError: by every call: nothing was sent.
        RestoreError: by every call: it was sent, minimized, and its reply could not be restored.
    """

    def __init__(self, guard: Guarding, source: Callable[[], Any]) -> None:
        """Stand before a source.

        Args:
            guard: what minimizes and restores.
            source: returns the module, or the Router, whose functions are called.
        """
        self._gate, self._source = gate_of(guard), source

    @property
    def guard(self) -> Guarding:
        """Return the guard behind the calls."""
        return self._gate.guard

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - LiteLLM's own arguments
        """Make a call by the name of its function."""
        function = self._function(name)
        asked = ask(self._gate, kind_of(name), partial(_bound, function, args, kwargs))
        opened = self._gate.open(asked.request)
        with opened.watched():
            failure: Exception | None = None
            try:
                reply = function(**asked.arguments(opened))
            except Exception as error:  # noqa: BLE001 - raised below, without this one as its context
                failure = error
            if failure is not None:
                raise with_words(failure, close_failed(opened, failure))
            if not is_stream(reply):
                return restored(opened, _known(reply))
            return restored_stream(reply, opened)

    async def acall(self, name: str, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - likewise
        """Make a call by the name of its function, which is awaited."""
        function = self._function(name)
        asked = ask(self._gate, kind_of(name), partial(_bound, function, args, kwargs))
        opened = await open_in_thread(self._gate, asked.request)
        with opened.watched():
            failure: Exception | None = None
            try:
                reply = await function(**asked.arguments(opened))
            except Exception as error:  # noqa: BLE001 - likewise
                failure = error
            if failure is not None:
                words = await restore_beside_loop(opened, partial(close_failed, opened, failure))
                raise with_words(failure, words)
            if not is_stream(reply):
                return await _restored_beside(opened, reply)
            return restored_stream(reply, opened)

    def _function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self._source(), name)
        return function


async def _restored_beside(opened: Call, reply: Any) -> Any:  # noqa: ANN401 - of any class of LiteLLM
    if not opened.is_slow:
        return restored(opened, reply)
    return await restore_beside_loop(opened, restoring(opened, reply))


def _known(reply: Any) -> Any:  # noqa: ANN401 - likewise
    """Refuse what is awaited: it would bring its reply past the guard."""
    if inspect.isawaitable(reply):
        if inspect.iscoroutine(reply):
            reply.close()
        raise RestoreError("the call must be awaited: use the function for that")
    return reply


def _bound(
    function: Callable[..., Any], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> Mapping[str, object]:
    """Return all arguments by their names."""
    if not args:
        return kwargs
    signature = inspect.signature(function)
    bound = signature.bind_partial(*args, **kwargs)
    given = dict(bound.arguments)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            given |= given.pop(parameter.name, {})
        elif parameter.kind is parameter.VAR_POSITIONAL and given.pop(parameter.name, ()):
            raise UnknownContentError("an argument has no name; give it by name")
    return given
