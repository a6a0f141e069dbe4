import json

import pytest

from privguard.core.embedded_json import embedded_documents
from tests.growth import grows_in_proportion

DOCUMENT = json.dumps({"to": 'a "b"\n', "more": [1, {"c": "}"}]}, indent=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("no braces", []),
        ("{name} and [1] and {}, see", []),
        ("{x: 1}\n[see]\n[1, 2]", []),
        (DOCUMENT, [DOCUMENT]),
        (f'```json\n{DOCUMENT}\n```\nor\n  [ "a" ], {{}}', [DOCUMENT, '[ "a" ]']),
        ('{"a": "left open\n```\n{"b": 1}', ['{"b": 1}']),
        (r'["C:\Users"]', []),
        ('say {"a": 1}', ['{"a": 1}']),
        ('<x>[{"a": [1]}, {"b": 2}]</x> {"c": 3}, {"d"', ['[{"a": [1]}, {"b": 2}]', '{"c": 3}']),
        ('say ["a"] or {"a"} or {"": 1} or {"a\n": 1}', []),
    ],
    ids=[
        "nothing",
        "prose",
        "brackets",
        "no JSON",
        "whole",
        "fenced",
        "left open",
        "no escapes of JSON",
        "in a line",
        "in a line too",
        "no keys",
    ],
)
def test_documents_are_found_where_a_line_or_a_key_begins_them(text: str, expected: list[str]) -> None:
    assert [text[start:end].strip() for start, end in embedded_documents(text)] == expected


@pytest.mark.parametrize(
    "piece", ['{"a": "', '["a\\n"]\n', "\n[[", '\n{"', "\n```", '\n[{"a', 'x {"a":1}', ' [ {"a'], ids=range(8)
)
def test_it_takes_time_in_proportion_to_the_text(piece: str) -> None:
    assert grows_in_proportion(embedded_documents, piece)
