import pytest

from privguard.detect.linking.endings import fold, spellings


@pytest.mark.parametrize(
    ("word", "plain"),
    [("müller", "muller"), ("łukasz", "lukasz"), ("straße", "strasse"), ("γιώργος", "γιωργοσ"), ("андрей", "андрей")],
)
def test_diacritics_go_and_letters_of_their_own_stay(word: str, plain: str) -> None:
    assert fold(word) == plain


@pytest.mark.parametrize(
    ("word", "nominative"),
    [
        ("müller", "mueller"),
        ("kowalskiego", "kowalski"),
        ("janowi", "jan"),
        ("virtaselle", "virtanen"),
        ("kovácsnak", "kovacs"),
        ("достоевского", "достоевский"),
        ("ивановым", "иванов"),
        ("марии", "мария"),
        ("γιώργου", "γιωργοσ"),
    ],
)
def test_the_nominative_is_among_the_spellings(word: str, nominative: str) -> None:
    assert nominative in list(spellings(word))


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("иванова", "иванов"),
        ("иванову", "иванова"),
        ("paula", "paul"),
        ("peters", "peter"),
        ("maria", "mario"),
        ("hansen", "hannen"),
    ],
)
def test_an_ending_that_makes_another_name_stays(word: str, other: str) -> None:
    assert other not in list(spellings(word))
