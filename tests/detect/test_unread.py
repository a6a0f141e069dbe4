import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.unread import LONGEST, SOURCE, find_unread

THAI, GEORGIAN, ETHIOPIC = "สมชาย ใจดี", "ნინო კობახიძე", "ስሜ፡አበበ፡ነው"
TAUGHT = (
    "K\u0336a\u1dc4\ufe20 Łódź ŉ Ωμέγα Привет Ёлка 漢字かなカナ 한글 हिन्दी "
    "العربية فارسی שלום বাংলা ﷺ Ⓐ ᴀʙ ˈʃtʁ 𝐊𝐚 Ｋａ ٣٤ 🅗"
)


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_unread(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Write to {THAI} today", [THAI]),
        (f"{GEORGIAN}, {ETHIOPIC}", [GEORGIAN, ETHIOPIC]),
        ("โทร0812345678ครับ Karin", ["โทร", "ครับ"]),  # what rules read is left to them
        ("เขียนถึงkarin@x.exampleด้วย", ["เขียนถึง", "ด้วย"]),
        ('{"ชื่อ": "สมชาย"}', ["ชื่อ", "สมชาย"]),
        ("ඇය\nශ්\u200dරී", ["ඇය", "ශ්\u200dරី".replace("ី", "ී")]),
        ("ខ្ញុំ\u200bឈ្មោះ", ["ខ្ញុំ\u200bឈ្មោះ"]),
        ("met ᎪnnᎪ Berg", ["ᎪnnᎪ"]),  # letters that look like Latin ones take their word along
        (r"is \u0e2a\u0e21 here", [r"\u0e2a\u0e21"]),
        ("x?q=%E0%B8%AA%E0%B8%A1&k=%C3%A9 %25E0%25B8%25AA", ["%E0%B8%AA%E0%B8%A1", "%25E0%25B8%25AA"]),
        ("is &#3626;&#3617; here", ["&#3626;&#3617;"]),
        (f"key {'a1' * LONGEST}, {'ア' * (LONGEST + 1)}", ["a1" * LONGEST, "ア" * (LONGEST + 1)]),
        (f"{'a' * LONGEST} {'漢' * (LONGEST + 1)} {'─' * 300} {'😀' * 300}", []),
        ("a\u200b" * (LONGEST + 1) + "b", ["a\u200b" * (LONGEST + 1) + "b"]),  # what is invisible is no letter of it
        ("é" * LONGEST + " " + "e\u0301" * LONGEST + " " + "ア·" * LONGEST, []),
        (f"{'서울' * 20}에 {'강남' * 12}", [f"{'서울' * 20}에"]),  # syllables are taken apart into two letters or three
        ("is ⠅⠁⠗⠊⠝ ⠕⠎⠞\u2800⠃⠽ here", ["⠅⠁⠗⠊⠝ ⠕⠎⠞\u2800⠃⠽"]),
        ("met Ka\u0e31rin \u0e31, Oster\u0a3cby", ["Ka\u0e31rin \u0e31", "Oster\u0a3cby"]),  # marks of such scripts
        ("❤️ 葛\U000e0100 👩🏽 ก\ufe0f ๑๒", ["ก\ufe0f"]),
    ],
    ids=lambda value: f"{len(value)}",
)
def test_words_of_scripts_that_the_models_were_not_taught_are_found_a_phrase_as_one(
    text: str, expected: list[str]
) -> None:
    assert found(text) == expected
    assert all((span.kind, span.source) == (EntityType.MISC, SOURCE) for span in find_unread(text))


def test_bytes_in_variation_selectors_are_found_and_single_ones_are_not() -> None:
    carried = "".join(chr(0xE0100 + byte - 16) for byte in b"Karin")
    assert found(f"fine \U0001f600{carried} \u2764\ufe0f \u8fba\U000e0100") == [carried]


@pytest.mark.parametrize("word", TAUGHT.split(), ids=lambda word: f"U+{ord(word[0]):04X}")
def test_scripts_that_the_models_were_taught_are_read(word: str) -> None:
    assert found(word) == []


@given(st.lists(st.sampled_from(["ก", "ั", "ა", "አ", "፡", "Ꭺ", "k", "7", " ", "\u200b", "\n", ".", "漢", "\\u0e2a"])))
def test_every_letter_of_another_script_lies_in_a_span_and_spans_are_disjoint(signs: list[str]) -> None:
    text = "".join(signs)
    spans = find_unread(text)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    inside = {at for span in spans for at in range(span.start, span.end)}
    for at, sign in enumerate(text):
        name = unicodedata.name(sign, "").split()[0:1]
        assert at in inside or name not in (["THAI"], ["GEORGIAN"], ["CHEROKEE"], ["ETHIOPIC"]) or not sign.isalpha()
        assert at not in inside or sign not in "7\n"
