import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.views import views_of, views_undoubled, views_unescaped, views_without_accents

TEXTS = st.text(alphabet="ab 1.\u00ad\u200bＡ１٤ﬁ™é _", max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Roth, 42", []),
        ("Zoë Weiß", []),
        ("Ａｄａ", ["Ada"]),
        ("Ro\u00adth", ["Roth"]),
        ("Ａ\u200bｄａ", ["A\u200bda", "Ada"]),
        ("5\u00a0€", []),
    ],
)
def test_a_text_is_seen_as_its_reader_sees_it(text: str, expected: list[str]) -> None:
    assert [view.text for view in views_of(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada", []),
        ("Zoë Weiß", ["Zoe Weiss"]),
        ("Müller", ["Muller", "Mueller"]),
        ("\u041d\u0438\u043a\u043e\u043b\u0430\u0439", []),
        ("Nu\u0301n\u0303ez", ["Nunez"]),
    ],
    ids=range(5),
)
def test_a_text_is_seen_without_accents(text: str, expected: list[str]) -> None:
    assert [view.text for view in views_without_accents(text)] == expected


@given(TEXTS, st.data())
def test_every_interval_of_a_view_leads_back_into_the_text(text: str, data: st.DataObject) -> None:
    for view in (*views_of(text), *views_without_accents(text)):
        if view.text:
            start = data.draw(st.integers(0, len(view.text) - 1))
            end = data.draw(st.integers(start + 1, len(view.text)))
            first, last = view.back_from(start, end)
            assert 0 <= first < last <= len(text)
            assert view.back_from(0, len(view.text))[0] <= first


@given(TEXTS, TEXTS)
def test_what_stands_between_spaces_is_led_back_to_its_place(before: str, after: str) -> None:
    text = f"{before}  Ｒｏ\u00adｔｈ  {after}"
    place = len(before) + 2
    found = [view.back_from(at, at + 4) for view in views_of(text) if (at := view.text.find("Roth")) >= 0]
    assert (place, place + 5) in found


def test_no_repr_shows_a_text() -> None:
    (view,) = views_of("Ｒｏｔｈ")
    assert "oth" not in repr(view)


@given(st.text(st.sampled_from("O'\\\u2019Br n"), max_size=30))
def test_only_backslashes_before_apostrophes_are_left_out_and_every_sign_leads_back(text: str) -> None:
    for view in views_unescaped(text):
        assert view.text == re.sub(r"\\+(?=['\u2019])", "", text) != text
        assert all(text[view.back(at)] == sign for at, sign in enumerate(view.text))


@pytest.mark.parametrize("text", ["O'Brien", r"C:\x and O\nBrien", r"\\"], ids=range(3))
def test_a_text_without_an_escaped_apostrophe_has_no_view_of_it(text: str) -> None:
    assert not list(views_unescaped(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CORP\\tala", []),
        (r'"CORP\\tala" of CORP\tala', [r'"CORP\tala" of CORP\tala']),
        (r'"\\\\host\\tala"', [r'"\\host\tala"', r'"\host\\tala"']),
        (r'"{\"by\": \"CORP\\\\tala\"}"', [r'"{\"by\": \"CORP\\tala\"}"', r'"{\"by\": \"CORP\tala\"}"']),
    ],
    ids=["one", "in a string", "two in a string", "in a string of a string"],
)
def test_one_backslash_stands_for_two_or_four(text: str, expected: list[str]) -> None:
    for view in views_undoubled(text):
        assert text[slice(*view.back_from(view.text.index("tala"), view.text.index("tala") + 4))] == "tala"
    assert [view.text for view in views_undoubled(text)] == expected
