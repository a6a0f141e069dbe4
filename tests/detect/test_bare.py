import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.letters import bare_letters
from privguard.detect.bare import Reading, readings

_TELLING = "aZ9 _-.%\\&;<>/()[]*uxE0524\u200b\u00ad\ufe0fÅßİ\ufb01\uff28\u0301\uac00\u304b\u3099\u0e01\u0e31"
SIGNS = st.text(st.sampled_from(_TELLING) | st.characters(), max_size=40)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Heron-2, x", "heron2x"),
        ("\uff28\uff45ron", "heron"),
        ("He\u200bro\u00adn", "heron"),
        ("H\u00e9ro\u0301n \ufb01 \u0130", "heronfii"),
        ("Stra\u00dfe", "strasse"),
        ("\u0e01\u0e31\u0e19", "\u0e01\u0e31\u0e19"),
        ("\U0001f99a \u2605", ""),
        ("H\u02bcr\u2019n", "hrn"),
        ("\u0641\u064e\u0627\u0640\u0637", "\u0641\u0627\u0637"),
    ],
)
def test_only_letters_and_digits_count_and_forms_of_them_are_equal(text: str, letters: str) -> None:
    assert bare_letters(text) == letters


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("PROJECT%20HERON", "projectheron"),
        ("a%2520b", "ab"),
        ("%C3%A9t%e9", "ete"),
        (r"He\u200bron", "heron"),
        (r"\\u0048eron \u{48}", "heronh"),
        (r"\ud835\udc07", "h"),
        (r"\xc3\xa9", "e"),
        ("He&shy;ron&#x48;&amp;#72;", "heronhh"),
        ("R&nosuch;D", "rnosuchd"),
        (r"\U00110000x", "x"),
    ],
)
def test_codes_are_read_as_what_they_stand_for(text: str, letters: str) -> None:
    assert letters in {reading.letters for reading in readings(text)}


@pytest.mark.parametrize("text", ["<b>He</b>ron", "[He](https://a.example)ron", "<!-- x -->He<br/>ron"])
def test_markup_is_left_out_of_one_reading_and_read_in_another(text: str) -> None:
    found = {reading.letters for reading in readings(text)}
    assert "heron" in found
    assert len(found) > 1


@given(SIGNS)
def test_every_letter_leads_back_to_where_it_came_from(text: str) -> None:
    for reading in readings(text):
        intervals = [(reading.ways.start(at), reading.ways.end(at)) for at in range(len(reading.letters))]
        assert all(0 <= start < end <= len(text) for start, end in intervals)
        assert intervals == sorted(intervals)
        if reading.codes is None:
            for letter, (start, end) in zip(reading.letters, intervals, strict=True):
                assert letter in bare_letters(text[start:end])


@given(SIGNS)
def test_a_gap_holds_no_letter(text: str) -> None:
    for reading in readings(text):
        assert all(not bare_letters(reading.gap(at)) for at in range(len(reading.letters) + 1))


@given(st.text(alphabet="ab1ﬁé \u200b-&#;<>", max_size=20), st.integers(0, 20), st.integers(1, 20))
def test_nothing_stands_between_the_letters_of_a_run(text: str, start: int, length: int) -> None:
    for reading in readings(text):
        end = start + length
        if end <= len(reading.letters) and reading.ways.is_run(start, end):
            assert not any(reading.gap(at) for at in range(start + 1, end))


def test_nothing_of_a_text_is_shown() -> None:
    assert "zebra" not in repr(Reading("zebra"))
