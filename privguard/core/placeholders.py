"""The form of a placeholder: `[TYPE_ID]`, or `[TYPE_ID: hint]`.

A hint is the abstract phrase at the first mention of an abstracted span, or a *form*: which of its spellings a mention
of the entity has (`[PERSON_7QK2: last name]`). Forms are words of ours and say nothing about the value. The pronoun of
a person stands alone or behind either: `[PERSON_7QK2: she]`, `[PERSON_7QK2: last name, she]`.

The alphabet leaves out 0, 1, I and O. An id has at least one letter and one digit, so that no English word and no
plain number is one: `date_time` in a piece of code is never a placeholder.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
MIN_ID = 4
MAX_ID = 12  # longer than any collision needs; it bounds what a stream must hold back
EXAMPLE_ID = "9XR4"  # of the note on placeholders; no value ever has an id that begins so
MAX_HINT = 80  # code points; no rung and no form is longer


class Form(StrEnum):
    """How a mention of an entity differs from the one that its plain placeholder stands for."""

    FIRST = "first name"
    LAST = "last name"
    NICKNAME = "nickname"
    TITLED = "with title"
    INITIALS = "initials"
    FULL = "full name"
    SHORT = "short form"
    ABBREVIATION = "abbreviation"
    SPELLING = "other spelling"
    ESCAPED = "with escapes"  # the plain spelling, where a reader could not tell that it was written with them


class Pronoun(StrEnum):
    """The pronoun of a person, in the words of a hint whatever the language of the text."""

    SHE = "she"
    HE = "he"
    THEY = "they"


class Hint(NamedTuple):
    """A hint in its parts."""

    words: str  # a form or an abstract phrase, "" where there is none
    pronoun: str  # "" where there is none


_FORM = lazy_pattern(rf"(?:{'|'.join(Form)})(?: (?:[2-9]|[1-9][0-9]{{1,5}}))?")


def write_form(form: Form, number: int = 1) -> str:
    """Write a form as a hint; `number` tells mentions of the same form apart that are spelled differently."""
    return form.value if number == 1 else f"{form.value} {number}"


# Models that know the custom write it in full.
_PRONOUN = lazy_pattern(
    r"(?:(?P<words>.*[^\s,])\s*,\s*)?(?:(?P<she>she)(?:/her)?|(?P<he>he)(?:/him)?|(?P<they>they)(?:/them)?)",
    re.IGNORECASE | re.DOTALL,
)


def join_hint(words: str, pronoun: str) -> str:
    """Write a hint out of its parts; a pronoun for which there is no room is left out."""
    joined = ", ".join(filter(None, (words, pronoun)))
    return joined if len(joined) <= MAX_HINT else words


def part_hint(hint: str) -> Hint:
    """Part a hint, as it was written or in other letter case, into its words and its pronoun."""
    stripped = hint.strip()
    match = _PRONOUN.fullmatch(stripped)
    if match is None:
        return Hint(stripped, "")
    return Hint(match["words"] or "", next(name for name in Pronoun if match[name]))


def is_form(hint: str) -> bool:
    """Tell whether a hint is a form that `write_form` could have written."""
    return _FORM.fullmatch(hint) is not None


def is_placeholder_id(text: str) -> bool:
    """Tell whether `text` is exactly an id: upper case, within the alphabet, of a legal length."""
    return (
        MIN_ID <= len(text) <= MAX_ID
        and all(letter in ALPHABET for letter in text)
        and any(letter.isdigit() for letter in text)
        and any(letter.isalpha() for letter in text)
    )


def write_placeholder(kind: EntityType, placeholder_id: str, hint: str = "") -> str:
    """Write a placeholder in its canonical form."""
    return f"[{kind.value}_{placeholder_id}: {hint}]" if hint else f"[{kind.value}_{placeholder_id}]"
