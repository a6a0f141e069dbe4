"""Templates with labelled slots → text with spans.

Three marks, resolved from the inside out:

    ((a|b|c))          one alternative, an empty one included
    [[LABEL:literal]]  a literal that is a span of that type
    [[kind]]           a value of that kind; `[[kind2]]` belongs to the second person of the scene

Kinds in lower case come from the lexicon of the language or from a maker; some of them carry no label: a plain number,
`[[num:1-99]]`, or a pattern, `[[pat:##-AA]]`: `#` digit, `A` and `a` letters, `x` and `X` hex, `B` and `b` letter or
digit of one case, `*` letter or digit; `\\` keeps the next sign.
"""

import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from privguard.core.entities import EntityType

_CHOICE = re.compile(r"\(\(((?:(?!\(\(|\)\)).)*)\)\)", re.DOTALL)
_OPEN = re.compile(r"\[\[([A-Z_]+|[a-z][a-z_]*[a-z])(\d?)(?=:|\]\])")
_MARK = re.compile(_OPEN.pattern + r"|\]\]")
# Articles, possessives and prepositions stay outside of what they introduce.
_LEAD = re.compile(r"(?:(?:a|an|the|The|my|his|her|our|their|on|in|at|for|into|to|with) )+(?=\S)")
_WITHOUT_LEAD = frozenset(
    [
        "HEALTH",
        "DATE",
        "ORGANIZATION",
        "BELIEF",
        "FAMILY",
        "ORIGIN",
        "LOCATION",
        "OCCUPATION",
        "EDUCATION",
        "LEGAL",
        "AGE",
        "MISC",
        "SEXUALITY",
        "GENDER",
        "FINANCE",
    ]
)
_ALPHABETS = {
    "#": string.digits,
    "A": string.ascii_uppercase,
    "a": string.ascii_lowercase,
    "x": "0123456789abcdef",
    "X": "0123456789ABCDEF",
    "*": string.ascii_letters + string.digits,
    "B": string.ascii_uppercase + string.digits,
    "b": string.ascii_lowercase + string.digits,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Half-open `[start, end)` of a text, with its entity type."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A text and its spans, in order."""

    text: str
    spans: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A slot as it stands in a template."""

    kind: str
    person: int
    argument: str | None


Resolve = Callable[[Slot], tuple[str, str | None]]
"""From a slot to a template for its value and the label that the value carries, None for none."""


def choose(template: str, rng: Random) -> str:
    """Resolve the alternatives of a template, the inmost first."""
    while match := _CHOICE.search(template):
        picked = rng.choice(match.group(1).split("|"))
        template = template[: match.start()] + picked + template[match.end() :]
    return template


def pattern(shape: str, rng: Random) -> str:
    """Fill a pattern of digits and letters."""
    made: list[str] = []
    signs = iter(shape)
    for sign in signs:
        if sign == "\\":
            made.append(next(signs, ""))
        else:
            made.append(rng.choice(_ALPHABETS[sign]) if sign in _ALPHABETS else sign)
    return "".join(made)


def number(bounds: str, rng: Random) -> str:
    """Draw a whole number from `low-high`, both included; `low-high-step` takes steps."""
    low, high, *step = (int(part) for part in bounds.split("-"))
    return str(rng.randrange(low, high + 1, step[0] if step else 1))


def render(template: str, resolve: Resolve, rng: Random) -> Rendered:
    """Fill a template. A label inside a labelled value is lost: spans never nest."""
    parts: list[str] = []
    spans: list[Piece] = []
    length = done = 0
    template = choose(template, rng)
    while match := _OPEN.search(template, done):
        end = _closing(template, match.end())
        slot = Slot(kind=match[1], person=int(match[2] or 1), argument=template[match.end() + 1 : end] or None)
        filled = _fill(slot, resolve, rng)
        before = template[done : match.start()]
        length += len(before)
        spans.extend(Piece(start=length + p.start, end=length + p.end, label=p.label) for p in filled.spans)
        length += len(filled.text)
        parts += (before, filled.text)
        done = end + 2
    parts.append(template[done:])
    return Rendered(text="".join(parts), spans=tuple(spans))


def _closing(template: str, start: int) -> int:
    depth = 1
    for mark in _MARK.finditer(template, start):
        depth += -1 if mark[0] == "]]" else 1
        if depth == 0:
            return mark.start()
    raise ValueError(f"a slot at {start} is not closed")


def _fill(slot: Slot, resolve: Resolve, rng: Random) -> Rendered:
    if slot.kind == "num":
        return Rendered(text=number(slot.argument or "0-9", rng))
    if slot.kind == "pat":
        return Rendered(text=pattern(slot.argument or "#", rng))
    label: str | None
    if slot.kind in EntityType.__members__:
        inner, label = slot.argument or "", slot.kind
    else:
        inner, label = resolve(slot)
    filled = render(inner, resolve, rng)
    if label is None:
        return filled
    text = filled.text.strip()
    lead = _LEAD.match(text) if label in _WITHOUT_LEAD else None
    start = lead.end() if lead else 0
    return Rendered(text=text, spans=(Piece(start=start, end=len(text), label=label),) if text else ())
