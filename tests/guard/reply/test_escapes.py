import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.guard.reply.escapes import around_escapes


@pytest.mark.parametrize(
    ("text", "cut", "expected"),
    [
        (r"a\u00e9Bo", "u00e9Bo", r"\u00e9Bo"),
        (r"a\u00e9Bo", "9Bo", r"\u00e9Bo"),
        (r"a\nBo", "nBo", r"\nBo"),
        (r"Bo \"Ace", "Bo \\", r"Bo \""),
        (r"a\\nBo", "nBo", "nBo"),
        (r"a\\nBo", r"\nBo", r"\\nBo"),
        (r"a\xBo", "xBo", "xBo"),
        ("Bo", "Bo", "Bo"),
    ],
    ids=range(8),
)
def test_no_escape_is_cut(text: str, cut: str, expected: str) -> None:
    start = text.rindex(cut)
    assert text[slice(*around_escapes(text, start, start + len(cut)))] == expected


@given(st.text(st.sampled_from('\\"nu09aé\n')), st.data())
def test_what_is_put_into_a_string_leaves_it_one(value: str, data: st.DataObject) -> None:
    text = json.dumps(value)[1:-1]
    start = data.draw(st.integers(0, len(text)))
    start, end = around_escapes(text, start, data.draw(st.integers(start, len(text))))
    json.loads(f'"{text[:start]}[X]{text[end:]}"')
