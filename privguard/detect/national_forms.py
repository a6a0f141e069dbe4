"""What a rule for a national number says: the forms, the check digits, and the words that introduce it.

A form is a regular expression with four signs of its own: `#` is a digit, `@` a letter, `*` a digit or a letter, and
`_` a separator that may be missing. Without unbounded repetition a form costs the same wherever it is tried.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered
from privguard.detect.found import any_of
from privguard.detect.prepared import Prepared

# Thai to Burmese, Hangul, kana and Han: words run on without a space, or endings hang on them.
UNSPACED = "\u0e00-\u109f\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
IS_UNSPACED = lazy_pattern(f"[{UNSPACED}]")
_RANGES = tuple((UNSPACED[at], UNSPACED[at + 2]) for at in range(0, len(UNSPACED), 3))
_SIGNS = {"#": r"\d", "@": "[A-Z]", "*": r"[A-Z\d]", "_": r"[ \u00a0\u202f./_-]?"}
_SIGN = lazy_pattern(r"[#@*_]")
_LOOK_AHEAD = lazy_pattern(r"\(\?[!=][^()]*\)")
_FIRST = lazy_pattern(r"[#@*_]+")
# A set of so many letters takes milliseconds to compile, once for each form. By whether a text holds any of them.
WORD_LETTER = {True: rf"[^\W{UNSPACED}]", False: r"\w"}
_WORD = lazy_pattern(r"\w+")


class Needs(Enum):
    """What a form needs to count without a word that introduces it."""

    CHECK = "check"  # right check digits: with the structure that they include, a chance hit is rare
    FORM = "form"  # nothing: hardly anything else looks like it


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How one kind of number is written, checked and introduced. Forms are separated by spaces, the longest first."""

    name: str
    sure: str = ""  # forms that count without a word that introduces them
    forms: str = ""  # further ones, that need one
    needs: Needs = Needs.CHECK  # of the sure ones
    terms: str = ""  # separated by spaces; `_` for any gap between two words
    check: str = ""  # a name that `national_checks` knows; "" where there are no check digits
    strict: bool = False  # wrong check digits rule it out, whatever introduces it: its terms are everyday words
    kind: EntityType = EntityType.GOV_ID

    @remembered
    def alone(self) -> Mapping[bool, re.Pattern[str]]:
        """Return the sure forms as one expression, for the place where one begins, by `has_unspaced` of the text."""
        return _compile(self.sure)

    @remembered
    def introduced(self) -> Mapping[bool, re.Pattern[str]]:
        """Return all forms as one expression, for the place where one begins, by `has_unspaced` of the text."""
        return _compile(f"{self.sure} {self.forms}")

    @remembered
    def introduction(self) -> re.Pattern[str]:
        """Return the terms as one expression over folded text, for the place where one begins."""
        return lazy_pattern(any_of(self._folded_terms) + r"(?!\w)")

    @property
    def _folded_terms(self) -> str:
        return Prepared(text=self.terms).folded

    @property
    def heads(self) -> frozenset[str]:
        """Return the shapes of the first runs of the sure forms: `0` for a digit, `A` for a letter."""
        return frozenset(head for form in self.sure.split() for head in _heads(form))

    @property
    def leads(self) -> frozenset[str]:
        """Return the words that a term can begin with, folded; those without spaces around them are left out."""
        terms = (term for term in self._folded_terms.split() if not _is_unspaced(term))
        return frozenset(lead for term in terms for lead in _leads(term))

    @property
    def unspaced_terms(self) -> frozenset[str]:
        """Return the terms of scripts that do not set words apart."""
        return frozenset(term for term in self._folded_terms.split() if _is_unspaced(term))


def has_unspaced(text: str) -> bool:
    """Tell whether a text holds a letter of a script that does not set words apart."""
    return not text.isascii() and IS_UNSPACED.search(text) is not None


def _is_unspaced(term: str) -> bool:
    # As IS_UNSPACED says, which takes longer to compile than the few terms to read.
    return max(term) >= UNSPACED[0] and any(low <= letter <= high for letter in term for low, high in _RANGES)


def _compile(forms: str) -> Mapping[bool, re.Pattern[str]]:
    expressions = "|".join(_SIGN.sub(lambda sign: _SIGNS[sign[0]], form) for form in forms.split())
    return {
        unspaced: lazy_pattern(rf"(?:{expressions})(?!{letter}|[+/=@]|[-.]\w)", re.IGNORECASE)
        for unspaced, letter in WORD_LETTER.items()
    }


def _heads(form: str) -> Iterator[str]:
    """Yield the first runs of a form: up to the first separator, up to the last, and without any."""
    plain = _LOOK_AHEAD.sub("", form)
    first = _FIRST.match(plain)
    if first is None or plain[first.end() : first.end() + 1] in {"[", "(", "{", "?"}:
        raise ValueError("a sure form begins with signs alone, up to its end or to a mark")
    parts = first[0].split("_")
    for count in {1, max(1, len(parts) - 1), len(parts)}:
        yield from _spelled("".join(parts[:count]))


def _spelled(run: str) -> Iterator[str]:
    heads = [""]
    for sign in run:
        heads = [head + shape for head in heads for shape in {"#": "0", "@": "A", "*": "0A"}[sign]]
    yield from heads


def _leads(term: str) -> Iterator[str]:
    parts = term.split("_")
    for count in range(1, len(parts) + 1):
        for gap in ("", "_"):
            first = _WORD.match(gap.join(parts[:count]))
            if first:
                yield first[0]
