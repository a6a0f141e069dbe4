"""No public method of the installed OpenAI SDK lets a canary out.

The methods are found by reflection and called with canaries in every string. Whatever comes over the wire is searched.
"""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import openai
import pytest
from openai._resource import AsyncAPIResource, SyncAPIResource

from privguard.core.errors import ProtectionError
from privguard.guard import Guard
from privguard.testing import Canary, ModelServer, find_canaries
from privguard_adapters.openai import adapter
from tests.contract.driver import Answer, Client
from tests.contract.reflection import EXTRAS, Maker, Method, methods_of

# Deprecated methods send like all others.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

CANARIES = (Canary.person(), Canary.email(), Canary.card())
CANARY = " / ".join(canary.value for canary in CANARIES)
RUDE, POLITE = Maker(canary=CANARY), Maker(canary=CANARY, polite=True)
# What reaches the provider, minimized. Everything else that sends is refused.
PROTECTED = {
    "chat.completions.create",
    "chat.completions.parse",
    "chat.completions.stream",
    "completions.create",
    "embeddings.create",
    "models.list",
    "models.retrieve",
    "models.delete",
}
# What sends nothing at all.
LOCAL = {"webhooks.unwrap", "webhooks.verify_signature", "beta.agents.environments.files.prepare"}
LOCAL |= {"beta.agents.environments.files.prepare_directory"}
# What takes objects or paths that cannot be made up; each calls another method of this list to send.
WRAPPERS = {"beta.agents.environments.files.upload", "beta.agents.sessions.artifacts.for_result"}
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


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def check(outcomes: Outcomes, methods: list[Method], server: ModelServer) -> None:
    assert find_canaries(server.wire, CANARIES) == []
    assert set(outcomes) == {method.name for method in methods}
    assert len(methods) > 300
    beta = {name for name in outcomes if name.startswith("beta.chat.")}
    assert {name for name, ends in outcomes.items() if "sent" in ends} - beta == PROTECTED
    # Every other method got as far as the gate, so its silence is not that of a call that was never made.
    assert {name for name, ends in outcomes.items() if not ends & {"sent", "refused"}} <= LOCAL | WRAPPERS


async def test_an_unprotected_client_would_be_caught(server: ModelServer) -> None:
    with openai.OpenAI(api_key="key", base_url=server.base_url, max_retries=0) as client:
        methods = [each for each in methods_of(client, (SyncAPIResource,)) if each.path[0] in ("chat", "files")]
        await try_all(client, server, methods)
    assert {leak.canary for leak in find_canaries(server.wire, CANARIES)} == set(CANARIES)


async def test_no_method_of_the_sync_client_lets_a_canary_out(server: ModelServer, guard: Guard) -> None:
    with openai.OpenAI(api_key="key", admin_api_key="key", base_url=server.base_url, max_retries=0) as plain:
        client = adapter.wrap(plain, guard)
        methods = list(methods_of(client, (SyncAPIResource,)))
        check(await try_all(client, server, methods), methods, server)


async def test_no_method_of_the_async_client_lets_a_canary_out(server: ModelServer, guard: Guard) -> None:
    async with openai.AsyncOpenAI(api_key="key", admin_api_key="key", base_url=server.base_url, max_retries=0) as plain:
        client = adapter.wrap(plain, guard)
        methods = list(methods_of(client, (AsyncAPIResource,)))
        check(await try_all(client, server, methods), methods, server)
