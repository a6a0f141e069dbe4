"""A text is seen in plain signs, and every position leads back to the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.letters import plain_letter
from privguard.restore.seen import MAX_INVISIBLE, is_odd, is_percent_encoded, see, word_ends

PIECES = (
    *("a", "P", "7", "[", "]", "_", "\\", "&", "%", "é", "😀", " ", "\n"),
    *("［", "】", "「", "⟦", "＿", "Ｐ", "７", "｛", "＞", "𝐏", "𝟕", "ℝ", "\u200b", "\u00ad", "\ufe0f", "\ud835"),
    *("&#91;", "&amp;lbrack;", "&#X5d;", "&shy;", "&lt;", "&eacute;", "&#9999999;", "%5B", "%7d", "%20", "%E2"),
    *("\\u005b", "\\\\u005f", "\\u200b", "\\ud835\\udc0f", "\\ud835", "\\u00e9", "\\n", "u005b"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Dear [PERSON_7QK2],", "Dear [PERSON_7QK2],"),
        ("［ＰERSON＿７QK2］【】〔〕〖〗〚〛⟦⟧「」『』｛｝＜＞", "[PERSON_7QK2][][][][][][][]{}<>"),
        ("𝐏𝑬𝓡𝕊𝙾𝚗 𝟕𝟟 ℕℯℛ", "PERSOn 77 NeR"),
        ("a\u200bb\u00adc\ufeffd", "abcd"),
        ("&#91;&lbrack;&#x5B;&#093;&rsqb;&lowbar;&lcub;&gt;", "[[[]]_{>"),
        ("&amp;#91;&amp;amp;lsqb;", "[["),
        ("%5B%5d%5F%7B%3e", "[]_{>"),
        ("\\u005b\\\\u005D\\u005f\\u003c", "[]_<"),
        ("\\ud835\\udc0f\\\\ud835\\\\udfd5\\uff3b\\u3011", "P7[]"),
        ("a\\u200bb&zwj;c", "abc"),
    ],
)
def test_every_form_of_a_sign_is_seen_as_the_plain_one(text: str, seen: str) -> None:
    assert see(text).text == seen


@pytest.mark.parametrize(
    "text",
    [
        "R&D 100% &eacute; %20 \\u0041 \\u00e9 &#80; &lbrack",
        "Zoë – “x” (а) ١٢ ſ ² Ⅷ",
        "&amp;amp;amp;#91;",
        "%255B",
        "\\x5b",
    ],
)
def test_what_is_no_form_of_a_sign_is_seen_as_it_is_written(text: str) -> None:
    assert see(text).text == text


@pytest.mark.parametrize("invisible", ["\u200b", "\\u200b", "&shy;"])
def test_a_long_run_of_what_is_invisible_is_seen(invisible: str) -> None:
    assert see(f"a{invisible * MAX_INVISIBLE}b").text == "ab"
    assert see(f"a{invisible * (MAX_INVISIBLE + 1)}b").text != "ab"


@given(TEXTS)
def test_every_position_leads_to_the_text_and_back(text: str) -> None:
    seen = see(text)
    assert [seen.at(seen.place(at)) for at in range(len(seen.text) + 1)] == list(range(len(seen.text) + 1))
    assert seen.place(len(seen.text)) == len(text)
    assert seen.end(0) == 0
    for at in range(len(seen.text)):
        # What one character stands for ends before the next begins; between them only the invisible.
        assert seen.place(at) < seen.end(at + 1) <= seen.place(at + 1)
        written = seen.written(at, at + 1)
        assert len(written) > 1 or plain_letter(written) == seen.text[at] or seen.text[at] in ("[", "]", written)


@given(TEXTS, TEXTS)
def test_a_code_that_may_go_on_is_where_the_certain_part_ends(head: str, tail: str) -> None:
    seen = see(head)
    cut = seen.cut()
    assert see(head + tail).text.startswith(seen.text[: cut - MAX_INVISIBLE - 1])
    assert see(head + "\n").cut() == len(see(head + "\n").text)


@pytest.mark.parametrize(
    "text", ["&", "&am", "&amp;#9", "&lbrac", "&#x5", "%", "%5", "\\", "\\\\u", "\\u00", "\\ud835"]
)
def test_a_code_that_is_cut_off_is_not_certain(text: str) -> None:
    assert see(f"so {text}").cut() == 3


def test_brackets_are_told_apart() -> None:
    seen = see("[［「\\u300c\\u3010")
    assert [seen.is_square(at) for at in range(5)] == [True, True, False, False, False]
    assert [seen.is_quote(at) for at in range(5)] == [False, False, True, True, False]


def test_a_text_without_codes_is_odd_if_it_is_seen_otherwise() -> None:
    for text in ("plain", "Zoë – 中文，（好）", "\ud800"):
        assert not is_odd(text)
    for text in ("［", "＿", "𝐏", "a\u200bb", "「x」"):
        assert is_odd(text)


def test_percent_encoding_is_known_by_the_signs_of_a_placeholder() -> None:
    assert is_percent_encoded("%5BPERSON")
    assert not is_percent_encoded("100% %20 %zz")


def test_every_id_that_may_be_read_is_among_the_ends_of_words() -> None:
    for text in (
        "[PERSON_7qk2]",
        "[Person7QK2]",
        "PERSON_7QK2s",
        "[𝐏_𝟕𝐐𝐊𝟐]",
        "\\u4eba7QK2",
        "[7\u200bQK2's]",
        "%5F7QK2",
    ):
        assert "7QK2" in word_ends(text)
    assert word_ends("no word of these has a digit") == frozenset()
