"""R undoes exactly what was done, and nothing else."""

import json
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.audit import Cause, Event, Match
from privguard.core.entities import EntityType
from privguard.core.placeholders import ALPHABET, is_placeholder_id, write_placeholder
from privguard.core.restoring import Restored, RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.restore import Restorer
from privguard.testing import Mangle, mangle_placeholders

ODD = "\"\\/\n\r\t\u2028\u2029\ud83d\udc00é😀{}[]:,'<& a1"
VALUES = st.text(st.characters() | st.sampled_from(ODD), min_size=1, max_size=12)
IDS = ("7QK2", "7QK2M", "8ABC", "A3BC", "Z9Z9")
KINDS = (EntityType.PERSON, EntityType.PERSON, EntityType.GOV_ID, EntityType.LOCATION, EntityType.MISC)


def restorer(values: list[str], hosts: tuple[str, ...] = ()) -> Restorer:
    entries = {
        placeholder_id: RestoreEntry(placeholder_id=placeholder_id, kind=kind, value=value)
        for placeholder_id, kind, value in zip(IDS, KINDS, values, strict=False)
    }
    return Restorer(RestoreTable(entries=entries, url_hosts=hosts))


def placeholder(number: int) -> str:
    return write_placeholder(KINDS[number], IDS[number])


NAMES = restorer(["Ada Roth", "Ben Kole", "12-3", "Zurich", "[PERSON_7QK2]"])


@pytest.mark.parametrize("channel", [Channel.TEXT, Channel.REPLY, Channel.JSON])
def test_a_list_that_begins_a_string_keeps_its_brackets(channel: Channel) -> None:
    said = '{"to": "[PERSON_7QK2, PERSON_7QK2M]", "cc": ["[PERSON_7QK2 and PERSON_7QK2M]"]}'
    restored = '{"to": "[Ada Roth, Ben Kole]", "cc": ["[Ada Roth and Ben Kole]"]}'
    assert NAMES.restore(said, channel).text == restored


@pytest.mark.parametrize(
    ("reply", "restored"),
    [
        ("Your name is [PERSON_7QK2].", "Your name is Ada Roth."),
        ("Dear [PERSON _ 7QK2 ],", "Dear Ada Roth,"),
        ("Dear &#91;PERSON_7QK2&#93;,", "Dear Ada Roth,"),
        ("dear person_7qk2", "dear Ada Roth"),
        ("Dear \\[PERSON\\_7QK2\\] \\_x \\[y\\]", "Dear Ada Roth \\_x \\[y\\]"),
        ("Dear [PERSON_7QK2: a person],", "Dear Ada Roth,"),
        ("Dear [PERSON_7QK2: sister of PERSON_7QK2M],", "Dear [Ada Roth: sister of Ben Kole],"),
        ("x = [PERSON_7QK2, PERSON_7QK2M]", "x = [Ada Roth, Ben Kole]"),
        ("[PERSON_7QK2 | person_7qk2m]", "[Ada Roth | Ben Kole]"),
        ("[PERSON_7QK2]'s and [PERSON_7QK2M]'s", "Ada Roth's and Ben Kole's"),
        ("C:\\[PERSON_7QK2]", "C:\\Ada Roth"),
        ("[[PERSON_7QK2]]", "[Ada Roth]"),
        ("[see PERSON_7QK2]", "[see Ada Roth]"),
        ("PERSON_7QK2]", "Ada Roth"),
        ("[PERSON_7QK2 said", "Ada Roth said"),
        ("[MISC_Z9Z9]", "[PERSON_7QK2]"),
        ("[PERS", "[PERS"),
        ("[PERSON_9ABC] and [GOV_ID_7QK2]", "[PERSON_9ABC] and [GOV_ID_7QK2]"),
        ("", ""),
    ],
)
def test_a_reply_becomes_what_the_caller_meant(reply: str, restored: str) -> None:
    assert NAMES.restore(reply).text == restored


