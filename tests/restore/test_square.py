"""In brackets that close, what is the placeholder's own goes, and what is the text's stays."""

import pytest

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore import grammar, ids_before_links
from privguard.restore.found import Found, Ids
from privguard.restore.seen import see
from privguard.restore.square import read_square

ENTRIES = (
    RestoreEntry(
        placeholder_id="7QK2", kind=EntityType.PERSON, value="Ada Roth", hint="a friend", forms=(("last name", "Roth"),)
    ),
    RestoreEntry(placeholder_id="8ABC", kind=EntityType.GOV_ID, value="12-3"),
    RestoreEntry(placeholder_id="8ABCS", kind=EntityType.GOV_ID, value="12-4"),
)
TABLE = RestoreTable(
    entries={entry.placeholder_id: entry for entry in ENTRIES},
    literals=frozenset({"9ZZZ"}),
    before_links=frozenset({"8ABC"}),
)


def read(text: str) -> Found | None:
    seen = see(text)
    hit = grammar.SQUARE.search(seen.text)
    return read_square(seen, hit, 0, Ids(TABLE)) if hit else None


@pytest.mark.parametrize(
    ("text", "taken", "before", "behind"),
    [
        ("x [PERSON_7QK2] y", "[PERSON_7QK2]", "", ""),
        ("x [PERSON 7QK2's] y", "[PERSON 7QK2's]", "", "'s"),
        ("x [**PERSON_7QK2s**] y", "[**PERSON_7QK2s**]", "**", "s**"),
        ("x [NOMBRE_7QK2&#39;s ] y", "[NOMBRE_7QK2&#39;s ]", "", "&#39;s"),
        ("C:\\[PERSON-7QK2]", "[PERSON-7QK2]", "", ""),
        ("x \\[PERSON\\_7QK2\\]", "\\[PERSON\\_7QK2\\]", "", ""),
        ("x 「 PERSON_7QK2 」", " PERSON_7QK2 ", "", ""),
        ("x 「PERSON_7QK2さん」", "PERSON_7QK2さん", "", "さん"),
        ("x [PERSON_7QK2](https://x", "PERSON_7QK2", "", ""),
        ("x [*PERSON_7QK2*](https://x", "*PERSON_7QK2*", "*", "*"),
        ("x [PERSON_7QK2: last name](https://x", "PERSON_7QK2: last name", "", ""),
        ("x [PERSON_7QK2](she)", "[PERSON_7QK2]", "", ""),
        ("x [GOV_ID_8ABC](https://x", "[GOV_ID_8ABC]", "", ""),
        ("x 【PERSON_7QK2】(https://x", "【PERSON_7QK2】", "", ""),
        ("x [**PERSON_7QK2**: of my own]", "PERSON_7QK2", "", ""),
        ("x [PERSON_7QK2s: of my own]", "PERSON_7QK2", "", ""),
        ("x [PERSON_7QK2: a friend]", "[PERSON_7QK2: a friend]", "", ""),
    ],
)
def test_the_texts_own_stays(text: str, taken: str, before: str, behind: str) -> None:
    found = read(text)
    assert found is not None
    assert found.cause is None
    assert (text[found.start : found.end], found.before, found.behind) == (taken, before, behind)


@pytest.mark.parametrize(
    "text",
    [
        "[MY_PERSON_7QK2]",
        "[xPERSON_7QK2]",
        "[XPERSON_7QK2]",
        "[MyPerson 7QK2]",
        "[PersonId_7QK2]",
        "[PERSONx_7QK2]",
        "[\u0420ERSON_7QK2]",
        "[\\u0420ERSON_7QK2]",
        "【xPERSON_7QK2】",
        "rows[name_7QK2]",
        "[NOMBRE_7qk2]",
        "[NOMBRE7QK2]",
        "[NOMBRE:7QK2]",
        "[PERSON A 7QK2]",
        "[PERSON 7QK2 M]",
        "[PERSON 7QK2А]",
        "[7QK2]",
        "[one two three four_7QK2]",
        "[n.º_7QK2]",
        "[😀_7QK2]",
        "[PERSON_`7QK2`]",
        "[PERSON-7QK2, PERSON-8ABC]",
        f"[PERSON{'&amp;amp;lowbar;' * 2}{'&amp;amp;shy;' * 40}7QK2]",
    ],
)
def test_what_may_be_something_else_is_not_read(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    "text", ["[LOCATION_7QK2]", "[location-7QK2's]", "[PERSONS_8ABC]", "[USER NAME_7QK2]", "[GOV_ID_8ABCs]"]
)
def test_what_has_two_readings_is_ambiguous(text: str) -> None:
    found = read(text)
    assert found is not None
    assert found.cause is Cause.AMBIGUOUS


def test_a_placeholder_of_another_request_is_unknown_only_as_it_would_be_written() -> None:
    for text in ("[PERSON_9ABC]", "[PERSON_9ABC: x]"):
        assert read(text) == Found(0, len(text), Match.EXACT, cause=Cause.UNKNOWN)
    for text in ("[PERSON-9ABC]", "[person_9ABC]", "[NOMBRE_9ABC]", "[PERSON_9ZZZ]", "［PERSON_9ABC]", "[PERSON_9AB1]"):
        assert read(text) is None


def test_a_form_tells_its_spelling_in_every_bracket() -> None:
    for text in ("[PERSON_7QK2: last name]", "[Person 7QK2： Last Name ]", "「NOMBRE_7QK2: last name」"):
        found = read(text)
        assert found is not None
        assert (found.value, found.told) == ("Roth", True)


def test_what_was_written_for_a_url_is_known() -> None:
    found = read("%5BPERSON_7QK2%5D")
    assert found is not None
    assert found.encoded


def test_placeholders_of_ours_right_before_a_destination_are_found() -> None:
    text = "[PERSON_7QK2](https://x) [[PERSON_8ABC]](https://x) [URL_A2BC: a link]\u200b(mailto:x) [DATE_A3BC](x)"
    assert ids_before_links(text) == {"7QK2", "A2BC"}
