"""Find many phrases in long texts, whatever their letter case and composition, at exact offsets.

Texts and phrases are compared case-folded and canonically decomposed. Both may change the length, so matches are
mapped back to code points of the original. The cost is linear in the text: a phrase is looked up by its first word.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_WORD = re.compile(r"\w+")
_DOT = "\u0307"  # combining, above
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
# Scripts written without spaces between words, and Hangul, whose particles attach to the name.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    r"\uf900-\ufaff\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A text in the form in which it is compared, and the way back."""

    text: str = field(repr=False)
    _starts: tuple[int, ...] = field(repr=False)  # offsets in `text` at which the shift changes
    _origins: tuple[int, ...] = field(repr=False)  # the offsets of the original that they belong to
    _flat: tuple[bool, ...] = field(repr=False)  # whether offsets advance from there, or stand still

    def back(self, offset: int) -> int:
        """Return the offset in the original of the code point that `offset` came from."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0:
            return offset
        return self._origins[at] + (0 if self._flat[at] else offset - self._starts[at])


def fold(text: str) -> Folded:
    """Case-fold and decompose a text, remembering where each code point came from."""
    if text.isascii():
        return _as_it_stands(text.lower())
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    flat: list[bool] = []
    done = length = 0
    for run in _FOREIGN.finditer(text):
        pieces.append(text[done : run.start()].lower())
        length += run.start() - done
        for number, letter in enumerate(run.group(), run.start()):
            form = unicodedata.normalize("NFD", unicodedata.normalize("NFD", letter).casefold())
            # The Turkish capital keeps its dot when folded or lowered; the small letter has none of its own.
            form = form.replace("i\u0307", "i")
            if letter == _DOT and text[max(0, number - 1) : number] in {"i", "I"}:
                form = ""
            if len(form) != 1:
                starts += (length, length + len(form))
                origins += (number, number + 1)
                flat += (True, False)
            pieces.append(form)
            length += len(form)
        done = run.end()
    pieces.append(text[done:].lower())
    return Folded(text="".join(pieces), _starts=tuple(starts), _origins=tuple(origins), _flat=tuple(flat))


def _as_it_stands(text: str) -> Folded:
    return Folded(text=text, _starts=(), _origins=(), _flat=())


class PhraseBook:
    """A fixed set of phrases to look for."""

    def __init__(self, phrases: Sequence[str], *, exact: bool = False) -> None:
        """Index the phrases by their first word.

        Args:
            phrases: what to look for; white space matches any white space.
            exact: compare code point by code point, not folded.
        """
        self._fold = _as_it_stands if exact else fold
        self._numbers: dict[str, int] = {}
        by_word: dict[str, list[str]] = {}
        self._unspaced: list[str] = []
        for number, phrase in enumerate(phrases):
            folded = self._fold(phrase.strip()).text
            if not folded or self._numbers.setdefault(" ".join(folded.split()), number) != number:
                continue
            word = _WORD.search(folded)
            if word is None or _UNSPACED.search(folded):
                self._unspaced.append(folded)
            else:
                by_word.setdefault(word.group(), []).append(folded)
        self._lead = {word: _leads(folded, word) for word, folded in by_word.items()}

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the phrase)` for each match that stands between word boundaries."""
        folded = self._fold(text)
        for word in _WORD.finditer(folded.text) if self._lead else ():
            for lead, pattern in self._lead.get(word.group(), ()):
                match = pattern.match(folded.text, word.start() - lead) if word.start() >= lead else None
                if match and _bounded(folded.text, match.start(), match.end()):
                    yield self._found(folded, text, match.span())
        for phrase in self._unspaced:
            at = folded.text.find(phrase)
            while at >= 0:
                yield self._found(folded, text, (at, at + len(phrase)))
                at = folded.text.find(phrase, at + len(phrase))

    def _found(self, folded: Folded, text: str, place: tuple[int, int]) -> tuple[int, int, int]:
        start, end = place
        number = self._numbers[" ".join(folded.text[start:end].split())]
        first = folded.back(start)
        last = max(folded.back(end - 1) + 1, first + 1)
        last += text.startswith(_DOT, last)
        return first, last, number


def _leads(phrases: list[str], word: str) -> tuple[tuple[int, re.Pattern[str]], ...]:
    """Return one pattern for each number of characters that stand before the first word, longest phrase first."""
    by_lead: dict[int, list[str]] = {}
    for phrase in phrases:
        by_lead.setdefault(phrase.index(word), []).append(phrase)
    return tuple(
        (lead, re.compile("|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in sorted(group, key=_size))))
        for lead, group in by_lead.items()
    )


def _size(phrase: str) -> tuple[int, str]:
    return (-len(phrase), phrase)


def _bounded(text: str, start: int, end: int) -> bool:
    """Tell whether a match neither starts nor ends within a word or between a letter and its mark."""
    after = text[end : end + 1]
    if after and unicodedata.combining(after):
        return False
    if after and _is_word(after) and _is_word(text[end - 1]):
        return False
    return not (start and _is_word(text[start - 1]) and _is_word(text[start]))


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_" or bool(unicodedata.combining(letter))
