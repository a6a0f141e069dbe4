"""What the adapter takes, and that `privguard.wrap` finds it."""

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_openai import ChatOpenAI

import privguard
from privguard.guard import Guard
from privguard_adapters.langchain import adapter
from privguard_adapters.langchain.twins import Protected
from tests.adapters.langchain.test_retriever import Bare


def test_wrap_finds_the_adapter(plain: ChatOpenAI, guard: Guard) -> None:
    for client in (plain, DeterministicFakeEmbedding(size=2), Bare(), FakeListChatModel(responses=["a"])):
        wrapped = privguard.wrap(client, guard)
        assert isinstance(wrapped, type(client))
        assert isinstance(wrapped, Protected)


def test_wrapping_again_gives_it_the_new_guard_alone(plain: ChatOpenAI, guard: Guard) -> None:
    first = adapter.wrap(plain, guard)
    second = adapter.wrap(first, Guard(guard.parts))
    assert type(second).__mro__.count(ChatOpenAI) == 1
    assert not isinstance(second, type(first))


def test_what_is_no_model_is_not_taken(plain: ChatOpenAI, guard: Guard) -> None:
    for client in (object(), plain.bind(stop=["a"])):
        assert not adapter.matches(client)
    with pytest.raises(privguard.ConfigError, match=r"langchain_core\..* before `bind` and its like"):
        privguard.wrap(plain.bind(stop=["a"]), guard)


def test_what_is_several_things_at_once_is_refused(guard: Guard) -> None:
    class Both(Bare, FakeListChatModel):  # type: ignore[misc]  # which no program would make
        """A retriever that is a model as well."""

    made = Both(responses=["a"])
    assert adapter.matches(made)
    with pytest.raises(privguard.ConfigError, match="several"):
        adapter.wrap(made, guard)
