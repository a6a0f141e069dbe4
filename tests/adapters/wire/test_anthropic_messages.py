import json
from dataclasses import replace
from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.anthropic_messages import CODEC, COUNT_CODEC, settle_thoughts
from privguard_adapters.wire.cited import CitingRules
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.request import RequestView
from privguard_adapters.wire.signed import SignedTexts
from tests.adapters.fake_guard import FakeGuard

USER = {"role": "user", "content": "I am Ada Roth"}
THOUGHT: dict[str, Any] = {"type": "thinking", "thinking": 'It is Ada Roth, {"n": "Ada Roth"}', "signature": "c2ln"}


def read(*blocks: dict[str, Any], **more: Any) -> RequestView:  # noqa: ANN401 - JSON
    messages = [USER, {"role": "assistant", "content": list(blocks)}]
    return CODEC.read_request(json.dumps({"model": "m", "messages": messages, **more}).encode())


def outgoing(view: RequestView) -> list[Any]:
    return [replace(segment, text=FakeGuard().hide(segment.text)) for segment in view.segments]


def test_what_came_signed_goes_back_as_it_came_and_all_else_minimized() -> None:
    signed = SignedTexts()
    signed.note(THOUGHT["thinking"], THOUGHT["signature"])
    view = read(THOUGHT, {"type": "text", "text": "Hello, Ada Roth"})
    settled = settle_thoughts(view, outgoing(view), signed)
    assert [each.text for each in settled if each.path.endswith("thinking")] == [THOUGHT["thinking"]]
    assert {each.text for each in settled if not each.path.endswith("thinking")} == {
        "I am [PERSON_7QK2]", "Hello, [PERSON_7QK2]",
    }  # fmt: skip


@pytest.mark.parametrize("changes", [{}, {"signature": "b3RoZXI="}, {"thinking": "Well, it is Ada Roth"}])
def test_what_nobody_knows_to_have_come_so_is_refused(changes: dict[str, str]) -> None:
    signed = SignedTexts()
    if changes:
        signed.note(THOUGHT["thinking"], THOUGHT["signature"])
    view = read({**THOUGHT, **changes})
    with pytest.raises(UnknownContentError, match=r"content\[0\]\.thinking .* leave the block out") as caught:
        settle_thoughts(view, outgoing(view), signed)
    assert "Ada" not in str(caught.value)


def test_what_would_not_change_needs_not_be_known() -> None:
    view = read({**THOUGHT, "thinking": "It is [PERSON_7QK2]"})
    assert [each.text for each in settle_thoughts(view, outgoing(view), SignedTexts())] == [
        "I am [PERSON_7QK2]", "It is [PERSON_7QK2]",
    ]  # fmt: skip


@pytest.mark.parametrize("block", [{**THOUGHT, "signature": ""}, {**THOUGHT, "type": "text"}])
def test_what_is_not_signed_is_a_text_like_all_others(block: dict[str, Any]) -> None:
    view = read(block)
    assert all("Ada" not in each.text for each in settle_thoughts(view, outgoing(view), SignedTexts()))


def test_the_note_goes_to_the_system_texts() -> None:
    def system(given: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        view = read({"type": "text", "text": "w"}, **given)
        return json.loads(CODEC.write_request(view, outgoing(view), note=True))["system"]

    note = system({})
    assert note == system({"system": None})
    assert system({"system": "Be kind."}) == f"Be kind.\n\n{note}"
    assert system({"system": note}) == note
    parts = system({"system": [{"type": "text", "text": "Be kind."}]})
    assert [part["text"] for part in parts] == ["Be kind.", f"\n\n{note}"]
    view = CODEC.read_request(b'{"model": "m", "messages": []}')
    assert b"system" not in CODEC.write_request(view, view.segments, note=True)


def test_the_rules_for_the_reply_know_the_documents() -> None:
    source = {"type": "text", "media_type": "text/plain", "data": "w"}
    view = read({"type": "document", "source": source}, tools=[{"name": "f"}])
    rules = CODEC.rules(view, rename(view.identifiers, view.segments), view.segments)
    assert isinstance(rules, CitingRules)
    assert len(rules.documents) == 1
    assert rules.offered == {"f"}


def test_counting_takes_the_same_request_and_its_reply_has_no_text() -> None:
    assert COUNT_CODEC.read_request(b'{"model": "m", "system": "w"}').segments
    assert COUNT_CODEC.replies is None
