"""Calibration on held-out records: temperature, threshold, and the scale of the difficulties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from privguard.core.errors import ConfigError
from privguard.encoder.artifact import NeedScale
from privguard.encoder.tokens import TextTokenizer
from privguard.research.training.evaluate import Scored, detection_counts, need_scores, score_texts
from privguard.research.training.folder import AUTHORED
from privguard.research.training.model import Net
from privguard.research.training.recipe import Corpus

PRECISION = 0.85  # a miss is worse than a word too many: see the curve in docs/detection.md
KEPT = 0.88  # of the needed spans, at a frontier target: the bar of 0.85 and a margin
# Published REDACT share of the weakest model (qwen2.5-0.5b, open-ended) and the shipped thetas at both ends.
WEAK_SHARE, WEAK_THETA, STRONG_THETA = 0.193, -1.71, 1.16
GAMMA = 0.65  # the default utility floor
LEAST_SPANS = 20  # held out: below, the threshold is a matter of chance
THRESHOLDS = tuple(round(0.02 * step, 2) for step in range(5, 48))
TEMPERATURES = tuple(round(0.6 + 0.05 * step, 2) for step in range(29))


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What the manifest says about scores."""

    detection: Mapping[str, Any]
    scale: float
    shift: float


def calibrate(
    net: Net,
    corpus: Corpus,
    tokenizer: TextTokenizer,
    special: tuple[int, int, int],
    precision: float = PRECISION,
    *,
    start: NeedScale | None = None,
) -> Calibration:
    """Fit the temperature by likelihood, then the lowest threshold that keeps a precision.

    Args:
        net: the network.
        corpus: whose held-out records are scored.
        tokenizer: that of the network.
        special: its ids of the beginning, the end and the filling of a window.
        precision: of the threshold.
        start: the scale of the model that the network was trained from; it stays where the prompts of
            `need/minimization_prompts.jsonl`, which the scale is fitted on, are not there.

    Raises:
        ConfigError: fewer than `LEAST_SPANS` spans are held out.
    """
    _check_spans(corpus)
    scored = score_texts(net, corpus.judged, tokenizer, special)
    temperature = min(TEMPERATURES, key=lambda value: _negative_log_likelihood(scored, value))
    heated = [_heat(item, temperature) for item in scored]
    threshold = fit_threshold(heated, precision)
    if start is not None and "minimization" not in corpus.train:
        scale, shift = start.scale, start.shift
    else:
        scale, shift = _fit_scale(net, corpus, tokenizer, special)
    detection = {"temperature": temperature, "threshold": threshold, "by_type": {}}
    return Calibration(detection=detection, scale=scale, shift=shift)


def _check_spans(corpus: Corpus) -> None:
    count = sum(len(text.labels) for record in corpus.judged for text in record.texts)
    if count < LEAST_SPANS:
        raise ConfigError(
            f"{count} labelled spans are held out, and it takes {LEAST_SPANS} to calibrate a threshold: a tenth of the "
            f"prompts in {AUTHORED}, or without it of --written, is held out; write more of them"
        )


def fit_threshold(scored: Sequence[Scored], precision: float) -> float:
    """Return the lowest threshold that keeps a precision; where none does, the highest.

    One for all types: thresholds by type that find most at a precision give up the sensitive ones, which are found
    least surely and would leak most.
    """
    kept = (value for value in THRESHOLDS if detection_counts(scored, value).figures()["precision"] >= precision)
    return min(kept, default=THRESHOLDS[-1])


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
