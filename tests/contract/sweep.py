"""Call every public method of an SDK with canaries in every string, and say what became of each call."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from privguard.core.errors import ProtectionError
from privguard.testing import Canary, ModelServer
from tests.contract.driver import Answer, Client
from tests.contract.reflection import EXTRAS, Maker, Method

CANARIES = (Canary.person(), Canary.email(), Canary.card())
CANARY = " / ".join(canary.value for canary in CANARIES)
RUDE, POLITE = Maker(canary=CANARY), Maker(canary=CANARY, polite=True)
VIEWS = ("", "with_raw_response", "with_streaming_response")

Outcomes = dict[str, set[str]]


def trials(method: Method) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a view and the arguments of every call that is made to a method."""
    polite = POLITE.arguments(method)
    yield "", RUDE.arguments(method)
    for view in VIEWS:
        yield view, polite
    yield "", POLITE.arguments(method, only=("model", "input", "messages"))
    accepted = inspect.signature(method.function).parameters
    for extra in EXTRAS:
        if extra in accepted:
            yield "", {**polite, extra: {"x-canary": CANARY, Canary.email().value: "1"}}


def bound(client: Client, method: Method, view: str) -> Callable[..., Answer] | None:
    """Return a method of the client, or of one of its views where the view has it."""
    owner = client
    for step in method.path[:-1]:
        owner = getattr(owner, step)
    if view:
        owner = getattr(owner, view, None)
    found: Callable[..., Answer] | None = getattr(owner, method.path[-1], None)
    return found


async def settle(answer: Answer) -> None:
    """Wait for whatever a method gave back, enter it, and read it to its end."""
    if inspect.isawaitable(answer):
        answer = await answer
    if hasattr(answer, "__aenter__"):
        async with answer as entered:
            await settle_events(entered)
    elif hasattr(answer, "__enter__"):
        with answer as entered:
            await settle_events(entered)
    elif hasattr(answer, "until_done"):  # it sends nothing before it is run
        await settle(answer.until_done())


async def settle_events(events: Answer) -> None:
    if hasattr(events, "__aiter__"):
        async for _ in events:
            pass
    elif hasattr(events, "__next__"):
        for _ in events:
            pass


async def attempt(client: Client, server: ModelServer, call: Callable[[], Answer]) -> str:
    """Make one call and say what became of it."""
    before = len(server.requests)
    try:
        await settle(call())
    except ProtectionError:
        assert len(server.requests) == before
        return "refused"
    except Exception:  # noqa: BLE001 - the SDK refuses made-up arguments in its own ways
        return "sent" if len(server.requests) > before else "failed"
    return "sent" if len(server.requests) > before else "local"


async def try_all(client: Client, server: ModelServer, methods: list[Method]) -> Outcomes:
    outcomes: Outcomes = defaultdict(set)
    for method in methods:
        for view, arguments in trials(method):
            function = bound(client, method, view)
            if function is not None:
                outcomes[method.name].add(await attempt(client, server, partial(function, **arguments)))
    return outcomes
