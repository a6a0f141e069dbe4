"""A placeholder is read in every form that models give it, and nothing else is read as one."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.placeholders import ALPHABET
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.restore.found import Found
from privguard.restore.reader import Reader


def entry(placeholder_id: str, kind: EntityType, value: str, phrase: str = "") -> RestoreEntry:
    return RestoreEntry(placeholder_id=placeholder_id, kind=kind, value=value, phrase=phrase)


ENTRIES = (
    entry("7QK2", EntityType.PERSON, "Ada Roth"),
    entry("7QK2M", EntityType.PERSON, "Ben Kole"),
    entry("8ABC", EntityType.GOV_ID, "12-3"),
    entry("A3BC", EntityType.LOCATION, "Zurich", "a large city"),
    entry("A4BC", EntityType.AGE, "34", "an adult"),
    entry("A5BC", EntityType.AGE, "35", "an adult"),
    entry("A6BC", EntityType.LOCATION, "Bern", "a large city in the west"),
)
TABLE = RestoreTable(entries={each.placeholder_id: each for each in ENTRIES}, literals=frozenset({"9ZZZ"}))


def find(text: str, table: RestoreTable = TABLE) -> list[Found]:
    return list(Reader(table).find_all(text, 0, len(text) + 1))


def values(found: list[Found]) -> list[str]:
    return [each.entry.value for each in found if each.entry is not None and each.cause is None]


@pytest.mark.parametrize(
    ("text", "value", "match"),
    [
        ("[PERSON_7QK2]", "Ada Roth", Match.EXACT),
        ("[PERSON_7QK2: a person]", "Ada Roth", Match.TOLERANT),
        ("[GOV_ID_8ABC]", "12-3", Match.EXACT),
        ("[PERSON_7QK2M]", "Ben Kole", Match.EXACT),
        ("[PERSON_7QK2 : a person ]", "Ada Roth", Match.TOLERANT),
        ("person_7qk2", "Ada Roth", Match.TOLERANT),
        ("[Person_7Qk2]", "Ada Roth", Match.TOLERANT),
        ("[ PERSON _ 7QK2 ]", "Ada Roth", Match.TOLERANT),
        ("[PERSON_\n7QK2]", "Ada Roth", Match.TOLERANT),
        ("[GOV _ ID _ 8ABC]", "12-3", Match.TOLERANT),
        ("\\[PERSON\\_7QK2\\]", "Ada Roth", Match.TOLERANT),
        ("[PERSON\\_7QK2]", "Ada Roth", Match.TOLERANT),
        ("\\\\[GOV\\\\_ID\\\\_8ABC\\\\]", "12-3", Match.TOLERANT),
        ("&#91;PERSON_7QK2&#93;", "Ada Roth", Match.TOLERANT),
        ("&lbrack;PERSON&lowbar;7QK2&rbrack;", "Ada Roth", Match.TOLERANT),
        ("&#x5B;PERSON&#x5f;7QK2&#x5D;", "Ada Roth", Match.TOLERANT),
        ("\\u005bPERSON_7QK2\\u005d", "Ada Roth", Match.TOLERANT),
        ("\\u005bGOV\\u005fID\\u005f8ABC\\u005d", "12-3", Match.TOLERANT),
        ("［PERSON＿7QK2］", "Ada Roth", Match.TOLERANT),
        ("[Person 7QK2's]", "Ada Roth", Match.TOLERANT),
        ("[PER\u200bSON_7QK2]", "Ada Roth", Match.TOLERANT),
        ("PERSON_7QK2", "Ada Roth", Match.TOLERANT),
    ],
)
def test_a_placeholder_is_read_whole(text: str, value: str, match: Match) -> None:
    for before, after in (("", ""), ("Dear ", ", hello"), ("(", ")"), ('"', '"'), ("**", "**"), ("é", "…")):
        found = find(before + text + after)
        assert values(found) == [value]
        assert (found[0].start, found[0].end, found[0].match) == (len(before), len(before + text), match)


def test_a_backslash_before_a_clean_placeholder_belongs_to_the_text() -> None:
    found = find("C:\\[PERSON_7QK2]")
    assert (found[0].start, found[0].end) == (3, 16)
    assert found[0].match is Match.EXACT


def test_a_closing_bracket_behind_a_bare_id_is_seen() -> None:
    assert [each.lone_close for each in find("PERSON_7QK2] PERSON_7QK2&#93; PERSON_7QK2 ]")] == [1, 5, 0]


@pytest.mark.parametrize(
    "text",
    [
        "MY_PERSON_7QK2",
        "xPERSON_7QK2",
        "PERSON_7QK2_x",
        "PERSON_7QK2x",
        "PERSON-7QK2",
        "PERSON7QK2",
        "PERSON 7QK2",
        "PERSON _ 7QK2",
        "7QK2",
        "[7QK2]",
    ],
)
def test_what_is_glued_to_an_identifier_or_lacks_its_separator_is_not_read(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize("text", ["per\u017fon_7qk2", "PERSON_7QK\u0662", "P\u0415RSON_7QK2"])
def test_letters_that_only_fold_to_those_of_a_type_are_others(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize("phrase", ["ßtadt am See", "ı am here", "ǆ", "(a) place", "ŉ x", "]x", "^x", "-x"])
def test_a_phrase_may_begin_with_any_letter(phrase: str) -> None:
    table = RestoreTable(entries={"A3BC": entry("A3BC", EntityType.LOCATION, "Zurich", phrase)})
    for text in (phrase, f"so {phrase} it is"):
        assert values(find(text, table)) == ["Zurich"]
    assert values(find("Stadt am See, I am here", table)) == []


FORMS = RestoreTable(
    entries={
        "7QK2": RestoreEntry(
            placeholder_id="7QK2",
            kind=EntityType.PERSON,
            value="Johnny Reik",
            hint="a customer",
            forms=(("last name", "Reik"), ("last name 2", "REIK")),
        )
    }
)


@pytest.mark.parametrize(
    ("text", "value", "match"),
    [
        ("[PERSON_7QK2]", "Johnny Reik", Match.EXACT),
        ("[PERSON_7QK2: a customer]", "Johnny Reik", Match.EXACT),
        ("[PERSON_7QK2: last name]", "Reik", Match.EXACT),
        ("[PERSON_7QK2: last name 2]", "REIK", Match.EXACT),
        ("[person_7qk2: Last Name 2 ]", "REIK", Match.TOLERANT),
        (r"\[PERSON\_7QK2: last name\]", "Reik", Match.TOLERANT),
        ("[PERSON_7QK2: first name]", "Johnny Reik", Match.TOLERANT),
        ("[PERSON_7QK2: last name 3]", "Johnny Reik", Match.TOLERANT),
    ],
)
def test_a_form_brings_its_own_spelling_back(text: str, value: str, match: Match) -> None:
    found = find(f"Dear {text}, hello", FORMS)
    assert [(each.value, each.match, each.start, each.end) for each in found] == [(value, match, 5, 5 + len(text))]


def test_words_that_are_no_form_stay_in_their_bracket() -> None:
    found = find("[PERSON_7QK2: our last name]", FORMS)
    assert [(each.value, each.start, each.end) for each in found] == [("Johnny Reik", 1, 12)]


def test_ids_with_a_common_start_are_told_apart() -> None:
    found = find("[PERSON_7QK2][PERSON_7QK2M] PERSON_7QK2 PERSON_7QK2M [PERSON_7QK]")
    assert values(found) == ["Ada Roth", "Ben Kole", "Ada Roth", "Ben Kole"]


def test_a_live_id_under_another_type_is_ambiguous() -> None:
    for text in ("[GOV_ID_7QK2]", "location_7qk2", "[PERSON_8ABC: a hint]"):
        assert [each.cause for each in find(text)] == [Cause.AMBIGUOUS]


def test_an_unknown_placeholder_is_counted_only_as_it_would_be_written() -> None:
    found = find("[PERSON_9ABC] [PERSON_9ABC: x] PERSON_9ABC [person_9abc] [PERSON_9ABC")
    assert [(each.start, each.cause, each.entry) for each in found] == [
        (0, Cause.UNKNOWN, None),
        (14, Cause.UNKNOWN, None),
    ]


def test_what_the_caller_typed_is_not_counted() -> None:
    assert find("[PERSON_9ZZZ] and [LOCATION_9ZZZ: x]") == []


def test_what_was_written_for_a_url_is_told() -> None:
    for text in ("a?q=%5BPERSON_7QK2%5D", "a?q=PERSON%5f7QK2", "a?q=PERSON_7QK2%5D"):
        assert [each.encoded for each in find(text)] == [True]
    assert [each.encoded for each in find("100% [PERSON_7QK2] %5B")] == [False]


def test_a_phrase_is_read_as_a_word_and_the_longest_first() -> None:
    found = find("A large city, a large city in the west, a large cityscape, extra large city, A Large City")
    assert values(found) == ["Zurich", "Bern"]
    assert {each.match for each in found} == {Match.PHRASE}


def test_a_phrase_of_two_values_is_ambiguous() -> None:
    assert [(each.cause, each.entry) for each in find("an adult")] == [(Cause.AMBIGUOUS, None)]


def test_a_hint_is_not_read_as_a_phrase() -> None:
    assert values(find("[LOCATION_A3BC: a large city] and a large city")) == ["Zurich", "Zurich"]


def test_the_hint_that_was_written_belongs_to_the_placeholder_and_no_other_does() -> None:
    entry = RestoreEntry(placeholder_id="7QK2", kind=EntityType.LOCATION, value="Zurich", hint="a large city")
    reader = Reader(RestoreTable(entries={"7QK2": entry}))

    def extents(text: str) -> list[tuple[int, int, Match]]:
        return [(each.start, each.end, each.match) for each in reader.find_all(text, 0, len(text))]

    assert extents("[LOCATION_7QK2: a large city]") == [(0, 29, Match.EXACT)]
    assert extents("[LOCATION_7QK2: A LARGE CITY]") == [(0, 29, Match.TOLERANT)]
    assert extents("[LOCATION_7QK2: rainy today]") == [(1, 14, Match.TOLERANT)]


NEAR_FORMS = (
    *("[{}_{}]", "{}_{}", "[{}_{}: a hint]", "\\[{}\\_{}\\]", "[ {} _ {} ]", "&#91;{}_{}&#93;"),
    *(
        "[{}-{}]",
        "[{} {}]",
        "[{}{}]",
        "［{}＿{}］",
        "「{} {}」",
        "<{}_{}>",
        "{{{{{}_{}}}}}",
        "[{}_{}'s]",
        "[**{}_{}**]",
    ),
    *("%5B{}_{}%5D", "[{}_\u200b{}]", "> [{}_\n> {}]", "\\u005b{}_{}\\u005d", "[{}_{}](https://x.example)"),
)


def near_misses(count: int, seed: int) -> Mapping[str, str]:
    """Return texts one edit away from a placeholder, each with what was done."""
    rng = random.Random(seed)  # noqa: S311 - a test that can be repeated
    live = {each.placeholder_id for each in ENTRIES}
    found: dict[str, str] = {}
    while len(found) < count:
        target = rng.choice(ENTRIES)
        old, kind = target.placeholder_id, target.kind.value
        at, letter = rng.randrange(len(old)), rng.choice(ALPHABET + "01IO")
        edits = {
            "changed": old[:at] + letter + old[at + 1 :],
            "inserted": old[:at] + letter + old[at:],
            "deleted": old[:at] + old[at + 1 :],
            "swapped": old[:at] + old[at : at + 2][::-1] + old[at + 2 :],
        }
        edit, new = rng.choice(sorted(edits.items()))
        form = rng.choice(NEAR_FORMS)
        if new not in live:
            found[form.format(kind, new)] = edit
        other = rng.choice([each for each in EntityType if each is not target.kind])
        found[form.format(other.value, old)] = "type"
        glue = rng.choice("xA2_")
        found[f"{glue}{kind}_{old}"] = "glued"
    return found


def test_a_near_miss_is_never_restored() -> None:
    misses = near_misses(3000, seed=7)
    assert set(misses.values()) == {"changed", "inserted", "deleted", "swapped", "type", "glued"}
    for text in misses:
        assert values(find(f"so {text}, then")) == []
        assert values(find(text)) == []


def test_a_word_that_starts_no_type_of_the_request_is_quiet() -> None:
    reader = Reader(RestoreTable(entries={"7QK2": ENTRIES[0]}))
    assert reader.is_quiet("plain words", "")
    assert reader.is_quiet("the locat", " ")
    assert reader.is_quiet("upper", "")
    assert reader.is_quiet("er", "p")
    for chunk in ("a [", "a per", "Per", "p", "x_", "\\", "&", "%"):
        assert not reader.is_quiet(chunk, " ")


def test_a_table_without_entries_reads_only_what_is_unknown() -> None:
    found = find("[PERSON_7QK2] person_7qk2 a large city", RestoreTable(entries={}))
    assert [each.cause for each in found] == [Cause.UNKNOWN]


@pytest.mark.parametrize("text", ["[PE", "[PERSON", "[PERSON_", "[PERSON_7Q", "\\[GOV\\_", "&#91;LOC", "[AGE_A4"])
def test_a_cut_off_placeholder_is_recognised(text: str) -> None:
    assert Reader(TABLE).is_cut_off(text)


@pytest.mark.parametrize("text", ["", "[", "[P", "PERS", "[x", "[pets", "\\", "(PERS"])
def test_what_may_be_something_else_is_not_called_cut_off(text: str) -> None:
    assert not Reader(TABLE).is_cut_off(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dear [PERSON_7QK2],",
        "Dear person_7qk2,",
        "Dear [PERSON_7QK2: last name],",
        "near a large city",
        "near [LOCATION_A3BC: a large city]",
    ],
)
def test_a_disputed_id_is_read_and_never_restored(text: str) -> None:
    assert values(find(text))
    disputed = replace(TABLE, disputed=frozenset({"7QK2", "A3BC"}))
    (found,) = find(text, disputed)
    assert found.cause is Cause.AMBIGUOUS
    assert values(find("[PERSON_7QK2M] in a large city in the west", disputed)) == ["Ben Kole", "Bern"]


SHE = RestoreEntry(
    placeholder_id="7QK2",
    kind=EntityType.PERSON,
    value="Ada Roth",
    hint="a customer, she",
    forms=(("last name", "Roth"),),
)


@pytest.mark.parametrize(
    ("hint", "value", "match"),
    [
        ("a customer, she", "Ada Roth", Match.EXACT),
        ("a customer", "Ada Roth", Match.EXACT),
        ("she", "Ada Roth", Match.EXACT),
        ("last name, she", "Roth", Match.EXACT),
        ("last name", "Roth", Match.EXACT),
        ("he", "Ada Roth", Match.TOLERANT),
        ("last name, he", "Roth", Match.TOLERANT),
        ("Last Name,She", "Roth", Match.TOLERANT),
        ("she/her", "Ada Roth", Match.TOLERANT),
        ("first name, she", "Ada Roth", Match.TOLERANT),
        ("a person, she", "Ada Roth", Match.TOLERANT),
    ],
)
def test_a_pronoun_belongs_to_the_placeholder(hint: str, value: str, match: Match) -> None:
    (found,) = Reader(RestoreTable(entries={"7QK2": SHE})).find_all(text := f"[PERSON_7QK2: {hint}]", 0, len(text))
    assert (found.start, found.end, found.value, found.match) == (0, len(text), value, match)


def test_a_pronoun_alone_tells_no_spelling() -> None:
    reader = Reader(RestoreTable(entries={"7QK2": SHE}))
    for hint, told in {"she": False, "a customer, she": False, "last name, she": True}.items():
        (found,) = reader.find_all(text := f"[PERSON_7QK2: {hint}]", 0, len(text))
        assert found.told is told


def test_words_of_the_models_own_stay_with_their_pronoun() -> None:
    (found,) = Reader(RestoreTable(entries={"7QK2": SHE})).find_all(
        text := "[PERSON_7QK2: the boss, she]", 0, len(text)
    )
    assert text[found.start : found.end] == "PERSON_7QK2"