def test_brackets_that_are_lost_inside_json_are_no_loss() -> None:
    assert NAMES.restore('{"to":"PERSON_7QK2"}', Channel.JSON).text == '{"to":"Ada Roth"}'
    assert NAMES.restore('{"to":["x",PERSON_7QK2]}', Channel.JSON).text == '{"to":["x","Ada Roth"]}'
    assert NAMES.restore('{"to":["PERSON_7QK2]"]}', Channel.JSON).text == '{"to":["Ada Roth"]}'


def test_what_happened_is_told() -> None:
    reply = "[PERSON_7QK2] [PERSON_7QK2] person_7qk2 https://a.example/[PERSON_7QK2] [PERSON_9ABC] [GOV_ID_7QK2] [PER"
    told = {
        (event.event, event.placeholder_id, event.kind, event.match, event.cause): event.count
        for event in NAMES.restore(reply).events
    }
    assert told == {
        (Event.RESTORED, "7QK2", "PERSON", Match.EXACT, None): 2,
        (Event.RESTORED, "7QK2", "PERSON", Match.TOLERANT, None): 1,
        (Event.REFUSED, "7QK2", "PERSON", Match.EXACT, Cause.URL): 1,
        (Event.UNRESTORED, "", "", Match.EXACT, Cause.UNKNOWN): 1,
        (Event.UNRESTORED, "7QK2", "PERSON", Match.EXACT, Cause.AMBIGUOUS): 1,
        (Event.UNRESTORED, "", "", None, Cause.TRUNCATED): 1,
    }


@given(st.lists(VALUES, min_size=5, max_size=5), st.lists(st.integers(0, 4), max_size=8))
def test_restoring_undoes_replacing(values: list[str], order: list[int]) -> None:
    # White space between them: a value may be the start of a URL, which takes no second one.
    sent = " \n".join(map(placeholder, order))
    harmless = [value.replace(":", ".").replace("/", ".").replace("\\", ".").replace("&", ".") for value in values]
    assert restorer(harmless).restore(sent).text == " \n".join([harmless[number] for number in order])


@given(st.lists(VALUES, min_size=5, max_size=5), st.integers(0, 4))
def test_a_value_is_never_read_again(values: list[str], number: int) -> None:
    value = f"{placeholder(number)} {values[number]} {placeholder((number + 1) % 5)}"
    restored = restorer([value] * 5).restore(f"so {placeholder(number)} it is")
    assert restored.text == f"so {value} it is"
    assert sum(event.count for event in restored.events) == 1


FREE = st.text(st.characters() | st.sampled_from(ODD + "[]_PERSON"), max_size=40)


@given(FREE)
def test_a_text_without_anything_live_is_the_same_text(text: str) -> None:
    for channel in Channel:
        assert NAMES.restore(text, channel) == Restored(text=text, events=NAMES.restore(text, channel).events)
        assert all(event.event is Event.UNRESTORED for event in NAMES.restore(text, channel).events)


@given(st.text(ALPHABET, min_size=4, max_size=12), st.sampled_from(list(EntityType)))
def test_an_id_that_this_request_did_not_carry_stays(placeholder_id: str, kind: EntityType) -> None:
    if placeholder_id in IDS:
        return
    text = f"so {write_placeholder(kind, placeholder_id)}, then"
    restored = NAMES.restore(text)
    assert restored.text == text
    assert [event.cause for event in restored.events] == [Cause.UNKNOWN] * is_placeholder_id(placeholder_id)


STRINGS = st.lists(
    st.integers(0, 4).map(placeholder)
    | st.sampled_from(["x ", ' "', "\n", "\\ ", "{x ", "} ", ", ", " 😀", "\u2028", "[1] ", "\ud800 ", "<b>"]),
    max_size=5,
).map("".join)
DOCUMENTS = st.recursive(
    STRINGS | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=6,
)


def replaced(document: object, values: list[str]) -> object:
    """Return what a document says when every placeholder is its value."""
    if isinstance(document, str):
        for number, value in enumerate(values):
            document = document.replace(placeholder(number), value)
        return document
    if isinstance(document, list):
        return [replaced(each, values) for each in document]
    if isinstance(document, dict):
        return {replaced(key, values): replaced(value, values) for key, value in document.items()}
    return document


