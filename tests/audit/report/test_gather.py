"""A log is read once, verified as a whole, and counted for a period."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from privguard.audit.checkpoints import Notary
from privguard.audit.jsonl import JsonlSink
from privguard.audit.read import Log, open_log, verify_file
from privguard.audit.report.counts import Period
from privguard.audit.report.gather import Report, gather
from privguard.audit.sqlite import SqliteSink
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError
from tests.audit.chains import FakeSigner, mixed

KEY = b"an invented audit key"
Make = Callable[..., AuditRecord]


@pytest.mark.parametrize(("kind", "name"), [(SqliteSink, "a.sqlite"), (JsonlSink, "a.jsonl")], ids=["sqlite", "jsonl"])
def test_the_verdict_is_that_of_verify_and_the_figures_are_those_of_the_period(
    tmp_path: Path, make_record: Make, kind: type[SqliteSink] | type[JsonlSink], name: str
) -> None:
    sink = kind(tmp_path / name, key=KEY, notary=Notary(FakeSigner(), every=2))
    for day in range(1, 6):
        sink.write(replace(make_record(day), at=f"2031-04-0{day}T00:00:00Z"))
    sink.close()
    period = Period(since=date(2031, 4, 2), until=date(2031, 4, 4))
    with open_log(tmp_path / name) as log:
        report = gather(log, period, key=KEY, public_keys=[FakeSigner()])
    assert report.verdict == verify_file(tmp_path / name, KEY, public_keys=[FakeSigner()])
    assert (report.counts.requests, report.verdict.records) == (3, 5)
    assert report.newest == report.verdict.signed
    assert report.newest is not None
    assert (report.newest.seq, report.newest.chain, report.is_keyed) == (5, report.chain_id, True)
    with open_log(tmp_path / name) as log, pytest.raises(AuditError, match="key"):
        gather(log)


def test_a_log_with_faults_is_counted_all_the_same(tmp_path: Path, make_record: Make) -> None:
    path = tmp_path / "a.jsonl"
    sink = JsonlSink(path)
    for number in range(4):
        sink.write(make_record(number))
    sink.close()
    path.write_bytes(path.read_bytes().replace(b"REDACT", b"RETAIN", 1) + b"Ada Roth\n")
    with open_log(path) as log:
        report = gather(log)
    assert not report.verdict.ok
    assert (report.counts.requests, report.counts.unreadable, report.is_keyed) == (4, 1, False)


def test_an_empty_log_gives_an_empty_report() -> None:
    report = gather(Log(head=None, rows=iter(()), lag=0))
    assert isinstance(report, Report)
    assert (report.chain_id, report.newest, report.counts.requests, report.verdict.ok) == ("", None, 0, False)


def test_what_is_no_record_is_in_no_figure() -> None:
    chain = mixed(60, 3)
    report = gather(Log(head=chain.head, rows=iter(chain.rows), lag=0, checkpoints=iter(chain.checkpoints)))
    assert report.verdict.ok
    assert report.counts.erased == report.verdict.erased
    assert report.newest == chain.checkpoints[-1]
