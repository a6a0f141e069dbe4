"""How well a need model ranks and how it acts: areas under ROC curves and shares, with intervals over records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.intervals import Estimate, bootstrap
from benchmarks.need.gold import Request
from privguard.core.entities import EntityType
from privguard.core.plan import Action
from privguard.core.profile import Profile
from privguard.core.protocols import NeedModel
from privguard.core.targets import TargetModel
from privguard.minimizer.policy import EntityNeed, choose_entity
from privguard.research.need_table import auc

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NEEDED = 2.0  # the label from which on a placeholder is not enough
SPARE = 1.0  # the label up to which one is
TOP = 0.2  # share of the spans that is kept in the figure "kept by the top fifth"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One set as arrays, one entry per labelled span or value."""

    record: NDArray[np.intp]
    kind: tuple[EntityType, ...] = field(repr=False)
    mean: Floats = field(repr=False)  # of all annotations
    writer: Floats = field(repr=False)  # the first annotation
    blind: Floats = field(repr=False)  # the last annotation
    doubly: Flags = field(repr=False)  # there are two annotations


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """What a model says of the same entries."""

    difficulty: Floats = field(repr=False)  # logit of not surviving a placeholder at the target
    action: tuple[Action, ...] = field(repr=False)  # of the policy at the target


def collect(requests: Sequence[Request]) -> Judged:
    """Lay the labels out."""
    rows = [(number, row) for number, request in enumerate(requests) for row in request.rows]
    return Judged(
        record=np.array([number for number, _ in rows], dtype=np.intp),
        kind=tuple(row.kind for _, row in rows),
        mean=np.array([row.mean for _, row in rows], dtype=float),
        writer=np.array([row.labels[0] for _, row in rows], dtype=float),
        blind=np.array([row.labels[-1] for _, row in rows], dtype=float),
        doubly=np.array([len(row.labels) > 1 for _, row in rows], dtype=np.bool_),
    )


def predict(
    model: NeedModel, requests: Sequence[Request], target: TargetModel, profile: Profile, progress: Callable[..., Any]
) -> Predicted:
    """Ask a model for every request, and the policy for every entry: one action for all mentions of a value."""
    difficulties, actions = [], []
    for request in progress(requests):
        needs = model.need(request.segments, request.spans)
        for row in request.rows:
            own = tuple(needs[segment][place] for segment, place in row.mentions)
            difficulties.append(max(need.slope * (need.b_redact - target.theta) for need in own))
            actions.append(choose_entity(EntityNeed(kind=row.kind, needs=own), target, profile).action)
    return Predicted(difficulty=np.array(difficulties, dtype=float), action=tuple(actions))


def rank(judged: Judged, labels: Floats, scores: Floats, *, seed: int, only: Flags | None = None) -> Estimate:
    """Return the AUC of scores for labels of at least `NEEDED`."""
    chosen = np.flatnonzero(np.ones(len(labels), dtype=np.bool_) if only is None else only)

    def statistic(rows: NDArray[np.intp]) -> float | None:
        picked = chosen[rows]
        return auc(scores[picked], labels[picked] >= NEEDED) if len(picked) else None

    return bootstrap(judged.record[chosen], statistic, seed=seed)


def top_fifth(judged: Judged, labels: Floats, scores: Floats, *, seed: int) -> Estimate:
    """Return the share of the needed entries that are among the top fifth of all."""

    def statistic(rows: NDArray[np.intp]) -> float | None:
        needed = labels[rows] >= NEEDED
        if not needed.any():
            return None
        # Stable, so that ties are broken by place and not by chance.
        first = np.argsort(-scores[rows], kind="stable")[: max(1, round(TOP * len(rows)))]
        return float(needed[first].sum() / needed.sum())

    return bootstrap(judged.record, statistic, seed=seed)


def acted(judged: Judged, labels: Floats, found: Predicted, *, seed: int) -> tuple[Estimate, Estimate]:
    """Return the share of needed entries that keep something, and of spare ones that are redacted."""
    redacted = np.array([action is Action.REDACT for action in found.action])
    return (
        _share(judged, labels >= NEEDED, ~redacted, seed=seed),
        _share(judged, labels <= SPARE, redacted, seed=seed),
    )


def type_prior(known: Judged, asked: Judged) -> Floats:
    """Return for each entry how often its type is needed elsewhere, one trial each way added."""
    needed = dict.fromkeys(EntityType, 0)
    trials = dict(needed)
    for kind, label in zip(known.kind, known.mean, strict=True):
        needed[kind] += bool(label >= NEEDED)
        trials[kind] += 1
    return np.array([(needed[kind] + 1) / (trials[kind] + 2) for kind in asked.kind], dtype=float)


def _share(judged: Judged, wanted: Flags, hits: Flags, *, seed: int) -> Estimate:
    chosen = np.flatnonzero(wanted)
    return bootstrap(
        judged.record[chosen],
        lambda rows: float(hits[chosen[rows]].mean()) if len(rows) else None,
        seed=seed,
    )
