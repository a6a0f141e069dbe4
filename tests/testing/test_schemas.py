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
