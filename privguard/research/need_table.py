"""Write the need table: `python -m privguard.research.need_table --data DIR --out FILE`.

Fits on three quarters of the records and reports, on the last quarter, how well the table ranks spans of need 2 and
above, beside a prior by type alone. Deterministic: same data and seed, same bytes.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from privguard.core.entities import EntityType
from privguard.minimizer.cues import CUES
from privguard.minimizer.need_table import FORMAT
from privguard.research import need_fit
from privguard.research.need_data import FILES, NeedData, Record, read_need_data
from privguard.research.need_fit import Floats, Observations

SCRIPT = "privguard.research.need_table 1"
NEEDED = 2.0  # the mean label from which on a placeholder is not enough
REPLICATES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The area under the ROC curve for need >= 2 on the held-out records of one source."""

    source: str
    n_spans: int
    n_needed: int
    auc: float | None  # None: unscored, only one class is present
    auc_95: tuple[float, float] | None
    type_only_auc: float | None
    gain_95: tuple[float, float] | None  # of the difference to type alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A fitted table with its bootstrap replicates."""

    seen: Observations
    counts: Floats
    table: need_fit.Table
    step: float
    replicates: tuple[need_fit.Table, ...]


def fit(records: Sequence[Record], *, seed: int, n_replicates: int) -> Fit:
    """Fit the table and its replicates, records drawn with replacement."""
    seen = need_fit.observe(records)
    counts = need_fit.count(seen, need_fit.base_weights(seen))
    table = need_fit.fit_table(counts)
    step = need_fit.fit_step(counts, table)
    rng = np.random.default_rng(seed)
    rounds = track(range(n_replicates), description="bootstrap", console=Console(stderr=True), transient=True)
    replicates = tuple(need_fit.replicate(seen, step, rng)[0] for _ in rounds)
    return Fit(seen=seen, counts=counts, table=table, step=step, replicates=replicates)


def training(data: NeedData) -> tuple[Record, ...]:
    """Return the records that the table is fitted on."""
    return tuple(record for record in data.records if not record.test)


def score(fitted: Fit, records: Sequence[Record], *, seed: int) -> tuple[Score, ...]:
    """Score the table on held-out records, by source."""
    by_cell = need_fit.difficulties(fitted.table.cells, fitted.step)[0].reshape(-1)
    by_type = np.repeat(need_fit.difficulties(fitted.table.types, fitted.step)[0], len(CUES))
    return tuple(
        _score(source, [record for record in records if record.source == source], (by_cell, by_type), seed)
        for source in FILES
        if any(record.source == source for record in records)
    )


def write_table(fitted: Fit, data: NeedData, scores: Sequence[Score], *, seed: int) -> str:
    """Return the artifact as JSON."""
    real, authored = (need_fit.count(fitted.seen, flag.astype(float)) for flag in (fitted.seen.real, ~fitted.seen.real))
    rows = _Rows(fitted)
    kinds = tuple(EntityType)
    document = {
        "format": FORMAT,
        "script": SCRIPT,
        "seed": seed,
        "data_sha256": dict(data.sha256),
        "n_records": {"train": fitted.seen.n_records, "test": sum(record.test for record in data.records)},
        "authored_weight": need_fit.AUTHORED_WEIGHT,
        "cell_strength": need_fit.CELL_STRENGTH,
        "type_strength": need_fit.TYPE_STRENGTH,
        "interval": f"95 %, {len(fitted.replicates)} bootstrap replicates over records",
        "slope": need_fit.SLOPE,
        "step": fitted.step,
        "test_fold": [_score_row(each) for each in scores],
        "all": rows.write((), real, authored),
        "types": {kind.value: rows.write((number,), real, authored) for number, kind in enumerate(kinds)},
        "cells": {
            kind.value: {str(cue): rows.write((number, place), real, authored) for place, cue in enumerate(CUES)}
            for number, kind in enumerate(kinds)
        },
    }
    return _lay_out(document) + "\n"


def _lay_out(value: object, depth: int = 0) -> str:
    """Return JSON with one row of the table a line."""
    if not isinstance(value, dict) or "b_redact" in value or not value:
        return json.dumps(value)
    pad = " " * (depth + 1)
    inner = (f"{pad}{json.dumps(key)}: {_lay_out(each, depth + 1)}" for key, each in value.items())
    return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"


