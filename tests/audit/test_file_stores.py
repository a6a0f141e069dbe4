"""What both stores in files promise beside what every store does: nothing half, signatures, and erasure in place."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from privguard.audit.checkpoints import Notary
from privguard.audit.codec import encode
from privguard.audit.entries import Erased, decode_entry
from privguard.audit.erasing import Erasure
from privguard.audit.faults import Fault, FaultKind
from privguard.audit.jsonl import JsonlSink
from privguard.audit.read import open_log, read_records, read_rows, verify_file
from privguard.audit.sqlite import SqliteSink
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from tests.audit.chains import FakeSigner, request_ids

KEY = b"an invented audit key"
Make = Callable[..., AuditRecord]
Kind = SqliteSink | JsonlSink


@pytest.fixture(params=[SqliteSink, JsonlSink], ids=["sqlite", "jsonl"])
def kind(request: pytest.FixtureRequest) -> type[Kind]:
    chosen: type[Kind] = request.param
    return chosen


@pytest.fixture
def path(kind: type[Kind], tmp_path: Path) -> Path:
    return tmp_path / ("audit.sqlite" if kind is SqliteSink else "audit.jsonl")


def test_bodies_are_appended_all_or_none(kind: type[Kind], path: Path, make_record: Make) -> None:
    sink = kind(path)
    sink.append([encode(make_record(number)) for number in range(150)])
    sink.append([])
    broken: Any = [encode(make_record(150)), None]
    with pytest.raises(TypeError):
        sink.append(broken)
    sink.close()
    assert request_ids(path) == [f"r{number:04d}" for number in range(150)]
    assert verify_file(path).ok


def test_checkpoints_are_signed_every_so_many_rows_and_at_the_end(
    kind: type[Kind], path: Path, make_record: Make
) -> None:
    signer = FakeSigner()
    for start in (0, 7):
        sink = kind(path, notary=Notary(signer, every=3))
        for number in range(start, start + 7):
            sink.write(make_record(number))
        sink.close()
        sink.close()
    with open_log(path) as log:
        assert [each.seq for each in log.checkpoints] == [3, 6, 7, 10, 13, 14]
    verdict = verify_file(path, public_keys=[signer])
    assert (verdict.ok, verdict.signed and verdict.signed.seq) == (True, 14)


def test_the_end_is_signed_once_and_told_without_a_key(kind: type[Kind], path: Path, make_record: Make) -> None:
    plain = kind(path)
    assert plain.sign() is None
    signing = kind(path, notary=Notary(FakeSigner()))
    signing.write(make_record(1))
    first = signing.sign()
    assert first is not None
    assert first.seq == 1
    assert signing.sign() == first == plain.sign()
    plain.write(make_record(2))
    plain.close()
    signing.close()
    with open_log(path) as log:
        assert [each.seq for each in log.checkpoints] == [1, 2]


def test_two_writers_sign_one_chain(kind: type[Kind], path: Path, make_record: Make) -> None:
    signer = FakeSigner()
    sinks = [kind(path, notary=Notary(signer, every=4)) for _ in range(2)]
    for number in range(10):
        sinks[number % 2].write(make_record(number))
    for sink in sinks:
        sink.close()
    with open_log(path) as log:
        found = [each.seq for each in log.checkpoints]
    assert found == sorted(set(found))
    assert verify_file(path, public_keys=[signer]).ok


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_nothing_of_what_was_erased_is_left_in_the_files(
    kind: type[Kind], path: Path, tmp_path: Path, make_record: Make, key: bytes | None
) -> None:
    sink = kind(path, key=key, notary=Notary(FakeSigner(), every=5))
    names = [f"canary{number:03d}" for number in range(120)]
    for name in names:
        sink.write(replace(make_record(), request_id=name))
    gone = [names[0], names[17], names[118]]
    for name in gone:
        assert sink.erase(Erasure(request=name)) == 1
        assert sink.erase(Erasure(request=name)) == 0
    sink.write(make_record(1))
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    sink.close()
    assert [name for name in names if name.encode() not in held] == gone
    verdict = verify_file(path, key, public_keys=[FakeSigner()])
    assert (verdict.faults, verdict.notes, verdict.records, verdict.erased) == ((), (), 118, 3)


def test_all_before_a_time_is_erased_and_the_log_goes_on(kind: type[Kind], path: Path, make_record: Make) -> None:
    sink, other = kind(path), kind(path)
    for number in range(12):
        sink.write(make_record(number))
    moment = datetime(2031, 4, 5, 6, 7, 7, tzinfo=UTC)
    assert sink.erase(Erasure(before=moment), datetime(2031, 5, 1, tzinfo=UTC)) == 7
    other.write(make_record(50))
    sink.write(make_record(51))
    for each in (sink, other):
        each.close()
    assert [record.request_id for record in read_records(path)] == [
        *(f"r{number:04d}" for number in range(7, 12)),
        "r0050",
        "r0051",
    ]
    verdict = verify_file(path)
    assert (verdict.faults, verdict.notes, verdict.erased) == ((), (), 7)
    entries = [decode_entry(row.body) for row in read_rows(path) if row is not None and row.body]
    assert [entry.rows for entry in entries if isinstance(entry, Erased)] == [((1, 7),)]


def test_a_log_that_does_not_verify_is_not_erased(kind: type[Kind], path: Path, make_record: Make) -> None:
    sink = kind(path)
    for number in range(3):
        sink.write(replace(make_record(number), target=f"unique{number}"))
    sink.close()
    path.write_bytes(path.read_bytes().replace(b"unique1", b"unique8"))
    before = path.read_bytes()
    sink = kind(path)
    with pytest.raises(AuditError, match="do not verify"):
        sink.erase(Erasure(before=datetime(2099, 1, 1, tzinfo=UTC)))
    sink.close()
    assert b"unique8" in path.read_bytes()
    assert verify_file(path).faults == (Fault(kind=FaultKind.CHANGED, first=2, last=2),)
    assert len(path.read_bytes()) == len(before)
