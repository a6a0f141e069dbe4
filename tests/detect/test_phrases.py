from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.phrases import PhraseBook
from tests.growth import costs_in_proportion, seconds


def _found(phrase: str, text: str, *, exact: bool = False) -> list[str]:
    return [text[start:end] for start, end, _ in PhraseBook([phrase], exact=exact).find(text)]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("Straße", "die STRASSE und strasse", ["STRASSE", "strasse"]),
        ("strasse", "die Straße!", ["Straße"]),
        ("İzmir", "in İZMİR, 😀 İzmir", ["İZMİR", "İzmir"]),
        ("José", "Jose\u0301 and José", ["Jose\u0301", "José"]),
        ("jose", "Jose\u0301", []),
        ("Ada Roth", "ADA\n  ROTH", ["ADA\n  ROTH"]),
        ("Roth", "Rothko, Roths, Roth.", ["Roth"]),
        ("+44 20", "on +44 20 now", ["+44 20"]),
        ("小范", "找小范。", ["小范"]),
        ("רות", "אצל רות 😀", ["רות"]),
        ("𝐀𝐝𝐚", "x 𝐀𝐝𝐚 y", ["𝐀𝐝𝐚"]),
        ("***", "a *** b", ["***"]),
        ("Ada", "", []),
    ],
)
def test_phrases_are_found_at_exact_offsets(phrase: str, text: str, expected: list[str]) -> None:
    assert _found(phrase, text) == expected


def test_exact_phrases_keep_their_letter_case() -> None:
    assert _found("hunTer2", "hunter2 hunTer2", exact=True) == ["hunTer2"]


@given(st.text(max_size=40), st.text(alphabet="aßİe\u0301😀ǅŉ 1.", min_size=1, max_size=8), st.text(max_size=40))
def test_a_phrase_between_spaces_is_always_found(before: str, phrase: str, after: str) -> None:
    text = f"{before} | {phrase} | {after}"
    if any(map(str.isalnum, phrase)) and phrase.strip() == phrase and not phrase.startswith("\u0301"):
        start = len(before) + 3
        assert (start, start + len(phrase)) in [(first, last) for first, last, _ in PhraseBook([phrase]).find(text)]


def test_a_thousand_phrases_in_ten_megabytes_take_linear_time() -> None:
    book = PhraseBook([f"name{number} kole{number}" for number in range(1000)])
    text = "one name7 kole7 two words more. "
    assert len(list(book.find(text * 3_000))) == 3_000
    assert costs_in_proportion(lambda size: seconds(lambda: list(book.find(text * size))), 4_000)


PHRASES = ["Ada", "Ada Roth", "Ada  Maria Roth", "ada-roth", "Ada Roth, Ltd", "(Ada)", "Zoë Roth", "小范", "roth"]
WRITTEN = st.lists(st.sampled_from([*PHRASES, "ADA", "Rothko", "Maria", "\u0301", "_", "-", ",", "\n", " ", " "])).map(
    "".join
)


@given(WRITTEN, st.booleans())
def test_what_is_found_of_one_phrase_does_not_depend_on_the_others(text: str, exact: bool) -> None:
    together = sorted(PhraseBook(PHRASES, exact=exact).find(text))
    alone = [
        (start, end, number)
        for number, phrase in enumerate(PHRASES)
        for start, end, _ in PhraseBook([phrase], exact=exact).find(text)
    ]
    assert together == sorted(alone)


@pytest.mark.parametrize("beginning", ["Tobias", "Tobias von der"])
def test_phrases_that_begin_alike_cost_no_more_than_others(
    beginning: str, calls_of: Callable[[Callable[[], object]], int]
) -> None:
    costs = []
    for count in (100, 400):
        names = [f"{beginning} Kole{number:04d}y" for number in range(count)]
        book, text = PhraseBook(names), ", ".join(names)
        assert len(list(book.find(text))) == count
        costs.append(calls_of(lambda book=book, text=text: list(book.find(text))))  # type: ignore[misc]
    assert costs[1] < 5 * costs[0]


LONG = " ".join(f"w\u00f6rd{number}" for number in range(40))


@pytest.mark.parametrize("text", [LONG, LONG.upper(), LONG.replace(" ", "\n\t"), f"({LONG})"], ids=len)
def test_a_phrase_of_many_words_is_found_as_others_are(text: str) -> None:
    before, exact = "see İ ", text in (LONG, f"({LONG})")
    assert _found(LONG, before + text) == [text.strip("()")]
    assert _found(LONG, before + text, exact=True) == [text.strip("()")] * (exact or "\n" in text)
    assert _found(LONG, f"{before}{text}s") == ([] if text[-1] != ")" else [LONG])
    assert [number for *_, number in PhraseBook(["Ada", LONG.upper(), LONG]).find(f"{text} {text}")] == [1, 2] * 2


@pytest.mark.parametrize("unit", ["a ", "a-", "ნინო კობახიძე ", "&#3626;", "a b\n"], ids=len)
def test_a_long_phrase_that_repeats_itself_costs_in_proportion_to_the_text(unit: str) -> None:
    def cost(size: int) -> float:
        text = unit * size
        book = PhraseBook([text, f"{text}x", f"{unit * (size // 2)}x", unit * 33])
        return seconds(lambda: list(book.find(text)))

    assert costs_in_proportion(cost, 500)
