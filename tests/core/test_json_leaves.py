import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import (
    MAX_DEPTH,
    MAX_LENIENT_DEPTH,
    Kind,
    cut,
    decode,
    encode,
    parse,
    plain_number,
)
from privguard.core.leaf_edits import splice_leaves
from tests.growth import costs_at_most

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
SPELLINGS = st.sampled_from(
    [
        {},
        {"indent": 3},
        {"ensure_ascii": False},
        {"separators": (" ,\t", "\r\n: ")},
        {"ensure_ascii": True, "indent": 1},
    ]
)


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def count_leaves(value: Any) -> int:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return sum(1 + count_leaves(child) for child in value.values())
    if isinstance(value, list):
        return sum(count_leaves(child) for child in value)
    return 1


def at(value: Any, path: tuple[str | int, ...]) -> Any:  # noqa: ANN401 - any JSON value
    for step in path:
        value = value[step]
    return value


@given(value=VALUES, spelling=SPELLINGS)
def test_splicing_nothing_changes_nothing(value: object, spelling: dict[str, Any]) -> None:
    text = json.dumps(value, **spelling)
    assert splice_leaves(parse(text), {}) == text


@given(value=VALUES, spelling=SPELLINGS)
def test_every_leaf_and_every_key_is_found_with_its_path_and_place(value: object, spelling: dict[str, Any]) -> None:
    text = json.dumps(value, **spelling)
    document = parse(text)
    assert len(document.leaves) == count_leaves(value)
    for leaf in document.leaves:
        token = text[leaf.start : leaf.end]
        if leaf.kind is Kind.KEY:
            assert json.loads(token) == leaf.path[-1] == leaf.text
        else:
            assert json.loads(token) == at(value, leaf.path)
    for path, (start, end) in document.extents.items():
        assert json.loads(text[start:end]) == at(value, path)


@given(value=VALUES, spelling=SPELLINGS, new=TEXT, data=st.data())
def test_a_changed_leaf_is_the_only_thing_that_changes(
    value: object, spelling: dict[str, Any], new: str, data: st.DataObject
) -> None:
    text = json.dumps(value, **spelling)
    document = parse(text)
    places = [index for index, leaf in enumerate(document.leaves) if leaf.kind is not Kind.KEY]
    if not places:
        return
    index = data.draw(st.sampled_from(places))
    leaf = document.leaves[index]
    changed = splice_leaves(document, {index: new})
    assert changed == text[: leaf.start] + encode(new) + text[leaf.end :]
    assert at(json.loads(changed), leaf.path) == new


@pytest.mark.parametrize(
    "text",
    ["1E+5", "-0.0", "1e-400", "123456789012345678901234567890", '"\\u00e9\\/"', '{"a" :1 ,\n"b":[ ]}', " [ ] ", "{}"],
)
def test_unusual_spellings_are_kept(text: str) -> None:
    assert splice_leaves(parse(text), {}) == text


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "[1,]", "[,1]", "[1 2]", '{"a":1,}', '{"a"}', '{"a" 1}', "{1:2}", "01", "1.", ".5", "+1", "NaN",
     "Infinity", "-Infinity", "nul", "tru", '"a', '"\\x"', '"\n"', "[1]]", "{}x", '"a" "b"', "]", ":", "'a'", "[1}"],
)  # fmt: skip
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(UnknownContentError):
        parse(text)


@given(text=st.text(st.sampled_from('{}[],:"\\ \n019-.eEtrufalsn'), max_size=12))
def test_it_agrees_with_the_standard_library_on_what_json_is(text: str) -> None:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        json.loads(text, object_pairs_hook=no_duplicates)
    except ValueError:
        with pytest.raises(UnknownContentError):
            parse(text)
    else:
        assert splice_leaves(parse(text), {}) == text


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(UnknownContentError, match="twice"):
        parse('{"a": 1, "\\u0061": 2}')


def test_the_same_key_in_two_objects_is_fine() -> None:
    assert len(parse('[{"a": 1}, {"a": 2}]').leaves) == 4


def test_an_unpaired_surrogate_is_refused_and_a_pair_is_read() -> None:
    with pytest.raises(UnknownContentError, match="surrogate"):
        parse('"\\ud83d"')
    assert parse('"\\ud83d\\ude00"').leaves[0].text == "\U0001f600"


