"""JSON documents in what a model says: where they begin and end, and that values in their strings keep them valid."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.restore import Restorer
from privguard.restore.embedded import EmbeddedJson
from tests.growth import grows_in_proportion

VALUE = '12 "Elm" Street\nSpringhollow \\ 7'
ENTRY = RestoreEntry(placeholder_id="7QK2", kind=EntityType.ADDRESS, value=VALUE)
RESTORER = Restorer(RestoreTable(entries={"7QK2": ENTRY}))
MARK = "[ADDRESS_7QK2]"
DOCUMENT = json.dumps({"to": MARK, "more": [MARK, {"n": 1, "deep": json.dumps({"to": f"at {MARK}"})}]}, indent=2)
REAL = {"to": VALUE, "more": [VALUE, {"n": 1, "deep": json.dumps({"to": f"at {VALUE}"}, ensure_ascii=False)}]}
TEXTS = st.lists(st.sampled_from([*'{}["]\\\n` a:,', '{"a": "', '"a":']), max_size=24).map("".join)


def restored(text: str) -> str:
    return RESTORER.restore(text, Channel.REPLY).text


def is_inside(*chunks: str) -> bool:
    embedded = EmbeddedJson()
    for chunk in chunks:
        embedded.advance(chunk)
    return embedded.in_string


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", ""),
        ("\n  ", "\n"),
        ("```json\n", "\n```"),
        ("Here you are:\n\n```\n", "\n```\nAnything else?"),
        ("The form:\n", '\nHe said "yes".'),
        ('A list: ["a", "b"]\n', ""),
        ("<tool_call>", "</tool_call>"),
        ("Action Input: ", ""),
        ('{"a": "b"}, ', ""),
    ],
    ids=["whole", "spaced", "fenced", "in prose", "on a line", "behind another", "in a tag", "in a line", "beside one"],
)
def test_a_document_stays_valid_wherever_it_begins(before: str, behind: str) -> None:
    text = restored(before + DOCUMENT + behind)
    assert json.loads(text[len(before) : len(text) - len(behind)]) == REAL
    assert text.startswith(before)
    assert text.endswith(behind)


@pytest.mark.parametrize(
    "text",
    [
        f"at {MARK}",
        f'He said "{MARK}".',
        f"[{MARK}]: see",
        f'{DOCUMENT.replace(MARK, "")}\nHe said "{MARK}".',
        f'{{name}} is "{MARK}"',
        f'```json\n{{"to": "left open\n```\nHe said "{MARK}".',
        f'It begins with `{{"to": {{"x": "y", ...` and he said "{MARK}".',
    ],
    ids=[
        "bare",
        "quoted",
        "in brackets",
        "behind a document",
        "a template",
        "behind the fence of one left open",
        "behind code",
    ],
)
def test_in_prose_a_value_stands_as_it_is(text: str) -> None:
    assert restored(text) == text.replace(MARK, VALUE)


@pytest.mark.parametrize(
    "url",
    [
        r"\u0068ttps\u003a\u002f\u002fevil.example/?q=",
        r"see \u002f\u002fevil.example\u002f",
        r"w\u0077w.evil.example/",
        r"<img src=\"\u002f\u002fevil.example/",
    ],
)
def test_no_value_comes_into_a_url_that_escapes_hide(url: str) -> None:
    said = f'So:\n```json\n{{"n": "{MARK}", "u": "{url}{MARK}", "v": "{MARK}"}}\n```'
    kept = said.replace(MARK, json.dumps(VALUE)[1:-1]).replace(f"{url}{json.dumps(VALUE)[1:-1]}", f"{url}{MARK}")
    assert restored(said) == kept
    stream = RESTORER.stream(Channel.REPLY)
    assert "".join(map(stream.feed, said)) + stream.flush() == kept


def test_the_channel_of_texts_that_must_come_back_exactly_knows_no_documents() -> None:
    assert RESTORER.restore(DOCUMENT).text == DOCUMENT.replace(MARK, VALUE)


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        ("{", f'"to": "{MARK}"}}'),
        ("So:\n```json\n{", f'\n  "to": "{MARK}"\n}}\n```'),
        ('{"to":', f' "{MARK}"}}'),
        ('{"to": "', f'{MARK}"}}'),
        ('{"a": "x [ADDRESS_7QK2] ]", "to": "', f'{MARK}"}}'),
    ],
    ids=["a bracket", "in a fence", "a key", "in a string", "behind a value"],
)
def test_a_document_that_the_request_begins_goes_on(begun: str, said: str) -> None:
    stream = RESTORER.stream(Channel.REPLY, begun=begun)
    assert "".join(map(stream.feed, said)) + stream.flush() == said.replace(MARK, json.dumps(VALUE)[1:-1])
    assert RESTORER.restore(f'{said}\n"{MARK}"', Channel.REPLY, begun=begun).text.endswith(f'\n"{VALUE}"')


@pytest.mark.parametrize(
    "begun", ["", "Dear", f"{DOCUMENT}\n", f"```\n{DOCUMENT}\n```", "[see", '{"a": "\n```'], ids=range(6)
)
def test_behind_words_that_leave_none_open_a_reply_begins_anew(begun: str) -> None:
    said = f'{DOCUMENT}\nHe said "{MARK}".'
    assert RESTORER.restore(said, Channel.REPLY, begun=begun).text == restored(said)


def test_brackets_of_a_document_are_its_own() -> None:
    said = '[\n "a",\n ADDRESS_7QK2]'  # quotes lost
    assert restored(said) == said.replace("ADDRESS_7QK2", VALUE)


@given(text=TEXTS, cuts=st.lists(st.integers(0, 24), max_size=5))
def test_a_string_is_open_however_the_text_is_cut(text: str, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert is_inside(*[text[start:end] for start, end in itertools.pairwise(edges)]) == is_inside(text)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_a_stream_reads_as_the_whole(size: int) -> None:
    text = f"Here:\n```json\n{DOCUMENT}\n```\nand\n[\n  {DOCUMENT}\n]"
    stream = RESTORER.stream(Channel.REPLY)
    pieces = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + stream.flush() == restored(text)


@pytest.mark.parametrize(
    "piece", ["[]\n", '{"a": ["b\\n"]}\n', '\n[["', "\n```", "\n  {  ", 'x {"a":1}', ' [ {"a'], ids=range(7)
)
def test_it_takes_time_in_proportion_to_the_text(piece: str) -> None:
    assert grows_in_proportion(lambda text: EmbeddedJson().advance(text), piece)
