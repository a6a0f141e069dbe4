"""Calls with texts: what is sent, and what is looked at beside it."""

from langchain_core.embeddings import Embeddings
from langchain_openai import OpenAIEmbeddings

from privguard.guard import Guard
from privguard_adapters.langchain import adapter
from privguard_adapters.langchain.inputs import aopen_input, open_input
from tests.adapters.langchain.conftest import NAME


async def test_texts_and_options_leave_minimized(guard: Guard) -> None:
    model = adapter.wrap(OpenAIEmbeddings(api_key="key"), guard)  # type: ignore[arg-type]  # a text does
    given = ([NAME, "hello"], {"user": NAME, "chunk_size": 3}, Embeddings)
    found = [open_input(model, "embeddings", *given), await aopen_input(model, "embeddings", *given)]
    for asked in found:
        assert asked.texts[1] == "hello"
        assert NAME not in (asked.texts[0], asked.options["user"])
        assert asked.options["chunk_size"] == 3
        assert not asked.call.is_closed
    assert found[0].texts == found[1].texts
