"""Retrievers: the query leaves minimized, and its values come back in the documents."""

from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests

from privguard.core.audit import Outcome
from privguard.core.errors import ProtectionError, UnknownContentError
from privguard.guard import Guard
from privguard.testing import FakeDetector, ListSink
from privguard_adapters.langchain import adapter
from tests.adapters.langchain.conftest import NAME


class Search(BaseRetriever):
    """A search whose documents quote the query."""

    k: int = 2
    given: list[Any] = []  # noqa: RUF012 - pydantic copies it
    filters: dict[str, str] = {}  # noqa: RUF012 - likewise

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, owner: str = ""
    ) -> list[Document]:
        self.given += [query, owner, *run_manager.handlers]
        found = {"title": query, "rank": 1, "more": (object(), query)}
        return [Document(page_content=f"About {query}", metadata=found) for _ in range(k or self.k)]


class Bare(BaseRetriever):
    """A retriever that takes a query and nothing else."""

    def _get_relevant_documents(self, query: str) -> list[Document]:  # type: ignore[override]  # the old signature
        return [Document(page_content=query)]


class TestOfficial(RetrieversIntegrationTests):
    retriever_constructor_params = {}  # noqa: RUF012 - as the suite has it
    retriever_query_example = f"Who is {NAME}?"

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return type(adapter.wrap(Search(), _guard()))


def _guard() -> Guard:
    from privguard.core.profile import Profile
    from privguard.guard import Parts
    from privguard.replacements.key import Key
    from privguard.testing import FakeAbstractor, FakeNeed, FakeProfiles
    from tests.adapters.langchain.conftest import VALUES

    return Guard(
        Parts(
            detector=FakeDetector(VALUES),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="test:1", name="test", gamma=0.5)),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


def test_the_query_leaves_minimized_and_comes_back_in_documents(guard: Guard, sink: ListSink) -> None:
    search = Search(given=[])
    wrapped = adapter.wrap(search, guard)
    found = wrapped.invoke(f"Who is {NAME}?", owner=NAME)
    assert isinstance(wrapped, Search)
    assert NAME not in str(search.given)
    assert found[0].page_content == f"About Who is {NAME}?"
    assert found[0].metadata["title"] == found[0].metadata["more"][1] == f"Who is {NAME}?"
    assert type(found[0].metadata["more"][0]) is object
    assert [(record.route, record.outcome) for record in sink.records] == [("langchain.retriever", Outcome.DONE)]


async def test_async_calls_are_protected_once(guard: Guard, sink: ListSink) -> None:
    search = Search(given=[])
    found = await adapter.wrap(search, guard).ainvoke(f"Who is {NAME}?")
    assert NAME not in str(search.given)
    assert found[0].page_content == f"About Who is {NAME}?"
    assert len(sink.records) == 1


def test_callbacks_see_the_query_and_the_documents_as_they_are(guard: Guard) -> None:
    class Watcher(BaseCallbackHandler):
        seen = ""

        def on_retriever_start(self, serialized: object, query: str, **kwargs: Any) -> None:  # noqa: ANN401 - of LangChain
            self.seen += query

        def on_retriever_end(self, documents: object, **kwargs: Any) -> None:  # noqa: ANN401 - likewise
            self.seen += str(documents)

    watcher, search = Watcher(), Search(given=[])
    adapter.wrap(search, guard).invoke(NAME, config={"callbacks": [watcher]})
    assert "PERSON_" not in watcher.seen
    assert watcher not in search.given


def test_one_without_arguments_gets_none(guard: Guard) -> None:
    assert adapter.wrap(Bare(), guard).invoke(NAME, k=3)[0].page_content == NAME


def test_what_cannot_be_read_is_refused(guard: Guard) -> None:
    search = Search(given=[])
    with pytest.raises(UnknownContentError):
        adapter.wrap(search, guard).invoke("hello", owner=object())
    with pytest.raises(ProtectionError, match="a setting of the model"):
        adapter.wrap(Search(given=[], filters={"owner": NAME}), guard).invoke("hello")
    assert search.given == []
