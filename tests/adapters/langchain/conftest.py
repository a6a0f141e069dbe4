"""A guard that knows one person, a scripted server, and a protected chat model."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from langchain_core.messages import AIMessageChunk
from langchain_openai import ChatOpenAI

from privguard.core.entities import EntityType
from privguard.core.profile import Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink, ModelServer
from privguard_adapters.langchain import adapter

NAME = "Ada Roth"
VALUES = {NAME: EntityType.PERSON, "Kassel": EntityType.LOCATION, "Bob Lane": EntityType.PERSON}


def piece(content: Any = "", **more: Any) -> AIMessageChunk:  # noqa: ANN401 - as LangChain has it
    """Make a piece of a reply."""
    return AIMessageChunk(content=content, **more)


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def make_guard(sink: ListSink) -> Callable[..., Guard]:
    def make(**profile: Any) -> Guard:  # noqa: ANN401 - fields of the profile
        return Guard(
            Parts(
                detector=FakeDetector(VALUES),
                need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
                abstractor=FakeAbstractor(),
                profiles=FakeProfiles(Profile(id="test:1", name="test", gamma=0.5, **profile)),
                sink=sink,
                key=Key.from_text("correct horse battery staple"),
            )
        )

    return make


@pytest.fixture
def guard(make_guard: Callable[..., Guard]) -> Guard:
    return make_guard()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def plain(server: ModelServer) -> Iterator[ChatOpenAI]:
    with httpx2.Client() as client:
        yield ChatOpenAI(model="gpt-5", api_key="key", base_url=server.base_url, max_retries=0, http_client=client)  # type: ignore[arg-type]  # a text does


@pytest.fixture
def model(plain: ChatOpenAI, guard: Guard) -> ChatOpenAI:
    return adapter.wrap(plain, guard)
