"""The official tests of LangChain for chat models, on a protected one over the scripted server."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI
from langchain_tests.integration_tests import ChatModelIntegrationTests, chat_models
from langchain_tests.unit_tests import ChatModelUnitTests

from privguard.core.entities import EntityType
from privguard.core.profile import Media, Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import (
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    ListSink,
    ModelServer,
    Recorded,
    Reply,
    Said,
    ToolUse,
    assist,
    find_canaries,
)
from privguard_adapters.langchain import adapter

# Values that the official tests send: all are hidden, and all come back.
HIDDEN = {
    "example_user": EntityType.USERNAME,
    "Jack": EntityType.PERSON,
    "Bob": EntityType.PERSON,
    "你好啊集团": EntityType.ORGANIZATION,
}
HIDDEN |= {"株式会社": EntityType.ORGANIZATION}


def guard() -> Guard:
    return Guard(
        Parts(
            detector=FakeDetector(HIDDEN),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="test:1", name="test", gamma=0.5, pass_parts=tuple(Media))),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


def official(request: Recorded) -> Said:
    """Act like the scripted model, but with the number that the official tests ask for in every call of a tool."""
    body = request.json()
    wanted = body.get("response_format") or (body.get("text") or {}).get("format")
    if wanted == {"type": "json_object"}:
        return Said(text=json.dumps({"setup": "Why?", "punchline": "Because."}))
    said = assist(request)
    tools = [ToolUse(name=tool.name, arguments=_with_three(tool.arguments)) for tool in said.tools]
    return replace(said, tools=tuple(tools))


def _with_three(arguments: str) -> str:
    given = json.loads(arguments)
    return json.dumps({key: 3 if isinstance(item, int | float) else item for key, item in given.items()})


PROTECTED: Any = type(adapter.wrap(ChatOpenAI(model="gpt-5", api_key="key"), guard()))  # type: ignore[arg-type]  # a text does


class Suite:
    """What the models of the tests can do."""

    model_override_value = "gpt-5-mini"
    supports_json_mode = True
    supports_image_inputs = supports_image_urls = supports_image_tool_message = True
    supports_pdf_inputs = supports_pdf_tool_message = supports_audio_inputs = True
    supports_anthropic_inputs = True

    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        found: type[BaseChatModel] = PROTECTED
        return found


@pytest.mark.filterwarnings("ignore::pytest_benchmark.logger.PytestBenchmarkWarning")  # where tests run in parallel
class TestUnit(Suite, ChatModelUnitTests):
    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "gpt-5", "api_key": "key"}

    @property
    def init_from_env_params(self) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
        return {"OPENAI_API_KEY": "key"}, {"model": "gpt-5"}, {"openai_api_key": "key"}


class InventedMedia:
    """Invented media: the tests would fetch some from the network."""

    @pytest.fixture(autouse=True)
    def media(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fetched = SimpleNamespace(content=bytes(range(256)) * 8)
        monkeypatch.setenv("LANGCHAIN_TESTS_USER_AGENT", "privguard")
        monkeypatch.setattr(chat_models, "httpx", SimpleNamespace(get=lambda *_args, **_options: fetched))


@pytest.mark.filterwarnings("ignore:Received a Pydantic BaseModel V1 schema")
@pytest.mark.filterwarnings("ignore:OpenAI may require a filename for file uploads")
@pytest.mark.filterwarnings("ignore::langchain_core._api.beta_decorator.LangChainBetaWarning")
class TestIntegration(Suite, InventedMedia, ChatModelIntegrationTests):
    @pytest.fixture(autouse=True)
    async def running(self) -> AsyncIterator[None]:
        with ModelServer(Reply(speak=official)) as server, httpx2.Client() as client:
            async with httpx2.AsyncClient() as async_client:
                self.params = {
                    "model": "gpt-5",
                    "api_key": "key",
                    "base_url": server.base_url,
                    "stream_usage": True,
                    "http_client": client,
                    "http_async_client": async_client,
                }
                yield
        assert find_canaries(server.wire, list(HIDDEN)) == []

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return self.params
