"""What every store promises: order, keys, checkpoints, erasure, exports, and that no change passes."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.audit.background import BackgroundSink
from privguard.audit.checkpoints import Notary
from privguard.audit.codec import encode
from privguard.audit.erasing import Erasure
from privguard.audit.export import write_export
from privguard.audit.jsonl import JsonlSink
from privguard.audit.postgres import PostgresSink
from privguard.audit.read import open_log, read_records, verify_file
from privguard.audit.report.counts import Counts
from privguard.audit.sinks import open_sink, open_store
from privguard.audit.sqlite import SqliteSink
from privguard.core.audit import AuditMode, AuditRecord, Intent
from privguard.core.errors import AuditError
from tests.audit.chains import FakeSigner, request_ids
from tests.postgres import Server, execute

KEY = b"an invented audit key"
EXAMPLES = 40
Make = Callable[..., AuditRecord]
Store = SqliteSink | JsonlSink | PostgresSink


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a log is kept, and how somebody changes its lines who may write there."""

    spec: str
    kind: type[Store]

    def open(self, *, key: bytes | None = None, every: int = 1000) -> Store:
        """Open it with checkpoints."""
        return self.kind(self.spec, key=key, notary=Notary(FakeSigner(), every=every))

    def lines(self) -> list[str]:
        """Return the lines of the rows."""
        if self.kind is JsonlSink:
            return Path(self.spec).read_text(encoding="utf-8").splitlines()
        with self._run() as run:
            return [str(line) for _, line in run(f"SELECT seq, line FROM {self._table} ORDER BY seq")]  # noqa: S608 - our own name

    def put(self, lines: Sequence[tuple[int, str]]) -> None:
        """Write other lines, under these numbers where the place has numbers."""
        if self.kind is JsonlSink:
            Path(self.spec).write_text("".join(f"{line}\n" for _, line in lines), encoding="utf-8")
            return
        with self._run() as run:
            values = ", ".join(f"({seq}, '{line}')" for seq, line in lines)
            run(f"DELETE FROM {self._table}")  # noqa: S608 - our own name
            if lines:
                run(f"INSERT INTO {self._table} (seq, line) VALUES {values}")  # noqa: S608 - our own lines

    @property
    def _table(self) -> str:
        return "rows" if self.kind is SqliteSink else "privguard_audit_rows"

    @contextmanager
    def _run(self) -> Iterator[Callable[[str], list[tuple[object, ...]]]]:
        if self.kind is PostgresSink:
            yield lambda statement: execute(self.spec, statement)
            return
        with closing(sqlite3.connect(self.spec, isolation_level=None)) as connection:
            yield lambda statement: connection.execute(statement).fetchall()