@given(
    document=DOCUMENTS,
    values=st.lists(VALUES, min_size=5, max_size=5),
    depth=st.integers(1, 3),
    ascii_only=st.booleans(),
    indent=st.none() | st.just(2),
)
def test_a_json_document_says_the_values_at_every_depth(
    document: object, values: list[str], depth: int, ascii_only: bool, indent: int | None
) -> None:
    harmless = [value.replace(":", ".").replace("/", ".").replace("\\", "\\ ").replace("[", "(") for value in values]
    text = json.dumps([document, ""], ensure_ascii=ascii_only, indent=indent)
    for _ in range(depth - 1):
        text = json.dumps({"inner": text, "n": 1}, ensure_ascii=ascii_only)
    restore = restorer(harmless)
    restored = restore.restore(text, Channel.JSON).text
    stream = restore.stream(Channel.JSON)
    assert "".join([stream.feed(letter) for letter in text]) + stream.flush() == restored
    found: object = json.loads(restored)
    for _ in range(depth - 1):
        assert isinstance(found, dict)
        found = json.loads(found["inner"])
    assert isinstance(found, list)
    assert found[0] == replaced(document, harmless)


@pytest.mark.parametrize(
    "text",
    [
        '{hello "Ada" [PERSON_7QK2]}',
        '[1] see "[PERSON_7QK2]"',
        "[PERSON_7QK2] <x>",
        '{[PERSON_7QK2]: "x"}',
        '"[PERSON_7QK2]"',
    ],
)
@pytest.mark.parametrize("value", ['B "Ace" K', "B\nK", "B\\K"])
def test_a_string_that_merely_looks_like_json_is_text(text: str, value: str) -> None:
    restored = restorer([value]).restore(json.dumps({"a": text}), Channel.JSON).text
    assert json.loads(restored) == {"a": text.replace("[PERSON_7QK2]", value)}


def test_a_value_may_stand_in_a_key() -> None:
    restored = restorer(['B "Ace" K']).restore('{"[PERSON_7QK2]": {"x [PERSON_7QK2]": 1}}', Channel.JSON).text
    assert json.loads(restored) == {'B "Ace" K': {'x B "Ace" K': 1}}


def test_a_value_without_quotes_becomes_a_number_or_a_string() -> None:
    restore = restorer(["34", 'B "Ace" K', "-1.5e3"])
    text = '{"a": [PERSON_7QK2], "b": PERSON_7QK2M, "c": [[GOV_ID_8ABC], [PERSON_7QK2M]]}'
    assert json.loads(restore.restore(text, Channel.JSON).text) == {
        "a": 34,
        "b": 'B "Ace" K',
        "c": [-1500.0, 'B "Ace" K'],
    }


@given(st.lists(VALUES, min_size=1, max_size=1), st.integers(0, 60))
def test_a_document_that_is_cut_off_is_the_start_of_the_whole_one(values: list[str], end: int) -> None:
    harmless = [value.replace(":", ".").replace("/", ".").replace("\\", ".") for value in values]
    text = json.dumps({"a": "[PERSON_7QK2]", "b": json.dumps({"c": "[PERSON_7QK2]"})})
    whole = restorer(harmless).restore(text, Channel.JSON).text
    cut = restorer(harmless).restore(text[:end], Channel.JSON).text
    sure = cut[: cut.rfind("[")] if "[" in cut[-14:] else cut
    assert whole.startswith(sure)


@pytest.mark.parametrize(
    "text",
    [
        "Dear §,",
        "Note: §",
        'he said "§", then',
        "one, §",
        "Sorry: I cannot call the tool for §",
        "- §\n- §",
        "§, hello",
    ],
)
def test_prose_in_the_json_channel_is_not_spoiled(text: str) -> None:
    value = 'B "Ace" K'
    restored = restorer([value]).restore(text.replace("§", "[PERSON_7QK2]"), Channel.JSON).text
    assert restored == text.replace("§", value)


