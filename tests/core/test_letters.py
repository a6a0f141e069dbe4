import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.letters import plain, plain_letter


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ｒｏｔｈ＠ｘ．ｅｘａｍｐｌｅ", "Roth@x.example"),
        ("𝐀𝐝𝐚 ﬁ ª", "Ada fi a"),
        ("٤٤७१ ² ①", "4471 2 1"),
        ("Ro\u00adt\u200bh\ufeff", "Roth"),
        ("Zoë Weiß 范小 Яна Roth™ …", "Zoë Weiß 范小 Яна Roth™ …"),
        ("a\u00a0b", "a b"),
    ],
)
def test_letters_are_read_as_what_they_stand_for(text: str, expected: str) -> None:
    assert plain(text) == expected


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_ascii_text_stays_the_same_object(text: str) -> None:
    assert plain(text) is text


@given(st.characters())
def test_plain_letters_are_plain(letter: str) -> None:
    once = plain_letter(letter)
    assert plain(once) == once
