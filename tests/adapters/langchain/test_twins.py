"""Protected classes: whatever is made of them is protected, and nothing is protected twice."""

import copy
import pickle

import pytest
from langchain_core.load import dumpd
from langchain_openai import ChatOpenAI

from privguard.core.errors import ConfigError
from privguard.guard import Guard
from privguard_adapters.langchain.chat import ProtectedChat
from privguard_adapters.langchain.twins import original_class, plain, protect, twin


def test_the_class_is_derived_and_looks_the_same(model: ChatOpenAI) -> None:
    assert isinstance(model, ChatOpenAI)
    assert type(model).__name__ == "ChatOpenAI"
    assert original_class(model) is ChatOpenAI


def test_copies_and_new_objects_of_the_class_are_protected(model: ChatOpenAI) -> None:
    made = [copy.copy(model), model.model_copy(update={"temperature": 0.5}), type(model)(model="gpt-5", api_key="key")]  # type: ignore[arg-type]  # a text does
    assert [isinstance(each, ProtectedChat) for each in made] == [True] * 3
    assert made[1].temperature == 0.5
    assert made[0].privguard_seam is model.privguard_seam  # type: ignore[attr-defined]  # of the protected class


def test_it_is_neither_pickled_nor_written_as_one_that_can_be_loaded(model: ChatOpenAI) -> None:
    with pytest.raises(ConfigError):
        pickle.dumps(model)
    assert dumpd(model)["type"] == "not_implemented"


def test_the_twin_behind_the_guard_shares_the_state(model: ChatOpenAI) -> None:
    bare = plain(model)
    assert type(bare) is ChatOpenAI
    bare.temperature = 0.25
    assert model.temperature == 0.25


def test_a_copy_has_a_state_of_its_own(model: ChatOpenAI) -> None:
    other = twin(model, ChatOpenAI)
    other.temperature = 0.25
    assert model.temperature is None


def test_a_class_that_cannot_be_derived_from_is_refused(guard: Guard) -> None:
    with pytest.raises(ConfigError, match="bool"):
        protect(bool, ProtectedChat, guard)


def test_an_object_without_a_state_to_copy_is_refused() -> None:
    with pytest.raises(ConfigError, match="state"):
        twin(("a",), tuple)
