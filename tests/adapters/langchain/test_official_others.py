"""The official tests of LangChain on models of another API and of another provider, over the scripted server."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_tests.integration_tests import ChatModelIntegrationTests

from privguard.testing import ModelServer, Reply, find_canaries
from privguard_adapters.langchain import adapter
from tests.adapters.langchain.test_official_chat import HIDDEN, InventedMedia, Suite, guard, official

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:Received a Pydantic BaseModel V1 schema"),
    pytest.mark.filterwarnings("ignore:OpenAI may require a filename for file uploads"),
    pytest.mark.filterwarnings("ignore::langchain_core._api.beta_decorator.LangChainBetaWarning"),
]


class TestResponses(Suite, InventedMedia, ChatModelIntegrationTests):
    """`ChatOpenAI` with the Responses API, which takes no audio."""

    supports_audio_inputs = False

    @pytest.fixture(autouse=True)
    async def running(self) -> AsyncIterator[None]:
        with ModelServer(Reply(speak=official)) as server, httpx2.Client() as client:
            async with httpx2.AsyncClient() as async_client:
                clients = {"http_client": client, "http_async_client": async_client}
                made = {"model": "gpt-5", "api_key": "key", "base_url": server.base_url, "use_responses_api": True}
                self.params: dict[str, Any] = {**made, **clients}
                yield
        assert find_canaries(server.wire, list(HIDDEN)) == []

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return self.params


class TestAnthropic(Suite, InventedMedia, ChatModelIntegrationTests):
    """`ChatAnthropic`, which takes no audio and has no JSON mode."""

    model_override_value = "claude-opus-4-6"
    supports_audio_inputs = supports_json_mode = False

    @pytest.fixture(autouse=True)
    async def running(self) -> AsyncIterator[None]:
        with ModelServer(Reply(speak=official)) as server:
            self.base_url = server.base_url.removesuffix("/v1")
            yield
        assert find_canaries(server.wire, list(HIDDEN)) == []

    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        from langchain_anthropic import ChatAnthropic

        plain: Any = ChatAnthropic
        found: type[BaseChatModel] = type(adapter.wrap(plain(model="claude-sonnet-4-6", api_key="key"), guard()))
        return found

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "claude-sonnet-4-6", "api_key": "key", "base_url": self.base_url}
