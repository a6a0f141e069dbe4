"""Estimate the need table: shrunken label distributions, and the item-response difficulties that reproduce them.

A label says how many steps of capability beyond a merely competent model it takes until a placeholder is enough; a
generalisation is enough one step earlier (a graded response model, Samejima 1969). With steps at theta = 0 (competent),
`step` (frontier) and `2 * step`, a cell whose share of labels up to k is `q[k]` has

    sum over steps i of sigmoid(theta_i - b_redact)   = q[0] + q[1] + q[2]
    sum over steps i of sigmoid(theta_i - b_abstract) = q[1] + q[2] + q[3]

which is the score equation of the maximum likelihood. All cells share the slope 1, which fixes the unit of theta.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privguard.core.entities import Category, EntityType
from privguard.minimizer.cues import CUES
from privguard.research.need_data import AUTHORED, LABELS, Record

Floats = NDArray[np.float64]

AUTHORED_WEIGHT = 0.1  # of an invented span beside a real one: it fills gaps and does not outvote
CELL_STRENGTH = 20.0  # spans that the parent of a cell is worth
TYPE_STRENGTH = 5.0  # spans that the category is worth to a type, and all types to a category
SLOPE = 1.0
STEPS = 3
_KINDS = tuple(EntityType)
_CATEGORIES = tuple(Category)
_EDGE = 1e-3  # distance of a share from 0 and 1 before its logit is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """Labelled spans as arrays, one row per span."""

    record: NDArray[np.intp]
    cell: NDArray[np.intp]  # kind * len(CUES) + cue
    labels: Floats  # (n, 5), the annotations' shares, rows sum to 1
    real: NDArray[np.bool_]
    n_records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Label distributions: `(5,)`, `(26, 5)`, `(26, n_cues, 5)`."""

    all: Floats
    types: Floats
    cells: Floats


def observe(records: Sequence[Record]) -> Observations:
    """Turn records into arrays."""
    rows = [(number, record, span) for number, record in enumerate(records) for span in record.spans]
    labels = np.zeros((len(rows), LABELS))
    for row, (_, _, span) in zip(labels, rows, strict=True):
        np.add.at(row, list(span.labels), 1 / len(span.labels))
    return Observations(
        record=np.array([number for number, _, _ in rows], dtype=np.intp),
        cell=np.array([cell_of(span.kind, CUES.index(span.cue)) for _, _, span in rows], dtype=np.intp),
        labels=labels,
        real=np.array([record.source != AUTHORED for _, record, _ in rows], dtype=np.bool_),
        n_records=len(records),
    )


def cell_of(kind: EntityType, cue: int) -> int:
    """Return the number of a cell."""
    return _KINDS.index(kind) * len(CUES) + cue


def count(seen: Observations, weights: Floats) -> Floats:
    """Sum labels by cell: `(26, n_cues, 5)`, `weights` one per span."""
    sums = np.zeros((len(_KINDS) * len(CUES), LABELS))
    np.add.at(sums, seen.cell, seen.labels * weights[:, None])
    return sums.reshape(len(_KINDS), len(CUES), LABELS)


def base_weights(seen: Observations) -> Floats:
    """Return the weight of each span: 1 for a real one."""
    return np.where(seen.real, 1.0, AUTHORED_WEIGHT)


def fit_table(counts: Floats) -> Table:
    """Shrink cells to types moved by their cue, types to categories, categories to all."""
    by_type, by_cue = counts.sum(axis=1), counts.sum(axis=0)
    everything = _shrink(by_type.sum(axis=0), np.full(LABELS, 1 / LABELS), 1.0)
    member = np.array([_CATEGORIES.index(kind.category) for kind in _KINDS])
    by_category = np.stack([by_type[member == number].sum(axis=0) for number in range(len(_CATEGORIES))])
    categories = _shrink(by_category, everything, TYPE_STRENGTH)
    types = _shrink(by_type, categories[member], TYPE_STRENGTH)
    cues = _shrink(by_cue, everything, CELL_STRENGTH)
    # A cue moves the cumulative logits of every type by what it moves those of all spans.
    moved = _cumulative_logits(types)[:, None] + (_cumulative_logits(cues) - _cumulative_logits(everything))[None]
    parents = _from_cumulative(_sigmoid(moved))
    return Table(all=everything, types=types, cells=_shrink(counts, parents, CELL_STRENGTH))


def difficulties(distribution: Floats, step: float) -> tuple[Floats, Floats]:
    """Return `(b_redact, b_abstract)` in logits for label distributions of shape `(..., 5)`."""
    cumulative = np.cumsum(distribution, axis=-1)
    return (
        _solve(cumulative[..., :STEPS].sum(axis=-1), step),
        _solve(cumulative[..., 1 : 1 + STEPS].sum(axis=-1), step),
    )


def fit_step(counts: Floats, table: Table) -> float:
    """Return the distance of two steps of capability that makes the labels most likely, by grid, to 0.01."""
    grid = np.arange(0.2, 3.0, 0.01)
    weights = counts.sum(axis=-1)
    cumulative = np.cumsum(table.cells, axis=-1)
    losses = [_loss(weights, cumulative, table, float(step)) for step in grid]
    return round(float(grid[int(np.argmin(losses))]), 2)


def replicate(seen: Observations, step: float, rng: np.random.Generator) -> tuple[Table, tuple[Floats, Floats]]:
    """Fit once on records drawn with replacement; return the table and the difficulties of its cells."""
    drawn = rng.multinomial(seen.n_records, np.full(seen.n_records, 1 / seen.n_records))
    table = fit_table(count(seen, base_weights(seen) * drawn[seen.record]))
    return table, difficulties(table.cells, step)


def _loss(weights: Floats, cumulative: Floats, table: Table, step: float) -> float:
    total = 0.0
    for difficulty, first in zip(difficulties(table.cells, step), (0, 1), strict=True):
        for number in range(STEPS):
            share = cumulative[..., first + number]
            survives = np.clip(_sigmoid(number * step - difficulty), 1e-9, 1 - 1e-9)
            total -= float((weights * (share * np.log(survives) + (1 - share) * np.log1p(-survives))).sum())
    return total


def _solve(target: Floats, step: float) -> Floats:
    """Return b with `sum_i sigmoid(i * step - b) == target`, by bisection."""
    low, high = np.full(target.shape, -15.0), np.full(target.shape, 15.0)
    for _ in range(50):
        tried = (low + high) / 2
        too_easy = sum(_sigmoid(number * step - tried) for number in range(STEPS)) > target
        low, high = np.where(too_easy, tried, low), np.where(too_easy, high, tried)
    middle: Floats = (low + high) / 2
    return middle


def _shrink(counts: Floats, parent: Floats, strength: float) -> Floats:
    shrunken: Floats = (counts + strength * parent) / (counts.sum(axis=-1, keepdims=True) + strength)
    return shrunken


def _cumulative_logits(distribution: Floats) -> Floats:
    share = np.clip(np.cumsum(distribution, axis=-1)[..., :-1], _EDGE, 1 - _EDGE)
    logits: Floats = np.log(share / (1 - share))
    return logits


def _from_cumulative(share: Floats) -> Floats:
    rising: Floats = np.maximum.accumulate(share, axis=-1)
    shares: Floats = np.diff(rising, axis=-1, prepend=0.0, append=1.0)
    return shares


def _sigmoid(logits: Floats) -> Floats:
    sigmoid: Floats = 1 / (1 + np.exp(-logits))
    return sigmoid
