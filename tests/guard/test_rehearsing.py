"""A rehearsal decides like the guard, and leaves no trace."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import DetectionError
from privguard.core.holding import Owner
from privguard.core.restoring import RestoreTable
from privguard.guard import Guard, Parts, conversation, last_trace
from privguard.guard.rehearsing import rehearsal_parts
from privguard.guard.shapes import text_segments
from privguard.guard.tracing import Trace, note_trace
from privguard.testing import FailingDetector, ListSink
from privguard.vault import open_vault

MakeGuard = Callable[..., Guard]


def test_a_rehearsal_decides_the_same_and_records_nothing(guard: Guard, sink: ListSink) -> None:
    marker = Trace()
    note_trace(marker)
    segments = text_segments("I am Ada Roth, ada@roth.example")
    with guard.rehearsal().begin(segments, target="m") as rehearsed:
        assert last_trace() is marker
    assert sink.records == []
    with guard.begin(segments, target="m") as exchange:
        assert exchange.outgoing == rehearsed.outgoing
        assert exchange.plan == rehearsed.plan
    assert len(sink.records) == 1


def test_a_refused_rehearsal_is_not_recorded_either(make_guard: MakeGuard, sink: ListSink) -> None:
    marker = Trace()
    note_trace(marker)
    with pytest.raises(DetectionError):
        make_guard(detector=FailingDetector()).rehearsal().begin(text_segments("x"), target="m")
    assert sink.records == []
    assert last_trace() is marker


def test_a_rehearsal_reads_the_vault_and_writes_nothing(make_guard: MakeGuard) -> None:
    vault = open_vault("memory:")
    guard = make_guard(vault=vault)
    with conversation("a"):
        with guard.begin(text_segments("Ada Roth"), target="m") as exchange:
            left = exchange.outgoing[0].text
        with guard.rehearsal().begin(text_segments("Ben Kole"), target="m") as rehearsed:
            more = rehearsed.outgoing[0].text
            rehearsed.hold()
            assert rehearsed.restore(f"{left} {more}") == "Ada Roth Ben Kole"
        with guard.begin(text_segments("x"), target="m") as later:
            assert later.restore(f"{left} {more}") == f"Ada Roth {more}"
    assert vault.status().tables == 1


def test_the_parts_of_a_rehearsal_change_nothing_that_is_real(guard: Guard, sink: ListSink) -> None:
    vault, owner = open_vault("memory:"), Owner()
    vault.put(owner, "r", RestoreTable(entries={}))
    parts: Parts = rehearsal_parts(replace(guard.parts, vault=vault))
    assert parts.vault is not None
    assert parts.vault.put(owner, "s", RestoreTable(entries={})) is False
    assert parts.vault.delete(owner, "r") is False
    assert parts.vault.purge() == 0
    parts.vault.close()
    parts.sink.write(guard.begin(text_segments("x"), target="m").close(Outcome.DONE))
    parts.sink.close()
    assert vault.get(owner, "r") is not None
    assert vault.get(owner, "s") is None
    assert len(sink.records) == 1
