from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.bare import Reading, readings
from privguard.detect.terms import Term, TermBook


def found(term: str, text: str) -> set[str]:
    book = TermBook([term])
    return {text[start:end] for reading in readings(text) for start, end, _ in book.find(reading)}


@pytest.mark.parametrize(
    "spelling",
    [
        "Project Heron",
        "project-heron",
        "PROJECT_HERON",
        "ProjectHeron",
        "projectheron",
        "project.heron",
        "Project\n > Heron",
        "Project** Heron",
        "Project</b> Heron",
        "Project&nbsp;Heron",
        "PROJECT%20HERON",
        "PROJECT%2520HERON",
        "Project+Heron",
        r"Project\u0020Heron",
        "Pro\u00adject\u200b Heron",
        "Pro-\nject Heron",
        "P r o j e c t  H e r o n",
        "\uff30roject \uff28\uff25\uff32\uff2f\uff2e",
        "Proj\u00e9ct H\u00ebron",
        "Project](https://x.example) Heron",
    ],
    ids=range(20),
)
@pytest.mark.parametrize("around", ["{}", "see {}, please", "**{}**", "sub{}s", "/srv/{}_2.md", "日本{}語"])
def test_a_term_is_found_in_every_spelling_and_surrounding(spelling: str, around: str) -> None:
    if around.startswith("sub") and spelling.startswith("P r"):
        return  # letters that stand by themselves belong to no word
    assert spelling in found("Project Heron", around.format(spelling))


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("Heron", "heron_db Herons HeronService #heron2 subHERON", {"heron", "Heron", "HERON"}),
        ("Heron", "told her on Monday; her-on; her, on", set()),
        ("Heron", "H.e.r.o.n and H e r o n", {"H.e.r.o.n", "H e r o n"}),
        ("Heron", "H**er**on and He<i>r</i>on", {"H**er**on", "He<i>r</i>on"}),
        ("AI", "an AI, ai_x (AI)", {"AI", "ai"}),
        ("AI", "日本AI語", {"AI"}),
        ("AI", "said AIs, myAI, AI2, A I, A.I., m\u00e4rai", set()),
        ("C++", "c++ is not c", {"c++"}),
        (".NET", "a .net, a net", {".net"}),
        ("R&D", "R&D r-d RD rd ord", {"R&D", "r-d", "RD"}),
        ("U.S.", "the U.S. and US and us", {"U.S", "US"}),
        ("iOS", "on ios, IOS or i-OS", {"ios", "IOS", "i-OS"}),
        ("E.ON", "E.ON, EON, eon", {"E.ON", "EON"}),
        ("K2", "k2, K-2, k22, ak2", {"k2", "K-2"}),
        ("AI7", "ai7 Ai7 AI-7 ai 7", {"ai7", "Ai7", "AI-7", "ai 7"}),
        ("3M", "3m by 3M", {"3m", "3M"}),
        ("q3", "Q3 q3s", {"Q3"}),
        ("B-2", "b2 B-2 b.2", {"b2", "B-2", "b.2"}),
        ("A.1", "a1 a-1", {"a1", "a-1"}),
        ("New Art", "renew article, new artist, new arts, NewArt, new_art2", {"new art", "NewArt", "new_art"}),
        ("iPhone", "Hawaii phones, an i phone, iphones", {"i phone", "iphone"}),
        ("4111111111111111", "4111 1111-1111.1111", {"4111 1111-1111.1111"}),
        ("7-AB-99201", "7AB99201 7/ab/99201", {"7AB99201", "7/ab/99201"}),
        ("2024", "20.24 and 20 24", set()),
        ("東京", "在東京都", {"東京"}),
        ("★★", "x ★★ y", {"★★"}),
        ("O'Brien", "o\u2019brien O`Brien O\u02bcBrien", {"o\u2019brien", "O`Brien", "O\u02bcBrien"}),
        (
            "\u0641\u0627\u0637\u0645\u0629",
            "\u0641\u0627\u0637\u0650\u0645\u0640\u0629",
            {"\u0641\u0627\u0637\u0650\u0645\u0640\u0629"},
        ),
        ("İstanbul", "istanbul ISTANBUL", {"istanbul", "ISTANBUL"}),
        ("nono", "nonono", {"nono"}),
        ("   ", "   ", set()),
    ],
)
def test_what_counts_as_a_term(term: str, text: str, expected: set[str]) -> None:
    assert found(term, text) == expected


