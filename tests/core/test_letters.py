import re
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.letters import (
    APOSTROPHES,
    bare_letters,
    bare_words,
    folded,
    folded_letter,
    lowered,
    one_spaced,
    plain,
    plain_letter,
    straight,
    unaccented,
)

STRENGTHS = [lowered, folded, unaccented, bare_letters]  # each ignores more than the one before
# Dots above an i, dotless ones and what is folded into them; letters that grow; final sigmas; marks and vowels;
# apostrophes and what is decomposed into them; optional signs of Arabic and Hebrew.
_TELLING = (
    "iIİı\u0307\ufb01\ufb03ßẞŉΣςſİéE\u0301ＡA\u00ad\u200b٤²½…\u20e3"
    "\u0915\u093f\u094d\uac00 _-'`\u00b4\u0384\u1fef\u02bc\u2019\uff40\u0623\u064e\u0640\u05b8"
)
Strength = Callable[[str], str]
USUAL = "abcdefghijklmnopqrstuvwxyzäöüßéèêàâçñíóúãõąćęłńśźżčěřšůåæøğşőűабвгдеиклмнопрстухцшяіїα-ω"
TEXTS = st.text(st.sampled_from(_TELLING) | st.characters(), max_size=30)


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


@pytest.mark.parametrize(
    ("text", "lower", "fold", "without", "bare"),
    [
        ("Ada-2 ROTH", "ada-2 roth", "ada-2 roth", "ada-2 roth", "ada2roth"),
        ("Weiß", "weiß", "weiss", "weiss", "weiss"),
        ("ΣΟΦΟΣ", "σοφοσ", "σοφοσ", "σοφοσ", "σοφοσ"),
        ("İIıi\u0307", "iiii\u0307", "iiii", "iiii", "iiii"),
        ("ÉE\u0301", "ée\u0301", "e\u0301e\u0301", "ee", "ee"),
        ("Ｒｏ\u00adｔｈ, ٤²", "ｒｏ\u00adｔｈ, ٤²", "ｒｏ\u00adｔｈ, ٤²", "roth, 42", "roth42"),
        ("\u0915\u093f\u094d", "\u0915\u093f\u094d", "\u0915\u093f\u094d", "\u0915\u093f\u094d", "\u0915\u093f\u094d"),
        ("O\u2019B\u02bc\u00b4`", "o\u2019b\u02bc\u00b4`", "o'b'''", "o'b'''", "ob"),
        ("O`B", "o`b", "o'b", "o'b", "ob"),
        (
            "\u0623\u064e\u062d\u0640",
            "\u0623\u064e\u062d\u0640",
            "\u0627\u0654\u064e\u062d\u0640",
            "\u0627\u062d",
            "\u0627\u062d",
        ),
        ("\u05d3\u05b8\u05d5", "\u05d3\u05b8\u05d5", "\u05d3\u05b8\u05d5", "\u05d3\u05d5", "\u05d3\u05d5"),
    ],
    ids=["ascii", "growing", "final", "dots", "accents", "compatible", "vowels", "signs", "quote", "arabic", "hebrew"],
)
def test_each_strength_ignores_what_it_says(text: str, lower: str, fold: str, without: str, bare: str) -> None:
    assert [strength(text) for strength in STRENGTHS] == [lower, fold, without, bare]


@pytest.mark.parametrize("strength", [*STRENGTHS, plain, one_spaced, straight])
@given(text=TEXTS)
def test_folding_twice_is_folding_once(strength: Strength, text: str) -> None:
    assert strength(strength(text)) == strength(text)


@pytest.mark.parametrize(
    ("weaker", "stronger"), [*pairwise(STRENGTHS), (plain, unaccented), (straight, folded), (lowered, bare_letters)]
)
@given(text=TEXTS)
def test_what_a_weaker_strength_ignores_a_stronger_one_ignores_too(
    weaker: Strength, stronger: Strength, text: str
) -> None:
    assert stronger(weaker(text)) == stronger(text)


@given(TEXTS)
def test_lowering_keeps_every_offset(text: str) -> None:
    assert len(lowered(text)) == len(text)
    assert [lowered(letter) for letter in text] == list(lowered(text))


def test_letters_that_a_pattern_takes_for_one_are_folded_into_one() -> None:
    everything = "".join(map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))))
    for letter in USUAL:
        alike = re.findall(re.escape(letter), everything, re.IGNORECASE)
        assert {lowered(other) for other in alike} == {lowered(letter)}


@given(TEXTS)
def test_the_words_of_a_text_are_its_bare_letters(text: str) -> None:
    assert "".join(bare_words(text)) == bare_letters(text)
    assert bare_words(" ".join(bare_words(text))) == bare_words(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [("St. Louis_9", ["st", "louis", "9"]), ("Me\u0301x\u00adico–1½", ["mexico", "11", "2"]), ("", [])],
    ids=["ascii", "others", "empty"],
)
def test_words_are_cut_at_what_a_reader_sees(text: str, words: list[str]) -> None:
    assert bare_words(text) == words


@pytest.mark.parametrize("sign", APOSTROPHES, ids=range(len(APOSTROPHES)))
def test_one_sign_stands_for_all_apostrophes(sign: str) -> None:
    assert straight(f"O{sign}Brien{sign}s") == "O'Brien's"


def test_one_space_is_left_of_white_space() -> None:
    assert one_spaced(" a \n\t b\u00a0c ") == "a b c"


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_ascii_text_stays_the_same_object(text: str) -> None:
    assert plain(text) is text


@given(st.characters())
def test_single_letters_are_folded_as_in_a_text(letter: str) -> None:
    assert plain(plain_letter(letter)) == plain_letter(letter)
    assert folded_letter(letter) == folded(letter)
