"""Find many phrases in long texts, whatever their letter case and composition, at exact offsets.

Texts and phrases are compared folded. That may change their length, so matches are mapped back to code points of the
original. The cost is linear in the text: a phrase is looked up by its words, one after the other, so that many phrases
which begin alike cost no more than one. Those of very many words, such as whole passages in a script that the models
cannot read, are searched for as they are: word by word, one that repeats itself would cost its length at each of them.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from privguard.core.patterns import lazy_pattern
from privguard.detect.mapped import Mapped, mapped_fold

_WORD = lazy_pattern(r"\w+")
_MOST_WORDS = 32  # of a phrase that is looked up by its words
_GAP = lazy_pattern(r"\s{2,}|[^\S ]")
_DOT = "\u0307"  # combining, above
# Scripts written without spaces between words, and Hangul, whose particles attach to the name.
_UNSPACED = lazy_pattern(
    r"[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    r"\uf900-\ufaff\U00020000-\U0003ffff]"
)


def is_unspaced(text: str) -> bool:
    """Tell whether a text holds letters of a script that is written without spaces between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


class _Phrase(NamedTuple):
    """A folded phrase that is looked up by its words."""

    lead: int  # code points before the first word
    pieces: tuple[str, ...]  # what stands between white space
    numbers: list[int]  # of the phrases that are the same when folded

    def match(self, text: str, start: int) -> int:
        """Return where the phrase ends that begins at `start`, -1 where it does not stand there between boundaries."""
        if start < 0 or not text.startswith(self.pieces[0], start):
            return -1
        at = start + len(self.pieces[0])
        for piece in self.pieces[1:]:
            gap = at
            while at < len(text) and text[at].isspace():
                at += 1
            if at == gap or not text.startswith(piece, at):
                return -1
            at += len(piece)
        return at if _bounded(text, start, at) else -1


class _Long(NamedTuple):
    """A folded phrase of more words than are looked up one by one."""

    text: str  # with one space for white space
    numbers: list[int]  # of the phrases that are the same when folded


class _Words:
    """The phrases that begin with certain words, by what follows: nothing, or a further word."""

    __slots__ = ("after", "phrases")

    def __init__(self) -> None:
        self.after: dict[str, _Words] = {}
        self.phrases: list[_Phrase] = []

    def add(self, words: Sequence[str], phrase: _Phrase) -> None:
        """Take in a phrase of these words."""
        node = self
        for word in words:
            node = node.after.setdefault(word, _Words())
        node.phrases.append(phrase)

    def standing(self, text: str, end: int) -> Iterator[_Phrase]:
        """Yield the phrases whose words stand in a text, the last that is known of them before `end`."""
        node: _Words | None = self
        while node is not None:
            yield from node.phrases
            word = _WORD.search(text, end) if node.after else None
            if word is None:
                return
            node, end = node.after.get(word[0]), word.end()


class PhraseBook:
    """A fixed set of phrases to look for. What is found of one does not depend on the others."""

    def __init__(self, phrases: Sequence[str], *, exact: bool = False) -> None:
        """Index the phrases by their words.

        Args:
            phrases: what to look for; white space matches any white space.
            exact: compare code point by code point, not folded.
        """
        self._fold = Mapped if exact else mapped_fold
        self._by_word = _Words()
        self._long: list[_Long] = []
        self._unspaced: list[tuple[str, int]] = []
        known: dict[tuple[str, ...], list[int]] = {}
        for number, phrase in enumerate(phrases):
            folded = self._fold(phrase.strip()).text
            pieces = tuple(folded.split())
            word = _WORD.search(folded)
            if word is None or is_unspaced(folded):
                if pieces:
                    self._unspaced.append((folded, number))
            elif pieces in known:
                known[pieces].append(number)
            else:
                numbers = known[pieces] = [number]
                words = _WORD.findall(folded)
                if len(words) > _MOST_WORDS:
                    self._long.append(_Long(" ".join(pieces), numbers))
                else:
                    self._by_word.add(words, _Phrase(word.start(), pieces, numbers))

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the phrase)` for each match that stands between word boundaries."""
        folded = self._fold(text)
        if not self._by_word.after.keys().isdisjoint(_WORD.findall(folded.text)):
            yield from self._find_by_word(folded, text)
        if self._long:
            yield from self._find_long(folded, text)
        for phrase, number in self._unspaced:
            at = folded.text.find(phrase)
            while at >= 0:
                yield *_in_original(folded, text, at, at + len(phrase)), number
                at = folded.text.find(phrase, at + len(phrase))

    def _find_by_word(self, folded: Mapped, text: str) -> Iterator[tuple[int, int, int]]:
        for word in _WORD.finditer(folded.text):
            group = self._by_word.after.get(word[0])
            for entry in group.standing(folded.text, word.end()) if group is not None else ():
                start = word.start() - entry.lead
                end = entry.match(folded.text, start)
                if end >= 0:
                    first, last = _in_original(folded, text, start, end)
                    for number in entry.numbers:
                        yield first, last, number

    def _find_long(self, folded: Mapped, text: str) -> Iterator[tuple[int, int, int]]:
        spaced = _one_spaced(folded.text)
        for phrase, numbers in self._long:
            *_, last = _WORD.finditer(phrase)
            at = spaced.text.find(phrase)
            while at >= 0:
                start, end = spaced.back_from(at, at + len(phrase))
                if _bounded(folded.text, start, end):
                    first, behind = _in_original(folded, text, start, end)
                    yield from ((first, behind, number) for number in numbers)
                # What repeats itself stands nearly everywhere where it stands once: go on with the last of its words.
                at = spaced.text.find(phrase, at + last.start())


def _one_spaced(text: str) -> Mapped:
    changes = [(at, " " if at == gap.start() else "") for gap in _GAP.finditer(text) for at in range(*gap.span())]
    return Mapped.of(text, changes) if changes else Mapped(text)


def _in_original(folded: Mapped, text: str, start: int, end: int) -> tuple[int, int]:
    first = folded.back(start)
    last = max(folded.back(end - 1) + 1, first + 1)
    return first, last + text.startswith(_DOT, last)


def _bounded(text: str, start: int, end: int) -> bool:
    """Tell whether a match neither starts nor ends within a word or between a letter and its mark."""
    after = text[end : end + 1]
    if after and not after.isascii() and unicodedata.combining(after):
        return False
    if after and _is_word(after) and _may_be_word(text[end - 1]):
        return False
    return not (start and _is_word(text[start - 1]) and _may_be_word(text[start]))


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_" or (letter > "\x7f" and bool(unicodedata.combining(letter)))


def _may_be_word(letter: str) -> bool:
    """Tell whether a code point is of a word, or stands for a letter that was lost."""
    return letter == "\ufffd" or _is_word(letter)
