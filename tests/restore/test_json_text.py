"""Where a JSON document stands is known, and a value is written so that the document says it."""

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privguard.restore.json_text import JsonContext, Unescaper, escape_json
from tests.growth import grows_in_proportion

ANY_TEXT = st.text(st.characters() | st.sampled_from('"\\/\n\u2028\ud800\udfff{}[]:,é'), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)


def after(text: str) -> JsonContext:
    context = JsonContext()
    context.advance(text)
    context.value_follows()
    return context


def joined(text: str) -> str:
    """Return a text as JSON says it: two halves of a surrogate pair that stand side by side are one code point."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@given(ANY_TEXT)
@example("\ud800\udfff")
def test_an_escaped_value_is_the_inside_of_its_json_string(value: str) -> None:
    assert json.loads(f'"{escape_json(value)}"') == joined(value)


@given(ANY_TEXT)
def test_only_what_must_be_escaped_is(value: str) -> None:
    plain = value.encode("utf-8", "ignore").decode().replace("\\", "").replace('"', "")
    plain = "".join(letter for letter in plain if letter >= " ")
    assert escape_json(plain) == plain


@given(text=ANY_TEXT, depth=st.integers(0, 4))
@example(text="\ud800\udfff", depth=1)
@example(text="\udfff\ud800", depth=2)
def test_unescaping_undoes_escaping_at_every_depth(text: str, depth: int) -> None:
    written = text
    for _ in range(depth):
        written = escape_json(written)
    unescaper = Unescaper(depth)
    read = "".join([unescaper.feed(letter) for letter in written]) + unescaper.flush()
    assert joined(read) == joined(text)


@given(
    words=st.lists(st.sampled_from(["\\", "\\\\", "u", "005c", "u00", "2f", "n", '"', "/", "x"]), max_size=14),
    depth=st.integers(1, 3),
    data=st.data(),
)
def test_cutting_never_changes_what_is_unescaped(words: list[str], depth: int, data: st.DataObject) -> None:
    text = "".join(words)
    at = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    whole, cut = Unescaper(depth), Unescaper(depth)
    pieces = "".join([cut.feed(text[start:end]) for start, end in pairwise([0, *at, len(text)])])
    assert pieces + cut.flush() == whole.feed(text) + whole.flush()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('{"a": "', r"A\"b"),
        ('{"a": "{\\"b\\": \\"', r"A\\\"b"),
        ('{"a": "x {\\"b\\": \\"', r"A\"b"),
        ('{"a": "[{\\"b\\": [\\"', r"A\\\"b"),
        ('{"a": "\\n [\\"', r"A\\\"b"),
        ('{"a": "\\\\n [\\"', r"A\"b"),
        ('{"a": "\\\\n{\\"b\\": \\"', r"A\"b"),
        ('{"a": "{\\\\n\\"b\\": \\"', r"A\"b"),
        ('{"a": "{\\"b\\": \\"\\\\n{\\\\\\"c\\\\\\": \\\\\\"', r"A\\\\\\\"b"),
        ('{"a": "{\\"b\\": \\"\\n{\\\\\\"c\\\\\\": \\\\\\"', r"A\\\\\\\"b"),
        ('{"a": "{\\"b\\": \\"\\\\\\\\n{\\\\\\"c\\\\\\": \\\\\\"', r"A\\\"b"),
        ('{"a": "[1] \\"', r"A\"b"),
        ('{"a": "{hello \\"', r"A\"b"),
        ('"', r"A\"b"),
        (' \n"x ', r"A\"b"),
        ('```json\n{"a": "', r"A\"b"),
        ('{"a": ', r'"A\"b"'),
        ('{"a": [', r'"A\"b"'),
        ('{"a": ["x", ', r'"A\"b"'),
        ('{"a": "{\\"b\\": ', r"\"A\\\"b\""),
        ('{"a": "x: ', r"A\"b"),
        ('{"a": "x", "', r"A\"b"),
        ('{"a": "x"}\nNote: ', 'A"b'),
        ("Note: ", 'A"b'),
        ("one, ", 'A"b'),
        ('he said: "', 'A"b'),
        ("", 'A"b'),
    ],
)
def test_a_value_is_escaped_for_the_string_that_it_stands_in(text: str, written: str) -> None:
    assert after(text).write('A"b') == written


@pytest.mark.parametrize("number", ["0", "-1", "3.25", "1e9"])
def test_a_number_without_quotes_stays_one(number: str) -> None:
    assert after('{"a": ').write(number) == number


@pytest.mark.parametrize("text", ["01", "+1", "1.", "NaN", "٣", "1\n", "true", ""])
def test_what_is_no_number_gets_quotes(text: str) -> None:
    assert json.loads(after('{"a": ').write(text)) == text


@given(document=JSON, depth=st.integers(1, 3), indent=st.none() | st.integers(0, 2))
def test_behind_a_whole_document_nothing_is_open(document: object, depth: int, indent: int | None) -> None:
    text = json.dumps({"a": document}, indent=indent)
    for _ in range(depth - 1):
        text = json.dumps({"a": text})
    context = after(text)
    assert not context.in_string
    assert not context.in_document


@given(document=JSON, data=st.data())
def test_cutting_never_changes_where_the_text_ends(document: object, data: st.DataObject) -> None:
    text = json.dumps({"a": json.dumps([document]), "b": document}, ensure_ascii=data.draw(st.booleans()))
    text = text[: data.draw(st.integers(0, len(text)))]
    context = JsonContext()
    at = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    for start, end in pairwise([0, *at, len(text)]):
        context.advance(text[start:end])
    context.value_follows()
    whole = after(text)
    assert (context.in_string, context.in_document) == (whole.in_string, whole.in_document)
    assert context.write('A"\\b') == whole.write('A"\\b')


def test_reading_tells_where_a_string_begins_and_what_it_says() -> None:
    context = JsonContext()
    assert context.advance('{"a": "x\\n\\u00') == (True, "x\n")
    assert context.advance("e9y") == (False, "éy")
    assert context.advance('z", ') == (True, ", ")


def test_what_is_kept_of_a_document_is_bounded() -> None:
    for text in (
        '{"a": "' + "\\" * 100_000,
        '{"a": "' + "{" + " " * 100_000,
        '{"' * 50_000,
        '{"a": "' + '\\"' * 50_000,
    ):
        context = JsonContext()
        for start in range(0, len(text), 100):
            context.advance(text[start : start + 100])
        assert len(context._carry) + sum(map(len, context._unescaper._carries)) + len(context._documents) <= 600


@pytest.mark.parametrize("flood", ["\\", '"', '{"', '\\"', "[", "{\\", '{"a":"b"},', " "])
def test_a_flood_costs_time_in_proportion_to_its_length(flood: str) -> None:
    assert grows_in_proportion(lambda text: JsonContext().advance(text), flood, before='{"a": "', least_s=0.0005)
