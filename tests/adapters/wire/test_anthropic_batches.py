import json
from dataclasses import replace
from typing import Any

import pytest

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Media
from privguard_adapters.wire.anthropic_batches import (
    BATCH_CODEC,
    NEEDS,
    read_batch,
    restore_created,
    restore_results,
    write_batch,
)
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.request import part_checks
from privguard_adapters.wire.signed import SignedTexts
from tests.adapters.fake_guard import FakeGuard

ADA = "[PERSON_7QK2]"


def item(name: object, content: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"custom_id": name, "params": {"model": "m", "messages": [{"role": "user", "content": content}], **more}}


def body(*items: Any, **more: Any) -> bytes:  # noqa: ANN401 - JSON
    return json.dumps({"requests": list(items), **more}, indent=1).encode()


def test_each_request_is_read_and_written_by_itself() -> None:
    raw = body(item("a", "I am Ada Roth"), item("b", "Hé 😀"), item("c", "Ada Roth?"))
    view = read_batch(raw)
    assert [segment.text for segment in view.segments] == ["I am Ada Roth", "Hé 😀", "Ada Roth?"]
    assert {check.text for check in view.checks} == {"a", "b", "c", "m"}
    assert (view.later.is_kept, view.later.needs) == (True, NEEDS)
    assert BATCH_CODEC.write_request(view, view.segments) == raw
    outgoing = [replace(segment, text=FakeGuard().hide(segment.text)) for segment in view.segments]
    assert write_batch(view, outgoing, False) == raw.replace(b"Ada Roth", ADA.encode())


def test_the_names_of_the_tools_of_each_are_checked() -> None:
    view = read_batch(body(item("a", "x"), item("b", "y", tools=[{"name": "look_up"}])))
    outgoing = [replace(segment, text=segment.text) for segment in view.segments]
    assert [check.text for check in part_checks(view, outgoing)] == ["look_up"]


@pytest.mark.parametrize(
    "raw",
    [
        b"[]",
        b"{}",
        b'{"requests": []}',
        b'{"requests": {}}',
        body("x"),
        body(item("", "x")),
        body(item(7, "x")),
        body(item("a b", "x")),
        body(item("a", "x"), item("a", "y")),
        body(item("a", "x"), {"custom_id": "b"}),
        body({**item("a", "x"), "note": "y"}),
        body(item("a", "x"), note="y"),
        body(item("a", "x", thread={"type": "create"})),
    ],
)
def test_what_is_no_batch_is_refused(raw: bytes) -> None:
    with pytest.raises(UnknownContentError):
        read_batch(raw)


def test_the_id_of_a_new_batch_is_taken_and_an_error_holds_no_value() -> None:
    ids: list[str] = []
    exchange = FakeGuard().begin((), target="m")
    rules = ReplyRules(bind=ids.append)
    created = '{"type": "message_batch", "id": "msgbatch_1"}'
    assert restore_created(created, exchange, rules) == created
    for text in (f'{{"type": "error", "error": {{"message": "{ADA}"}}}}', f"no JSON {ADA}"):
        assert restore_created(text, exchange, rules) == text
    assert ids == ["msgbatch_1"]


def test_a_line_whose_request_nobody_knows_holds_no_value() -> None:
    exchange = FakeGuard().begin((), target="m")
    lines = f'{{"custom_id": "a", "result": {{"x": "{ADA}"}}}}\n\nno JSON {ADA}\n'
    assert restore_results(lines, exchange, ReplyRules(), SignedTexts()) == lines


def test_media_leave_where_the_profile_says_so() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    raw = body({"custom_id": "a", "params": {"model": "m", "messages": [{"role": "user", "content": [image]}]}})
    view = read_batch(raw)
    assert BATCH_CODEC.write_request(view, view.segments, passed=(Media.IMAGE,)) == raw
    with pytest.raises(UnknownContentError, match="pass_parts"):
        BATCH_CODEC.write_request(view, view.segments)
