"""No public method of the installed Anthropic SDK lets a canary out.

The methods are found by reflection and called with canaries in every string. Whatever comes over the wire is searched.
"""

from collections.abc import Iterator

import anthropic
import pytest
from anthropic._resource import AsyncAPIResource, SyncAPIResource

from privguard.guard import Guard
from privguard.testing import ModelServer, find_canaries
from privguard_adapters.anthropic import adapter
from tests.contract.reflection import Method, methods_of
from tests.contract.sweep import CANARIES, Outcomes, try_all

# Deprecated methods send like all others.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

# What reaches the provider, minimized. Everything else that sends is refused.
PROTECTED = {
    f"{root}{name}"
    for root in ("", "beta.")
    for name in (
        "messages.count_tokens", "messages.create", "messages.parse", "messages.stream", "models.list",
        "models.retrieve",
    )
}  # fmt: skip
# What asks others of this list, and what asks by ids alone.
PROTECTED |= {"beta.messages.tool_runner", "messages.batches.list", "beta.messages.batches.list"}
# What sends nothing at all.
LOCAL = {"beta.webhooks.unwrap", "beta.webhooks.parse_unverified", "beta.messages.thread"}
# What takes objects or paths that cannot be made up; each calls another method of this list to send.
WRAPPERS = {"beta.environments.work.worker", "beta.environments.work.poller", "beta.sessions.events.tool_runner"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def check(outcomes: Outcomes, methods: list[Method], server: ModelServer) -> None:
    assert find_canaries(server.wire, CANARIES) == []
    assert set(outcomes) == {method.name for method in methods}
    assert len(methods) > 300
    assert {name for name, ends in outcomes.items() if "sent" in ends} == PROTECTED
    # Every other method got as far as the gate, so its silence is not that of a call that was never made.
    assert {name for name, ends in outcomes.items() if not ends & {"sent", "refused"}} <= LOCAL | WRAPPERS


async def test_an_unprotected_client_would_be_caught(server: ModelServer) -> None:
    with anthropic.Anthropic(api_key="key", base_url=server.root_url, max_retries=0) as client:
        methods = [each for each in methods_of(client, (SyncAPIResource,)) if each.path[0] == "messages"]
        await try_all(client, server, methods)
    assert {leak.canary for leak in find_canaries(server.wire, CANARIES)} == set(CANARIES)


async def test_no_method_of_the_sync_client_lets_a_canary_out(server: ModelServer, guard: Guard) -> None:
    with anthropic.Anthropic(api_key="key", base_url=server.root_url, max_retries=0) as plain:
        client = adapter.wrap(plain, guard)
        methods = list(methods_of(client, (SyncAPIResource,)))
        check(await try_all(client, server, methods), methods, server)


async def test_no_method_of_the_async_client_lets_a_canary_out(server: ModelServer, guard: Guard) -> None:
    async with anthropic.AsyncAnthropic(api_key="key", base_url=server.root_url, max_retries=0) as plain:
        client = adapter.wrap(plain, guard)
        methods = list(methods_of(client, (AsyncAPIResource,)))
        check(await try_all(client, server, methods), methods, server)
