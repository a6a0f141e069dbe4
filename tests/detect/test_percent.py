from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.percent import decoded, decodings

TEXTS = st.text(alphabet="aé%25+ 4K@ü€", max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100 % of 5%, %zz", []),
        ("%4Bern", ["Kern"]),
        ("a%2540b", ["a%40b", "a@b"]),
        ("M%FCller%20x", ["Müller x"]),
        ("w%C3%B6rd+%2B", ["wörd++", "wörd  "]),
    ],
)
def test_codes_become_what_they_stand_for(text: str, expected: list[str]) -> None:
    assert [each.text for each in decodings(text)] == expected


@given(TEXTS, st.text(min_size=1, max_size=9), TEXTS)
def test_what_was_encoded_leads_back_to_its_codes(before: str, value: str, after: str) -> None:
    value = value.encode("utf-8", "replace").decode()
    codes = "".join(f"%{byte:02X}" for byte in value.encode())
    text = f"{before}| {codes} |{after}"
    first = next(decodings(text))
    head = len(decoded(f"{before}| "))
    assert first.text[head : head + len(value)] == value
    assert first.back(head, head + len(value)) == (len(before) + 2, len(before) + 2 + len(codes))


@given(TEXTS, st.data())
def test_every_interval_leads_back_into_the_text(text: str, data: st.DataObject) -> None:
    for each in decodings(quote(text)):
        if each.text:
            start = data.draw(st.integers(0, len(each.text) - 1))
            end = data.draw(st.integers(start + 1, len(each.text)))
            first, last = each.back(start, end)
            assert 0 <= first < last <= len(quote(text))


def test_no_repr_shows_a_text() -> None:
    assert "Roth" not in repr(next(decodings("Roth%20x")))
