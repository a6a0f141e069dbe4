import json
from typing import Any

import pytest

from privguard.core.profile import Profile
from privguard_adapters.wire.openai_chunk import Chunk
from privguard_adapters.wire.reply import ReplyRules, read_reply
from privguard_adapters.wire.streamed import StreamedChoice
from privguard_adapters.wire.tools import Tools
from tests.adapters.fake_guard import FakeGuard


def chunk(**event: Any) -> Chunk:  # noqa: ANN401 - fields of an event
    document = read_reply(json.dumps(event))
    assert document is not None
    profile = Profile(id="fake:1", name="fake", gamma=0.5)
    return Chunk(document, FakeGuard().begin((), target="m"), ReplyRules(), Tools(profile=profile))


def test_the_head_holds_what_every_event_repeats() -> None:
    assert chunk(id="c", created=1, choices=[], usage=None, other="x").head() == {"id": "c", "created": 1}


@pytest.mark.parametrize(
    ("error", "is_one"),
    [({}, False), ("", False), ({"code": 0}, False), ({"code": None}, False), ("x", True), ({"code": 429}, True)],
)
def test_an_empty_error_is_none(error: object, is_one: bool) -> None:
    assert chunk(error=error).is_error() is is_one


def test_the_places_of_the_choices_are_those_of_the_list() -> None:
    assert chunk(choices=[{"index": 3}, {"index": 1}]).choice_numbers() == [0, 1]


def test_only_what_is_replaced_changes_in_an_event() -> None:
    event = chunk(id="c", choices=[{"index": 0, "delta": {"content": "[PERSON_7QK2]"}}], note="as it was")
    assert event.restore_choice(0, StreamedChoice(index="0")) == []
    assert event.changed
    event.restore_rest()
    assert event.text() == json.dumps(
        {"id": "c", "choices": [{"index": 0, "delta": {"content": "Ada Roth"}}], "note": "as it was"}
    )


def test_what_is_held_back_goes_out_with_the_end_of_its_choice() -> None:
    choice = StreamedChoice(index="0")
    chunk(choices=[{"index": 0, "delta": {"content": "see [x"}}]).restore_choice(0, choice)
    before = chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]).restore_choice(0, choice)
    assert [tail for _, tail in before] == ["[x"]
    assert choice.finished
    assert not choice.texts
