"""A request that must be recorded and cannot be does not leave."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from privguard.audit import read_records, verify_file
from privguard.audit.background import BackgroundSink
from privguard.audit.faults import FaultKind
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode, AuditRecord, Intent, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import AuditError, ProtectionError, UnrecordedError
from privguard.core.protocols import AuditSink
from privguard.core.segments import Channel, Role, Segment
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing.fakes import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, FixedClock, ListSink

VALUE = "Ada Roth"
SEGMENTS = (Segment(path="input", role=Role.USER, channel=Channel.TEXT, text=f"I am {VALUE}"),)


def guard_with(sink: AuditSink) -> Guard:
    """Return a guard that writes to a sink."""
    return Guard(
        Parts(
            detector=FakeDetector({VALUE: EntityType.PERSON}),
            need=FakeNeed(),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(),
            sink=sink,
            key=Key(b"0123456789abcdef"),
            now=FixedClock(),
        )
    )


@dataclass(slots=True)
class WillingSink(ListSink):
    """A sink that wants to know of requests before they leave, and may refuse them."""

    intents: list[Intent] = field(default_factory=list)
    refusal: AuditError | None = None
    fails: bool = False

    def begin(self, intent: Intent) -> None:
        """Note the request, or refuse it."""
        if self.refusal is not None:
            raise self.refusal
        self.intents.append(intent)

    def write(self, record: AuditRecord) -> None:
        """Keep the record, or fail."""
        if self.fails:
            raise AuditError("the disk is full")
        self.records.append(record)


def test_a_sink_that_wants_to_know_is_told_before_the_request_leaves() -> None:
    sink = WillingSink()
    exchange = guard_with(sink).begin(SEGMENTS, target="gpt-5", route="chat")
    (intent,) = sink.intents
    assert (intent.request_id, intent.route, intent.target) == (exchange.request_id, "chat", "gpt-5")
    assert sink.records == []
    exchange.close()
    assert [(record.request_id, record.at) for record in sink.records] == [(intent.request_id, intent.at)]


def test_any_other_sink_hears_of_it_at_its_end() -> None:
    sink = ListSink()
    guard_with(sink).begin(SEGMENTS, target="gpt-5").close()
    assert [record.outcome for record in sink.records] == [Outcome.DONE]


@pytest.mark.parametrize("fails", [False, True], ids=["recorded", "not-even-that"])
def test_a_request_that_cannot_be_recorded_is_refused_before_it_leaves(fails: bool) -> None:
    sink = WillingSink(refusal=AuditError("the disk is full"), fails=fails)
    with pytest.raises(UnrecordedError, match="nothing was sent: the disk is full") as caught:
        guard_with(sink).begin(SEGMENTS, target="gpt-5")
    assert isinstance(caught.value, ProtectionError)
    assert VALUE not in str(caught.value)
    blocked = [(record.outcome, record.error, len(record.decisions)) for record in sink.records]
    assert blocked == ([] if fails else [(Outcome.BLOCKED, "UnrecordedError", 1)])


def test_with_a_log_that_is_required_each_request_is_in_it_before_it_leaves(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    sink = BackgroundSink(open_store(path), AuditMode.REQUIRED)
    guard = guard_with(sink)
    exchange = guard.begin(SEGMENTS, target="gpt-5")
    verdict = verify_file(path)
    assert (verdict.ok, verdict.records) == (True, 0)
    assert [note.kind for note in verdict.notes] == [FaultKind.UNCLOSED, FaultKind.UNRECORDED]
    exchange.close()
    sink.close()
    assert [record.request_id for record in read_records(path)] == [exchange.request_id]
    assert verify_file(path).notes == ()
    with pytest.raises(UnrecordedError, match="closed"):
        guard.begin(SEGMENTS, target="gpt-5")


def test_a_log_that_was_tampered_with_lets_no_request_leave(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    sink = BackgroundSink(open_store(path), AuditMode.REQUIRED)
    guard = guard_with(sink)
    guard.begin(SEGMENTS, target="gpt-5").close()
    assert sink.flush(20)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(UnrecordedError, match="does not end where its head says"):
        guard.begin(SEGMENTS, target="gpt-5")
    with pytest.raises(AuditError):
        sink.close()
