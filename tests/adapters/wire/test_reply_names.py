"""Names that come back: keys of JSON and names of tools, however the reply is cut."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard_adapters.wire.identifiers import Identifiers, Renamed
from privguard_adapters.wire.reply_names import NameStream, ReplyNames, restore_keys, with_keys

KEYS = {"PERSON_7QK2": "kernberg", "PERSON_7QK2_2": 'Kern"berg\\\n', "notes_PERSON_7QK2": "notes_ж😀"}
TEXTS = st.sampled_from([*KEYS, "x", "{", '",{"PERSON_7QK2":', "\\", "ж\n", ""])
VALUES = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


class Echo:
    holds = False

    def feed(self, chunk: str) -> str:
        return chunk

    def pause(self) -> str:
        return "|"

    def flush(self) -> str:
        return "."


def in_pieces(text: str, cuts: list[int]) -> str:
    stream = with_keys(Echo(), KEYS)
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    return "".join([*(stream.feed(text[start:end]) for start, end in pairwise(places)), stream.flush()])


def with_known_keys(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {KEYS.get(key, key): with_known_keys(child) for key, child in value.items()}
    return [with_known_keys(child) for child in value] if isinstance(value, list) else value


@given(value=VALUES, ascii_only=st.booleans(), indent=st.sampled_from([None, 1]), cuts=st.lists(st.integers(0, 200)))
def test_keys_come_back_and_nothing_else_changes(
    value: Any,  # noqa: ANN401 - any JSON value
    ascii_only: bool,
    indent: int | None,
    cuts: list[int],
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert json.loads(restore_keys(text, KEYS)) == with_known_keys(value)
    assert in_pieces(text, cuts) == restore_keys(text, KEYS) + "."
    assert restore_keys(text, {}) == text


@given(text=st.text('{}[]:,"\\ aP', max_size=40), cuts=st.lists(st.integers(0, 40)))
def test_what_is_no_json_passes_however_it_is_cut(text: str, cuts: list[int]) -> None:
    assert in_pieces(text, cuts) == text + "."


def test_a_key_written_with_escapes_is_known_and_one_without_end_is_not_held() -> None:
    assert restore_keys('{"PERS\\u004fN_7QK2":1,"PERSON_7QK2', KEYS) == '{"kernberg":1,"PERSON_7QK2'
    stream = with_keys(Echo(), KEYS)
    assert stream.feed('{"' + "x" * 1000) == '{"' + "x" * 1000
    assert stream.feed('": 1, "PERSON_7QK2": 2}') == '": 1, "kernberg": 2}'


@pytest.mark.parametrize(
    ("pieces", "given"),
    [
        (["get_PERSON_7QK2"], ["get_anna"]),
        (["get_", "PERSON", "_7QK2"], ["", "", "get_anna"]),
        (["get_PERSON_7QK2", "get_PERSON_7QK2"], ["get_anna", "get_anna"]),
        (["PERSON_7QK2"], ["", "anna"]),
        (["PERSON_7QK2", "_2"], ["", "Anna"]),
        (["PERSON_7QK2", "PERSON_7QK2"], ["", "anna"]),
        (["get_weather"], ["get_weather"]),
        (["get_w", "eather"], ["get_w", "eather"]),
        (["get_", "x"], ["", "get_x"]),
        (["", "sing"], ["", "sing"]),
        (["get_PERS"], ["", "get_PERS"]),
    ],
    ids=range(11),
)
def test_the_name_of_a_tool_comes_back_whole(pieces: list[str], given: list[str]) -> None:
    names = {"get_PERSON_7QK2": "get_anna", "PERSON_7QK2": "anna", "PERSON_7QK2_2": "Anna"}
    stream = NameStream(names, frozenset({*names, "get_weather"}))
    back = [*(stream.feed(piece) for piece in pieces), stream.flush()]
    assert [*back[: len(given)], "".join(back[len(given) :])] == [*given, ""]


def test_a_tool_gets_the_names_of_its_own_schema_alone() -> None:
    identifiers = Identifiers(scopes={"f": frozenset({"a", "b"}), "g": frozenset({"b"})}, output=frozenset({"a"}))
    names = ReplyNames.of(identifiers, Renamed(names={"a": "A", "f": "F"}), frozenset({"f", "g"}))
    assert names == ReplyNames(tools={"F": "f"}, arguments={"F": {"A": "a"}}, output={"A": "a"})


def test_keys_and_names_are_held_until_they_end() -> None:
    keyed = with_keys(Echo(), KEYS)
    for piece, is_held in (('{"PER', True), ('SON_7QK2": "', False), ("word", False), ('", "x', True)):
        keyed.feed(piece)
        assert keyed.holds is is_held
    keyed.flush()
    assert not keyed.holds
    name = NameStream({"get_A": "get_anna"}, frozenset({"get_A", "look"}))
    for piece, is_held in (("ge", True), ("t_A", False)):
        name.feed(piece)
        assert name.holds is is_held
