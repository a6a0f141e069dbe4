"""Fill a JSON schema with placeholders of fitting types."""

from collections.abc import Sequence
from typing import Any

from privguard.core.entities import EntityType
from privguard.testing.found import Found

# What a property is likely to hold, by a piece of its name; the first that fits decides.
_BY_NAME = (
    ("mail", EntityType.EMAIL),
    ("user", EntityType.USERNAME),
    ("phone", EntityType.PHONE),
    ("tel", EntityType.PHONE),
    ("policy", EntityType.RECORD_ID),
    ("reference", EntityType.RECORD_ID),
    ("number", EntityType.RECORD_ID),
    ("iban", EntityType.FIN_ACCOUNT),
    ("account", EntityType.FIN_ACCOUNT),
    ("card", EntityType.FIN_ACCOUNT),
    ("amount", EntityType.FINANCE),
    ("birth", EntityType.DATE),
    ("born", EntityType.DATE),
    ("date", EntityType.DATE),
    ("when", EntityType.DATE),
    ("street", EntityType.ADDRESS),
    ("address", EntityType.ADDRESS),
    ("city", EntityType.LOCATION),
    ("place", EntityType.LOCATION),
    ("location", EntityType.LOCATION),
    ("company", EntityType.ORGANIZATION),
    ("organi", EntityType.ORGANIZATION),
    ("url", EntityType.URL),
    ("diagnos", EntityType.HEALTH),
    ("name", EntityType.PERSON),
    ("person", EntityType.PERSON),
    ("recipient", EntityType.PERSON),
)
_DEEPEST = 8  # where a schema holds itself, something ends it
_SCALARS = {"integer": 1, "number": 1, "boolean": True}


class Filler:
    """Fill schemas from the placeholders of one request; unfitting ones are used in turn."""

    def __init__(self, placeholders: Sequence[Found]) -> None:
        self._placeholders = placeholders
        self._turn = 0

    def fill(self, schema: dict[str, Any], name: str = "") -> Any:  # noqa: ANN401 - any JSON value
        """Make a JSON value that follows the types, enums and references of a schema."""
        return self._value(schema, schema, name, 0)

    def _value(self, schema: dict[str, Any], root: dict[str, Any], name: str, depth: int) -> Any:  # noqa: ANN401 - any JSON value
        schema = _resolved(schema, root)
        if depth > _DEEPEST:
            return [] if _type_of(schema) == "array" else None
        if "const" in schema or schema.get("enum"):
            return schema["const"] if "const" in schema else schema["enum"][0]
        match _type_of(schema):
            case "object":
                return {
                    key: self._value(sub, root, key, depth + 1) for key, sub in schema.get("properties", {}).items()
                }
            case "array":
                return [self._value(schema.get("items", {}), root, name, depth + 1)]
            case "string":
                return self._text(name, str(schema.get("format", "")))
            case other:
                return _SCALARS.get(other)

    def _text(self, name: str, text_format: str) -> str:
        wanted = EntityType.EMAIL if text_format == "email" else None
        wanted = wanted or next((kind for piece, kind in _BY_NAME if piece in name.lower()), None)
        for found in self._placeholders:
            if found.kind is wanted:
                return str(found)
        if not self._placeholders:
            return "unknown"
        self._turn += 1
        return str(self._placeholders[(self._turn - 1) % len(self._placeholders)])


def _type_of(schema: dict[str, Any]) -> str:
    kind = schema.get("type") or ("object" if "properties" in schema else "string")
    return str(kind[0] if isinstance(kind, list) else kind)


def _resolved(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """Follow one reference into the definitions of the root, and take the first of several alternatives."""
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return _resolved(schema[key][0], root)
    if "$ref" in schema:
        found: Any = root
        for step in filter(None, str(schema["$ref"]).removeprefix("#").split("/")):
            found = found[step]
        return _resolved(found, root)
    return schema
