"""Plain letters: what a full-width, decorated or foreign form of a letter or digit stands for, and what is invisible.

Whoever compares two texts that a reader takes for equal compares them in this form. ASCII text is its own.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

# What a reader does not see: soft hyphens, joiners, marks of direction, variation selectors, fillers.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FEW = 16  # letters up to which it is faster to replace one after the other
_INVISIBLE = re.compile(f"[{INVISIBLE}]")


@lru_cache(maxsize=8192)
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


def plain(text: str) -> str:
    """Return a text in plain letters; the same object where it is made of them."""
    if text.isascii():
        return text
    forms = {letter: form for letter in set(text) if (form := plain_letter(letter)) != letter}
    return replace_letters(text, forms) if forms else text


def replace_letters(text: str, forms: Mapping[str, str]) -> str:
    """Put its form in the place of each letter; no form holds one of the letters."""
    if len(forms) > _FEW:
        return text.translate({ord(letter): form for letter, form in forms.items()})
    for letter, form in forms.items():
        text = text.replace(letter, form)
    return text
