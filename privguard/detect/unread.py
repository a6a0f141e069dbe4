"""Text in scripts that the shipped models were not taught: what they do not find there is not known to be harmless.

Their base has a vocabulary that lacks letters of Thai, Khmer, Georgian and many more. Words of these reach the network
as signs that mean nothing, a whole phrase as one of them where a script sets no spaces.
"""

import unicodedata
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.letters import INVISIBLE
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.percent import decodings
from privguard.detect.shown import shown_views
from privguard.detect.tags import is_written_symbol

SOURCE = "scripts/unread"
LONGEST = 100  # letters and digits of a word that the tokenizer takes apart; a longer one is a single sign to it
_MOST_PARTS = 3  # letters that one syllable of Hangul is taken apart into

# Scripts of the languages that the models were taught, with their variants: Latin and IPA, Greek, Cyrillic, Hebrew,
# Arabic, Devanagari, Bengali, Hangul, kana, ideographs; further letterlike, enclosed and mathematical signs, which
# detectors read as the letters that they decorate, and accents of any letters.
_TAUGHT = (
    "\u0000-\u052f\u0590-\u06ff\u0750-\u077f\u0870-\u08ff\u0900-\u09ff\u1100-\u11ff\u1ab0-\u1aff\u1c80-\u1c8f"
    "\u1d00-\u1fff\u2000-\u24ff\u2c60-\u2c7f\u2de0-\u2dff\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u31f0-\u4dbf"
    "\u4e00-\u9fff\ua640-\ua69f\ua720-\ua7ff\ua960-\ua97f\uab30-\uab6f\uac00-\ud7ff\ue000-\ufb0f\ufb1d-\ufdff"
    "\ufe20-\ufe2f\ufe70-\uffff\U0001d400-\U0001d7ff\U0001ee00-\U0001eeff\U0001f100-\U0001f1ff\U00020000-\U0003ffff"
)
# Between the words of these no space stands: what touches them in other letters is a word of its own.
_UNSPACED = (
    *(range(0x0E00, 0x10A0), range(0x1780, 0x1800), range(0x1950, 0x19E0), range(0x1A20, 0x1AB0)),
    *(range(0xA9E0, 0xAA00), range(0xAA60, 0xAAE0)),
)
_UNTAUGHT = lazy_pattern(f"[^{_TAUGHT}{INVISIBLE}]")
# What may be one word to the tokenizer, which parts ideographs.
_RUN = lazy_pattern(
    rf"[^\s!-/:-@\[-`{{-~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    rf"{{{LONGEST // _MOST_PARTS + 1},}}"
)
# Variation selectors stand one by one behind a sign; a row of them carries bytes that no reader sees.
_SELECTORS = lazy_pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_IN_WORDS = frozenset({"Mn", "Mc", "Cf"})  # vowel signs, accents, joiners and what sets words apart without a space
_GAP = 2  # signs between words that are hidden as one


def find_unread(text: str) -> tuple[Span, ...]:
    """Find what the shipped models cannot read: words of other scripts, phrases as one, and words over 100 letters.

    So are rows of variation selectors, which carry bytes.

    Digits and Latin letters beside a script without spaces are left to those who read them. Linear in the length.

    Returns:
        Disjoint spans of type MISC, in order.
    """
    found = set(_places(text))
    for form in (*shown_views(text), *decodings(text)):
        found.update(form.back(start, end) for start, end in _places(form.text) if form.touches(start, end))
    spans: list[Span] = []
    for start, end in sorted(found):
        if spans and start < spans[-1].end:
            start = spans[-1].start  # noqa: PLW2901 - the two are one
            end = max(end, spans.pop().end)  # noqa: PLW2901
        spans.append(Span(start=start, end=end, kind=EntityType.MISC, score=1.0, source=SOURCE))
    return tuple(spans)


def _places(text: str) -> Iterator[tuple[int, int]]:
    yield from _long_words(text)
    if text.isascii():
        return
    yield from (match.span() for match in _SELECTORS.finditer(text))
    held: tuple[int, int] | None = None  # a phrase that may go on
    at = 0
    while sign := _UNTAUGHT.search(text, at):
        if not _is_unread(sign[0]):
            at = sign.end()
            continue
        start, at = _word(text, sign.start(), since=held[1] if held else 0)
        if held and _is_gap(text[held[1] : start]):
            held = held[0], at
            continue
        if held:
            yield held
        held = start, at
    if held:
        yield held


def _long_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the words of more than `LONGEST` letters, as the tokenizer counts: without accents and joiners."""
    for run in _RUN.finditer(text):
        start, count = run.start(), 0
        for at, sign in enumerate(run[0], start):
            if not sign.isascii() and unicodedata.category(sign)[0] == "P":
                if count > LONGEST:
                    yield start, at
                start, count = at + 1, 0
            else:
                count += _length(sign)
        if count > LONGEST:
            yield start, run.end()


def _length(sign: str) -> int:
    if "\uac00" <= sign <= "\ud7a3":
        return len(unicodedata.normalize("NFD", sign))
    return sign.isalnum() or (not sign.isascii() and unicodedata.category(sign) == "Mc")


def _word(text: str, at: int, *, since: int) -> tuple[int, int]:
    """Return where the word begins and ends that holds the sign at `at`; it does not begin before `since`."""
    start, end = at, at + 1
    # A mark behind a letter that is read is written on that: it is no word of its own.
    is_unspaced = _is_unspaced(text[at]) and not (start > since and _is_mark(text[at]) and _is_other(text[at - 1]))
    while not is_unspaced and start > since and _is_part(text[start - 1]):
        start -= 1
    while end < len(text) and _is_part(text[end]) and not (is_unspaced and _is_other(text[end])):
        end += 1
    return start, end


def _is_unread(sign: str) -> bool:
    """Tell of what is of no script that was taught whether it is written as text."""
    return (sign.isalnum() and not sign.isdecimal()) or _is_mark(sign) or is_written_symbol(sign)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) in ("Mn", "Mc")


def _is_unspaced(letter: str) -> bool:
    return any(ord(letter) in block for block in _UNSPACED)


def _is_other(sign: str) -> bool:
    """Tell whether this is a letter of a script that the models read: beside one without spaces, of another word."""
    return sign.isalpha() and not _UNTAUGHT.match(sign)


def _is_part(sign: str) -> bool:
    return sign.isalpha() or unicodedata.category(sign) in _IN_WORDS or is_written_symbol(sign)


def _is_gap(between: str) -> bool:
    return len(between) <= _GAP and all(
        sign in " \u00a0\u2800" or (not sign.isascii() and unicodedata.category(sign).startswith("P"))
        for sign in between
    )
