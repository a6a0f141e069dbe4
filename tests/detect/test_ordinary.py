import pytest

from privguard.core.entities import EntityType
from privguard.detect.ordinary import (
    is_common_part,
    is_function_word,
    is_instruction,
    is_noun,
    is_ordinary,
    is_telling,
    may_be_word,
)


@pytest.mark.parametrize(
    ("word", "kind", "expected"),
    [
        ("hellmerich", EntityType.PERSON, True),
        ("Hellmerich", EntityType.PERSON, True),
        ("rose", EntityType.PERSON, False),
        ("ada", EntityType.PERSON, False),
        ("diabetes", EntityType.HEALTH, True),
        ("hiv", EntityType.HEALTH, True),
        ("positive", EntityType.HEALTH, False),
        ("nurse", EntityType.OCCUPATION, False),
        ("mother", EntityType.FAMILY, False),
        ("berlin", EntityType.LOCATION, True),
        ("nice", EntityType.LOCATION, False),
        ("admin", EntityType.USERNAME, False),
        ("swordfish", EntityType.SECRET, True),
    ],
)
def test_a_word_is_told_in_any_case_only_where_it_says_something(word: str, kind: EntityType, expected: bool) -> None:
    assert is_telling(word, kind) is expected


@pytest.mark.parametrize("word", ["Rose", "summer", "and", "oder", "Wei\u00df", "None", "yield", "rechnung", "quanto"])
def test_words_of_any_list_and_of_programs_are_ordinary(word: str) -> None:
    assert is_ordinary(word)
    assert is_ordinary(word.upper())


@pytest.mark.parametrize(("word", "is_part"), [("May", True), ("may", True), ("adam", False), ("Hellmerich", False)])
def test_a_part_of_a_name_is_told_from_a_word_that_is_one_as_well(word: str, *, is_part: bool) -> None:
    assert is_common_part(word) is is_part


def test_trades_are_names_in_identifiers_and_may_be_words_in_prose() -> None:
    assert not is_ordinary("schneider")
    assert may_be_word("schneider")
    assert is_noun("Schneider", german=True)
    assert not is_noun("Schneider", german=False)
    assert not is_noun("Rose", german=False)


def test_what_joins_and_what_instructs_is_told() -> None:
    assert is_function_word("und")
    assert not is_function_word("reik")
    assert is_instruction("Translate")
    assert not is_instruction("Reik")
