"""A text, read once for all finders: its words, its numbers, and so the places where a pattern can begin at all.

A regular expression that begins with a look-behind or with hundreds of words is tried at every letter of a text. Nearly
all patterns of the finders begin at one of a few known words or at a number. Tried there alone they give the same
matches at a fraction of the cost.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.letters import lowered
from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered

_WORD = lazy_pattern(r"\w+")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_DIGITS = lazy_pattern(r"\d\d*")  # with a beginning that the engine looks for first


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A text and what finders ask about it, each answered once."""

    text: str = field(repr=False)

    @remembered
    def folded(self) -> str:
        """Return the text without its letter case, at the same offsets."""
        return lowered(self.text)

    @remembered
    def tokens(self) -> Mapping[str, Sequence[int]]:
        """Return where each run of word characters begins, by its folded form, in order."""
        places: dict[str, list[int]] = {}
        for match in _WORD.finditer(self.folded):
            places.setdefault(match[0], []).append(match.start())
        return places

    @remembered
    def words(self) -> Mapping[str, Sequence[int]]:
        """Return the tokens, where one with digits or underscores is listed under more than its own form.

        Namely by the letters that it begins with, and without the underscores around it.
        """
        further: dict[str, list[int]] = {}
        for token in self._mixed:
            lead = _LETTERS.match(token)
            for other in {lead[0] if lead else token, token.strip("_")} - {token}:
                further.setdefault(other, []).extend(self.tokens[token])
        return {**self.tokens, **{word: sorted({*self.tokens.get(word, ()), *at}) for word, at in further.items()}}

    @remembered
    def vocabulary(self) -> frozenset[str]:
        """Return the words without their places."""
        return frozenset(self.words)

    @remembered
    def codes(self) -> Sequence[tuple[int, str]]:
        """Return the tokens that hold both digits and other letters, folded, with their offsets, in order."""
        return sorted((start, token) for token in self._mixed if _DIGITS.search(token) for start in self.tokens[token])

    @remembered
    def _mixed(self) -> Sequence[str]:
        return [token for token in self.tokens if not token.isalpha() and not token.isdecimal()]

    @remembered
    def numbers(self) -> Sequence[tuple[int, int]]:
        """Return the half-open intervals of all runs of digits, in order."""
        return [match.span() for match in _DIGITS.finditer(self.text)]


def line_start(text: str, at: int, *, within: int) -> int | None:
    """Return where the line begins that holds `at`, None where the break before is not within so many code points."""
    low = max(0, at - within)
    start = text.rfind("\n", low, at) + 1
    return start if start or not low else None


def places_of(text: str, *parts: str) -> list[int]:
    """Return where any of the literal `parts` begins, in order."""
    found: set[int] = set()
    for part in parts:
        at = text.find(part)
        while at >= 0:
            found.add(at)
            at = text.find(part, at + 1)
    return sorted(found)


def match_at(pattern: re.Pattern[str], text: str, starts: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer(text)` yields, where every match of it begins at one of the ascending `starts`."""
    end = 0
    for start in starts:
        if start >= end and (match := pattern.match(text, start)):
            end = match.end()
            yield match


class Leads:
    """The words at which a pattern, or several, can begin."""

    __slots__ = ("_stems", "_words")

    def __init__(self, *alternatives: str, stems: Iterable[str] = ()) -> None:
        """Take the words as `found.words` does.

        Args:
            alternatives: space-separated; `_` stands for any gap, so that the first word alone counts.
            stems: beginnings of further words.
        """
        self._words = frozenset(
            first for line in alternatives for word in line.split() for first in _first_words(lowered(word).split("_"))
        )
        self._stems = lazy_pattern("|".join(re.escape(lowered(stem)) for stem in stems)) if stems else None

    def starts(self, view: Prepared) -> Sequence[int]:
        """Return where any of the words stands, in order."""
        words = view.words
        found = set(self._words & view.vocabulary)
        if self._stems:
            found.update(filter(self._stems.match, words))
        return sorted({start for word in found for start in words[word]})


def _first_words(parts: Sequence[str]) -> Iterator[str]:
    head = _WORD.match(parts[0])
    if head is None:
        raise ValueError("an alternative begins with no word")
    yield head[0]
    if head[0] == parts[0] and len(parts) > 1:
        yield from (parts[0] + gap + rest for rest in _first_words(parts[1:]) for gap in ("", "_"))
