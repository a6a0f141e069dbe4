"""What a fresh process pays before it works: `import privguard`, and a guard with its first request.

    python -m benchmarks.startup.run [--systems default,rules] [--model NAME|FOLDER ...] [--repetitions 9]
        [--out FILE.json]

The request has 300 characters. What is loaded at first use counts with it, so that load and first request stand
together as well. The processes of all systems take turns: a machine that slows down slows all of them.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.fresh import fresh_env
from benchmarks.intervals import Estimate, bootstrap
from benchmarks.peers.catalogue import PEERS
from benchmarks.systems import names_of
from privguard.core.errors import ConfigError

SEED = 7
_STATEMENTS = ("import privguard", "import privguard; privguard.wrap", "import privguard; privguard.Exchange")
_FIGURES = {
    "load": "load",
    "load_cpu": "load, processor",
    "first": "first request",
    "both": "both",
    "both_cpu": "both, processor",
}

Runs = Sequence[Mapping[str, float]]


def best_ms(statement: str, repetitions: int) -> float:
    """Run a statement in fresh interpreters and return the fastest wall time in ms."""
    times = []
    for _ in range(repetitions):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True, env=fresh_env())
        times.append(time.perf_counter() - started)
    return 1000 * min(times)


def measure_guards(names: Sequence[str], repetitions: int) -> dict[str, Runs]:
    """Load guards in fresh processes, in turns, and return the milliseconds of each run by system."""
    runs: dict[str, list[Mapping[str, float]]] = {name: [] for name in names}
    for number in range(repetitions + 1):
        for name in names:
            figures = _run(name)
            if number:  # the first one may have to compile the modules
                runs[name].append(figures)
    return dict(runs)


def median_of(runs: Runs, figure: str) -> Estimate:
    """Return the median of a figure with its interval."""
    values = np.array([run[figure] for run in runs])
    return bootstrap(np.arange(len(values)), lambda rows: float(np.median(values[rows])), seed=SEED)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    options = _parser().parse_args(arguments)
    try:
        names = names_of([name for name in options.systems.split(",") if name], options.model)
    except ConfigError as error:
        sys.exit(str(error))
    bare = best_ms("pass", options.repetitions)
    imports = {statement: best_ms(statement, options.repetitions) - bare for statement in _STATEMENTS}
    guards = measure_guards([name for name in names if name not in PEERS], options.repetitions)
    console = Console(width=160) if not sys.stdout.isatty() else Console()
    for statement, taken in imports.items():
        console.print(f"{statement}: {taken:.1f} ms over bare Python (best of {options.repetitions})")
    console.print(_table(guards))
    if options.out is not None:
        figures = {
            "setting": {"seed": SEED, "python": sys.version, "machine": platform.machine(), "cores": os.cpu_count()},
            "imports_ms": {statement: round(taken, 1) for statement, taken in imports.items()},
            "guards_ms": {
                name: {
                    figure: median_of(runs, figure).as_json() | {"min": round(min(run[figure] for run in runs), 1)}
                    for figure in _FIGURES
                }
                for name, runs in guards.items()
            },
        }
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _run(name: str) -> Mapping[str, float]:
    command = [sys.executable, "-m", "benchmarks.startup.one", *(["--rules"] if name == "rules" else [])]
    command += ["--model", name.removeprefix("model:")] if name.startswith("model:") else []
    answer = subprocess.run(command, check=True, capture_output=True, text=True, env=fresh_env())
    figures: dict[str, float] = json.loads(answer.stdout)
    return figures


def _table(guards: Mapping[str, Runs]) -> Table:
    runs = max(map(len, guards.values()), default=0)
    table = Table(title=f"ms, median of {runs} fresh processes (95 % interval); best")
    for number, column in enumerate(("system", *_FIGURES.values())):
        table.add_column(column, justify="right" if number else "left")
    for name, each in guards.items():
        cells = []
        for figure in _FIGURES:
            median = median_of(each, figure)
            best = min(run[figure] for run in each)
            cells.append(f"{median.value:.0f} ({median.low:.0f}-{median.high:.0f}); {best:.0f}")
        table.add_row(name, *cells)
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default="default,rules")
    parser.add_argument("--model", action="append", default=[], help="a further model of ours, by name or folder")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    return parser


if __name__ == "__main__":
    main()
