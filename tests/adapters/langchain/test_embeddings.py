"""Embeddings: documents and queries leave minimized, and a value is the same in both."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from langchain_core.embeddings import Embeddings
from langchain_openai import OpenAIEmbeddings
from langchain_tests.integration_tests import EmbeddingsIntegrationTests
from langchain_tests.unit_tests import EmbeddingsUnitTests

from privguard.core.audit import Outcome
from privguard.core.errors import ProtectionError, UnknownContentError
from privguard.guard import Guard
from privguard.testing import ListSink, ModelServer, find_canaries
from privguard_adapters.langchain import adapter
from tests.adapters.langchain.conftest import NAME


class Recorder(Embeddings):
    """Embeddings that are no pydantic model, and keep what they are given."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.prefix = ""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.given += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.given.append(text)
        return [float(len(text))]


class TestOfficialUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return type(adapter.wrap(Recorder(), Guard.__new__(Guard)))

    @property
    def embedding_model_params(self) -> dict[str, object]:
        return {}


class TestOfficial(EmbeddingsIntegrationTests):
    @pytest.fixture(autouse=True)
    async def running(self, guard: Guard) -> AsyncIterator[None]:
        with ModelServer() as server, httpx2.Client() as client:
            async with httpx2.AsyncClient() as async_client:
                self.params: dict[str, object] = {
                    "api_key": "key",
                    "base_url": server.base_url,
                    "check_embedding_ctx_length": False,
                    "http_client": client,
                    "http_async_client": async_client,
                }
                self.guard = guard
                yield

    @property
    def embeddings_class(self) -> type[Embeddings]:
        return type(adapter.wrap(OpenAIEmbeddings(**self.params), self.guard))  # type: ignore[arg-type]  # of many types

    @property
    def embedding_model_params(self) -> dict[str, object]:
        return self.params


def test_documents_and_queries_share_identities(guard: Guard, sink: ListSink) -> None:
    recorder = Recorder()
    wrapped = adapter.wrap(recorder, guard)
    assert isinstance(wrapped, Recorder)
    documents = wrapped.embed_documents([f"{NAME} lives here", "no name"])
    assert [len(documents), wrapped.embed_query(f"{NAME} lives here")] == [2, documents[0]]
    assert recorder.given[0] == recorder.given[-1]
    assert find_canaries(" ".join(recorder.given).encode(), [NAME]) == []
    assert [(record.route, record.outcome) for record in sink.records] == [("langchain.embeddings", Outcome.DONE)] * 2


async def test_async_calls_are_protected_once(guard: Guard, sink: ListSink) -> None:
    recorder = Recorder()
    wrapped = adapter.wrap(recorder, guard)
    await wrapped.aembed_documents([NAME])
    await wrapped.aembed_query(NAME)
    assert NAME not in recorder.given
    assert len(set(recorder.given)) == 1
    assert len(sink.records) == 2


@pytest.mark.parametrize("texts", [[b"bytes"], [[1, 2]]], ids=["bytes", "tokens"])
def test_what_cannot_be_read_is_refused(guard: Guard, sink: ListSink, texts: list[str]) -> None:
    recorder = Recorder()
    with pytest.raises(UnknownContentError):
        adapter.wrap(recorder, guard).embed_documents(texts)
    assert recorder.given == []
    assert [record.outcome for record in sink.records] == [Outcome.BLOCKED]


def test_what_is_set_on_the_model_is_looked_at(guard: Guard, server: ModelServer) -> None:
    made = OpenAIEmbeddings(api_key="key", base_url=server.base_url, model_kwargs={"user": NAME})  # type: ignore[arg-type]  # a text does
    with pytest.raises(ProtectionError, match="a setting of the model"):
        adapter.wrap(made, guard).embed_query("hello")
    assert server.requests == ()
