"""How names leave: no two as one, and every reference to a name as the name itself."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.nested_texts import Place
from privguard.core.segments import Channel, Role, Segment
from privguard_adapters.wire.identifiers import MAX_NAME, Identifiers, edits_of, has_words, is_name, names_in, rename

SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")
PIECES = st.sampled_from(
    ["[PERSON_7QK2]", "[PERSON_7QK2: last name]", "[GOV_ID_8ABC]", "_", "notes", "N", "é ", ".", "x" * 30]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=9).map("".join)


def segments(*texts: str) -> list[Segment]:
    return [Segment(path="p", role=Role.OTHER, channel=Channel.TEXT, text=text) for text in texts]


def renamed(**texts: str) -> dict[str, str]:
    identifiers = Identifiers(numbers={name: number for number, name in enumerate(texts)})
    return dict(rename(identifiers, segments(*texts.values())).names)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lookup_[PERSON_7QK2]", "lookup_PERSON_7QK2"),
        ("lookup[PERSON_7QK2: last name]Record", "lookup_PERSON_7QK2_Record"),
        ("[PERSON_7QK2][PERSON_8ABC]", "PERSON_7QK2_PERSON_8ABC"),
        ("[PERSON_7QK2].json", "PERSON_7QK2_json"),
        ("get-[PERSON_7QK2]-x", "get-PERSON_7QK2-x"),
        ("a large city", "a_large_city"),
        ("x" * 60 + "_[PERSON_7QK2]", "PERSON_7QK2"),
        ("[PERSON_7QK2]_" * 8, "_".join(["PERSON_7QK2"] * 5)),
        ("x " * 60, "x_" * 32),
    ],
    ids=range(9),
)
def test_a_minimized_name_is_one_that_servers_accept(text: str, name: str) -> None:
    assert renamed(it=text) == {"it": name}


@given(texts=st.dictionaries(st.text("abP_27", min_size=1, max_size=8), TEXTS, max_size=12))
def test_no_two_names_leave_as_one(texts: dict[str, str]) -> None:
    names = renamed(**texts)
    left = [names.get(name, name) for name in texts]
    assert len(set(left)) == len(left)
    assert all(SAFE.fullmatch(name) for name in names.values())


def test_names_that_would_become_one_are_numbered_around_those_that_stay() -> None:
    texts = {"a": "[PERSON_7QK2]", "b": "[PERSON_7QK2: last name]", "PERSON_7QK2": "PERSON_7QK2", "c": "[PERSON_7QK2]"}
    assert renamed(**texts) == {"a": "PERSON_7QK2_2", "b": "PERSON_7QK2_3", "c": "PERSON_7QK2_4"}
    long = "x" * MAX_NAME
    assert set(map(len, renamed(a=f"{long} ", b=f"{long}. ", d="e e").values())) == {MAX_NAME, 3}


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("#/$defs/Anna", ["Anna"]),
        ("#/properties/address/items/0/properties/Anna", ["Anna"]),
        ("#/$defs/A%6ena~1Roth~0", ["Anna/Roth~"]),
        ("https://a.example/Anna.json#Roth", ["a.example", "Anna.json", "Roth"]),
        ("#", []),
        ("http://json-schema.org/draft-07/schema#", []),
    ],
    ids=range(6),
)
def test_the_names_of_a_reference_are_its_steps(reference: str, names: list[str]) -> None:
    assert [name for name in names_in(reference) if name != "address"] == names


def test_references_are_written_as_the_names_are_and_keep_the_rest() -> None:
    kept, place = Place(0, 1), Place(0, 2)
    identifiers = Identifiers(
        numbers={"Anna/Roth": 0, "b": 1},
        places=[(Place(0, 0), "Anna/Roth"), (Place(0, 3), "b")],
        references=[(kept, "x.json#/$defs/b"), (place, "x.json#/$defs/Anna~1Roth/properties/b")],
    )
    edits = edits_of(identifiers, rename(identifiers, segments("[PERSON_7QK2]", "b")))
    assert edits == {Place(0, 0): "PERSON_7QK2", place: "x.json#/$defs/PERSON_7QK2/properties/b"}
    assert edits_of(identifiers, rename(identifiers, segments("Anna/Roth", "b"))) == {}


def test_field_names_and_indices_are_nobodys_names() -> None:
    assert [text for text in ("user", "name", "12", " ", "first_name") if is_name(text)] == ["first_name"]


@pytest.mark.parametrize("number", ["4111111111111111", "123456", "٤١١١١١١١١١١١"])
def test_a_number_long_enough_to_tell_somebody_is_a_name(number: str) -> None:
    assert is_name(number)
    assert number in names_in(f"#/$defs/{number}")
    assert [text for text in ("rose", "rose2", "Rose_7", "ROSE") if has_words(text)] == []
    assert [text for text in ("page_size", "page size", "pageSize", "2pageOf") if not has_words(text)] == []


def test_what_is_the_callers_in_the_name_of_a_function_is_looked_at() -> None:
    identifiers = Identifiers(numbers={"f": 0, "g": 1}, labels={"f": "tools[0].function.name"})
    assert rename(identifiers, segments("card_[PERSON_7QK2]_4111", "g")).rests == {
        "tools[0].function.name": "card___4111"
    }
