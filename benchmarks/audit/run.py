"""What a record costs to keep and to verify: both sinks, ten decisions a record."""

import argparse
import resource
import statistics
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from privguard.audit.read import verify_file
from privguard.audit.sinks import open_sink
from privguard.core.audit import AuditRecord, DecisionRecord, Event, Match, Outcome, RestoreEvent

DECISIONS = 10


def make_record(number: int) -> AuditRecord:
    """Return a record with ten decisions and ten events."""
    return AuditRecord(
        request_id=f"{number:016x}",
        at="2031-04-05T06:07:08.250000+00:00",
        route="chat.completions",
        target="gpt-5-mini",
        theta=1.25,
        target_provenance="published",
        profile_id="default:1f2e3d4c",
        artifact_ids=("rules/1", "need-table/1", "ladders/1"),
        outcome=Outcome.DONE,
        decisions=tuple(
            DecisionRecord(
                path=f"messages[{index}].content",
                kind="PERSON",
                source="rules/name",
                action="REDACT",
                reason="need",
                length=8 + index,
                p_survive=0.973,
                placeholder_id=f"7QK{2 + index % 8}",
            )
            for index in range(DECISIONS)
        ),
        events=tuple(
            RestoreEvent(
                event=Event.RESTORED,
                path="choices[0].message.content",
                placeholder_id=f"7QK{2 + index % 8}",
                kind="PERSON",
                match=Match.EXACT,
                count=1 + index,
            )
            for index in range(DECISIONS)
        ),
        stage_ms={"detect": 4.25, "need": 0.5, "render": 0.25, "restore": 0.125},
    )


def measure(path: Path, count: int, key: bytes | None) -> None:
    """Write `count` records to one log, verify it, and print a line for each."""
    sink = open_sink(path, key)
    times = []
    started = time.perf_counter()
    for number in range(count):
        record = make_record(number)
        before = time.perf_counter()
        sink.write(record)
        times.append(time.perf_counter() - before)
    wall = time.perf_counter() - started
    sink.close()
    cuts = statistics.quantiles(times, n=100)
    name = f"{path.suffix[1:]}{', keyed' if key else ''}"
    print(
        f"{name}: write p50 {1e6 * cuts[49]:.0f} us, p99 {1e6 * cuts[98]:.0f} us, {count / wall:,.0f} records/s, "
        f"{path.stat().st_size / count:,.0f} bytes a record (n = {count:,})"
    )
    best = min(timed_verify(path, key) for _ in range(3))
    tracemalloc.start()
    assert verify_file(path, key).ok
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"{name}: verify {count / best:,.0f} records/s (best of 3), peak {peak / 1024:,.0f} KiB of Python memory")


def timed_verify(path: Path, key: bytes | None) -> float:
    """Return the seconds of one verification."""
    started = time.perf_counter()
    assert verify_file(path, key).ok
    return time.perf_counter() - started


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    count = parser.parse_args().records
    with tempfile.TemporaryDirectory() as directory:
        for name in ("audit.sqlite", "audit.jsonl"):
            measure(Path(directory) / name, count, None)
        measure(Path(directory) / "keyed.sqlite", count, b"an invented audit key")
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    print(f"peak resident size {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit:,.0f} MiB")


if __name__ == "__main__":
    main()
