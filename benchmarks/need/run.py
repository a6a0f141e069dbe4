"""Score need models on gold spans: how they rank, and what they do at a frontier target.

    python -m benchmarks.need.run --data DIR [--model NAME|FOLDER ...] [--target NAME] [--shares]
        [--out FILE.json]

Scored are the test part of `authored/`, texts and dialogues apart, and the records of `need/` whose fold is held out.
`--development` scores what models may train on instead. Baselines of the same run: how often a type is needed
elsewhere, the shipped table, and the first annotator as predictor of the second. `--shares` adds what each shipped
profile does on the data-minimization prompts: shares of the three actions.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.guards import TARGET, build_guard
from benchmarks.intervals import Estimate
from benchmarks.need.gold import Request, read_folds
from benchmarks.need.measure import Judged, acted, collect, predict, rank, top_fifth, type_prior
from benchmarks.need.shares import Shares, profile_shares, shares_table
from privguard.core.errors import ConfigError
from privguard.core.protocols import NeedModel
from privguard.minimizer.need_table import TableNeedModel
from privguard.minimizer.profiles import Profiles

SEED = 7
SHARED = "minimization prompts"  # the set of the shares: of real users
Figures = dict[str, Estimate]
_COLUMNS = {
    "auc": "AUC",
    "auc_blind": "AUC, blind label",
    "top_fifth": "needed in top fifth",
    "needed_kept": "needed, not redacted",
    "spare_redacted": "spare, redacted",
    "needed_kept_blind": "needed, blind",
    "spare_redacted_blind": "spare, blind",
}


def models(names: Sequence[str], device: str | None) -> Iterator[tuple[str, NeedModel]]:
    """Open the need models one after the other: the table, the default, those that are named."""
    yield "table", TableNeedModel()
    default = build_guard(device=device).parts.need
    if not isinstance(default, TableNeedModel):
        yield "default", default
    for name in names:
        yield name, build_guard(name, device=device).parts.need


def score_model(model: NeedModel, name: str, requests: Sequence[Request], judged: Judged, *, target: str) -> Figures:
    """Return every figure of one model on one set."""
    settings, capability = Profiles.from_mapping({}).resolve(target, "default")
    found = predict(model, requests, capability, settings, partial(_shown, name))
    figures = ranks(judged, found.difficulty)
    figures["needed_kept"], figures["spare_redacted"] = acted(judged, judged.mean, found, seed=SEED)
    figures["needed_kept_blind"], figures["spare_redacted_blind"] = acted(judged, judged.blind, found, seed=SEED)
    return figures


def _shown(name: str, requests: Sequence[Request]) -> Iterable[Request]:
    return track(requests, description=name, console=Console(stderr=True), transient=True)


def ranks(judged: Judged, scores: Any) -> Figures:  # noqa: ANN401 - an array of numpy, of any float width
    """Return what follows from the order of the entries alone."""
    return {
        "auc": rank(judged, judged.mean, scores, seed=SEED),
        "auc_blind": rank(judged, judged.blind, scores, seed=SEED),
        "top_fifth": top_fifth(judged, judged.mean, scores, seed=SEED),
    }


def baselines(known: Judged, judged: Judged) -> dict[str, Figures]:
    """Return what can be had without a model."""
    found = {"type prior": ranks(judged, type_prior(known, judged))}
    if judged.doubly.any():
        agreement = rank(judged, judged.blind, judged.writer, seed=SEED, only=judged.doubly)
        found["first annotator"] = {"auc_blind": agreement}
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Score, print, write."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except ConfigError as error:
        sys.exit(str(error))


def _run(options: argparse.Namespace) -> None:
    sets = read_folds(options.data, test=not options.development, limit=options.limit)
    known = collect([one for found in read_folds(options.data, test=False).values() for one in found])
    judged = {name: collect(requests) for name, requests in sets.items()}
    results: dict[str, dict[str, Figures]] = {name: baselines(known, each) for name, each in judged.items()}
    versions: dict[str, str] = {}
    shares: dict[str, Shares] = {}
    for name, model in models(options.model, options.device):
        versions[name] = model.id
        for key, requests in sets.items():
            results[key][name] = score_model(model, name, requests, judged[key], target=options.target)
        if options.shares:
            shares[name] = profile_shares(model, sets[SHARED], partial(_shown, name), seed=SEED)
    console = Console(width=200) if not sys.stdout.isatty() else Console()
    for key, row in results.items():
        console.print(_table(key, judged[key], row))
    for name, found in shares.items():
        console.print(shares_table(f"{name}, {SHARED}", found))
    if options.out is not None:
        setting = {"seed": SEED, "target": options.target, "models": versions, "development": options.development}
        figures: dict[str, Any] = {
            "setting": setting,
            "sets": {key: _json(judged[key], row) for key, row in results.items()},
            "shares": {
                name: {key: {action: one.as_json() for action, one in row.items()} for key, row in found.items()}
                for name, found in shares.items()
            },
        }
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _table(key: str, judged: Judged, row: Mapping[str, Figures]) -> Table:
    needed, records = int((judged.mean >= 2).sum()), len(set(judged.record.tolist()))
    table = Table(
        title=f"{key}: {len(judged.mean)} spans of {records} records, {needed} needed",
        caption="in brackets: 95 % intervals, bootstrap over records",
    )
    for column in ("model", *_COLUMNS.values()):
        table.add_column(column)
    for name, figures in row.items():
        table.add_row(name, *(str(figures[column]) if column in figures else "" for column in _COLUMNS))
    return table


def _json(judged: Judged, row: Mapping[str, Figures]) -> dict[str, Any]:
    return {
        "n": len(judged.mean),
        "records": len(set(judged.record.tolist())),
        "needed": int((judged.mean >= 2).sum()),
        "models": {name: {key: one.as_json() for key, one in figures.items()} for name, figures in row.items()},
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", action="append", default=[], help="a further model of ours, by name or folder")
    parser.add_argument("--device", help="where our models run: cpu, cuda, auto")
    parser.add_argument("--target", default=TARGET)
    parser.add_argument("--development", action="store_true", help="what models may train on, not the test sets")
    parser.add_argument("--shares", action="store_true", help="also what each shipped profile does")
    parser.add_argument("--limit", type=int, default=0, help="records per set at most")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    return parser


if __name__ == "__main__":
    main()
