"""How people write: letter case, typing errors, accents, punctuation and line breaks. Spans stay on their values."""

import unicodedata
from collections.abc import Mapping, Sequence
from random import Random

from privguard.research.training.edits import Augmented, LabelledSpan, inside, map_signs

TYPO_RATE = 0.025  # of letters
_DIGITS = frozenset("0123456789")
BREAK_RATE = 0.12  # of spaces
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS: Mapping[str, str] = {
    letter: row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    for row in _ROWS
    for place, letter in enumerate(row)
}
_PUNCTUATION = frozenset(
    ",.;:!?'\"()\u00ab\u00bb\u060c\u061b\u061f\u0964\u2018\u2019\u201c\u201d\u201e\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f"
)
# A typing error in these changes the value rather than its spelling.
EXACT = frozenset(
    (
        "EMAIL",
        "PHONE",
        "GOV_ID",
        "RECORD_ID",
        "FIN_ACCOUNT",
        "DEVICE_ID",
        "URL",
        "SECRET",
        "USERNAME",
    )
)


def lower_case(text: str, spans: Sequence[LabelledSpan]) -> Augmented:
    """Write all in lower case."""
    return map_signs(text, spans, [sign.lower() for sign in text])


def upper_case(text: str, spans: Sequence[LabelledSpan]) -> Augmented:
    """Write all in upper case."""
    return map_signs(text, spans, [sign.upper() for sign in text])


def drop_accents(text: str, spans: Sequence[LabelledSpan]) -> Augmented:
    """Write Latin letters without their accents."""
    return map_signs(text, spans, [_bare(sign) for sign in text])


def _bare(sign: str) -> str:
    base = unicodedata.normalize("NFKD", sign)[0]
    return base if base.isascii() and base.isalpha() else sign


def add_typos(text: str, spans: Sequence[LabelledSpan], rng: Random, rate: float = TYPO_RATE) -> Augmented:
    """Swap, drop, double or mistype letters; numbers and keys are left as they are."""
    signs = list(text)
    exact = inside([span for span in spans if span.label in EXACT], len(text))
    borders = {place for span in spans for place in (span.start, span.end)}
    for place, sign in enumerate(text):
        if exact[place] or not sign.isalpha() or rng.random() >= rate:
            continue
        kind = rng.randrange(4)
        swappable = place + 1 < len(text) and place + 1 not in borders and text[place + 1].isalpha()
        if kind == 0 and swappable and signs[place] == sign:
            signs[place], signs[place + 1] = text[place + 1], sign
        elif kind == 1 and signs[place] == sign:
            signs[place] = ""
        elif kind == 2 and signs[place] == sign:
            signs[place] = sign * 2
        elif sign.lower() in _NEIGHBOURS and signs[place] == sign:
            typed = rng.choice(_NEIGHBOURS[sign.lower()])
            signs[place] = typed.upper() if sign.isupper() else typed
    return map_signs(text, spans, signs)


def drop_punctuation(text: str, spans: Sequence[LabelledSpan]) -> Augmented:
    """Leave out punctuation that stands outside of spans and ends a word."""
    covered = inside(spans, len(text))
    signs = [
        "" if sign in _PUNCTUATION and not covered[place] and _ends_word(text, place) else sign
        for place, sign in enumerate(text)
    ]
    return map_signs(text, spans, signs)


def _ends_word(text: str, place: int) -> bool:
    return place + 1 == len(text) or text[place + 1].isspace() or text[place + 1] in _PUNCTUATION


def native_digits(text: str, spans: Sequence[LabelledSpan], zero: str) -> Augmented:
    """Write digits in another script, of which `zero` is the first; those of keys and links stay."""
    exact = inside([span for span in spans if span.label in EXACT and span.label != "PHONE"], len(text))
    signs = [
        chr(ord(zero) + int(sign)) if sign in _DIGITS and not exact[place] else sign for place, sign in enumerate(text)
    ]
    return map_signs(text, spans, signs)


def join_lines(text: str, spans: Sequence[LabelledSpan]) -> Augmented:
    """Write line breaks as spaces."""
    return map_signs(text, spans, [" " if sign == "\n" else sign for sign in text])


def split_lines(text: str, spans: Sequence[LabelledSpan], rng: Random, rate: float = BREAK_RATE) -> Augmented:
    """Break lines at some of the spaces outside of spans."""
    covered = inside(spans, len(text))
    signs = [
        "\n" if sign == " " and not covered[place] and rng.random() < rate else sign for place, sign in enumerate(text)
    ]
    return map_signs(text, spans, signs)
