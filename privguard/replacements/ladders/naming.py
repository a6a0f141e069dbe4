"""Does a phrase name a value? Compared by whole words, without regard to case, accents and punctuation."""

from collections.abc import Collection, Iterator
from functools import lru_cache

from privguard.core.letters import bare_words

EN_DASH = "\N{EN DASH}"
_LONGEST = 24  # words; no rung has as many


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of `text`, unaccented, numbers included."""
    return tuple(bare_words(text))


def key_of(text: str) -> str:
    """Return the words of `text` as one key for look-ups."""
    return " ".join(words_of(text))


class Forbidden(Collection[str]):
    """Values that no phrase may name, prepared once so that a check costs the length of the phrase.

    Build one for a request that has many values; `Ladders.abstract` takes it in place of the bare collection.
    """

    __slots__ = ("_marks", "_values", "_words")

    def __init__(self, values: Collection[str] = ()) -> None:
        self._values = frozenset(values)
        words = {value: words_of(value) for value in self._values if len(value) <= _LONGEST * _LONGEST}
        self._words = frozenset(found for found in words.values() if 0 < len(found) <= _LONGEST)
        self._marks = tuple(value.strip() for value, found in words.items() if not found and value.strip())

    def __contains__(self, value: object) -> bool:
        return value in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def named_in(self, phrase: str) -> bool:
        """Tell whether `phrase` names one of the values."""
        if not self._values:
            return False
        return not self._words.isdisjoint(_runs(phrase)) or any(mark in phrase for mark in self._marks)


@lru_cache(maxsize=4096)
def _runs(phrase: str) -> frozenset[tuple[str, ...]]:
    """Return every run of words of a phrase. Phrases are written by ladders, so nothing private is cached."""
    words = words_of(phrase)
    return frozenset(words[start:end] for start in range(len(words)) for end in range(start + 1, len(words) + 1))


def names(phrase: str, value: str) -> bool:
    """Tell whether `phrase` names `value`."""
    words = words_of(value)
    return words in _runs(phrase) if words else bool(value.strip()) and value.strip() in phrase


def shares_word(phrase: str, value: str, grammar: Collection[str]) -> bool:
    """Tell whether `phrase` has a word of at least 3 letters in common with `value` that is not of the `grammar`."""
    common = set(words_of(phrase)).intersection(words_of(value))
    return any(len(word) >= 3 and word not in grammar for word in common)
