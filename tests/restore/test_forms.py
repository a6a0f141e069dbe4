"""Each form of a placeholder that is listed comes back: in prose, in JSON, in JSON in JSON, wherever it is cut."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from privguard.core.audit import Event
from privguard.core.entities import EntityType
from privguard.core.placeholders import ALPHABET
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.restore import Restorer
from tests.fewer import one_in
from tests.restore.mangled import mangled

ADA = 'Ada "Ace"\nRoth'
VALUES = {"§": ADA, "¶": "12-3", "¢": "ada@roth.example", "%": quote(ADA, safe="")}
ENTRIES = (
    RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value=ADA, forms=(("last name", "Roth"),)),
    RestoreEntry(placeholder_id="8ABC", kind=EntityType.GOV_ID, value=VALUES["¶"]),
    RestoreEntry(placeholder_id="9EML", kind=EntityType.EMAIL, value=VALUES["¢"]),
)
RESTORER = Restorer(
    RestoreTable(entries={entry.placeholder_id: entry for entry in ENTRIES}, url_hosts=("good.example",))
)
FORMS = [json.loads(line) for line in (Path(__file__).parent / "forms.jsonl").read_text().splitlines()]
AROUND = (("", ""), ("Dear ", ", hello."), ("(", ")"), ("см. ", " 。"), ("- ", "\n"), ("联系", "。"))


def filled(restored: str) -> str:
    return "".join([VALUES.get(letter, letter) for letter in restored])


def cut(text: str, channel: Channel) -> Iterator[str]:
    """Restore a text at once, cut at each place, and letter by letter."""
    yield RESTORER.restore(text, channel).text
    for place in range(1, len(text)):
        stream = RESTORER.stream(channel)
        yield stream.feed(text[:place]) + stream.feed(text[place:]) + stream.flush()
    stream = RESTORER.stream(channel)
    yield "".join([stream.feed(letter) for letter in text]) + stream.flush()


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_a_listed_form_is_restored_in_prose(number: int) -> None:
    written, restored = FORMS[number]["written"], filled(FORMS[number]["restored"])
    for before, after in AROUND:
        assert set(cut(before + written + after, Channel.TEXT)) == {before + restored + after}


@pytest.mark.parametrize("number", one_in(4, range(len(FORMS))))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_listed_form_is_restored_in_json(number: int, ascii_only: bool) -> None:
    written, restored = FORMS[number]["written"], filled(FORMS[number]["restored"])
    for before, after in AROUND[1:4]:
        document = json.dumps({"to": before + written + after, "n": 1}, ensure_ascii=ascii_only)
        for found in set(cut(document, Channel.JSON)):
            assert json.loads(found) == {"to": before + restored + after, "n": 1}
        nested = json.dumps({"in": document}, ensure_ascii=ascii_only)
        for found in set(cut(nested, Channel.JSON_IN_JSON)):
            assert json.loads(json.loads(found)["in"]) == {"to": before + restored + after, "n": 1}


KINDS = {"7QK2": "PERSON", "8ABC": "GOV_ID"}


@settings(max_examples=300)
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_every_way_of_every_part_goes_with_every_other(placeholder_id: str, data: st.DataObject) -> None:
    form = data.draw(mangled(KINDS[placeholder_id], placeholder_id))
    entry = next(entry for entry in ENTRIES if entry.placeholder_id == placeholder_id)
    restored = RESTORER.restore(f"so {form}, then")
    assert [(event.event, event.placeholder_id, event.count) for event in restored.events] == [
        (Event.RESTORED, placeholder_id, 1)
    ]
    assert restored.text.startswith("so ")
    assert restored.text.endswith(", then")
    assert entry.value in restored.text or quote(entry.value, safe="") in restored.text
    assert not {"PERSON", "ERSON", "7QK2", "8ABC"} & set(re.findall("[A-Za-z0-9]+", restored.text.upper()))
    found = set(cut(f"so {form}, then", Channel.TEXT))
    assert found == {restored.text}


WRONG = (
    "changed", "inserted", "deleted", "swapped", "look-alike", "glued", "split", "of another request", "type",
    "glued type",
)  # fmt: skip


@st.composite
def near_misses(draw: st.DrawFn) -> str:
    """Write something in a form that R reads, one step from a placeholder of the request."""
    placeholder_id = draw(st.sampled_from(sorted(KINDS)))
    kind = KINDS[placeholder_id]
    way = draw(st.sampled_from(WRONG))
    at, letter = draw(st.integers(0, 3)), draw(st.sampled_from(ALPHABET))
    match way:
        case "changed":
            new = placeholder_id[:at] + letter + placeholder_id[at + 1 :]
        case "inserted":
            at = draw(st.integers(0, 4))
            new = placeholder_id[:at] + letter + placeholder_id[at:]
        case "deleted":
            new = placeholder_id[:at] + placeholder_id[at + 1 :]
        case "swapped":
            new = placeholder_id[:at] + placeholder_id[at : at + 2][::-1] + placeholder_id[at + 2 :]
        case "look-alike":
            # Zero and O, one and I, letters of other scripts, digits of others.
            new = placeholder_id[:at] + draw(st.sampled_from("0O1Il5S8B2ZАВСКQМΑΒΚ٢७")) + placeholder_id[at + 1 :]
        case "glued":
            new = placeholder_id + draw(st.sampled_from(("x", "A", "2", "_x", "_2", "А", "word", "Id", "٢")))
        case "split":
            at = draw(st.integers(1, 3))
            new = placeholder_id[:at] + draw(st.sampled_from((" ", "-", "_", "\n", "."))) + placeholder_id[at:]
        case "of another request":
            new = draw(st.text(ALPHABET, min_size=4, max_size=12))
        case "glued type":
            letters = draw(st.text("abcxyz", min_size=1, max_size=9))
            word = draw(st.sampled_from((letters + kind, kind + letters, f"X{kind}", f"{kind.title()}Id")))
            assume(word != f"{kind}s")
            return f"[{word}_{placeholder_id}]"
        case _:
            other = draw(st.sampled_from([each for each in EntityType if each.value != kind]))
            return draw(mangled(other.value, placeholder_id, translated=False))
    assume(new.upper() not in {*KINDS, "9EML"} and new not in {f"{each}s" for each in KINDS})
    return draw(mangled(kind, new))


@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(near_misses())
def test_a_near_miss_is_never_restored(text: str) -> None:
    stays(text)


@pytest.mark.long
@settings(max_examples=2500, suppress_health_check=list(HealthCheck))
@given(near_misses())
def test_of_thousands_of_near_misses_none_is_restored(text: str) -> None:
    stays(text)


def stays(text: str) -> None:
    for around in (f"so {text}, then", text):
        restored = RESTORER.restore(around)
        assert restored.text == around
        assert all(event.event is Event.UNRESTORED for event in restored.events)


def documented(heading: str) -> list[list[str]]:
    """Return the cells of the tables below a heading of the page on restoration."""
    page = (Path(__file__).parents[2] / "docs/restoration.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


SPAN = re.compile("`([^`]+)`")
AT_HOME = Restorer(
    RestoreTable(
        entries={
            "7QK2": replace(ENTRIES[0], value="Ada Roth", hint="a friend, she"),
            "8ABC": ENTRIES[1],
        },
        literals=frozenset({"9ZZZ"}),
    )
)


def test_the_page_on_restoration_says_what_comes_back() -> None:
    checked = 0
    for cells in documented("What is restored"):
        results = [number for number, cell in enumerate(cells) if number and re.fullmatch("`[^`]+`", cell)]
        for number in results[:1] if len(results) == 1 else results[-1:]:
            for form in SPAN.findall(cells[number - 1]):
                assert AT_HOME.restore(f"so {form} then").text == f"so {cells[number][1:-1]} then"
                checked += 1
    assert checked > 60


def test_the_page_on_restoration_says_what_does_not() -> None:
    checked = 0
    for cells in documented("What is left alone"):
        if "where" in cells[0] or "at the end" in cells[0]:
            continue
        for form in SPAN.findall(cells[0]):
            assert AT_HOME.restore(f"so {form}, then").text == f"so {form}, then"
            checked += 1
    assert checked > 30