@pytest.fixture(params=["sqlite", "jsonl", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "postgres":
        return Place(spec=request.getfixturevalue("database"), kind=PostgresSink)
    kind: type[Store] = SqliteSink if request.param == "sqlite" else JsonlSink
    return Place(spec=str(tmp_path / f"audit.{request.param}"), kind=kind)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_what_was_written_is_read_verified_exported_and_counted_alike(
    place: Place, make_record: Make, tmp_path: Path, key: bytes | None
) -> None:
    written = [make_record(number) for number in range(9)]
    for half in (written[:4], written[4:]):
        store = place.open(key=key, every=3)
        store.append([encode(record) for record in half])
        store.close()
    assert list(read_records(place.spec)) == written
    with open_log(place.spec) as log, (tmp_path / "export").open("wb") as out:
        write_export(log, out)
    verdicts = [verify_file(spec, key, public_keys=[FakeSigner()]) for spec in (place.spec, tmp_path / "export")]
    assert verdicts[0] == verdicts[1]
    assert (verdicts[0].faults, verdicts[0].notes, verdicts[0].records) == ((), (), 9)
    assert verdicts[0].signed is not None
    with open_log(place.spec) as log:
        counts = Counts()
        assert len(list(counts.watch(log.rows))) == 10
    assert counts.requests == 9
    with pytest.raises(AuditError, match="key"):
        place.open(key=KEY + b"!")


def test_an_erased_request_is_gone_and_the_chain_holds(place: Place, make_record: Make) -> None:
    store = place.open(every=2)
    for number in range(6):
        store.write(replace(make_record(number), request_id=f"canary{number}"))
    assert store.erase(Erasure(request="canary3")) == 1
    moment = datetime(2031, 4, 5, 6, 7, 2, tzinfo=UTC)
    assert store.erase(Erasure(before=moment)) == 2
    store.write(make_record(9))
    store.close()
    held = "\n".join(place.lines())
    assert [number for number in range(6) if f"canary{number}" in held] == [2, 4, 5]
    verdict = verify_file(place.spec, public_keys=[FakeSigner()])
    assert (verdict.faults, verdict.notes, verdict.records, verdict.erased) == ((), (), 4, 3)


def test_several_writers_share_one_chain(place: Place, make_record: Make) -> None:
    stores = [place.open(every=5) for _ in range(3)]

    def work(index: int) -> None:
        for number in range(8):
            stores[index].write(make_record(100 * index + number))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close()
    verdict = verify_file(place.spec, public_keys=[FakeSigner()])
    assert (verdict.faults, verdict.records) == ((), 24)


def test_a_required_request_is_in_the_log_before_it_leaves(place: Place, make_record: Make) -> None:
    record = make_record()
    sink = open_sink(place.spec, mode="required")
    assert isinstance(sink, BackgroundSink)
    assert sink.mode is AuditMode.REQUIRED
    sink.begin(Intent(request_id=record.request_id, at=record.at, route=record.route, target=record.target))
    assert any('"entry":"begun"' in line for line in place.lines())
    sink.write(record)
    sink.close()
    verdict = verify_file(place.spec)
    assert (verdict.faults, verdict.notes, verdict.records) == ((), (), 1)


@pytest.mark.parametrize("kept", [0, 1, -1], ids=["none", "first", "all but the last"])
def test_where_rows_were_removed_meanwhile_no_required_request_leaves(
    place: Place, make_record: Make, kept: int
) -> None:
    record = make_record()
    sink = open_sink(place.spec, mode="required")
    assert isinstance(sink, BackgroundSink)
    intent = Intent(request_id=record.request_id, at=record.at, route=record.route, target=record.target)
    sink.begin(intent)
    lines = place.lines()[:kept]
    place.put(list(enumerate(lines)))
    with pytest.raises(AuditError, match="privguard audit verify"):
        sink.begin(replace(intent, request_id="another"))
    assert place.lines() == lines
    with suppress(AuditError):
        sink.close()


def test_no_content_is_in_a_line_or_an_export(
    place: Place, hostile_record: AuditRecord, find_marks: Callable[[bytes | str], list[str]], tmp_path: Path
) -> None:
    store = open_store(place.spec)
    store.write(hostile_record)
    store.close()
    with open_log(place.spec) as log, (tmp_path / "export").open("wb") as out:
        assert write_export(log, out) == 2
    assert find_marks("".join(place.lines())) == find_marks((tmp_path / "export").read_bytes()) == []


@pytest.fixture(scope="module", params=["sqlite", "jsonl", "postgres"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, list[str]]:
    """Return a log whose lines are changed, and how they were."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        execute(server.url(), "CREATE SCHEMA filled")
        place = Place(spec=server.url("filled"), kind=PostgresSink)
    else:
        kind: type[Store] = SqliteSink if request.param == "sqlite" else JsonlSink
        place = Place(spec=str(tmp_path_factory.mktemp("filled") / f"audit.{request.param}"), kind=kind)
    store = place.open()
    store.append([b'{"at":"2031-04-05T06:07:08Z","request_id":"r%d","v":2}' % number for number in range(9)])
    store.erase(Erasure(request="r3"))
    store.close()
    return place, place.lines()


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_a_change_of_any_row_is_found_whichever_it_is(filled: tuple[Place, list[str]], data: st.DataObject) -> None:
    place, lines = filled
    seq = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[seq]) - 1))
    sign = data.draw(st.sampled_from('0aZ}"? ').filter(lambda sign: sign != lines[seq][at]))
    changed = [*lines]
    changed[seq] = lines[seq][:at] + sign + lines[seq][at + 1 :]
    place.put(list(enumerate(changed)))
    assert not verify_file(place.spec, public_keys=[FakeSigner()]).ok


@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_rows_that_are_gone_moved_doubled_or_cut_off_are_found(
    filled: tuple[Place, list[str]], data: st.DataObject
) -> None:
    place, lines = filled
    numbered = list(enumerate(lines))
    some = st.integers(0, len(lines) - 1)
    match data.draw(st.sampled_from(["removed", "moved", "doubled", "cut"])):
        case "removed":
            del numbered[data.draw(some)]
        case "moved":
            first, second = data.draw(st.lists(some, min_size=2, max_size=2, unique=True))
            numbered[first], numbered[second] = (first, lines[second]), (second, lines[first])
        case "doubled":
            numbered.append((len(lines), lines[data.draw(some)]))
        case "cut":
            del numbered[data.draw(some) :]
    place.put(numbered)
    assert not verify_file(place.spec).ok


def test_the_lines_as_they_were_are_no_fault(filled: tuple[Place, list[str]]) -> None:
    place, lines = filled
    place.put(list(enumerate(lines)))
    assert verify_file(place.spec, public_keys=[FakeSigner()]).ok


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_goes_on_by_itself(place: Place, make_record: Make) -> None:
    sink = place.kind(place.spec)
    sink.write(make_record(1))
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sink.write(make_record(2))
            sink.close()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    sink.write(make_record(3))
    sink.close()
    assert verify_file(place.spec).ok
    assert request_ids(place.spec) == ["r0001", "r0002", "r0003"]
