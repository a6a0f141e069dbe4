"""The ways in which models spoil placeholders."""

import re
from enum import StrEnum
from typing import assert_never

from privguard.testing.found import PLACEHOLDER


class Mangle(StrEnum):
    """What a model does to the placeholders that it repeats."""

    NONE = "none"
    LOWER = "lower"  # [person_7qk2]
    SPACES = "spaces"  # [ PERSON_7QK2 ]
    MARKDOWN = "markdown"  # \[PERSON\_7QK2\]
    HTML = "html"  # &#91;PERSON_7QK2&#93;
    BARE = "bare"  # PERSON_7QK2


def mangle_placeholders(text: str, mangle: Mangle) -> str:
    """Spoil every placeholder of `text` in one way and leave the rest as it is."""
    return PLACEHOLDER.sub(lambda match: _spoil(match, mangle), text)


def _spoil(match: re.Match[str], mangle: Mangle) -> str:
    name = f"{match[1]}_{match[2]}"
    inner = f"{name}: {match[3]}" if match[3] else name
    match mangle:
        case Mangle.NONE:
            return f"[{inner}]"
        case Mangle.LOWER:
            return f"[{inner}]".lower()
        case Mangle.SPACES:
            return f"[ {inner} ]"
        case Mangle.MARKDOWN:
            return f"\\[{inner}\\]".replace("_", "\\_")
        case Mangle.HTML:
            return f"&#91;{inner}&#93;"
        case Mangle.BARE:
            return name
        case _:
            assert_never(mangle)
