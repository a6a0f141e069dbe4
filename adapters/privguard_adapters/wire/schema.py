"""What the leaves of a JSON schema are: names, texts, tokens or numbers."""

from enum import Enum, auto

from privguard.core.json_leaves import Kind, Path
from privguard_adapters.wire.fields import Use


class _At(Enum):
    """Where a step of the path stands in the schema."""

    SCHEMA = auto()  # a schema, or a list of schemas: the next key is a keyword
    NAMES = auto()  # a map: the next key is a name that the caller chose
    PATTERNS = auto()  # likewise, but an expression for names
    DISCRIMINATOR = auto()  # of OpenAPI: the next key is one of its two fields
    VALUE = auto()  # an example of the caller's data
    NAME_LIST = auto()
    REFERENCES = auto()  # a map of them, or one alone
    WORD = auto()
    TEXT = auto()


_WORDS = {
    _At.NAMES: "properties dependentSchemas dependentRequired dependencies $defs definitions",
    _At.PATTERNS: "patternProperties",
    _At.DISCRIMINATOR: "discriminator",
    _At.VALUE: "enum const default examples example",
    _At.NAME_LIST: "required propertyOrdering $anchor $dynamicAnchor",
    _At.REFERENCES: "$ref $id $dynamicRef",
    _At.WORD: "$schema type format contentEncoding contentMediaType",
    _At.TEXT: "title description $comment pattern",
}
_KEYWORDS = {word: at for at, words in _WORDS.items() for word in words.split()}
_OF_DISCRIMINATOR = {"mapping": _At.REFERENCES, "propertyName": _At.NAME_LIST}
_KEYS = {_At.NAMES: Use.IDENTIFIER, _At.VALUE: Use.IDENTIFIER, _At.PATTERNS: Use.PATTERN}
_STRINGS = {_At.NAME_LIST: Use.IDENTIFIER, _At.REFERENCES: Use.REFERENCE, _At.WORD: Use.WORD}


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
    if at is _At.SCHEMA and path and isinstance(path[-1], int):
        return Use.IDENTIFIER
    return _STRINGS.get(at, Use.SCHEMA)


def _next(at: _At, step: str | int) -> _At:
    if at in (_At.NAMES, _At.PATTERNS):
        return _At.SCHEMA
    if at is _At.DISCRIMINATOR and isinstance(step, str):
        return _OF_DISCRIMINATOR.get(step, _At.TEXT)
    if at is _At.SCHEMA and isinstance(step, str):
        return _KEYWORDS.get(step, _At.SCHEMA)
    return at
