import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.codes import code_views, uncoded, without_codes

TEXTS = st.lists(
    st.sampled_from(["a", "é", " ", "&", "#39;", "&#39;", "&amp;", "&amp;#39;", "&NotEqualTilde;", "\\", "x27", "\\x27",
                     "\\xc3\\xbc", "\\u0027", "\\ud83d\\ude00", "\\ud83d", "%27", ";", "\\U00110000", "😀"]),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("O&#39;Brien, O&#039;Brien, O&#x27;Brien, O&apos;Brien", "O'Brien, O'Brien, O'Brien, O'Brien"),
        ("O&amp;#39;Brien &amp;amp; Co", "O'Brien & Co"),
        (r"O\x27Brien, O\\x27Brien, O\u0027Brien, O\u{27}Brien, O\U00000027Brien", ", ".join(["O'Brien"] * 5)),
        (r"M\u00fcller M\xfcller M\xc3\xbcller", "Müller Müller Müller"),
        ("Jos&eacute; M&uuml;ller &#128512;", "José Müller 😀"),
        (r"\ud83d\ude00 \ud83d", "😀 \ufffd"),
        ("AT&T, a && b, &zzing; C:\\users 5%27", None),
        (r"\U00110000 & \x2", None),
    ],
)
def test_codes_are_read_as_what_they_show(text: str, shown: str | None) -> None:
    form = uncoded(text)
    assert (form and form.text) == shown
    assert without_codes(text) == (text if shown is None else shown)


def test_bytes_that_are_data_stay_where_that_is_asked_for() -> None:
    assert uncoded(r"\xde\xad\xbe\xef\x00 and \x1b[31m, \x7fELF, \x80", keeps_data=True) is None
    form = uncoded(r"Ada\x0aRoth \x41\x00", keeps_data=True)
    assert form is not None
    assert form.text == "Ada\nRoth \\x41\\x00"
    assert without_codes(r"Ada\x0aRoth \x41\x00") == "Ada\nRoth A\0"


@given(TEXTS)
def test_every_interval_leads_back_to_whole_codes(text: str) -> None:
    form = uncoded(text)
    if form is None:
        return
    assert form.back(0, len(form.text)) == (0, len(text))
    reached = 0
    for at in range(len(form.text)):
        start, end = form.back(at, at + 1)
        assert start <= reached <= end
        assert form.touches(at, at + 1) or form.text[at] == text[start:end]
        reached = end
    assert reached == len(text)


def test_percent_encoding_and_other_codes_are_views_of_their_own() -> None:
    assert [each.text for each in code_views("O%27Brien O&#39;Brien")] == ["O'Brien O&#39;Brien", "O%27Brien O'Brien"]
    assert list(code_views("O'Brien & Co")) == []
