"""What a layout says of each leaf of a request, and who speaks where."""

from privguard.core.json_leaves import parse
from privguard.core.segments import Role
from privguard_adapters.wire.fields import Use
from privguard_adapters.wire.layout import Layout, message_role

LAYOUT = Layout(
    tokens=frozenset({("model",)}),
    identifiers=frozenset({("function", "name")}),
    words=frozenset({("type",)}),
    options=frozenset({("seed",)}),
    names=frozenset({("messages", None, "name")}),
    schemas=frozenset({("schema",)}),
)


def uses(body: str, role: Role = Role.USER) -> dict[str, Use]:
    """Return what each value is, under its path."""
    return {".".join(map(str, path)): LAYOUT.use(leaf, role) for path, leaf in parse(body).values().items()}


def test_what_the_layout_does_not_name_is_content() -> None:
    assert uses('{"model": "m", "type": "t", "function": {"name": "f"}, "new": ["x"]}') == {
        "model": Use.TOKEN,
        "type": Use.WORD,
        "function.name": Use.IDENTIFIER,
        "new.0": Use.CONTENT,
    }


def test_numbers_pass_short_where_they_are_known_and_are_looked_at_elsewhere() -> None:
    told = uses('{"seed": 7, "other": 7, "flag": true, "metadata": {"n": 7}}')
    assert told["seed"] is told["flag"] is Use.OPTION
    assert told["other"] is Use.FIXED
    assert told["metadata.n"] is Use.CONTENT
    assert uses('{"seed": 4111111111111111}')["seed"] is Use.FIXED


def test_the_name_of_a_tools_message_is_that_of_the_function() -> None:
    body = '{"messages": [{"name": "x"}]}'
    assert uses(body)["messages.0.name"] is Use.NAME
    assert uses(body, Role.TOOL)["messages.0.name"] is Use.IDENTIFIER


def test_what_stands_below_the_root_of_a_schema_is_read_as_one() -> None:
    assert uses('{"schema": {"description": "x"}}')["schema.description"] is Use.SCHEMA


def test_keys_that_a_caller_chose_are_content_and_those_of_token_biases_tokens() -> None:
    told = [LAYOUT.use(leaf, Role.OTHER) for leaf in parse('{"new": 1, "logit_bias": {"50256": -100}}').leaves]
    assert told == [Use.CONTENT, Use.FIXED, Use.TOKEN, Use.TOKEN, Use.FIXED]


def test_who_speaks_is_the_role_of_the_message() -> None:
    values = parse('{"messages": [{"role": "tool", "content": "x"}, {"content": "y"}], "user": "z"}').values()
    assert message_role(("messages", 0, "content"), values) is Role.TOOL
    assert message_role(("messages", 1, "content"), values) is Role.OTHER
    assert message_role(("user",), values) is Role.OTHER
