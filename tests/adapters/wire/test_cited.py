import json
import re
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit
from privguard.core.segments import Segment
from privguard_adapters.wire.anthropic_request import LAYOUT
from privguard_adapters.wire.cited import sent_documents
from privguard_adapters.wire.request import read_body, write_body
from tests.adapters.fake_guard import FakeGuard

WORDS = st.sampled_from(["Ada Roth", "4111111111111111", "word", " ", "\n", "é", "😀", '"', "\\", "[1]", "{"])


def document(data: str) -> dict[str, Any]:
    return {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": data}}


def ask(*blocks: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return where the places of each document lie, and the documents as they left."""
    body = {"model": "m", "messages": [{"role": "user", "content": list(blocks)}]}
    view = read_body(json.dumps(body).encode(), LAYOUT)
    outgoing = [
        segment if (hidden := FakeGuard().hide(segment.text)) == segment.text else _replaced(segment, hidden)
        for segment in view.segments
    ]
    return sent_documents(view, outgoing), json.loads(write_body(view, outgoing))["messages"][0]["content"]


def _replaced(segment: Segment, hidden: str) -> Segment:
    edits = [
        Edit(start=found.start(), end=found.end(), replacement=mark)
        for value, mark in FakeGuard().values.items()
        for found in re.finditer(re.escape(value), segment.text)
    ]
    return replace(segment, text=hidden, edits=tuple(sorted(edits, key=lambda edit: edit.start)))


@given(st.lists(WORDS, max_size=8))
def test_every_word_of_a_document_is_found_where_it_stands_in_the_callers_own(words: list[str]) -> None:
    data = "|".join(words)
    (offsets,), (sent,) = ask(document(data))
    left = sent["source"]["data"]
    assert offsets is not None
    for place, sign in enumerate(left):
        if sign == "|":
            assert data[offsets.map(place)] == "|"
    assert left.count("|") == data.count("|")


def test_documents_are_counted_in_their_order_and_those_that_are_no_plain_text_as_well() -> None:
    other = {"type": "document", "source": {"type": "content", "content": "w"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [document("Ada Roth.")]}
    found, _ = ask(document("I"), other, {"type": "text", "text": "w"}, result, document("He"))
    assert [each is not None for each in found] == [True, False, True, True]
    assert found[2].map(len("[PERSON_7QK2]"), is_end=True) == len("Ada Roth")


def test_a_request_without_documents_has_none() -> None:
    assert ask({"type": "text", "text": "Ada Roth"})[0] == ()
