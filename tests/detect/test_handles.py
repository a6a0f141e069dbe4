import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.handles import HandleBook

NAMES = [
    "Tobias Kernberg",
    "Uwe Koch",
    "Clara Rose",
    "Frau Ada Roth",
    "J\u00fcrgen M\u00fcller-Voss",
    "Max Brief",
    "Jan Pieter van der Kern",
]
FOUND = [
    ("kernberg", "kernberg"),
    ("Kernberg", "Kernberg"),
    ("tkernberg", "tkernberg"),
    ("x tkernberg42 y", "tkernberg"),
    ("kernberg_t", "kernberg"),
    ("tobiask", "tobiask"),
    ("kernbergtobias", "kernbergtobias"),
    ("kernbergs", "kernbergs"),
    ("user/kernberg", "kernberg"),
    ("uwe", "uwe"),
    ("ukoch", "ukoch"),
    ("KOCHU", "KOCHU"),
    ("please ask koch about it", "koch"),
    ("clara", "clara"),
    ("rose-7", "rose"),
    ("crose", "crose"),
    ("ada", "ada"),
    ("aroth", "aroth"),
    ("jmueller", "jmueller"),
    ("jmuller", "jmuller"),
    ("M\u00dcLLER", "M\u00dcLLER"),
    ("juergen", "juergen"),
    ("max", "max"),
    ("maxbrief", "maxbrief"),
    ("jpkern", "jpkern"),
    ("notesUkoch", "Ukoch"),
    ("findTkernbergData", "Tkernberg"),
    ("X-askUKoch", "UKoch"),
]
NOT_FOUND = [
    "my rose",
    "brief",
    "max tokens",
    "frau",
    "van",
    "kernbergdata",
    "2kernberg",
    "kernbergert",
    "maxTokens",
    "crossRose",
    "roses",
    "rada",
    "adar",
    "",
    "7",
]


@pytest.mark.parametrize(("text", "expected"), FOUND, ids=range(len(FOUND)))
def test_a_name_is_found_as_handles_write_it(text: str, expected: str) -> None:
    assert {text[start:end] for start, end, _ in HandleBook(NAMES).find(text)} == {expected}


@pytest.mark.parametrize("text", NOT_FOUND, ids=range(len(NOT_FOUND)))
def test_ordinary_words_titles_and_other_words_are_none(text: str) -> None:
    assert list(HandleBook(NAMES).find(text)) == []


def test_every_name_that_a_word_belongs_to_is_told() -> None:
    assert list(HandleBook(["Uwe Koch", "Ina Koch"]).find("koch ikoch")) == [(0, 4, 0), (0, 4, 1), (5, 10, 1)]


@given(
    st.lists(st.sampled_from([*NAMES, "koch", "", "7", "\u738b\u82b3"]), max_size=4),
    st.text("kochuweKOCH_- 7\u00fc", max_size=20),
)
def test_what_is_found_of_one_name_does_not_depend_on_the_others(names: list[str], text: str) -> None:
    alone = {(start, end, at) for at, name in enumerate(names) for start, end, _ in HandleBook([name]).find(text)}
    assert set(HandleBook(names).find(text)) == alone
