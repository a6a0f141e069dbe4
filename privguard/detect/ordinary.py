"""Words that are names as well, and words that say nothing of anybody: where the letter case does not tell.

A value in lower case is looked for everywhere, in any case and within identifiers, unless it is one of these.
"""

import keyword
from functools import cache

from privguard.core.entities import Category, EntityType
from privguard.core.patterns import lazy_pattern
from privguard.detect.found import listed
from privguard.detect.word_lists import read_words

MIN_LETTERS = 4  # of a word that is told without its capital
MIN_SENSITIVE = 3  # of one that names a condition or a belief
MIN_UNLISTED = 7  # of a name in lower case that running text does not take for a word
MIN_ACCESS = 6  # of a secret or a user name: `admin` and `root` stand everywhere

# The lists that are looked into by themselves, too; what each holds is said in it.
_COMMON_PARTS, _NAMES = "common_parts", "words_and_names"
_JOINING, _GERMAN = "function_words", "german_nouns"
_COURSE, _INSTRUCTIONS = "matter_of_course", "instructions"
_ARTICLES = listed("das del den der die dos las los the")
# Endings that make words, and hardly a surname.
_ENDING = lazy_pattern(
    r"(?:tion(?:en|s)?|ci[o\u00f3]n(?:es)?|\u00e7(?:\u00e3o|\u00f5es)|zion[ei]|[hk]eit(?:en)?|schaft(?:en)?|bility)\Z"
)

_ACCESS = frozenset({EntityType.SECRET, EntityType.USERNAME})
# Their single words are said of anybody: `nurse`, `wife`, `german`, `yesterday`, `salary`. A second mention may be of
# somebody else or of nobody ("act as a nurse", "translate to german"), and hiding it breaks the request.
_SAID_OF_ANYBODY = frozenset(
    kind
    for kind in EntityType
    if kind.category is Category.QUASI and kind not in {EntityType.LOCATION, EntityType.ORGANIZATION}
) | {EntityType.FINANCE}
_SENSITIVE = frozenset(kind for kind in EntityType if kind.category is Category.SENSITIVE)


@cache
def _ordinary() -> frozenset[str]:
    lists = (_COMMON_PARTS, _NAMES, _JOINING, _COURSE, _GERMAN, "everyday", _INSTRUCTIONS, "matters")
    return _folded(*lists) | frozenset(map(str.casefold, keyword.kwlist))


@cache
def _prose() -> frozenset[str]:
    return _ordinary() | _folded("trades")


@cache
def _nouns(*, german: bool) -> frozenset[str]:
    if german:
        return _folded(_GERMAN, "trades")
    return _folded(_COURSE, "everyday", "matters") - read_words(_COMMON_PARTS) - read_words(_NAMES)


def _folded(*names: str) -> frozenset[str]:
    return frozenset(word.casefold() for name in names for word in read_words(name))


def is_ordinary(word: str) -> bool:
    """Tell whether a word is one of letters, programs and instructions, or joins others, whatever its letter case."""
    return word.casefold() in _ordinary()


def is_common_part(word: str) -> bool:
    """Tell whether a part of a name is an ordinary word or a month as well: on its own it is no mention of anybody."""
    return word.casefold() in read_words(_COMMON_PARTS)


def is_name_too(word: str) -> bool:
    """Tell whether an ordinary word is a given name or a surname as well, whatever its letter case."""
    folded = word.casefold()
    return folded in read_words(_COMMON_PARTS) or folded in read_words(_NAMES)


def is_telling(word: str, kind: EntityType) -> bool:
    """Tell whether a single word is a mention of a value of this type whatever its letter case."""
    if kind in _ACCESS:
        return len(word) >= MIN_ACCESS
    if kind in _SAID_OF_ANYBODY:
        return False
    return len(word) >= (MIN_SENSITIVE if kind in _SENSITIVE else MIN_LETTERS) and not is_ordinary(word)


def is_said_of_anybody(kind: EntityType) -> bool:
    """Tell whether the words of this type say nothing of one person alone."""
    return kind in _SAID_OF_ANYBODY


def is_function_word(word: str) -> bool:
    """Tell whether a word only joins others, in lower case."""
    return len(word) < MIN_SENSITIVE or word in read_words(_JOINING) or word in _ARTICLES


def is_instruction(word: str) -> bool:
    """Tell whether a word is what requests begin with."""
    return word.casefold() in read_words(_INSTRUCTIONS)


def may_be_word(word: str) -> bool:
    """Tell whether a single word in lower case may be no name in running text: listed, formed like a word or short."""
    folded = word.casefold()
    return len(folded) < MIN_UNLISTED or folded in _prose() or _ENDING.search(folded) is not None


def is_noun(word: str, *, german: bool) -> bool:
    """Tell whether a capitalised word behind an article of German, or of another language, is a thing or a trade."""
    return word.casefold() in _nouns(german=german)
