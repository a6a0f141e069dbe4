import json

import pytest

from privguard.core.json_leaves import Kind, parse
from privguard_adapters.wire.fields import Use
from privguard_adapters.wire.schema import schema_use

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "title": "a text",
    "properties": {
        "a name": {"type": "string", "description": "a text", "enum": ["a text"], "format": "email"},
        "properties": {"anyOf": [{"const": "a text"}, {"$ref": "#/$defs/A"}], "default": {"a name": "a text"}},
        "list": {"type": ["string", "null"], "items": {"examples": [["a text", 1234567]]}, "maxLength": 7},
    },
    "required": ["a name"],
    "dependentRequired": {"a name": ["a name"]},
    "$defs": {"A": {"pattern": "a text", "unheard": "a text"}},
    "additionalProperties": False,
}


def uses() -> list[tuple[str, Use, Kind]]:
    return [(leaf.text, schema_use(leaf.path, leaf.kind), leaf.kind) for leaf in parse(json.dumps(SCHEMA)).leaves]


def test_texts_names_and_tokens_are_told_apart() -> None:
    for text, use, kind in uses():
        if text == "a text":
            assert use is Use.SCHEMA
        if text == "a name":
            assert use is Use.IDENTIFIER
        if text in ("object", "email", "null") and kind is Kind.STRING:
            assert use is Use.WORD
        if text == "#/$defs/A":
            assert use is Use.REFERENCE


def test_numbers_are_fixed_and_literals_are_free() -> None:
    kinds = {use for _, use, kind in uses() if kind is Kind.NUMBER}
    assert kinds == {Use.FIXED}
    assert {use for _, use, kind in uses() if kind is Kind.LITERAL} == {Use.OPTION}


@pytest.mark.parametrize(
    ("path", "use"),
    [
        (("properties", "x"), Use.IDENTIFIER),
        (("properties", "properties"), Use.IDENTIFIER),
        (("properties", "x", "properties", "y"), Use.IDENTIFIER),
        (("$defs", "X"), Use.IDENTIFIER),
        (("patternProperties", "x"), Use.PATTERN),
        (("items", "unheard"), Use.SCHEMA),
        (("discriminator", "mapping", "x"), Use.SCHEMA),
        (("default", "x", "y"), Use.IDENTIFIER),
    ],
)
def test_keys_are_names_where_the_caller_chose_them(path: tuple[str, ...], use: Use) -> None:
    assert schema_use(path, Kind.KEY) is use


@pytest.mark.parametrize(
    ("path", "use"),
    [
        (("$id",), Use.REFERENCE),
        (("items", "$dynamicRef"), Use.REFERENCE),
        (("discriminator", "mapping", "x"), Use.REFERENCE),
        (("discriminator", "propertyName"), Use.IDENTIFIER),
        (("$anchor",), Use.IDENTIFIER),
        (("propertyOrdering", 0), Use.IDENTIFIER),
        (("dependentRequired", "x", 0), Use.IDENTIFIER),
        (("properties", "discriminator", "title"), Use.SCHEMA),
    ],
)
def test_what_names_and_what_points_at_names_is_known(path: tuple[str | int, ...], use: Use) -> None:
    assert schema_use(path, Kind.STRING) is use