@pytest.mark.parametrize("channel", list(Channel))
def test_every_channel_restores(channel: Channel) -> None:
    assert NAMES.restore('{"a": "[PERSON_7QK2]"}', channel).text == '{"a": "Ada Roth"}'


def test_a_hundred_thousand_placeholders_are_restored() -> None:
    letters = [letter for letter in ALPHABET if letter.isalpha()]
    ids = [f"{a}{b}{c}2{d}" for a in letters for b in letters for c in letters[:20] for d in letters[:20]][:100_000]
    entries = {
        each: RestoreEntry(placeholder_id=each, kind=EntityType.RECORD_ID, value=f"n{number}")
        for number, each in enumerate(ids)
    }
    sent = " ".join([f"[RECORD_ID_{each}]" for each in ids])
    restored = Restorer(RestoreTable(entries=entries)).restore(sent)
    assert restored.text == " ".join([f"n{number}" for number in range(len(ids))])
    assert len(restored.events) == len(ids) == 100_000


def test_phrases_and_placeholders_in_great_number_are_restored() -> None:
    entries = {
        "7QK2": RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Ada"),
        "A3BC": RestoreEntry(placeholder_id="A3BC", kind=EntityType.LOCATION, value="Zurich", phrase="a large city"),
    }
    restore = Restorer(RestoreTable(entries=entries))
    assert restore.restore("a large city " * 50_000).text == "Zurich " * 50_000
    assert restore.restore("[PERSON_7QK2] " * 50_000).text == "Ada " * 50_000


def test_one_restorer_serves_many_streams_at_once() -> None:
    text = "Dear [PERSON_7QK2], [GOV_ID_8ABC] of https://a.example/[PERSON_7QK2M] and [LOCATION_A3BC] " * 40
    expected = NAMES.restore(text)
    found: list[Restored] = []

    def work(size: int) -> Callable[[], None]:
        def restore_in_chunks() -> None:
            for _ in range(5):
                stream = NAMES.stream()
                pieces = [stream.feed(text[start : start + size]) for start in range(0, len(text), size)]
                found.append(Restored(text="".join([*pieces, stream.flush()]), events=stream.events))

        return restore_in_chunks

    threads = [threading.Thread(target=work(size)) for size in range(1, 17)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


def test_no_value_is_shown_by_a_repr() -> None:
    restored = NAMES.restore("[PERSON_7QK2]")
    stream = NAMES.stream()
    stream.feed("[PERSON_7QK2] [PERSO")
    shown = f"{NAMES!r} {restored!r} {stream!r} {stream.events!r}"
    assert "Ada" not in shown


REFUSALS = (Cause.PROVENANCE, Cause.REMOTE_TOOL, Cause.TOOL_RULE)


@pytest.mark.parametrize("channel", [Channel.TEXT, Channel.JSON])
@pytest.mark.parametrize("cause", REFUSALS)
@pytest.mark.parametrize("mangle", list(Mangle))
def test_what_is_refused_stays_as_it_was_written_and_all_else_comes_back(
    channel: Channel, cause: Cause, mangle: Mangle
) -> None:
    ada = RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value="Ada Roth")
    key = RestoreEntry(placeholder_id="9XY3", kind=EntityType.SECRET, value="")
    refusing = Restorer(RestoreTable(entries={"7QK2": ada, "9XY3": key}), {"9XY3": cause})
    secret = mangle_placeholders("[SECRET_9XY3]", mangle)
    text = f'{{"a": "{secret} is of [PERSON_7QK2]", "b": "https://x.example/?q={secret}"}}'
    if channel is Channel.JSON:
        text = json.dumps(json.loads(text.replace("\\", "\\\\")))
    restored = refusing.restore(text, channel)
    assert restored.text == text.replace("[PERSON_7QK2]", "Ada Roth")
    assert {(event.event, event.cause, event.count) for event in restored.events} == {
        (Event.REFUSED, cause, 2),
        (Event.RESTORED, None, 1),
    }
    for cut in range(len(text) + 1):
        stream = refusing.stream(channel)
        assert stream.feed(text[:cut]) + stream.feed(text[cut:]) + stream.flush() == restored.text
        assert stream.events == restored.events
