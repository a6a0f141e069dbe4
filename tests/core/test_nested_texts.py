import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit
from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Kind, parse
from privguard.core.nested_texts import MAX_NESTING, Found, NestedTexts, Place, Written, document_in, write
from tests.growth import costs_in_proportion, seconds

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3) | inner.map(json.dumps),
    max_leaves=10,
)
ESCAPED = st.text(st.sampled_from('"\\u0061nb{}[]:, \nx'), max_size=24)


def read(text: str) -> tuple[NestedTexts, list[Found]]:
    """Read a text as the only string of a document."""
    nested = NestedTexts()
    node = nested.add(parse(json.dumps([text])))
    return nested, list(nested.read(text, "x", Place(node, 0)))


def rewritten(text: str, old: str, new: str) -> str:
    nested, found = read(text)
    edits = {
        each.place: [Edit(start=at.start(), end=at.end(), replacement=new) for at in re.finditer(old, each.text)]
        for each in found
        if each.place and old in each.text
    }
    (result,) = json.loads(write(nested.nodes, edits))
    return str(result)


@given(text=VALUES.map(json.dumps) | ESCAPED | TEXT)
def test_writing_nothing_changes_nothing(text: str) -> None:
    nested, _ = read(text)
    assert json.loads(write(nested.nodes, {})) == [text]


@given(text=ESCAPED)
def test_writing_what_was_read_leaves_a_text_that_reads_alike(text: str) -> None:
    nested, found = read(text)
    edits = {each.place: each.text for each in found if each.place and each.kind is not Kind.NUMBER}
    (again,) = json.loads(write(nested.nodes, edits))
    assert "".join([each.text for each in read(again)[1]]) == "".join([each.text for each in found])


# An escape stands for its letter: it is read as that.
@given(
    value=TEXT.filter(lambda value: value.strip() and "\\u" not in value),
    depth=st.integers(0, 6),
    ascii_only=st.booleans(),
)
def test_a_value_is_seen_however_deep_it_is_nested(value: str, depth: int, ascii_only: bool) -> None:
    text = json.dumps({"a": value}, ensure_ascii=ascii_only)
    for _ in range(depth):
        text = json.dumps({"a": text}, ensure_ascii=ascii_only)
    seen = "".join([found.text for found in read(text)[1]])
    assert all(word in seen for word in value.replace("\\", " ").replace('"', " ").split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": "Zo\\u00eb", "n": 1.50}', '{"a": "[X]", "n": 1.50}'),
        ('{"a": "Zo\\u00eb", "n": NaN}', '{"a": "[X]", "n": NaN}'),
        ('{"a": "Zo\\u00eb", "a": "\\u0041"}', '{"a": "[X]", "a": "\\u0041"}'),
        ('{"a": "Zo\\u00eb", "b": "\\ud83d"}', '{"a": "[X]", "b": "\\ud83d"}'),
        ('{"a": "\\u0041", "b": "Zo\\u00eb', '{"a": "\\u0041", "b": "[X]'),
        ('{"a": "Zo\\u00eb \\"q\\""', '{"a": "[X] \\"q\\""'),
        ('"Zo\\u00eb"\n"\\u0041"', '"[X]"\n"\\u0041"'),
        ("so \\u0041 is\nZo\\u00eb", "so \\u0041 is\n[X]"),
        ("plain Zoë \\o/", "plain [X] \\o/"),
        ('"C:\\noah\\Zoë"', '"C:\\noah\\[X]"'),
        ("[Zoë]", "[[X]]"),
    ],
)
def test_what_changes_is_written_in_its_place_and_nothing_else(text: str, expected: str) -> None:
    assert rewritten(text, "Zoë", "[X]") == expected


@pytest.mark.parametrize("text", ["Zoë", "[Zoë]", "{", "C:\\temp\\noah", "\\d+\\.\\w", "a\\", '"', ""])
def test_a_plain_text_is_one_text(text: str) -> None:
    assert document_in(text) is None
    assert [found.text for found in read(text)[1]] == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('see Project\nHeron said \\"x\\"\nand so on', ['see Project\nHeron said "x"\nand so on']),
        ("Zo\\u00eb and\nAda\\u00e9", ["Zoë and\nAdaé"]),
        ("in C:\\new\nProject\nHeron \\u00e9\nin C:\\new", ["in C:\\new\n", "Project\nHeron é\n", "in C:\\new"]),
        ('a "b\\u00e9"\nc \\u00e9', ['a "', "bé", '"\nc é']),
    ],
    ids=lambda value: f"{len(value)}",
)
def test_lines_beside_one_with_escapes_are_read_together_with_it(text: str, expected: list[str]) -> None:
    assert [found.text for found in read(text)[1]] == expected


def test_numbers_are_read_as_a_detector_expects_them_and_become_strings() -> None:
    assert rewritten('{"n": 4111111111111111.0}', "4111111111111111", "[X]") == '{"n": "[X]"}'


def test_known_keys_and_empty_strings_are_no_texts() -> None:
    found = NestedTexts({"a"}).read('{"a": "", "b": [true, "c"]}', "x")
    assert [(each.label, each.text) for each in found] == [("x.$.{1}#key", "b"), ("x.$.{1}[1]", "c")]


def test_half_a_surrogate_pair_is_shown_as_one_letter_that_no_detector_stumbles_over() -> None:
    assert [found.text for found in read('["a\\ud83d"]')[1]] == ["a\ufffd"]
    assert [found.text for found in read('"\\ud83d\\ude00')[1]][-1] == "😀"


def test_documents_that_nest_too_deep_are_refused() -> None:
    label = "x" + ".$" * MAX_NESTING
    with pytest.raises(UnknownContentError, match="deeper"):
        list(NestedTexts().read('["a"]', label))


@pytest.mark.parametrize("unit", ['\\"', '"', "\\", '"\\n', "\\u0061", "[", '{"a":', "\n\\"])
def test_reading_takes_time_in_proportion_to_the_length(unit: str) -> None:
    assert costs_in_proportion(lambda count: seconds(lambda: document_in(unit * count)), 5_000, least_s=0.001)


def test_reprs_show_no_content() -> None:
    assert "Zoë" not in repr(read("Zoë"))


def written(document: str, text: str) -> Written:
    nested, found = read(document)
    place = next(each.place for each in found if each.text == text and each.place is not None)
    return Written(nested, Place(0, 0), place, document)


def test_the_keys_of_a_text_are_told_from_the_nearest_on() -> None:
    assert written('{"a": [{"b": ["x1"]}]}', "x1").keys == ("b", "a")
    assert written('{"a": {"x1": 1}}', "x1").keys == ()
    assert written('["x1"]', "x1").keys == ()
    assert written(json.dumps({"a": json.dumps({"b": "x1"})}), "x1").keys == ("b",)


def test_a_string_beside_a_text_stands_in_the_same_object() -> None:
    assert written('{"name": "n", "value": "x1"}', "x1").beside(["name"]) == "n"
    assert written('{"value": "x1", "name": "n"}', "x1").beside(["key", "name"]) == "n"
    assert written('{"key": "k", "value": "x1", "name": "n"}', "x1").beside(["name", "key"]) == "n"
    assert written('{"name": 7, "value": "x1"}', "x1").beside(["name"]) == ""
    assert written('{"name": "n", "a": {"value": "x1"}}', "x1").beside(["name"]) == ""
    assert written('[{"name": "n"}, {"value": "x1"}]', "x1").beside(["name"]) == ""
    assert written('["name", "x1"]', "x1").beside(["name"]) == ""
