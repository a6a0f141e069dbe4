"""The exams that others wrote, in an environment of their own: `make exams`.

    python -m benchmarks.exams.run [--systems rules,small] [--oracle midpoint] [--out FOLDER]

`pii-leak-benchmark` drives a gateway: what reaches the model server, and what comes back. `chunk-invariance` cuts
streams. The exit code is 1 where something failed that is built.
"""

import argparse
import json
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp

from rich.console import Console
from rich.table import Table

from benchmarks.exams.chunks import check_chunks
from benchmarks.exams.leaks import check_replies, check_requests
from benchmarks.exams.scores import Score

PACKAGES = ("pii-leak-benchmark", "chunk-invariance")


def main() -> None:
    """Take the exams, print and keep the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default="rules,small")
    parser.add_argument("--oracle", default="midpoint")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    out = options.out or Path(mkdtemp(prefix="exams-"))
    out.mkdir(parents=True, exist_ok=True)
    scores = check_chunks()
    for system in options.systems.split(","):
        scores += check_requests(system, out)
        scores += check_replies(system, out, oracle=options.oracle)
    _print(scores, out)
    found = {"packages": {name: version(name) for name in PACKAGES}, "scores": [asdict(score) for score in scores]}
    (out / "scores.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if any(score.is_fault for score in scores):
        sys.exit(1)


def _print(scores: list[Score], out: Path) -> None:
    table = Table(title=", ".join(f"{name} {version(name)}" for name in PACKAGES), show_lines=True)
    for column in ("exam", "system", "score", ""):
        table.add_column(column, overflow="fold")
    for score in scores:
        verdict = "passed" if score.passed else f"waits for {score.waits_for}" if score.waits_for else "FAILED"
        table.add_row(score.exam, score.system, score.told, verdict)
    console = Console(width=140)
    console.print(table)
    console.print(f"Reports: {out}", soft_wrap=True)


if __name__ == "__main__":
    main()
