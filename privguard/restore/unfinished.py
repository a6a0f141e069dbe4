"""What at the end of a chunk may still become a placeholder, and is held back until more is known.

To hold back too much changes nothing in the text that comes out, to hold back too little does: so these patterns are
wider than the grammar, but for one thing. A word of prose that begins no type of the request passes at once.
"""

import re
from collections.abc import Collection
from itertools import accumulate

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import MAX_HINT, MAX_ID
from privguard.restore import grammar
from privguard.restore.found import Ids

# Quantifiers with a plus never try again with less: a bracket in code is soon done with.
_JOINT = rf"(?:[{grammar.WHITE}\r\n_|<>*#+/:{grammar.DASHES}]|\\(?:[nrt]|(?!u)))"
_BRACKET = lazy_pattern(
    rf"\[{_JOINT}{{0,44}}+(?:{grammar.LETTER}{{1,25}}+{_JOINT}{{1,44}}+){{0,3}}+"
    rf"{grammar.LETTER}{{0,25}}+[0-9A-Za-z]{{0,{MAX_ID + 1}}}+\Z"
)
_BEHIND = lazy_pattern(
    rf"(?:[{grammar.APOSTROPHES}:-]?{grammar.LETTER}{{0,8}}+)?{_JOINT}{{0,44}}"
    rf"(?:[:\uff1a][^\[\]\r\n]{{0,{MAX_HINT + 4}}})?\Z"
)
_HINTED = lazy_pattern(rf":(?: [^\[\]\r\n]{{0,{MAX_HINT + 4}}})?\Z")
_LETTERS = lazy_pattern(r"(?:\\+[nrt]|[^A-Za-z])*([A-Za-z]*)")
_FIRST_WORDS = frozenset(kind.value.partition("_")[0].lower() for kind in EntityType)
_STARTS = frozenset(start for word in _FIRST_WORDS for start in accumulate(word))


def _start_of(word: str) -> str:
    """Return a pattern for every start of a word in either case, up to the end of the text."""
    pattern = ""
    for letter in reversed(word):
        one = f"[{letter}{letter.lower()}]"
        pattern = f"{one}(?:{pattern})?" if pattern else one
    return pattern


def _chain(elements: list[tuple[str, str]], last: str) -> str:
    """Match any start of a sequence of (whole, start) patterns, up to the end of the text, or all of it and `last`."""
    pattern = last
    for whole, start in reversed(elements):
        pattern = rf"(?:{whole}{pattern}|{start}\Z)"
    return pattern


_UNDERSCORE = (f"{grammar.ESCAPES}_", grammar.ESCAPES)


def _type_elements(kind: EntityType) -> list[tuple[str, str]]:
    """Return what follows the first letter of a type, as (whole, start) patterns."""
    first, *others = kind.value.split("_")
    elements = [(f"(?ai:{first[1:]})", f"(?:{_start_of(first[1:])})?")]
    for word in others:
        elements += [_UNDERSCORE, (f"(?ai:{word})", f"(?:{_start_of(word)})?")]
    return elements


def _bare() -> re.Pattern[str]:
    tail = [
        _UNDERSCORE,
        (grammar.SPACES, grammar.SPACES),
        (rf"[0-9A-Za-z]{{1,{MAX_ID + 1}}}(?![{grammar.WORD}])", rf"[0-9A-Za-z]{{0,{MAX_ID + 1}}}"),
        # The pair of braces or angles that closes it, or a lone bracket.
        (rf"(?:{grammar.SPACES}[}}>]{{0,3}}|{grammar.ESCAPES})", ""),
    ]
    # The tail stands once: for each type it would be most of a hundred thousand characters, which take long to compile.
    # The first letter in front lets the engine skip a type at the cost of a look.
    letters = {kind: f"[{kind.value[0]}{kind.value[0].lower()}]" for kind in EntityType}
    elements = {kind: _type_elements(kind) for kind in EntityType}
    whole = "|".join(letters[kind] + "".join(part for part, _ in elements[kind]) for kind in EntityType)
    start = "|".join(letters[kind] + _chain(elements[kind], "(?!)") for kind in EntityType)
    pair = r"(?:\{{1,3}|<)" + grammar.SPACES
    begin = f"(?:{pair}|{grammar.BOUNDARY})"
    return lazy_pattern(rf"{begin}(?=[A-Za-z])(?:(?:{whole}){_chain(tail, chr(92) + 'Z')}|(?:{start}))|{pair}\Z")


_BARE = _bare()


def held_bare(text: str, floor: int, starts: Collection[str]) -> int:
    """Return where, from `floor` on, something begins that may become a placeholder without a bracket.

    Args:
        text: what is seen so far.
        floor: what stands before is certain.
        starts: every start of the first word of a type of this request, in lower case.
    """
    for held in _BARE.finditer(text, floor):
        word = first_word(held[0])
        if word in starts or (not word and starts):
            return held.start()
    return len(text)


def held_bracket(text: str, floor: int, ids: Ids) -> int:
    """Return where, from `floor` on, a bracket begins that may become a placeholder's.

    Args:
        text: what is seen so far.
        floor: what stands before is certain.
        ids: those of the request.
    """
    start = text.find("[", floor)
    while start >= 0:
        if _is_open(text, start, ids):
            escapes = len(text[floor:start]) - len(text[floor:start].rstrip("\\"))
            return start - min(escapes, grammar.MAX_ESCAPES)
        start = text.find("[", start + 1)
    return len(text)


def _is_open(text: str, start: int, ids: Ids) -> bool:
    closing = text.find("]", start)
    if closing < 0 and _BRACKET.match(text, start):
        # An index is no placeholder, unless it is one of our types.
        return not grammar.is_indexed(text, start) or _may_name_type(text, start)
    if closing >= 0 and text.find("[", start + 1, closing) < 0 and not _may_be_link(text, closing + 1):
        return False
    begun = grammar.BEGUN.match(text, start)
    return begun is not None and ids.is_known(begun[4]) and _is_begun(text, begun, ids)


def _is_begun(text: str, begun: re.Match[str], ids: Ids) -> bool:
    """Tell whether something may change how a bracket with an id in it is read."""
    read = ids.read(begun[4])
    if read is None:
        # One of another request is counted only as we would have written it, with a hint at most.
        return _HINTED.match(text, begun.end()) is not None
    if _BEHIND.match(text, begun.end()):
        return True
    ended = grammar.ENDED.match(text, begun.end())
    if ended is not None:
        return ids.may_be_link(read.entry) and _may_be_link(text, ended.end())
    closing, decided = grammar.closes(text, begun.end())
    return closing < 0 and decided == len(text) and text[-1] not in "\r\n"


def _may_be_link(text: str, end: int) -> bool:
    return text[end : end + grammar.LONGEST_LINK + 1].lower() in grammar.LINK_STARTS


def _may_name_type(text: str, start: int) -> bool:
    letters = _LETTERS.match(text, start)
    word = letters[1].lower() if letters else ""
    return word in _STARTS or not word or any(word.startswith(first) for first in _FIRST_WORDS)


def first_word(text: str) -> str:
    """Return the first letters of ASCII in a text, in lower case; "" where there are none."""
    letters = _LETTERS.match(text)
    return letters[1].lower() if letters else ""
