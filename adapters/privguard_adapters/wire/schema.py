"""What the leaves of a JSON schema are: names, texts, tokens or numbers."""

from enum import Enum, auto

from privguard.core.json_leaves import Kind, Path
from privguard_adapters.wire.fields import Use


class _At(Enum):
    """Where a step of the path stands in the schema."""

    SCHEMA = auto()  # a schema, or a list of schemas: the next key is a keyword
    NAMES = auto()  # a map: the next key is a name that the caller chose
    DEFINITIONS = auto()  # likewise, but `$ref` points at it: it cannot be renamed
    VALUE = auto()  # an example of the caller's data
    NAME_LIST = auto()
    TOKEN = auto()
    WORD = auto()
    TEXT = auto()


_WORDS = {
    _At.NAMES: "properties patternProperties dependentSchemas dependentRequired dependencies",
    _At.DEFINITIONS: "$defs definitions",
    _At.VALUE: "enum const default examples example",
    _At.NAME_LIST: "required propertyOrdering",
    _At.TOKEN: "$ref $id $anchor $dynamicRef $dynamicAnchor",
    _At.WORD: "$schema type format contentEncoding contentMediaType",
    _At.TEXT: "title description $comment pattern",
}
_KEYWORDS = {word: at for at, words in _WORDS.items() for word in words.split()}
_KEYS = {_At.NAMES: Use.NAME, _At.VALUE: Use.NAME, _At.DEFINITIONS: Use.TOKEN}
_STRINGS = {_At.TOKEN: Use.TOKEN, _At.WORD: Use.WORD}


def schema_use(path: Path, kind: Kind) -> Use:
    """Say what a leaf of a schema is.

    Args:
        path: the path within the schema; of a key: including the key.
        kind: whether the leaf is a key, a string, a number or a literal.
    """
    at = _At.SCHEMA
    for step in path[:-1] if kind is Kind.KEY else path:
        at = _next(at, step)
    if kind is Kind.KEY:
        return _KEYS.get(at, Use.SCHEMA)
    if kind is Kind.NUMBER:
        return Use.FIXED
    if kind is Kind.LITERAL:
        return Use.OPTION
    # A list in the place of a schema is the list of names that `dependentRequired` holds for a property.
    names = at is _At.NAME_LIST or (at is _At.SCHEMA and bool(path) and isinstance(path[-1], int))
    if names:
        return Use.NAME
    return _STRINGS.get(at, Use.SCHEMA)


def _next(at: _At, step: str | int) -> _At:
    if at in (_At.NAMES, _At.DEFINITIONS):
        return _At.SCHEMA
    if at is _At.SCHEMA and isinstance(step, str):
        return _KEYWORDS.get(step, _At.SCHEMA)
    return at
