"""Score the shipped detectors against files of annotated spans.

    python benchmarks/detection/score.py --data DIR [--detector rules|default] [--limit N] [--latency]

Each `*.jsonl` or `*.jsonl.gz` below DIR holds rows `{"id", "text", "spans": [{"start", "end", "label" or "type"}]}`.
Recall counts the spans that are covered whole, leaving out white space; precision counts predicted spans that touch an
annotated one, over the rows that have annotations of every type (`--full` names their sources, by the row's `source`).
"""

import argparse
import gzip
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from privguard.core.protocols import Detector
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.composite import default_detector, rules_detector
from privguard.detect.merge import merge
from privguard.detect.spread import spread


@dataclass(slots=True)
class Tally:
    """Hits and trials, by label or source."""

    hits: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    trials: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, key: str, hit: bool) -> None:
        self.hits[key] += hit
        self.trials[key] += 1

    def show(self, title: str) -> None:
        total, hits = sum(self.trials.values()), sum(self.hits.values())
        print(f"{title}: {hits}/{total} = {hits / max(total, 1):.4f}")
        for key, count in sorted(self.trials.items(), key=lambda item: -item[1]):
            print(f"  {key:<14} {self.hits[key] / count:.3f}  n={count}")


def rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz")]):
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
            for row in map(json.loads, lines):
                if isinstance(row, dict) and "text" in row and "spans" in row:
                    yield {"source": path.name.split(".")[0], **row}


def predict(detector: Detector, text: str) -> tuple[Span, ...]:
    segments = [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)]
    return merge(spread(segments, detector.detect(segments))[0], text)


def score(detector: Detector, data: list[dict[str, Any]], full: set[str]) -> None:
    recall, by_source, precision, false = Tally(), Tally(), Tally(), Tally()
    clean = flagged = 0
    for row in data:
        text = row["text"]
        spans = predict(detector, text)
        covered, gold = bytearray(len(text)), bytearray(len(text))
        for span in spans:
            covered[span.start : span.end] = b"\1" * span.length
        for span in row["spans"]:
            start, end = span["start"], span["end"]
            gold[start:end] = b"\1" * (end - start)
            hit = all(covered[place] or text[place].isspace() for place in range(start, end))
            recall.add(span.get("label") or span["type"], hit)
            by_source.add(row["source"], hit)
        if row["source"] in full:
            for span in spans:
                precision.add(span.kind.value, any(gold[span.start : span.end]))
                false.add(span.source.split("/spread")[0], any(gold[span.start : span.end]))
            if not row["spans"]:
                clean, flagged = clean + 1, flagged + bool(spans)
    recall.show("whole-span recall by type")
    by_source.show("whole-span recall by source")
    precision.show("precision by predicted type")
    false.show("precision by rule")
    print(f"rows without annotation that were flagged: {flagged}/{clean}")


def latency(detector: Detector, data: list[dict[str, Any]]) -> None:
    text = "\n".join(row["text"] for row in data)[:400_000]
    for size in (84, 2_000, 8_000):
        pieces = [text[at : at + size] for at in range(0, len(text) - size, max(size, len(text) // 41))][:40]
        times = []
        for piece in pieces:
            segment = Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=piece)
            start = time.perf_counter()
            detector.detect([segment])
            times.append((time.perf_counter() - start) * 1000)
        print(f"{size:>6} characters: p50 {sorted(times)[len(times) // 2]:.2f} ms, n={len(times)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--detector", choices=("rules", "default"), default="default")
    parser.add_argument("--full", nargs="*", default=["authored", "train", "tab"])
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--latency", action="store_true")
    arguments = parser.parse_args()
    detector = rules_detector() if arguments.detector == "rules" else default_detector()
    data = list(rows(arguments.data))
    data = data[:: max(1, len(data) // arguments.limit)] if arguments.limit else data
    if arguments.latency:
        latency(detector, data)
    else:
        score(detector, data, set(arguments.full))


if __name__ == "__main__":
    main()
