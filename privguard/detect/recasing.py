"""Put the letter case right where it tells nothing: all lower, all upper, or both, but no word as names are written."""

import re

from privguard.core.patterns import lazy_pattern
from privguard.detect.word_lists import read_words

_SENTENCE = lazy_pattern(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?\n]*")
_WORD = lazy_pattern(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_TOKEN_PART = lazy_pattern(r"[\w@/\\.:=#&$%+*{}<>\[\]-]")


def is_no_name(word: str) -> bool:
    """Tell whether a lower-case word starts or follows names often, or is no name at all: it keeps its lower case."""
    return word in read_words("no_names")


def recase(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences in which names had to be cased as names, with their offsets, letter for letter as long.

    Only English sentences without a single word in title case are touched: their letter case carries no information.
    """
    return tuple(
        (match.start(), other)
        for match in _SENTENCE.finditer(text)
        if (other := _recase_sentence(match.group())) != match.group()
    )


def _recase_sentence(sentence: str) -> str:
    words = [match for match in _WORD.finditer(sentence) if not _is_code(sentence, match)]
    if len(words) < 2 or any(_is_title(match.group()) for match in words):
        return sentence
    known = sum(is_no_name(match.group().lower()) for match in words)
    if known * 5 < len(words) and len(words) > 3:
        return sentence
    letters = list(sentence)
    for match in words:
        word = match.group()
        if is_no_name(word.lower()):
            cased = word.lower()
        elif word.isupper() or word.islower():
            cased = _capitalise(word)
        else:
            continue
        if len(cased) == len(word):
            letters[match.start() : match.end()] = cased
    return "".join(letters)


def _is_code(sentence: str, match: re.Match[str]) -> bool:
    before, after = sentence[match.start() - 1 : match.start()], sentence[match.end() : match.end() + 2]
    glued = bool(before and _TOKEN_PART.match(before))
    return glued or bool(after and _TOKEN_PART.match(after) and not re.match(r"[.:](?:\s|$)|-$", after + " "))


def _is_title(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word[1:].islower()


def _capitalise(word: str) -> str:
    """Capitalise each part of a compound, but not a possessive `s`."""
    parts = re.split(r"([-'\u2019])", word.lower())
    return "".join(
        part[:1].upper() + part[1:] if (number == 0 or len(part) > 1) and len(part[:1].upper()) == 1 else part
        for number, part in enumerate(parts)
    )
