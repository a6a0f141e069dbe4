"""Letters and what a reader takes for the same: how far two texts may differ and still say one thing.

Whoever compares texts folds both with one of these functions and compares the results:

| strength       | ignores, besides what those above it ignore                                                    |
|----------------|------------------------------------------------------------------------------------------------|
| `lowered`      | the case of each letter, as patterns do that ignore case; the text keeps its length            |
| `folded`       | case that changes the length (ß is ss), whether an accent is a part of its letter, and which   |
|                | sign is set for an apostrophe                                                                  |
| `unaccented`   | accents, vowel signs of Arabic and Hebrew, compatibility forms (full-width, decorated),        |
|                | scripts of digits, invisible characters                                                        |
| `bare_letters` | everything that is neither a letter nor a digit; `bare_words` cuts there                       |

`plain` stands beside them: it ignores compatibility forms, scripts of digits and invisible characters alone, and keeps
case and accents. `one_spaced` ignores how much white space there is, `straight` which sign is set for an apostrophe,
`unpointed` the optional signs of Arabic and Hebrew; they go with any of them.

Folding twice is folding once, and a text may be folded with any weaker strength before. ASCII text costs next to
nothing.
"""

import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

from privguard.core.patterns import lazy_pattern

# What a reader does not see: soft hyphens, joiners, marks of direction, variation selectors, fillers.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# What stands for an apostrophe, by the will of a word processor, of a keyboard or of the rules of a script.
APOSTROPHES = "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u05f3\u2018\u2019\u201b\u2032\uff07\uff40"
# Signs of Arabic and Hebrew that most writers leave out: vowels, accents, and what stretches a word.
OPTIONAL_SIGNS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)
# The dot above an i that comes of the Turkish capital: the small letter has none of its own.
DOT_OF_I = lazy_pattern("(?<=[i\ufb01\ufb03])\u0307+")
_FEW = 16  # letters up to which it is faster to replace one after the other
_KNOWN = 8192  # letters whose forms are remembered
_INVISIBLE = lazy_pattern(f"[{INVISIBLE}]")
# What a pattern that ignores case takes for the same letter, beyond the pairs of `str.lower`.
_SAME_CASE = str.maketrans(
    "\u0131\u017f\u03c2\u00b5\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1fbe\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1e9b",
    "is\u03c3\u03bc\u03b2\u03b8\u03c6\u03c0\u03ba\u03c1\u03b5\u03b9\u0432\u0434\u043e\u0441\u0442\u0442\u044a\u1e61",
)
_UNUSUAL_CASE = lazy_pattern(f"[{''.join(map(chr, _SAME_CASE))}]")
# Marks that a reader does without: those of Latin, Greek and Cyrillic letters, of Arabic and Hebrew, and those drawn
# around a letter. The vowels of other scripts stay.
_ACCENTS = lazy_pattern(f"[\u0300-\u036f\u20d0-\u20ff{OPTIONAL_SIGNS}]")
_SIGNS = lazy_pattern(f"[{OPTIONAL_SIGNS}]+")
_STRAIGHT = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))
_CURLY = lazy_pattern(f"[{APOSTROPHES[1:]}]")
_WORD = lazy_pattern(r"[^\W_]+")
_SEPARATORS = bytes([code for code in range(128) if not chr(code).isalnum()])


def lowered(text: str) -> str:
    """Return a text without letter case, letter for letter as long."""
    lower = text.lower()
    if lower.isascii():
        return lower
    if len(lower) != len(text):  # the dotted capital I alone grows
        lower = text.replace("\u0130", "i").lower()
    return lower.translate(_SAME_CASE) if _UNUSUAL_CASE.search(lower) else lower


def folded(text: str) -> str:
    """Return a text without letter case and canonically decomposed; `detect.mapped` knows the way back."""
    lower = lowered(text).replace("`", "'")
    if lower.isascii():
        return lower
    return _reformed(DOT_OF_I.sub("", lower), folded_letter)


def unaccented(text: str) -> str:
    """Return a text without case, accents, compatibility forms and what is invisible; separators stay."""
    lower = lowered(text).replace("`", "'")
    return lower if lower.isascii() else _reformed(lower, _unaccented_letter)


