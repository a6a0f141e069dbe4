import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.mojibake import meant_views

WORDS = st.text(st.sampled_from("aK\u00f6\u00df\u00e9\u2019\u20ac\u0142\u0151\u5c71\u0416 "), min_size=1, max_size=20)


def garbled(text: str, encoding: str) -> str:
    """Return what a program reads that takes UTF-8 for something else, as browsers do."""
    return "".join([bytes([byte]).decode(encoding, "replace").replace("\ufffd", chr(byte)) for byte in text.encode()])


@given(WORDS, st.sampled_from(["latin-1", "cp1252"]), st.integers(1, 2))
def test_letters_that_were_read_in_a_western_encoding_are_read_as_meant(text: str, encoding: str, times: int) -> None:
    written = text
    for _ in range(times):
        written = garbled(written, encoding)
    assert text.isascii() or text in [view.text for view in meant_views(written)]


@given(st.text(st.sampled_from("\u0410\u0430\u0436\u042f\u044f\u0451 a"), min_size=1, max_size=20))
def test_cyrillic_letters_that_were_read_in_another_encoding_are_read_as_meant(text: str) -> None:
    assert text.isascii() or text in [view.text for view in meant_views(garbled(text, "cp1251"))]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ada",
        "J\u00fcrgen K\u00f6\u00dfler \u2013 \u00ab\u00c0 la carte\u00bb",
        "S\u00c3O PAULO",
        "\u0421\u0443\u0441\u0430\u043d\u043d\u0430",
        "\u5c71\u7530 \u592a\u90ce",
        "\u00c3\u00c3",
    ],
    ids=range(7),
)
def test_texts_that_were_read_well_have_no_such_view(text: str) -> None:
    assert list(meant_views(text)) == []


@given(st.text(st.sampled_from("a\u00c3\u00b6\u00e2\u20ac\u2122\u0420\u0451\u00c2\u0192 "), max_size=20))
def test_every_interval_leads_back_to_whole_letters(text: str) -> None:
    for view in meant_views(text):
        assert view.back(0, len(view.text)) == (0, len(text))
        for at in range(len(view.text)):
            start, end = view.back(at, at + 1)
            assert 0 <= start < end <= len(text)
