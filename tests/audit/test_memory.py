"""The sinks that write nothing to disk."""

from collections.abc import Callable

from privguard.audit.memory import MemorySink, NullSink
from privguard.core.audit import AuditRecord
from privguard.core.protocols import AuditSink


def test_the_ring_keeps_the_newest_records(make_record: Callable[..., AuditRecord]) -> None:
    sink = MemorySink(limit=3)
    assert MemorySink().last is None
    for number in range(5):
        sink.write(make_record(number))
    assert [record.request_id for record in sink.records] == ["r0002", "r0003", "r0004"]
    assert sink.last == make_record(4)
    sink.close()
    assert len(sink.records) == 3


def test_records_are_cleaned_as_on_disk(
    hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]]
) -> None:
    sink = MemorySink()
    sink.write(hostile_record)
    assert find_marks(repr(sink.records)) == []


def test_the_null_sink_keeps_nothing(record: AuditRecord) -> None:
    sink: AuditSink = NullSink()
    sink.write(record)
    sink.close()
    assert not vars(sink)
