import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Leaf, Path, parse
from privguard.core.segments import Role
from privguard_adapters.wire.responses_items import check_items, media_of, role_at


def values(text: str) -> dict[Path, Leaf]:
    return parse(text).values()


@pytest.mark.parametrize(
    ("item", "place", "role"),
    [
        ('{"role": "developer", "content": "w"}', ("content",), Role.SYSTEM),
        ('{"type": "message", "role": "user", "content": "w"}', ("content",), Role.USER),
        ('{"type": "function_call", "arguments": "w"}', ("arguments",), Role.ASSISTANT),
        ('{"type": "mcp_call", "arguments": "w", "output": "w"}', ("arguments",), Role.ASSISTANT),
        ('{"type": "mcp_call", "arguments": "w", "output": "w"}', ("output",), Role.TOOL),
        ('{"type": "shell_call_output", "output": "w"}', ("output",), Role.TOOL),
        ('{"type": "tool_search_output", "tools": "w"}', ("tools",), Role.OTHER),
        ('{"type": "mcp_approval_response", "reason": "w"}', ("reason",), Role.USER),
    ],
)
@pytest.mark.parametrize("root", ["input", "items"])
def test_an_item_says_who_speaks(root: str, item: str, place: Path, role: Role) -> None:
    found = values(f'{{"{root}": [{item}]}}')
    assert role_at((root, 0, *place), found) is role


def test_what_is_no_item_is_the_applications() -> None:
    assert role_at(("instructions",), {}) is Role.SYSTEM
    assert role_at(("input",), {}) is Role.USER
    assert role_at(("prompt", "variables", "k"), {}) is Role.USER
    assert role_at(("tools", 0, "description"), {}) is Role.OTHER


@pytest.mark.parametrize(
    "text",
    [
        '{"items": [{"type": "item_reference", "id": "x"}]}',
        '{"items": [{"content": [{"text": "w"}]}]}',
        '{"input": [{"role": "user", "content": [{"type": "computer_screenshot"}]}]}',
        '{"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "computer"}]}]}',
        '{"items": [{"type": "additional_tools", "tools": [{"type": "computer"}]}]}',
        '{"input": [{"type": "additional_tools", "tools": [{"type": "namespace", "tools": [{"type": "computer"}]}]}]}',
    ],
)
def test_what_nobody_can_read_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UnknownContentError, match=r"(items|input|tools)\[0\]"):
        check_items(parse(text, {"items", "input", "tools", "content", "type", "id", "text"}).values())


def test_words_that_name_types_elsewhere_are_no_types() -> None:
    check_items(values('{"tools": [{"type": "function", "parameters": {"properties": {"type": {"type": "image"}}}}]}'))
    check_items(values('{"input": "w", "text": {"format": {"type": "text"}}, "metadata": {"type": "x"}}'))
    check_items(values('{"prompt": {"id": "p", "variables": {"type": "passport", "x": {"type": "input_text"}}}}'))


def test_parts_that_no_detector_reads_are_told_by_their_places() -> None:
    part = '{"type": "input_image", "image_url": "w"}'
    found = media_of(values(f'{{"input": [{{"content": [{part}]}}, {{"output": [{part}]}}, {{"summary": [{part}]}}]}}'))
    assert {path: medium.kind for path, medium in found.items()} == dict.fromkeys(
        [("input", 0, "content", 0), ("input", 1, "output", 0)], "input_image"
    )
