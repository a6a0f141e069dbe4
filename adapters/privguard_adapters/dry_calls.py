"""The request of a call of an SDK, made and not sent: for the SDKs of OpenAI's and Anthropic's build.

A copy of the client is asked, whose `request` method hands over what the SDK would send. Nothing else of the copy can
send anything: its HTTP client is behind a closed gate, and what prepares credentials is not reached.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from privguard.core.errors import ConfigError
from privguard_adapters.call import HttpRequest
from privguard_adapters.transport import describe_request


class _Made(BaseException):
    """The request that the SDK has made: no error, so that no `except Exception` of the SDK stops it."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__()
        self.request = request


def dry_request(
    client: Any,  # noqa: ANN401 - of an SDK, whose types are not imported here
    close_off: Callable[[Any], None],
    call: object,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> HttpRequest:
    """Return the request of a call.

    Args:
        client: whose call it is.
        close_off: sees to it that a copy of the client can send nothing.
        call: a method of a resource of the client, or its path from the client.
        args: of the call.
        kwargs: of the call.

    Raises:
        ConfigError: it is no such method, or it does not send a request at once.
    """
    copy = type(client).copy(client)
    close_off(copy)
    copy._validate_headers = lambda *_headers: None  # noqa: SLF001 - no credential is fetched for what is not sent
    copy.request = lambda _cast_to, options, **_options: _hand_over(copy, options)
    method = _method(client, copy, call)
    try:
        _run(method(*args, **kwargs))
    except _Made as made:
        return made.request
    raise ConfigError(
        "this call sends no request at once, so that there is none to preview: name the method that does, such as "
        '"chat.completions.create" for the stream helper'
    )


def _hand_over(copy: Any, options: Any) -> NoReturn:  # noqa: ANN401 - likewise
    prepare = getattr(copy, "_copy_and_prepare", None)
    if prepare is not None:  # Anthropic's build leaves out here what was not given
        options = _settled(prepare(options))
    request = copy._build_request(options)  # noqa: SLF001 - the SDK has no public name for it
    raise _Made(describe_request(request, request.read()))


def _method(client: Any, copy: Any, call: object) -> Callable[..., Any]:  # noqa: ANN401 - likewise
    """Return the same method of the copy."""
    if isinstance(call, str):
        found: Any = copy
        for step in call.split("."):
            found = None if step.startswith("_") else getattr(found, step, None)
        resource = getattr(found, "__self__", None)
        if getattr(resource, "_client", None) is copy:
            method: Callable[..., Any] = found
            return method
        raise ConfigError('a preview takes the path of a method of this client, such as "embeddings.create"')
    owner: Any = getattr(call, "__self__", None)
    # A method of another client, protected or not, would send what it is given.
    if getattr(owner, "_client", None) is not client or not hasattr(call, "__func__"):
        raise ConfigError(
            "a preview takes a method of this very client, such as client.embeddings.create, or its path as a text; "
            "ask a copy of the client by the privguard of that copy"
        )
    bound: Callable[..., Any] = call.__func__.__get__(type(owner)(copy))
    return bound


def _run(result: Any) -> None:  # noqa: ANN401 - what a method returns: in async clients, something to await
    if not hasattr(result, "__await__"):
        return
    steps = result.__await__()
    try:
        next(steps)
    except StopIteration:
        return
    finally:
        steps.close()


def _settled(result: Any) -> Any:  # noqa: ANN401 - likewise
    """Return what a call that waits for nothing gives, awaited where it must be."""
    if not hasattr(result, "__await__"):
        return result
    steps = result.__await__()
    try:
        next(steps)
    except StopIteration as done:
        return done.value
    finally:
        steps.close()
    raise ConfigError("this call waits for something before its request is made, so that there is none to preview")
