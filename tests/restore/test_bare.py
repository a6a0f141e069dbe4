"""Without brackets that close, the type and its underscore must stand; pairs of templates and tags go with them."""

import pytest

from privguard.core.audit import Cause
from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore import grammar
from privguard.restore.bare import read_bare
from privguard.restore.found import Found, Ids
from privguard.restore.seen import see

ENTRIES = (
    RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Ada Roth"),
    RestoreEntry(placeholder_id="7QK2M", kind=EntityType.PERSON, value="Ben Kole"),
    RestoreEntry(placeholder_id="8ABC", kind=EntityType.GOV_ID, value="12-3"),
    RestoreEntry(placeholder_id="9EML", kind=EntityType.EMAIL, value="ada@roth.example"),
)
TABLE = RestoreTable(entries={entry.placeholder_id: entry for entry in ENTRIES})


def read(text: str) -> Found | None:
    seen = see(text)
    anchors = list(grammar.ANCHOR.finditer(seen.text))
    return read_bare(seen, anchors[-1], 0, Ids(TABLE)) if anchors else None


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("to PERSON_7QK2.", "PERSON_7QK2"),
        ("to person\\_7qk2,", "person\\_7qk2"),
        ("PERSON_\n7QK2", "PERSON_\n7QK2"),
        ("PERSON_7QK2s ", "PERSON_7QK2"),
        ("PERSON_7QK2さん", "PERSON_7QK2"),
        ("\\nPERSON_7QK2", "PERSON_7QK2"),
        ("\\u300aPERSON_7QK2\\u300b", "PERSON_7QK2"),
        ("[PERSON_7QK2", "[PERSON_7QK2"),
        ("\\[PERSON\\_7QK2 said", "\\[PERSON\\_7QK2"),
        ("C:\\[PERSON_7QK2 said", "[PERSON_7QK2"),
        ("[PERSON_7QK2 said]", "PERSON_7QK2"),
        ("[PERSON_7QK2, x", "PERSON_7QK2"),
        ("「PERSON_7QK2 said", "PERSON_7QK2"),
        ("【PERSON_7QK2 said", "PERSON_7QK2"),
        ("{PERSON_7QK2}", "{PERSON_7QK2}"),
        ("Dear {{ PERSON_7QK2 }},", "{{ PERSON_7QK2 }}"),
        ("{{PERSON_7QK2}", "{PERSON_7QK2}"),
        ("{PERSON_7QK2}}", "{PERSON_7QK2}"),
        ("{{{{PERSON_7QK2}}}}", "{{{PERSON_7QK2}}}"),
        ("{PERSON_7QK2s}", "PERSON_7QK2"),
        ("{PERSON_7QK2, x}", "PERSON_7QK2"),
        *(
            (f"{code}{{PERSON_7QK2}}", "PERSON_7QK2")
            for code in ("f", "$", "\\", "#", "%", "@", "x = ", "()", "() ", "=> ")
        ),
        ("a <PERSON_7QK2>", "<PERSON_7QK2>"),
        ("&lt;PERSON_7QK2&gt;", "&lt;PERSON_7QK2&gt;"),
        ("a < PERSON_7QK2 > b", "PERSON_7QK2"),
        ("List<PERSON_7QK2>", "PERSON_7QK2"),
        ("</PERSON_7QK2>", "PERSON_7QK2"),
        ("Ada <EMAIL_9EML>", "EMAIL_9EML"),
        ("(PERSON_7QK2)", "PERSON_7QK2"),
    ],
)
def test_a_bare_placeholder_takes_what_is_its_own(text: str, taken: str) -> None:
    found = read(text)
    assert found is not None
    assert text[found.start : found.end] == taken


@pytest.mark.parametrize(
    "text",
    [
        "MY_PERSON_7QK2",
        "xPERSON_7QK2",
        "éPERSON_7QK2x",
        "PERSON_7QK2_x",
        "PERSON_7QK2x",
        "person_7qk2s",
        "PERSON _ 7QK2",
        "GOV _ID_8ABC",
        "PERSON_7QK2А",
        "NOMBRE_7QK2",
        "[NOMBRE_7QK2",
        "PERſON_7QK2",
        "PЕRSON_7QK2",
        "\\u0041PERSON_7QK2",
        f"PERSON{'&amp;amp;shy;' * 4}_{'&amp;amp;shy;' * 4}{'7&amp;amp;shy;Q&amp;amp;shy;' * 20}K2",
    ],
)
def test_what_may_be_an_identifier_is_not_read(text: str) -> None:
    assert read(text) is None


def test_a_lone_closing_bracket_is_seen() -> None:
    lone = {"]": 1, "\\]": 2, "&#93;": 5, "］": 1, " ]": 0, "】": 0, "」": 0, "s]": 0}
    found = {behind: read(f"PERSON_7QK2{behind}") for behind in lone}
    assert {behind: each.lone_close for behind, each in found.items() if each is not None} == lone


def test_an_id_in_an_open_bracket_may_be_the_beginning_of_another() -> None:
    causes = {"": Cause.TRUNCATED, " M]": Cause.AMBIGUOUS, " said": None, " said]": None}
    for behind, cause in causes.items():
        found = read(f"[PERSON_7QK2{behind}")
        assert found is not None
        assert found.cause is cause


def test_an_id_of_another_type_is_ambiguous() -> None:
    found = read("location_7qk2")
    assert found is not None
    assert found.cause is Cause.AMBIGUOUS
