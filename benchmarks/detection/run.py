"""Score detection: ours and peers, on the same texts in the same run.

    python -m benchmarks.detection.run --data DIR [--systems default,rules,presidio-sm,presidio-md,rampart]
        [--model NAME|FOLDER ...] [--sets authored,public] [--limit N] [--out FILE.json] [--curve FILE.png]

`authored` and `public` are test sets: look at them once, at the end. `authored-train` and `public-dev` are for the time
before. What the figures mean stands in docs/benchmarks.md.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.corpora import Item
from benchmarks.detection.curve import THRESHOLDS, Point, curve_table, draw, pictures
from benchmarks.detection.report import as_json, breakdown, fairness_table, markdown, overview, worst_gap
from benchmarks.detection.score import Rows, Scores, Tally, score
from benchmarks.detection.sets import NAMES_PER_GROUP, NamedSet, lowered, read_fairness, read_sets
from benchmarks.guards import build_guard
from benchmarks.systems import GuardSystem, System, names_of, opened
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError

SEED = 7
_FAIRNESS_SCOPE = {"fairness": frozenset({EntityType.PERSON})}


def run_over(system: System, items: Sequence[Item], what: str) -> list[tuple[Item, Rows]]:
    """Let a system read every item."""
    console = Console(stderr=True)
    return [(item, system.find(item)) for item in track(items, f"{system.name}: {what}", console=console)]


def score_fairness(system: System, groups: Mapping[str, Sequence[Item]]) -> Tally:
    """Return recall by group of names."""
    tally = Tally()
    for group, items in groups.items():
        share = score(run_over(system, items, group), _FAIRNESS_SCOPE).scoped.total
        tally.add_many(group, share.hits, share.n)
    return tally


def trace_curve(name: str, given: NamedSet, device: str | None) -> list[Point]:
    """Return one point per threshold, over texts of sources that annotate everything."""
    model = name.removeprefix("model:") if name != "default" else None
    points = []
    for threshold in THRESHOLDS:
        system = GuardSystem(name, build_guard(model, device=device, threshold=threshold))
        scores = score(run_over(system, given.items, f"threshold {threshold:g}"))
        points.append(Point(threshold=threshold, recall=scores.sharp, precision=scores.sharp_precision))
    return points


def main(arguments: Sequence[str] | None = None) -> None:
    """Score, print, write."""
    options = _parser().parse_args(arguments)
    try:
        names = names_of([name for name in options.systems.split(",") if name], options.model)
        if options.curve is not None:
            pictures()  # missing, it would be missed at the very end
        sets = list(read_sets(options.data, options.sets.split(","), options.limit))
        _run(options, names, sets)
    except ConfigError as error:
        sys.exit(str(error))


def _run(options: argparse.Namespace, names: Sequence[str], sets: Sequence[NamedSet]) -> None:
    every = [each for given in sets for each in ((given,) if options.no_lower else (given, lowered(given)))]
    groups = {} if options.no_fairness else read_fairness(options.data, seed=SEED, per_group=options.names)
    scored: dict[str, dict[str, Scores]] = {each.name: {} for each in every}
    fair: dict[str, Tally] = {}
    systems: dict[str, str] = {}
    for name in names:
        with opened(name, device=options.device) as system:
            for each in every:
                before = system.failed
                scored[each.name][name] = one = score(run_over(system, each.items, each.name))
                one.unanswered = system.failed - before
            if groups:
                fair[name] = score_fairness(system, groups)
            systems[name] = system.version
    curves = {}
    if options.curve is not None:
        curves = {
            name: trace_curve(name, sets[0], options.device)
            for name in names
            if name == "default" or name.startswith("model:")
        }
    _show(scored, fair, curves, markdown_to=options.markdown)
    if options.out is not None:
        figures = {
            "setting": {"seed": SEED, "limit": options.limit, "python": sys.version, "systems": systems},
            "sets": {each: {name: as_json(one) for name, one in row.items()} for each, row in scored.items()},
            "fairness": {name: _fairness_json(tally) for name, tally in fair.items()},
            "curves": {name: [point.as_json() for point in points] for name, points in curves.items()},
        }
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if curves:
        draw({Path(name.removeprefix("model:")).name: points for name, points in curves.items()}, options.curve)


def _show(
    scored: Mapping[str, Mapping[str, Scores]],
    fair: Mapping[str, Tally],
    curves: Mapping[str, Sequence[Point]],
    *,
    markdown_to: Path | None,
) -> None:
    tables = []
    for name, row in scored.items():
        tables.append(overview(name, row))
        if "lower case" not in name:
            tables.append(breakdown(f"{name}: recall by type, in scope", {key: one.scoped for key, one in row.items()}))
            tables.append(breakdown(f"{name}: recall by language", {key: one.language for key, one in row.items()}))
            tables.append(breakdown(f"{name}: recall by source", {key: one.source for key, one in row.items()}))
    if fair:
        tables.append(fairness_table(fair))
    tables.extend(curve_table(name, points) for name, points in curves.items())
    console = Console(width=240) if not sys.stdout.isatty() else Console()
    for table in tables:
        console.print(table)
    if markdown_to is not None:
        markdown_to.write_text("\n".join(map(markdown, tables)), encoding="utf-8")


def _fairness_json(tally: Tally) -> dict[str, Any]:
    return {"worst_gap": round(worst_gap(tally), 4), "groups": {key: one.as_json() for key, one in tally.by_size()}}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--systems", default="default,rules,presidio-sm,presidio-md,rampart")
    parser.add_argument("--model", action="append", default=[], help="a further model of ours, by name or folder")
    parser.add_argument("--device", help="where our models run: cpu, cuda, auto")
    parser.add_argument("--sets", default="authored,public")
    parser.add_argument("--limit", type=int, default=0, help="items per file at most, evenly thinned")
    parser.add_argument("--names", type=int, default=NAMES_PER_GROUP, help="names per group of the fairness slice")
    parser.add_argument("--no-lower", action="store_true", help="leave the lower-cased texts out")
    parser.add_argument("--no-fairness", action="store_true", help="leave the slice of names out")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--markdown", type=Path, help="write the tables as Markdown")
    parser.add_argument(
        "--curve", type=Path, help="trace thresholds for the default and every --model, over the first set; a PNG file"
    )
    return parser


if __name__ == "__main__":
    main()
