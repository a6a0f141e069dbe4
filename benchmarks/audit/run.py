"""What a record costs: the time of the caller, in both modes and formats; and verifying, with its memory.

python -m benchmarks.audit.run                          a minute
python -m benchmarks.audit.run --records 1000000        some minutes, and 4 GB of disk for each format
"""

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.audit.records import Bodies, make_intent, make_record
from privguard.audit.background import BackgroundSink
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode

BATCH = 500  # rows that are written together where only verifying is measured
REPEATS = 3
BAR_MS = 0.3  # of the caller, at the median
BAR_RATE = 50_000  # records a second

_VERIFY = """
import resource, sys, time
from privguard.audit.read import verify_file
times, cpu = [], []
for _ in range(int(sys.argv[2])):
    started, used = time.perf_counter(), time.process_time()
    verdict = verify_file(sys.argv[1])
    times.append(time.perf_counter() - started)
    cpu.append(time.process_time() - used)
    assert verdict.ok
print(verdict.records, min(times), min(cpu), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Times of the caller for one request: to say that it begins, and to hand its record over."""

    format: str
    mode: str
    n: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """How fast a log is verified, in a process of its own."""

    format: str
    records: int
    bytes_a_record: float
    records_per_s: float  # by the clock, the best of some runs
    records_per_cpu_s: float
    peak_mib: float  # of resident memory


def measure_write(path: Path, mode: AuditMode, count: int, gap_s: float) -> Write:
    """Time the caller of a sink that gets one request after another, `gap_s` apart."""
    times = []
    with closing(BackgroundSink(open_store(path), mode)) as sink:
        for number in range(count):
            record = make_record(number)
            intent = make_intent(record)
            started = time.perf_counter()
            sink.begin(intent)
            sink.write(record)
            times.append(1000 * (time.perf_counter() - started))
            time.sleep(gap_s)
    cuts = statistics.quantiles(times, n=100)
    return Write(format=path.suffix[1:], mode=mode.value, n=count, p50_ms=cuts[49], p95_ms=cuts[94], p99_ms=cuts[98])


def measure_verify(path: Path, count: int) -> Verify:
    """Write a log and verify it."""
    bodies = Bodies()
    with closing(open_store(path)) as store:
        for start in range(0, count, BATCH):
            store.append([bodies.body(number) for number in range(start, min(start + BATCH, count))])
    done = subprocess.run(
        [sys.executable, "-c", _VERIFY, str(path), str(REPEATS)], check=True, capture_output=True, text=True
    )
    records, best_s, cpu_s, peak = done.stdout.split()
    assert int(records) == count
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return Verify(
        format=path.suffix[1:],
        records=count,
        bytes_a_record=path.stat().st_size / count,
        records_per_s=count / float(best_s),
        records_per_cpu_s=count / float(cpu_s),
        peak_mib=int(peak) / unit,
    )


def report(writes: Sequence[Write], verifies: Sequence[Verify]) -> None:
    """Print a line for each figure."""
    for each in writes:
        met = "" if each.p50_ms <= BAR_MS else f", above the bar of {BAR_MS} ms"
        print(
            f"{each.format}, {each.mode}: a request costs its caller p50 {each.p50_ms:.3f} ms, p95 {each.p95_ms:.3f}, "
            f"p99 {each.p99_ms:.3f} (n = {each.n:,}){met}"
        )
    for done in verifies:
        met = "" if done.records_per_s >= BAR_RATE else f", below the bar of {BAR_RATE:,}"
        print(
            f"{done.format}: {done.records:,} records of {done.bytes_a_record:,.0f} bytes verified at "
            f"{done.records_per_s:,.0f} a second ({done.records_per_cpu_s:,.0f} a second of processor time), "
            f"peak {done.peak_mib:.1f} MiB{met}"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20_000, help="records of the logs that are verified")
    parser.add_argument("--requests", type=int, default=2_000, help="requests whose caller is timed")
    parser.add_argument("--gap-ms", type=float, default=2.0, help="between two requests")
    parser.add_argument("--out", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        writes = [
            measure_write(folder / f"{mode.value}.{suffix}", mode, options.requests, options.gap_ms / 1000)
            for suffix in ("sqlite", "jsonl")
            for mode in (AuditMode.BEST_EFFORT, AuditMode.REQUIRED)
        ]
        verifies = []
        for suffix in ("sqlite", "jsonl"):
            for count in sorted({min(10_000, options.records), options.records}):
                path = folder / f"verify-{count}.{suffix}"
                verifies.append(measure_verify(path, count))
                for file in folder.glob(f"{path.name}*"):
                    file.unlink()
    report(writes, verifies)
    if options.out is not None:
        versions = {"python": platform.python_version(), "platform": platform.platform()}
        figures = {"write": [asdict(each) for each in writes], "verify": [asdict(each) for each in verifies]}
        options.out.write_text(json.dumps({**versions, **figures}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
