"""Names that a program chooses: of functions, of schemas, of the properties and definitions in them.

Servers accept letters, digits, `_` and `-` there, and a name must be the same wherever it stands: in its definition, in
lists and references of the schema, in earlier calls. So each is one text to minimize, and one table says how it leaves.
No two leave as one, so that what comes back under a name is the caller's own again, to the letter.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from privguard.core.nested_texts import Place
from privguard.core.segments import Segment
from privguard_adapters.wire.fields import FIELD_NAMES, MIN_DIGITS, bare_pieces, is_known_word

MAX_NAME = 64  # of what servers accept
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_STEP = re.compile(r"[^/#]+")
_SCHEME = re.compile(r"https?:")
_WORD = re.compile(r"[^\W\d_]+?(?:(?<=[a-z])(?=[A-Z])|(?![^\W\d_]))")  # also between humps
_SIGNS = "_-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifiers:
    """The names of a request, and where each of them stands."""

    numbers: Mapping[str, int] = field(default_factory=dict, repr=False)  # of the segment that is the name
    places: Sequence[tuple[Place, str]] = field(default=(), repr=False)  # the name is the whole text
    references: Sequence[tuple[Place, str]] = field(default=(), repr=False)  # names are parts of it
    labels: Mapping[str, str] = field(default_factory=dict, repr=False)  # of functions and schemas: where they stand
    scopes: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)  # names in the schema of each tool
    output: frozenset[str] = field(default=frozenset(), repr=False)  # likewise, of structured output


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """How the names leave that do not leave as they are, and what is the caller's in all of them."""

    names: Mapping[str, str] = field(default_factory=dict, repr=False)
    rests: Mapping[str, str] = field(default_factory=dict, repr=False)  # of functions and schemas, by their labels

    def back(self, names: Collection[str]) -> dict[str, str]:
        """Return what some of the names are called again that come back."""
        return {self.names[name]: name for name in names if name in self.names}

    def name(self, name: str) -> str:
        """Return a name as it leaves."""
        return self.names.get(name, name)


def rename(identifiers: Identifiers, outgoing: Sequence[Segment]) -> Renamed:
    """Say how each name leaves, by the minimized segments."""
    said = {name: outgoing[number].text for name, number in identifiers.numbers.items()}
    taken = {name for name, text in said.items() if text == name}
    names: dict[str, str] = {}
    for name, text in said.items():
        if text != name:
            names[name] = _distinct(_safe(text), taken)
            taken.add(names[name])
    rests = {
        label: "_".join([piece for piece, is_ours in bare_pieces(said[name]) if not is_ours])
        for name, label in identifiers.labels.items()
    }
    return Renamed(names=names, rests=rests)


def edits_of(identifiers: Identifiers, renamed: Renamed) -> dict[Place, str]:
    """Return what becomes of each place whose names do not leave as they are."""
    if not renamed.names:
        return {}
    edits = {place: renamed.names[name] for place, name in identifiers.places if name in renamed.names}
    for place, text in identifiers.references:
        new = _STEP.sub(lambda step: renamed.names.get(_decoded(step[0]), step[0]), text)
        if new != text:
            edits[place] = new
    return edits


def names_in(reference: str) -> Iterator[str]:
    """Yield the names of a `$ref`, a `$id` or the like: the steps of its path and of its pointer."""
    for step in [] if is_known_word(reference) else _STEP.findall(reference):
        name = _decoded(step)
        if is_name(name) and not _SCHEME.fullmatch(name):
            yield name


def is_name(text: str) -> bool:
    """Tell whether a text may be a name of somebody's own: no field name of an API, no index."""
    is_index = text.isdecimal() and len(text) < MIN_DIGITS
    return bool(text.strip()) and text not in FIELD_NAMES and not is_index


def has_words(name: str) -> bool:
    """Tell whether a name is made of several words: there none of them is all that is said."""
    return len(_WORD.findall(name)) > 1


def _decoded(step: str) -> str:
    """Return a step of a JSON pointer or of a path as the name that it is."""
    return unquote(step).replace("~1", "/").replace("~0", "~")


def _safe(text: str) -> str:
    """Write minimized text as a name."""
    name, ids, joins = "", [], False
    for piece, is_ours in bare_pieces(text):
        written = piece if is_ours else _UNSAFE.sub("_", piece)
        if name and (is_ours or joins) and name[-1] not in _SIGNS and written[0] not in _SIGNS:
            name += "_"
        name += written
        joins = is_ours
        ids += [piece] if is_ours else []
    if len(name) <= MAX_NAME:
        return name
    while len("_".join(ids)) > MAX_NAME:
        ids.pop()
    return "_".join(ids) or name[:MAX_NAME]


def _distinct(name: str, taken: Collection[str]) -> str:
    number, known = 1, name
    while known in taken:
        number += 1
        known = f"{name[: MAX_NAME - len(str(number)) - 1]}_{number}"
    return known
