"""How long a request takes and what it keeps in memory, beside a peer on the same texts in the same run.

    python -m benchmarks.latency.run [--systems default,rules] [--model NAME|FOLDER ...] [--peer presidio-sm]
        [--quick] [--out FILE.json] [--markdown FILE.md]

Everything runs on one core, warm. The texts are invented and do not repeat, so that no memory of earlier requests
helps, but for those of 84 characters, most of which are one of a few sentences.
A request of ours is the whole of it: detection, need, plan and rendering; a peer is timed inside its own process around
detection alone, without transport.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.detection.report import markdown
from benchmarks.fresh import fresh_env
from benchmarks.guards import build_guard, build_rules_guard
from benchmarks.latency.texts import SIZES, make_text
from benchmarks.latency.timing import Long, Times, Whole, measure_long, measure_turns, measure_whole, warm
from benchmarks.peers.catalogue import PEERS
from benchmarks.peers.client import start
from benchmarks.peers.serving import one_thread
from benchmarks.startup.run import best_ms
from benchmarks.systems import names_of
from privguard.core.errors import ConfigError

SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Everything that is measured of one system of ours."""

    version: str
    whole: Mapping[int, Whole]
    turns: Sequence[Times]
    long: Sequence[Long]
    memory: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return every figure."""
        return {
            "version": self.version,
            "begin": {
                str(size): one.whole.as_json()
                | {"stages_p50_ms": {stage: round(times.p50, 3) for stage, times in one.stages.items()}}
                for size, one in self.whole.items()
            },
            "turns": [times.as_json() for times in self.turns],
            "long": [
                {"characters": one.characters, "ms": round(one.ms, 1), "last_name_found": one.last_found}
                for one in self.long
            ],
            "memory": dict(self.memory),
        }


def measure(name: str, texts: Mapping[int, Sequence[str]], *, quick: bool) -> Figures:
    """Measure one system of ours."""
    rng = Random(SEED + 1)
    model = name.removeprefix("model:") if name.startswith("model:") else None
    guard = build_rules_guard() if name == "rules" else build_guard(model)
    warm(guard, rng)
    whole = {size: measure_whole(guard, each) for size, each in texts.items()}
    turns = measure_turns(guard, rng, 3 if quick else 12)
    return Figures(
        version=f"{guard.parts.detector.id} | {guard.parts.need.id}",
        whole=whole,
        turns=turns,
        long=[] if quick else measure_long(guard, rng),
        memory=memory_of(name, model, prompts=2_000 if quick else 20_000),
    )


def memory_of(name: str, model: str | None, *, prompts: int) -> dict[str, Any]:
    """Return what a fresh process says of load time and memory; its load time is the best of three."""
    command = [sys.executable, "-m", "benchmarks.latency.memory", *(["--rules"] if name == "rules" else [])]
    command += ["--model", model] if model is not None else []
    # The first one may have to compile.
    runs = [_memory_run([*command, "--prompts", str(number)]) for number in (0, 0, prompts)]
    return runs[-1] | {"load_s": min(run["load_s"] for run in runs), "first_ms": min(run["first_ms"] for run in runs)}


def measure_peer(name: str, texts: Mapping[int, Sequence[str]]) -> tuple[str, dict[int, Times]]:
    """Time a peer on the same texts."""
    with start(name) as peer:
        for size in SIZES:
            peer.ask(make_text(Random(SEED + 2), size))
        times = {
            size: Times(ms=tuple(answer.ms[0] for answer in map(peer.ask, each) if not answer.failed))
            for size, each in texts.items()
        }
        return peer.version, times


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    options = _parser().parse_args(arguments)
    one_thread()
    rng = Random(SEED)
    texts = {size: [make_text(rng, size) for _ in range(options.texts)] for size in SIZES}
    try:
        names = names_of([name for name in options.systems.split(",") if name], options.model)
        peers = {name: measure_peer(name, texts) for name in options.peer.split(",") if name}
        ours = {name: measure(name, texts, quick=options.quick) for name in names if name not in PEERS}
    except ConfigError as error:
        sys.exit(str(error))
    imported = best_ms("import privguard", 5) - best_ms("pass", 5)
    tables = [_begin_table(ours, peers), _stage_table(ours), _turn_table(ours), _memory_table(ours), _long_table(ours)]
    console = Console(width=160) if not sys.stdout.isatty() else Console()
    for table in tables:
        console.print(table)
    console.print(f"import privguard: {imported:.1f} ms over bare Python")
    if options.markdown is not None:
        options.markdown.write_text("\n".join(map(markdown, tables)), encoding="utf-8")
    if options.out is not None:
        figures = {
            "setting": {"seed": SEED, "texts": options.texts, "python": sys.version, "machine": platform.machine()}
            | {"cores": os.cpu_count(), "load_1min": _load()},
            "ours": {name: one.as_json() for name, one in ours.items()},
            "peers": {
                name: {"version": version, "detect": {str(size): one.as_json() for size, one in times.items()}}
                for name, (version, times) in peers.items()
            },
            "import_ms": round(imported, 1),
        }
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _memory_run(command: Sequence[str]) -> dict[str, Any]:
    answer = subprocess.run(command, check=True, capture_output=True, text=True, env=fresh_env())
    figures: dict[str, Any] = json.loads(answer.stdout)
    return figures


def _load() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _begin_table(ours: Mapping[str, Figures], peers: Mapping[str, tuple[str, Mapping[int, Times]]]) -> Table:
    table = _table("whole request, p50 / p95 in ms", "system", *(f"{size:,} characters" for size in SIZES))
    rows = {name: {size: each.whole for size, each in one.whole.items()} for name, one in ours.items()}
    for name, row in (rows | {name: dict(times) for name, (_, times) in peers.items()}).items():
        table.add_row(name, *(f"{row[size].p50:.2f} / {row[size].p95:.2f}" for size in SIZES))
    for peer, (_, times) in peers.items():
        for name, row in rows.items():
            table.add_row(f"{peer} over {name}", *(f"{times[size].p50 / row[size].p50:.1f} times" for size in SIZES))
    return table


def _stage_table(ours: Mapping[str, Figures]) -> Table:
    table = _table("stages, p50 in ms", "system, stage", *(f"{size:,} characters" for size in SIZES))
    for name, one in ours.items():
        for stage in next(iter(one.whole.values())).stages:
            table.add_row(f"{name}, {stage}", *(f"{one.whole[size].stages[stage].p50:.2f}" for size in SIZES))
    return table


def _turn_table(ours: Mapping[str, Figures]) -> Table:
    turns = range(1, 1 + max((len(one.turns) for one in ours.values()), default=0))
    table = _table("conversation, p50 in ms by turn", "system", *map(str, turns), "last / first")
    for name, one in ours.items():
        table.add_row(name, *(f"{each.p50:.1f}" for each in one.turns), f"{one.turns[-1].p50 / one.turns[0].p50:.2f}")
    return table


def _memory_table(ours: Mapping[str, Figures]) -> Table:
    columns = (
        "load, s",
        "first, ms",
        "RSS bare",
        "loaded",
        "warm",
        "first 1,000",
        "last",
        "growth per 1,000",
        "added in all, MB",
    )
    table = _table("load time and memory", "system", *columns)
    for name, one in ours.items():
        figures = one.memory
        curve = figures["every_1000_mb"]
        table.add_row(
            name,
            f"{figures['load_s']:.2f}",
            f"{figures['first_ms']:.0f}",
            *(f"{figures[key]:.0f}" for key in ("bare_mb", "loaded_mb", "warm_mb")),
            f"{curve[0]:.0f}",
            f"{curve[-1]:.0f}",
            f"{growth(curve):+.2f}",
            f"{curve[-1] - figures['bare_mb']:.0f}",
        )
    return table


def _long_table(ours: Mapping[str, Figures]) -> Table:
    table = _table("long texts", "system", "characters", "ms", "us a character", "last name found")
    for name, one in ours.items():
        for each in one.long:
            cost = 1000 * each.ms / each.characters
            table.add_row(name, f"{each.characters:,}", f"{each.ms:.0f}", f"{cost:.2f}", str(each.last_found))
    return table


def growth(curve: Sequence[float]) -> float:
    """Return the slope over the second half of a curve, in MB from one point to the next."""
    half = curve[len(curve) // 2 :]
    return (half[-1] - half[0]) / (len(half) - 1) if len(half) > 1 else 0.0


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default="default,rules")
    parser.add_argument("--model", action="append", default=[], help="a further model of ours, by name or folder")
    parser.add_argument("--peer", default="presidio-sm", help="peers, separated by commas; empty for none")
    parser.add_argument("--texts", type=int, default=60, help="texts per size")
    parser.add_argument("--quick", action="store_true", help="2,000 prompts for the memory, no long texts")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--markdown", type=Path, help="write the tables as Markdown")
    return parser


if __name__ == "__main__":
    main()
