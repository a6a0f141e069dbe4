"""What may still become a placeholder is held back, and nothing else for long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore.found import Ids
from privguard.restore.unfinished import first_word, held_bare, held_bracket

ENTRIES = {
    placeholder_id: RestoreEntry(placeholder_id=placeholder_id, kind=kind, value="x")
    for placeholder_id, kind in (("7QK2", EntityType.PERSON), ("8ABC", EntityType.GOV_ID), ("9LNK", EntityType.PERSON))
}
IDS = Ids(RestoreTable(entries=ENTRIES, before_links=frozenset({"9LNK"})))
STARTS = frozenset({"p", "pe", "per", "pers", "perso", "person", "g", "go", "gov"})

BRACKETS = (
    "[PERSON_7QK2]",
    "[ gov _ id - 8ABC ]",
    "[**Person 7QK2’s**: last name]",
    "\\[PERSON\\_7QK2\\]",
    "[Nom de client_7QK2]",
    "[व्यक्ति7QK2]",
    "[PERSON_\n> 7QK2'nin |\n| ]",
    "[PERSON_7QK2 said [so] to us]",
    "[PERSON_9XYZ: a hint]",
)
BARE = ("PERSON_7QK2.", "person\\_7qk2s ", "GOV_ID_\n8ABC,", "{{ PERSON_7QK2 }}", "<GOV_ID_8ABC>", "PERSON_7QK2\\]")


@pytest.mark.parametrize("form", BRACKETS)
def test_every_start_in_a_bracket_is_held_back(form: str) -> None:
    for end in range(form.index("[") + 1, len(form)):
        assert held_bracket(f"so {form[:end]}", 0, IDS) == 3


@pytest.mark.parametrize("form", BARE)
def test_every_start_without_one_is_held_back(form: str) -> None:
    for end in range(1, len(form)):
        assert held_bare(f"so {form[:end]}", 0, STARTS) == 3


@pytest.mark.parametrize("behind", ["", "(", "(h", "(https", "(<"])
def test_a_whole_placeholder_is_held_back_while_it_may_be_a_link(behind: str) -> None:
    assert held_bracket(f"[PERSON_7QK2]{behind}", 0, IDS) == 0
    assert held_bracket(f"[PERSON_9LNK]{behind}", 0, IDS) == len(f"[PERSON_9LNK]{behind}")
    assert held_bracket(f"[PERSON_9XYZ]{behind}", 0, IDS) == len(f"[PERSON_9XYZ]{behind}")


@pytest.mark.parametrize(
    "text",
    [
        "Dear reader, ",
        "3 > 2 & ",
        "], ",
        "[1] ",
        "[x](y)",
        "array[index",
        "[PERSONAL]",
        "[see the first appendix ",
        "[PERSON_9QK2 said",
        "[PERSON_7QK2] ",
        "[PERSON_7QK2](she",
        "[PERSON_7QK2 said\n",
        "[PERSON_7QK2 " + "x" * 90,
        "[a (b",
        '["PERSON',
        "[😀",
        "[" + "x" * 40,
        "[\n\n\n" + " " * 44,
    ],
)
def test_what_cannot_become_a_placeholder_in_a_bracket_passes(text: str) -> None:
    assert held_bracket(text, 0, IDS) == len(text)


@pytest.mark.parametrize(
    "text", ["Dear reader, ", "impers", "a large city.", "x = y + 1", "location", "{ x", "PERSON ", "<b"]
)
def test_what_cannot_become_a_bare_placeholder_passes(text: str) -> None:
    assert held_bare(text, 0, STARTS) == len(text)


def test_without_types_not_even_a_brace_is_held_back() -> None:
    assert held_bare("{", 0, STARTS) == 0
    assert held_bare("{", 0, frozenset()) == 1
    assert held_bare("PERSON", 0, frozenset()) == 6


@given(st.lists(st.sampled_from([*"[]{}<>_-\\*|' \n:s", "PERSON", "GOV", "7QK2", "人", "x", "\\n"]), max_size=40))
def test_what_is_held_back_begins_in_the_text(words: list[str]) -> None:
    text = "".join(words)
    for floor in (0, len(text) // 2):
        assert floor <= held_bracket(text, floor, IDS) <= len(text)
        assert floor <= held_bare(text, floor, STARTS) <= len(text)


def test_the_first_word_is_of_ascii() -> None:
    assert [first_word(text) for text in ("{{ Person_7", "\\[GOV\\_", "\\nper", "人 x", "", "_")] == [
        "person",
        "gov",
        "per",
        "x",
        "",
        "",
    ]
