import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.recasing import recase


@given(st.text())
def test_offsets_and_letters_stay(text: str) -> None:
    for start, other in recase(text):
        assert other.casefold() == text[start : start + len(other)].casefold()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ADA ROTH met zoe lind", "Ada Roth met Zoe Lind"),
        ("hi im zoe lind", "hi im Zoe Lind"),
        ("\n o'neil-roth called", "O'Neil-Roth called"),
    ],
)
def test_names_are_cased_as_names(text: str, expected: str) -> None:
    assert [other.strip() for _, other in recase(text)] == [expected]


@pytest.mark.parametrize("text", ["Ada met zoe", "", "x", "s3, m2, c4", "ziet er moe uit vandaag", "a=b foo.bar x_y"])
def test_ordinary_sentences_and_code_are_left_alone(text: str) -> None:
    assert recase(text) == ()
