import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.markup import blank_markup


@given(st.text(alphabet="Aa _*[]()<>/b|`=\n", max_size=60))
def test_letters_and_lengths_stay(text: str) -> None:
    for start, other in blank_markup(text):
        here = text[start : start + len(other)]
        assert len(here) == len(other)
        assert "\n" not in here
        assert all(after == before or after in " ," for before, after in zip(here, other, strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Ada Roth](https://x.example)", " Ada Roth, https://x.example "),
        ("**Ada Roth** said", "  Ada Roth   said"),
        ("<b>Ada</b>", ",  Ada,   "),
        ("my_name, 3 < 4", ""),
        ("Ada Roth said.", ""),
    ],
    ids=range(5),
)
def test_marks_next_to_words_are_blanked(text: str, expected: str) -> None:
    assert "".join(other for _, other in blank_markup(text)) == expected
