from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.testing.found import Found
from privguard.testing.schemas import Filler

PERSON = Found(kind=EntityType.PERSON, placeholder_id="7QK2")
EMAIL = Found(kind=EntityType.EMAIL, placeholder_id="A2B3")


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [
        ("full_name", {"type": "string"}, "[PERSON_7QK2]"),
        ("to", {"type": "string", "format": "email"}, "[EMAIL_A2B3]"),
        ("e_mail", {}, "[EMAIL_A2B3]"),
        ("other", {"type": "string"}, "[PERSON_7QK2]"),
        ("mode", {"enum": ["fast", "slow"]}, "fast"),
        ("fixed", {"const": None}, None),
        ("count", {"type": "integer"}, 1),
        ("urgent", {"type": "boolean"}, True),
        ("nothing", {"type": "null"}, None),
        ("maybe_name", {"type": ["string", "null"]}, "[PERSON_7QK2]"),
        ("name", {"anyOf": [{"type": "string"}, {"type": "null"}]}, "[PERSON_7QK2]"),
        ("emails", {"type": "array", "items": {"type": "string"}}, ["[EMAIL_A2B3]"]),
    ],
)
def test_a_value_fits_its_schema(name: str, schema: dict[str, object], value: object) -> None:
    assert Filler([PERSON, EMAIL]).fill(schema, name) == value


def test_objects_and_references_are_followed() -> None:
    schema: dict[str, object] = {
        "type": "object",
        "properties": {"who": {"$ref": "#/$defs/Who"}},
        "$defs": {"Who": {"properties": {"name": {"type": "string"}}}},
    }
    assert Filler([PERSON]).fill(schema) == {"who": {"name": "[PERSON_7QK2]"}}


def test_unfitting_placeholders_are_used_in_turn() -> None:
    schema: dict[str, object] = {"properties": {"a": {}, "b": {}, "c": {}}}
    assert Filler([PERSON, EMAIL]).fill(schema) == {"a": str(PERSON), "b": str(EMAIL), "c": str(PERSON)}
    assert Filler([]).fill(schema) == dict.fromkeys("abc", "unknown")


def test_schemas_that_hold_themselves_come_to_an_end() -> None:
    def fill(following: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
        properties = {"name": {"type": "string"}, "next": following}
        return Filler([PERSON]).fill({"type": "object", "properties": properties})["next"]

    assert fill({"type": "array", "items": {"$ref": "#"}})[0]["name"] == str(PERSON)
    assert fill({"anyOf": [{"$ref": "#"}, {"type": "null"}]})["name"] == str(PERSON)
    assert fill({"$ref": "#/properties/next/items", "items": {"type": "integer"}}) == 1
