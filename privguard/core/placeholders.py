"""The form of a placeholder: `[TYPE_ID]`, or `[TYPE_ID: hint]` at the first mention of an abstracted span.

The alphabet leaves out 0, 1, I and O. An id has at least one letter and one digit, so that no English word and no
plain number is one: `date_time` in a piece of code is never a placeholder.
"""

from privguard.core.entities import EntityType

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
MIN_ID = 4
MAX_ID = 12  # longer than any collision needs; it bounds what a stream must hold back
MAX_HINT = 80  # code points; no rung is longer


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
