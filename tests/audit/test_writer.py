"""The thread behind the queue: in order, in batches, and honest about what it could not write."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import pytest

from privguard.audit.checkpoints import Checkpoint
from privguard.audit.codec import encode
from privguard.audit.entries import Begun, Entry, Opened, Tally, decode_entry
from privguard.audit.erasing import Erasure
from privguard.audit.queued import Pace
from privguard.audit.writer import Writer
from privguard.core.audit import AuditMode, AuditRecord, Intent, Outcome
from privguard.core.errors import AuditError

Make = Callable[..., AuditRecord]
LOGGER = "privguard.audit"
QUICK = Pace(limit=4, batch=3, patience_s=60.0, tally_s=0.0, retry_s=(0.001, 0.002), rest_s=3600.0)


@dataclass
class ScriptedStore:
    """A store that waits and fails when it is told to."""

    rows: list[bytes] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)  # one for each of the next attempts
    failure: Exception | None = None  # as long as it is there
    gate: threading.Event = field(default_factory=threading.Event)
    busy: threading.Event = field(default_factory=threading.Event)
    signed: threading.Event = field(default_factory=threading.Event)
    told: threading.Event = field(default_factory=threading.Event)  # when a tally is written
    closed: int = 0

    def __post_init__(self) -> None:
        self.gate.set()

    def append(self, bodies: Sequence[bytes]) -> None:
        self.busy.set()
        assert self.gate.wait(60)
        if self.failure is not None:
            raise self.failure
        if self.failures:
            raise self.failures.pop(0)
        self.batches.append(len(bodies))
        self.rows += bodies
        if any(isinstance(decode_entry(body), Tally) for body in bodies):
            self.told.set()

    def write(self, record: AuditRecord) -> None:
        self.append((encode(record),))

    def sign(self) -> Checkpoint | None:
        self.signed.set()
        return None

    def erase(self, erasure: Erasure, now: datetime | None = None) -> int:
        raise NotImplementedError

    def close(self) -> None:
        self.closed += 1

    @property
    def entries(self) -> list[Entry]:
        """Return the entries."""
        return [entry for entry in map(decode_entry, self.rows) if entry is not None]

    @property
    def records(self) -> list[bytes]:
        """Return the records."""
        return [row for row in self.rows if decode_entry(row) is None]

    @property
    def last(self) -> Tally:
        """Return the tally with which it ends."""
        entry = decode_entry(self.rows[-1])
        assert isinstance(entry, Tally)
        assert entry.final
        return entry


@pytest.fixture
def store() -> Iterator[ScriptedStore]:
    made = ScriptedStore()
    yield made
    made.gate.set()


def keep_busy(store: ScriptedStore, writer: Writer, record: AuditRecord) -> None:
    """Have the thread of the writer at work on a record until the gate of the store opens."""
    writer._announce()
    store.busy.clear()
    store.gate.clear()
    writer.write(record)
    assert store.busy.wait(60)


def intent(record: AuditRecord) -> Intent:
    """Return the intent of a record."""
    return Intent(request_id=record.request_id, at=record.at, route=record.route, target=record.target)


def test_records_are_written_in_order_between_the_entries_of_the_session(
    store: ScriptedStore, make_record: Make
) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT)
    records = [make_record(number) for number in range(600)]
    for record in records:
        writer.begin(intent(record))
        writer.write(record)
    writer.close()
    writer.close()
    assert store.records == [encode(record) for record in records]
    assert isinstance(decode_entry(store.rows[0]), Opened)
    assert (store.last.begun, store.last.open, store.last.recorded, store.last.dropped) == (600, 0, 600, 0)
    assert store.closed == 1


def test_what_waits_is_written_together(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT, replace(QUICK, limit=100, batch=50))
    keep_busy(store, writer, make_record(0))
    for number in range(1, 41):
        writer.write(make_record(number))
    store.gate.set()
    assert writer.flush(60)
    writer.close()
    assert store.batches == [1, 1, 40, 1]


def test_the_caller_does_not_wait_for_the_store(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT)
    keep_busy(store, writer, make_record(0))
    for number in range(1, 100):
        writer.begin(intent(make_record(number)))
        writer.write(make_record(number))
    assert store.records == []
    assert not writer.flush(0.0)
    store.gate.set()
    assert writer.flush(60)
    assert len(store.records) == 100
    writer.close()


def test_the_log_hears_of_a_session_before_its_first_request_leaves(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT)
    writer.begin(intent(make_record(0)))
    assert [type(entry) for entry in store.entries] == [Opened]
    writer.close()


def test_a_full_queue_drops_counts_and_says_so_once(
    store: ScriptedStore, make_record: Make, caplog: pytest.LogCaptureFixture
) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT, QUICK)
    keep_busy(store, writer, make_record(0))
    with caplog.at_level(logging.WARNING, LOGGER):
        for number in range(1, 8):
            writer.write(make_record(number))
    assert [record.name for record in caplog.records] == [LOGGER]
    assert "r0" not in caplog.text
    store.gate.set()
    assert writer.flush(60)
    writer.write(make_record(8))
    writer.close()
    kept = (0, 1, 2, 3, 4, 8)
    assert store.records == [encode(make_record(number)) for number in kept]
    gaps = [entry for entry in store.entries if isinstance(entry, Tally)]
    assert {gap.dropped for gap in gaps} == {3}
    assert store.last.recorded == len(kept)


def test_a_store_that_fails_is_tried_again_and_nothing_is_lost_or_written_twice(
    store: ScriptedStore, make_record: Make, caplog: pytest.LogCaptureFixture
) -> None:
    store.failures += [AuditError("the disk is full"), OSError("Ada Roth"), AuditError("the disk is full")]
    writer = Writer(store, AuditMode.BEST_EFFORT, QUICK)
    with caplog.at_level(logging.WARNING, LOGGER):
        writer.write(make_record(0))
        writer.write(make_record(1))
        while not writer.flush(60):
            continue
    writer.close()
    assert store.records == [encode(make_record(number)) for number in range(2)]
    assert len(caplog.records) == 2  # that it fails, and that it works again
    assert "Ada" not in caplog.text
    assert sum(isinstance(entry, Opened) for entry in store.entries) == 1


def test_a_writer_says_whether_its_store_fails(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT, QUICK)
    seen = [writer.is_failing]
    store.failure = OSError("full")
    writer.write(make_record(0))
    writer.flush(60)
    seen.append(writer.is_failing)
    store.failure = None
    writer.close()
    assert [*seen, writer.is_failing] == [False, True, False]


def test_a_store_that_fails_to_the_end_is_an_error_that_tells_how_many(store: ScriptedStore, make_record: Make) -> None:
    store.failure = AuditError("the disk is full")
    writer = Writer(store, AuditMode.BEST_EFFORT, replace(QUICK, retry_s=(3600.0, 3600.0)))
    for number in range(3):
        writer.write(make_record(number))
    with pytest.raises(AuditError, match="3 audit records could not be written: the disk is full"):
        writer.close()
    assert (store.rows, store.closed) == ([], 1)
    with pytest.raises(AuditError, match="closed"):
        writer.write(make_record(4))
    with pytest.raises(AuditError, match="closed"):
        writer.begin(intent(make_record(4)))


def test_a_record_that_cannot_be_encoded_is_counted_and_stops_no_other(store: ScriptedStore, make_record: Make) -> None:
    odd: Any = "Ada Roth"
    writer = Writer(store, AuditMode.BEST_EFFORT)
    for record in (make_record(0), replace(make_record(1), outcome=odd), make_record(2)):
        writer.write(record)
    writer.close()
    assert store.records == [encode(make_record(0)), encode(make_record(2))]
    assert (store.last.recorded, store.last.dropped) == (2, 1)


def test_where_the_audit_is_required_a_request_is_in_the_log_before_it_leaves(
    store: ScriptedStore, make_record: Make
) -> None:
    writer = Writer(store, AuditMode.REQUIRED)
    for number in range(3):
        record = make_record(number)
        writer.begin(intent(record))
        assert decode_entry(store.rows[-1]) == Begun(intent=intent(record))
        assert len(store.records) == number
        writer.write(record)
    writer.close()
    assert [type(entry) for entry in store.entries] == [Opened, Begun, Begun, Begun, Tally]


def test_where_the_audit_is_required_a_failing_store_lets_no_request_leave_until_it_works(
    store: ScriptedStore, make_record: Make
) -> None:
    writer = Writer(store, AuditMode.REQUIRED, QUICK)
    store.failure = AuditError("the disk is full")
    for _ in range(3):
        # With nothing to write again the request is the next attempt; behind a record that waits it does not even try.
        with pytest.raises(AuditError, match="the disk is full"):
            writer.begin(intent(make_record(1)))
        writer.write(replace(make_record(1), outcome=Outcome.BLOCKED))
    store.failure = None
    while not writer.flush(60):
        continue
    writer.begin(intent(make_record(2)))
    writer.write(make_record(2))
    writer.close()
    assert [entry.intent.request_id for entry in store.entries if isinstance(entry, Begun)] == ["r0002"]
    assert (len(store.records), store.last.open) == (4, 0)


def test_where_the_audit_is_required_no_request_leaves_in_front_of_a_queue_that_stays_full(
    store: ScriptedStore, make_record: Make
) -> None:
    writer = Writer(store, AuditMode.REQUIRED, replace(QUICK, patience_s=0.01))
    for number in range(6):
        writer.begin(intent(make_record(number)))
    keep_busy(store, writer, make_record(0))
    with pytest.raises(AuditError, match="in time"):
        writer.begin(intent(make_record(7)))
    for number in range(1, 6):  # more than there is room for: each of them has left
        writer.write(make_record(number))
    with pytest.raises(AuditError, match="full"):
        writer.begin(intent(make_record(8)))
    writer.write(replace(make_record(8), outcome=Outcome.BLOCKED))
    store.gate.set()
    writer.close()
    assert store.records == [encode(make_record(number)) for number in range(6)]
    assert (store.last.begun, store.last.open, store.last.recorded, store.last.dropped) == (6, 0, 6, 1)


def test_a_request_that_was_given_up_before_its_turn_is_not_in_the_log(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.REQUIRED, replace(QUICK, patience_s=0.01))
    keep_busy(store, writer, make_record(0))
    with pytest.raises(AuditError, match="in time"):
        writer.begin(intent(make_record(1)))
    store.gate.set()
    writer.close()
    assert not [entry for entry in store.entries if isinstance(entry, Begun)]


def test_where_the_audit_is_required_a_request_waits_for_room(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.REQUIRED, QUICK)
    for number in range(5):
        writer.begin(intent(make_record(number)))
    keep_busy(store, writer, make_record(0))
    for number in range(1, 5):
        writer.write(make_record(number))
    late = threading.Thread(target=writer.begin, args=(intent(make_record(5)),))
    late.start()
    store.gate.set()
    late.join()
    writer.close()
    assert store.records == [encode(make_record(number)) for number in range(5)]
    assert (store.last.begun, store.last.open) == (6, 1)


def test_open_requests_are_told_while_nothing_is_written(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT, QUICK)
    writer.begin(intent(make_record(0)))
    assert store.told.wait(60)
    writer.write(make_record(0))
    writer.close()
    first = next(entry for entry in store.entries if isinstance(entry, Tally))
    assert (first.begun, first.open, first.recorded, first.final) == (1, 1, 0, False)
    assert store.last.open == 0


def test_the_last_row_is_signed_after_a_rest(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT, replace(QUICK, rest_s=0.0))
    writer.write(make_record(0))
    assert store.signed.wait(60)
    writer.close()


def test_a_writer_that_was_never_used_leaves_nothing_and_starts_no_thread(store: ScriptedStore) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT)
    assert writer._thread is None
    assert writer.flush(0)
    writer.close()
    assert (store.rows, store.closed) == ([], 1)


def test_a_writer_that_begins_anew_leaves_what_waits_to_the_other_process(
    store: ScriptedStore, make_record: Make
) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT, QUICK)
    keep_busy(store, writer, make_record(0))
    writer.write(make_record(1))
    writer.reset()
    assert writer.flush(0)
    store.gate.set()
    writer.write(make_record(2))
    writer.close()
    opened = [entry for entry in store.entries if isinstance(entry, Opened)]
    assert encode(make_record(2)) in store.records
    assert len({entry.session for entry in opened}) == len(opened)


def test_many_threads_lose_nothing(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.REQUIRED, replace(QUICK, limit=64))

    def work(start: int) -> None:
        for number in range(start, start + 25):
            writer.begin(intent(make_record(number)))
            writer.write(make_record(number))

    threads = [threading.Thread(target=work, args=(100 * index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    assert len(set(store.records)) == len(store.records) == 200
    assert (store.last.begun, store.last.open, store.last.recorded) == (200, 0, 200)


@pytest.mark.parametrize("mode", AuditMode)
def test_a_session_ends_even_if_no_record_was_ever_written(
    store: ScriptedStore, make_record: Make, mode: AuditMode
) -> None:
    writer = Writer(store, mode)
    writer.begin(intent(make_record(0)))
    writer.close()
    assert (store.last.begun, store.last.open, store.last.recorded) == (1, 1, 0)
    assert store.closed == 1


def test_where_no_thread_can_be_started_any_more_all_is_written_when_it_is_closed(
    store: ScriptedStore, make_record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    writer = Writer(store, AuditMode.BEST_EFFORT, replace(QUICK, batch=2))
    for number in range(4):
        writer.write(make_record(number))
    writer.close()
    assert store.records == [encode(make_record(number)) for number in range(4)]
    assert store.last.recorded == 4


def test_nobody_goes_on_before_the_log_has_heard_of_the_session(store: ScriptedStore, make_record: Make) -> None:
    writer = Writer(store, AuditMode.BEST_EFFORT)
    store.gate.clear()
    done: list[int] = []

    def work(number: int) -> None:
        writer.begin(intent(make_record(number)))
        done.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    assert store.busy.wait(60)
    assert done == []
    store.gate.set()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 1, 2, 3]
    writer.close()
    assert isinstance(store.entries[0], Opened)