def test_deep_nesting_is_refused_without_recursion() -> None:
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).leaves == ()
    with pytest.raises(UnknownContentError, match="deeper"):
        parse("[" * 100_000)


@pytest.mark.parametrize(
    "raw", [b"\xff", b'"\xc3', b"\xef\xbb\xbf{}", '"\xe9"'.encode("latin-1"), '"a"'.encode("utf-16")]
)
def test_bytes_that_are_not_plain_utf8_are_refused(raw: bytes) -> None:
    with pytest.raises(UnknownContentError):
        parse(decode(raw))


def test_a_number_becomes_a_string_when_it_changes() -> None:
    document = parse('{"card": 4111111111111111}')
    assert splice_leaves(document, {1: "[FIN_ACCOUNT_7QK2]"}) == '{"card": "[FIN_ACCOUNT_7QK2]"}'


def test_a_key_can_be_replaced_but_never_by_the_name_of_another() -> None:
    document = parse('{"ada": 1, "b": {"ada": 2}}')
    assert splice_leaves(document, {0: "x"}) == '{"x": 1, "b": {"ada": 2}}'
    with pytest.raises(UnknownContentError, match=r"\{1\}#key"):
        splice_leaves(document, {0: "b"})


def test_labels_show_names_of_the_api_and_numbers_for_all_other_keys() -> None:
    document = parse('{"messages": [{"content": "x", "ada": [1]}]}', {"messages", "content"})
    labels = [leaf.label for leaf in document.leaves]
    assert labels == [
        "messages#key", "messages[0].content#key", "messages[0].content", "messages[0].{1}#key", "messages[0].{1}[0]",
    ]  # fmt: skip


def test_reprs_and_errors_show_no_content() -> None:
    document = parse('{"content": "canary-word"}')
    assert "canary" not in repr(document.leaves[1])
    with pytest.raises(UnknownContentError) as caught:
        parse('{"canary-word": canary-word}')
    assert "canary" not in str(caught.value)


def test_cut_replaces_intervals() -> None:
    assert cut("abcdef", {(4, 5): "-", (1, 3): "++"}) == "a++d-f"


def test_ten_megabytes_in_one_string_take_well_under_a_second() -> None:
    text = json.dumps({"messages": [{"role": "user", "content": "Line of text \\ with \u00e9scapes\n" * 350_000}]})
    assert len(text) > 10_000_000
    assert splice_leaves(parse(text), {}) == text
    assert costs_at_most(2, lambda: splice_leaves(parse(text), {}))


@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        ("4.111111111111111E15", "4111111111111111"),
        ("4111111111111111.0", "4111111111111111"),
        ("41446681800", "41446681800"),
        ("-1.5", "-1.5"),
        ("1e999999999", "1e999999999"),
        ("0.0", "0"),
    ],
)
def test_a_number_is_written_as_a_detector_expects_it(spelled: str, plain: str) -> None:
    assert plain_number(spelled) == plain


@pytest.mark.parametrize(
    "text", ['{"a": NaN, "b": -Infinity}', '["\\ud83d"]', '{"a": 1, "a": 2}', '["a\nb"]', deep(250)]
)
def test_what_most_parsers_read_is_read_where_it_is_asked_for(text: str) -> None:
    document = parse(text, lenient=True)
    assert splice_leaves(document, {}) == text
    with pytest.raises(UnknownContentError):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "{a: 1}", "[nan]", "[1] [2]", deep(MAX_LENIENT_DEPTH + 1)],
)
def test_what_no_parser_reads_is_refused_where_it_is_lenient_too(text: str) -> None:
    with pytest.raises(UnknownContentError):
        parse(text, lenient=True)


def test_every_value_of_a_key_that_is_given_twice_is_a_leaf() -> None:
    document = parse('{"a": "x", "a": "y"}', lenient=True)
    assert [leaf.text for leaf in document.leaves if leaf.kind is Kind.STRING] == ["x", "y"]
    assert splice_leaves(document, {0: "b", 2: "b"}) == '{"b": "x", "b": "y"}'


def test_half_of_a_surrogate_pair_stays_an_escape() -> None:
    assert encode("é\ud83d") == '"é\\ud83d"'


def test_a_string_is_written_in_one_line() -> None:
    text = "a\u2028b\u2029c\x85d"

    written = encode(text)

    assert len(written.splitlines()) == 1
    assert json.loads(written) == text