CUTS = [
    "-", "\u2010", " ", "\n", "\u00a0", "_", ".", "/", "-\n", "\u00ad-\n", "=\n", "\r\n> ", "\\n", "\\r\\n", "<br>",
    "<wbr>", "~~", "\u2028", "' + '", '" "', "\u00b7", " | ", "&nbsp;", "%20", "\\u000a", "&#10;\u200b", "--", "\t\t",
]  # fmt: skip


@pytest.mark.parametrize("cut", CUTS, ids=range(len(CUTS)))
@pytest.mark.parametrize("around", ["{}", "the {} deal", "({}),", "/srv/{}_2.md", "myNew{}Data", "two {}s."])
def test_a_longer_term_is_found_with_separators_within_its_words(cut: str, around: str) -> None:
    for term, written in (("Kingfisher", f"King{cut}fisher"), ("Project Kestrelmoor", f"Project Kestrel{cut}moor")):
        for spelling in (written, written.upper() if "\\" not in cut and "&" not in cut else written):
            assert spelling in found(term, around.format(spelling))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("Kingfisher", "the king, Fisher; king: fisher; king (fisher) king. Fisher king.\nFisher Kin!gfisher"),
        ("Kingfisher", "a taking fisher, king fishermen, asking fisher, king         fisher"),
        ("Heron", "her on, her-on, her\non, her_on"),
        ("123456", "12 | 3456 and 12\n\n3456 "),
    ],
)
def test_other_words_of_the_same_letters_stay(term: str, text: str) -> None:
    assert found(term, text) == set()


def test_a_line_that_goes_on_within_a_word_hides_no_term() -> None:
    assert found("Heron", "He=\nron He-\r\n  ron") == {"He=\nron", "He-\r\n  ron"}


TERMS = st.lists(st.text(st.sampled_from("abcAB1 -."), min_size=1, max_size=9), min_size=1, max_size=12)
TEXTS = st.text(st.sampled_from("abcAB1 -._\u200b"), max_size=60)


@given(TERMS, TEXTS)
def test_what_is_found_of_a_term_does_not_depend_on_the_others(terms: list[str], text: str) -> None:
    (reading,) = readings(text)
    many = TermBook([*terms, *(f"other{number}" for number in range(100))])
    together = {(start, end, terms[number]) for start, end, number in many.find(reading)}
    alone = {(start, end, term) for term in terms for start, end, _ in TermBook([term]).find(reading)}
    assert together == alone


@given(st.text(min_size=1, max_size=20), st.text(max_size=10), st.text(max_size=10))
def test_a_term_as_it_is_written_never_stays(term: str, before: str, after: str) -> None:
    text = f"{before} {term} {after}"
    if term.strip():
        assert found(term, text)


@given(st.lists(st.sampled_from(["a", "aa", "aaaa", "ab", "A", " ", "-", "b" * 80]), max_size=12).map("".join))
def test_of_many_terms_that_begin_alike_each_is_found_as_if_it_were_the_only_one(text: str) -> None:
    terms = ["a" * length for length in range(4, 60)]
    together = {place for reading in readings(text) for place in TermBook(terms).find(reading)}
    alone = {
        (start, end, number)
        for number, term in enumerate(terms)
        for reading in readings(text)
        for start, end, _ in TermBook([term]).find(reading)
    }
    assert together == alone


def test_terms_that_begin_alike_cost_what_is_found_of_them(calls_of: Callable[[Callable[[], object]], int]) -> None:
    book = TermBook(["a" * length for length in range(4, 200)])
    costs, found = [], []
    for size in (1_000, 4_000):
        reading = Reading("a" * size)
        places: list[tuple[int, int, int]] = []
        costs.append(calls_of(lambda reading=reading, places=places: places.extend(book.find(reading))))  # type: ignore[misc]
        found.append(len(places))
    assert costs[1] < 5 * costs[0]
    assert costs[1] < 40 * found[1]


def test_nothing_of_a_term_is_shown() -> None:
    assert "zebra" not in repr(Term.of("Project Zebra"))