def bare_letters(text: str) -> str:
    """Return the letters and digits of a text in the form in which they are compared."""
    if text.isascii():
        return text.lower().encode().translate(None, _SEPARATORS).decode()
    return text.translate(_BARE)


def bare_words(text: str) -> list[str]:
    """Return the bare letters of a text, cut where something stands between them that a reader sees."""
    return _WORD.findall(text.lower()) if text.isascii() else text.translate(_BARE_WORDS).split()


def plain(text: str) -> str:
    """Return a text in plain letters; the same object where it is made of them."""
    return text if text.isascii() else _reformed(text, plain_letter)


def straight(text: str) -> str:
    """Return a text with one sign for all apostrophes; the same object where it has no other."""
    return text.translate(_STRAIGHT) if _CURLY.search(text) else text


def unpointed(text: str) -> str:
    """Return a text without the optional signs of Arabic and Hebrew; the same object where it has none."""
    return text if text.isascii() else _SIGNS.sub("", text)


def one_spaced(text: str) -> str:
    """Return a text with one space for each run of white space, and none around it."""
    return " ".join(text.split())


@lru_cache(maxsize=_KNOWN)
def plain_letter(letter: str) -> str:
    """Return what one code point stands for: itself in most cases, "" where it is invisible.

    A digit of any script becomes its ASCII digit. Signs that are written with several letters (a trademark, an
    ellipsis) stay as they are: they belong to no word.
    """
    if letter.isascii():
        return letter
    if _INVISIBLE.match(letter):
        return ""
    if letter.isdecimal():
        return str(unicodedata.decimal(letter))
    form = unicodedata.normalize("NFKC", letter)
    if len(form) == 1:
        return form
    return form if unicodedata.category(letter)[0] in "LN" and form.isalnum() else letter


@lru_cache(maxsize=_KNOWN)
def folded_letter(letter: str) -> str:
    """Return one code point without letter case, decomposed."""
    form = unicodedata.normalize("NFD", unicodedata.normalize("NFD", letter).casefold())
    # Turkish writes an i without a dot where others write one with it.
    return straight(form.replace("\u0131", "i").replace("i\u0307", "i"))


@lru_cache(maxsize=_KNOWN)
def _unaccented_letter(letter: str) -> str:
    if letter in APOSTROPHES:  # some are decomposed into a space and an accent
        return "'"
    form = unicodedata.normalize("NFKD", plain_letter(letter)).casefold()
    marked = unicodedata.normalize("NFKD", form).replace("\u0131", "i")
    return straight(_INVISIBLE.sub("", _ACCENTS.sub("", marked)))


class _Bare(dict[int, str]):
    """What each code point is among bare letters, worked out once; a table for `str.translate`."""

    def __init__(self, separator: str) -> None:
        """Take what to put in the place of whatever is neither a letter nor a digit."""
        super().__init__()
        self._separator = separator

    def __missing__(self, code: int) -> str:
        form = self[code] = "".join([each if _is_kept(each) else self._separator for each in unaccented(chr(code))])
        return form


def _is_kept(letter: str) -> bool:
    """Tell whether a letter without accents counts; the marks that are left are vowels."""
    return letter.isalnum() or unicodedata.category(letter)[0] == "M"


_BARE = _Bare("")
_BARE_WORDS = _Bare(" ")


def changed_letters(text: str, form: Callable[[str], str]) -> dict[str, str]:
    """Return what the letters of a text become that another form stands for."""
    return {letter: new for letter in set(text) if not letter.isascii() and (new := form(letter)) != letter}


def _reformed(text: str, form: Callable[[str], str]) -> str:
    forms = changed_letters(text, form)
    return replace_letters(text, forms) if forms else text


def replace_letters(text: str, forms: Mapping[str, str]) -> str:
    """Put its form in the place of each letter; no form holds one of the letters."""
    if len(forms) > _FEW:
        return text.translate({ord(letter): form for letter, form in forms.items()})
    for letter, form in forms.items():
        text = text.replace(letter, form)
    return text
