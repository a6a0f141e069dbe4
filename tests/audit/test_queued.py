"""What waits is encoded once, and tells who waits for it."""

import threading
from dataclasses import replace
from typing import Any

from privguard.audit.codec import encode
from privguard.audit.entries import Begun, encode_entry
from privguard.audit.queued import Item
from privguard.core.audit import AuditRecord, Intent
from privguard.core.errors import AuditError


def test_records_and_requests_are_encoded_once(record: AuditRecord) -> None:
    intent = Intent(request_id="r1", at=record.at, route="by-hand", target="m")
    for content, body in ((record, encode(record)), (intent, encode_entry(Begun(intent=intent)))):
        item = Item(content=content)
        assert item.encode()
        assert item.body == body
        item.content = replace(record, outcome="x")  # type: ignore[arg-type] # it is not looked at again
        assert item.encode()


def test_what_cannot_be_encoded_has_no_body(record: AuditRecord) -> None:
    odd: Any = "Ada Roth"
    item = Item(content=replace(record, outcome=odd))
    assert not item.encode()
    assert item.body is None
    assert "Ada" not in repr(item)


def test_who_waits_is_told_how_it_went(record: AuditRecord) -> None:
    item = Item(content=record, done=threading.Event())
    item.settle(AuditError("the disk is full"))
    assert item.done is not None
    assert item.done.is_set()
    assert str(item.error) == "the disk is full"
    Item(content=record).settle()
