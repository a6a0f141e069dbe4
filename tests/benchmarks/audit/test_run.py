"""What a record costs is measured as it says."""

from pathlib import Path

import pytest

from benchmarks.audit.records import Bodies, make_record
from benchmarks.audit.run import measure_verify, measure_write, report
from privguard.audit.codec import encode
from privguard.audit.read import verify_file
from privguard.core.audit import AuditMode


def test_a_body_that_was_filled_in_is_the_one_that_would_have_been_encoded() -> None:
    bodies = Bodies()
    assert all(bodies.body(number) == encode(make_record(number)) for number in (0, 1, 10**9))


@pytest.mark.parametrize("mode", AuditMode)
def test_the_caller_is_timed_for_every_request(tmp_path: Path, mode: AuditMode) -> None:
    found = measure_write(tmp_path / "a.jsonl", mode, 20, 0.0)
    assert (found.format, found.mode, found.n) == ("jsonl", mode.value, 20)
    assert 0 < found.p50_ms <= found.p95_ms <= found.p99_ms
    assert verify_file(tmp_path / "a.jsonl").records == 20


@pytest.mark.parametrize("suffix", ["sqlite", "jsonl"])
def test_a_log_is_verified_in_a_process_of_its_own(
    tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = measure_verify(tmp_path / f"a.{suffix}", 30)
    assert (found.format, found.records) == (suffix, 30)
    assert min(found.records_per_s, found.records_per_cpu_s, found.peak_mib, found.bytes_a_record) > 0
    report([], [found])
    assert capsys.readouterr().out.startswith(f"{suffix}: 30 records of ")
