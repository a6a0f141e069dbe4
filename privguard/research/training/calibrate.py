"""Calibration on held-out records: temperature, threshold, and the scale of the difficulties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from privguard.core.entities import Category, EntityType
from privguard.encoder.labels import TAG_OF, TAGS
from privguard.encoder.tokens import TextTokenizer
from privguard.research.training.evaluate import DetectionCounts, Scored, detection_counts, need_scores, score_texts
from privguard.research.training.model import Net
from privguard.research.training.recipe import Corpus

PRECISION = 0.91  # the bar of 0.90 and a margin for what rules and spreading add
KEPT = 0.88  # of the needed spans, at a frontier target: the bar of 0.85 and a margin
# Published REDACT share of the weakest model (qwen2.5-0.5b, open-ended) and the shipped thetas at both ends.
WEAK_SHARE, WEAK_THETA, STRONG_THETA = 0.193, -1.71, 1.16
GAMMA = 0.65  # the default utility floor
START = 0.7
GRID = (0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
_DIRECT = tuple(kind for kind in EntityType if kind.category in (Category.DIRECT, Category.SECRET))
_SENSITIVE = tuple(kind for kind in EntityType if kind.category is Category.SENSITIVE)
GROUPS = (_DIRECT, tuple(kind for kind in EntityType if kind.category is Category.QUASI), _SENSITIVE)
TEMPERATURES = tuple(round(0.6 + 0.05 * step, 2) for step in range(29))


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What the manifest says about scores."""

    detection: Mapping[str, Any]
    scale: float
    shift: float


def calibrate(
    net: Net, corpus: Corpus, tokenizer: TextTokenizer, special: tuple[int, int, int], precision: float = PRECISION
) -> Calibration:
    """Fit the temperature by likelihood, then the thresholds that find most at a precision."""
    scored = score_texts(net, corpus.held_out["authored"], tokenizer, special)
    temperature = min(TEMPERATURES, key=lambda value: _negative_log_likelihood(scored, value))
    heated = [_heat(item, temperature) for item in scored]
    direct, quasi, sensitive = fit_thresholds(heated, precision)
    by_type = {
        kind.value: threshold
        for members, threshold in zip(GROUPS, (direct, quasi, sensitive), strict=True)
        for kind in members
        if threshold != quasi
    }
    scale, shift = _fit_scale(net, corpus, tokenizer, special)
    detection = {"temperature": temperature, "threshold": quasi, "by_type": by_type}
    return Calibration(detection=detection, scale=scale, shift=shift)


def fit_thresholds(scored: Sequence[Scored], precision: float) -> tuple[float, float, float]:
    """Return the thresholds of direct, quasi and sensitive types that find most whole spans at a precision.

    Three groups, not 26 types: the held-out spans are too few for more. What one group gains is taken as independent
    of the others. Where no thresholds reach the precision, the highest are returned.
    """
    base = np.full(len(TAGS), START, dtype=np.float32)
    middle = detection_counts(scored, base)
    gains = [[_gain(scored, base, members, value, middle) for value in GRID] for members in GROUPS]
    best, chosen = -1, (GRID[-1],) * len(GROUPS)
    for places in product(range(len(GRID)), repeat=len(GROUPS)):
        parts = np.array([gains[group][place] for group, place in enumerate(places)]).sum(axis=0)
        whole, right, predicted = middle.whole + parts[0], middle.right + parts[1], middle.predicted + parts[2]
        if right >= precision * predicted and whole > best:
            best, chosen = int(whole), tuple(GRID[place] for place in places)
    return chosen[0], chosen[1], chosen[2]


def _gain(
    scored: Sequence[Scored],
    base: NDArray[np.float32],
    members: Sequence[EntityType],
    value: float,
    middle: DetectionCounts,
) -> tuple[int, int, int]:
    limits = base.copy()
    limits[[TAG_OF[kind] - 1 for kind in members]] = value
    found = detection_counts(scored, limits)
    return found.whole - middle.whole, found.right - middle.right, found.predicted - middle.predicted


def _fit_scale(
    net: Net, corpus: Corpus, tokenizer: TextTokenizer, special: tuple[int, int, int]
) -> tuple[float, float]:
    """Map difficulties onto the theta of the shipped targets by two points.

    At the strongest published model, `KEPT` of the held-out spans that are needed keep more than a placeholder; at
    the weakest, the share of spans that the paper's oracle redacted is redacted. A predictor is no oracle: at the
    strong end it redacts less than the published share, so that the answer holds.
    """
    held_out = [record for records in corpus.held_out.values() for record in records]
    held = need_scores(net, held_out, tokenizer, special)
    strong = float(np.quantile(held.b_redact[held.needed], 1 - KEPT))
    prompts = [*corpus.train["minimization"], *corpus.held_out["minimization"]]
    weak = float(np.quantile(need_scores(net, prompts, tokenizer, special).b_redact, WEAK_SHARE))
    at_strong, at_weak = (theta - float(np.log(GAMMA / (1 - GAMMA))) for theta in (STRONG_THETA, WEAK_THETA))
    if strong <= weak:
        return 1.0, at_strong - strong
    scale = (at_strong - at_weak) / (strong - weak)
    return scale, at_strong - scale * strong


def _heat(item: Scored, temperature: float) -> Scored:
    logits = np.log(np.clip(item.probabilities, 1e-9, 1)) / temperature
    probabilities = torch.from_numpy(logits).softmax(-1).numpy()
    return Scored(
        record=item.record, number=item.number, tokens=item.tokens, probabilities=probabilities, begins=item.begins
    )


def _negative_log_likelihood(scored: Sequence[Scored], temperature: float) -> float:
    total, count = 0.0, 0
    for item in scored:
        inside = _gold_inside(item)
        found = np.clip(1 - _heat(item, temperature).probabilities[:, 0], 1e-6, 1 - 1e-6)
        total -= float(np.where(inside, np.log(found), np.log(1 - found)).sum())
        count += len(inside)
    return total / max(1, count)


def _gold_inside(item: Scored) -> NDArray[np.bool_]:
    labels = item.record.texts[item.number].labels
    inside = np.zeros(len(item.tokens), dtype=bool)
    for label in labels:
        inside |= (item.tokens.starts < label.end) & (item.tokens.ends > label.start)
    return inside
