"""No public method of the installed OpenAI SDK lets a canary out.

The methods are found by reflection and called with canaries in every string. Whatever comes over the wire is searched.
"""

from collections.abc import Iterator

import openai
import pytest
from openai._resource import AsyncAPIResource, SyncAPIResource

from privguard.guard import Guard
from privguard.testing import ModelServer, find_canaries
from privguard_adapters.openai import adapter
from tests.contract.reflection import Method, methods_of
from tests.contract.sweep import CANARIES, Outcomes, try_all

# Deprecated methods send like all others.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

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
    "moderations.create",
    "files.list",
    "files.wait_for_processing",
    "batches.list",
    "responses.create",
    "responses.parse",
    "responses.stream",
    "responses.input_tokens.count",
}
# What sends nothing at all.
LOCAL = {"webhooks.unwrap", "webhooks.verify_signature", "beta.agents.environments.files.prepare"}
LOCAL |= {"beta.agents.environments.files.prepare_directory"}
# What takes objects or paths that cannot be made up; each calls another method of this list to send.
WRAPPERS = {"beta.agents.environments.files.upload", "beta.agents.sessions.artifacts.for_result"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def check(outcomes: Outcomes, methods: list[Method], server: ModelServer) -> None:
    assert find_canaries(server.wire, CANARIES) == []
    assert set(outcomes) == {method.name for method in methods}
    assert len(methods) > 300
    beta = {name for name in outcomes if name.startswith(("beta.chat.", "beta.responses."))}
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
