from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.naming import Forbidden, key_of, names, shares_word, words_of

WORDS = st.text(alphabet="abcdéßÅ0123", min_size=1, max_size=6)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
def test_a_phrase_names_every_run_of_its_words_in_any_case(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    value = ", ".join(words[start:end]).upper()
    assert names(" ".join(words), value)
    assert Forbidden([value]).named_in(" ".join(words))


@given(st.text(max_size=40), st.lists(st.text(max_size=10), max_size=5))
def test_prepared_and_single_checks_agree(phrase: str, values: list[str]) -> None:
    assert Forbidden(values).named_in(phrase) == any(names(phrase, value) for value in values)


def test_a_part_of_a_word_is_not_named() -> None:
    assert not names("a large city in Texas", "Tex")
    assert not names("the early 1980s", "1980")
    assert not Forbidden(["ex", "cit"]).named_in("a large city in Texas")


def test_accents_and_punctuation_do_not_hide_a_name() -> None:
    assert names("a city in Mexico", "MÉXICO!")
    assert key_of("St. Louis") == key_of("ST-LOUIS") == "st louis"
    assert words_of("Straße_9") == ("strasse", "9")


def test_only_telling_words_count_as_shared() -> None:
    assert shares_word("a large city in Texas", "Austin, Texas", {"city"})
    assert not shares_word("a large city in Texas", "Salt Lake City", {"city"})
    assert not shares_word("a city in US", "US", frozenset())


def test_prepared_values_are_the_values() -> None:
    held = Forbidden(["Ada", "Ben", "Ada"])
    assert len(held) == 2
    assert sorted(held) == ["Ada", "Ben"]
    assert "Ada" in held
    assert "ada" not in held


def test_empty_and_huge_values_forbid_nothing_and_cost_nothing() -> None:
    assert not Forbidden(["", " ", "city " * 2_000_000]).named_in("a city")