class _Rows:
    """Write rows of the artifact: counts, distribution, difficulties with intervals."""

    def __init__(self, fitted: Fit) -> None:
        levels = ("all", "types", "cells")
        self._distribution = [getattr(fitted.table, level) for level in levels]
        self._point = [need_fit.difficulties(distribution, fitted.step) for distribution in self._distribution]
        self._bounds = []
        for level in levels:
            stacked = np.stack([getattr(each, level) for each in fitted.replicates])
            drawn = need_fit.difficulties(stacked, fitted.step)
            self._bounds.append(tuple(np.percentile(each, (2.5, 97.5), axis=0) for each in drawn))

    def write(self, index: tuple[int, ...], real: Floats, authored: Floats) -> dict[str, object]:
        """Return one row; `index` is (), (type,) or (type, cue)."""
        level = len(index)
        row: dict[str, object] = {
            "n": int(real[index].sum().round()),
            "n_authored": int(authored[index].sum().round()),
            "need": [round(float(share), 4) for share in self._distribution[level][index]],
        }
        for name, point, bounds in zip(
            ("b_redact", "b_abstract"), self._point[level], self._bounds[level], strict=True
        ):
            row[name] = round(float(point[index]), 3)
            row[f"{name}_95"] = [round(float(bound[index]), 3) for bound in bounds]
        return row


def _score(source: str, records: Sequence[Record], scorers: tuple[Floats, Floats], seed: int) -> Score:
    seen = need_fit.observe(records)
    needed = seen.labels @ np.arange(5) >= NEEDED
    values = [scorer[seen.cell] for scorer in scorers]
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(REPLICATES):
        times = rng.multinomial(seen.n_records, np.full(seen.n_records, 1 / seen.n_records))
        picked = np.repeat(np.arange(len(needed)), times[seen.record])
        pair = [auc(value[picked], needed[picked]) for value in values]
        if pair[0] is not None and pair[1] is not None:
            drawn.append((pair[0], pair[0] - pair[1]))
    bounds = np.percentile(np.array(drawn), (2.5, 97.5), axis=0) if drawn else None
    return Score(
        source=source,
        n_spans=len(needed),
        n_needed=int(needed.sum()),
        auc=auc(values[0], needed),
        type_only_auc=auc(values[1], needed),
        auc_95=None if bounds is None else (float(bounds[0, 0]), float(bounds[1, 0])),
        gain_95=None if bounds is None else (float(bounds[0, 1]), float(bounds[1, 1])),
    )


def auc(values: Floats, positive: NDArray[np.bool_]) -> float | None:
    """Return the chance that a positive outranks a negative, ties half; None where one of them is absent."""
    if positive.all() or not positive.any():
        return None
    negatives = np.sort(values[~positive])
    wins = np.searchsorted(negatives, values[positive], "left") + np.searchsorted(negatives, values[positive], "right")
    return float(wins.mean() / 2 / len(negatives))


def _score_row(each: Score) -> dict[str, object]:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 3)

    return {
        "source": each.source,
        "n_spans": each.n_spans,
        "n_needed": each.n_needed,
        "auc": rounded(each.auc),
        "auc_95": each.auc_95 and [rounded(bound) for bound in each.auc_95],
        "type_only_auc": rounded(each.type_only_auc),
        "gain_95": each.gain_95 and [rounded(bound) for bound in each.gain_95],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Estimate the table, print the scores of the held-out fold, write the artifact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with need/*.jsonl and authored/train.jsonl")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    data = read_need_data(options.data)
    fitted = fit(training(data), seed=options.seed, n_replicates=REPLICATES)
    scores = score(fitted, [record for record in data.records if record.test], seed=options.seed)
    options.out.write_text(write_table(fitted, data, scores, seed=options.seed), encoding="utf-8")
    grid = Grid("source", "spans", "need >= 2", "AUC", "95 %", "type only", "gain, 95 %", title="held-out fold")
    for row in map(_score_row, scores):
        grid.add_row(*(str(value) for value in row.values()))
    Console().print(grid)


if __name__ == "__main__":
    main()
