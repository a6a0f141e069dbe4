"""What a report costs: its time, and its memory for a short log and for a long one.

python -m benchmarks.audit.report                       a minute
python -m benchmarks.audit.report --records 1000000     some minutes, and 4 GB of disk
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.audit.records import Bodies
from privguard.audit.sinks import open_store

BATCH = 500  # rows that are written together
SHORT = 10_000  # records
BAR_MIB = 8.0  # more than for the short log

_REPORT = """
import resource, sys, time
from datetime import UTC, datetime
from privguard.audit.read import open_log
from privguard.audit.report.gather import gather
from privguard.audit.report.page import page
started = time.perf_counter()
with open_log(sys.argv[1]) as log:
    found = gather(log)
made = page(found, datetime.now(UTC))
assert found.verdict.ok
print(found.counts.requests, time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One report, made in a process of its own."""

    records: int
    seconds: float
    peak_mib: float  # of resident memory


def measure(path: Path, count: int) -> Cost:
    """Write a log of records with ten decisions and ten events, over a year and two models, and report it."""
    bodies = Bodies()
    with closing(open_store(path)) as store:
        for start in range(0, count, BATCH):
            store.append([_varied(bodies.body(number), number) for number in range(start, min(start + BATCH, count))])
    done = subprocess.run([sys.executable, "-c", _REPORT, str(path)], check=True, capture_output=True, text=True)
    requests, seconds, peak = done.stdout.split()
    assert int(requests) == count
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return Cost(records=count, seconds=float(seconds), peak_mib=int(peak) / unit)


def _varied(body: bytes, number: int) -> bytes:
    day = b"2031-%02d-%02dT" % (1 + number % 12, 1 + number // 12 % 28)
    return body.replace(b"2031-04-05T", day).replace(b"gpt-5-mini", b"gpt-5-mini" if number % 3 else b"gpt-5")


def report(costs: Sequence[Cost]) -> None:
    """Print a line for each report."""
    for cost in costs:
        more = cost.peak_mib - costs[0].peak_mib
        met = "" if more <= BAR_MIB else f", {more:.1f} MiB more than the short log: above the bar of {BAR_MIB}"
        rate = cost.records / cost.seconds
        print(
            f"{cost.records:,} records: {cost.seconds:.1f} s, {rate:,.0f} a second, peak {cost.peak_mib:.1f} MiB{met}"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=50_000, help="records of the long log")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        costs = []
        for count in sorted({min(SHORT, options.records), options.records}):
            path = Path(directory) / f"report-{count}.jsonl"
            costs.append(measure(path, count))
            path.unlink()
    report(costs)


if __name__ == "__main__":
    main()
