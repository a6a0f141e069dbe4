import pytest

pytest.importorskip("torch")

import numpy as np

from privguard.core.errors import ConfigError
from privguard.encoder.artifact import NeedScale
from privguard.research.training.calibrate import (
    GAMMA,
    KEPT,
    LEAST_SPANS,
    STRONG_THETA,
    THRESHOLDS,
    WEAK_SHARE,
    WEAK_THETA,
    calibrate,
    fit_threshold,
)
from privguard.research.training.evaluate import detection_counts, need_scores, score_texts
from privguard.research.training.recipe import Corpus
from tests.research.training import tiny

TOKENIZE = tiny.tokenizer()
SPECIAL = tiny.special(TOKENIZE)
CORPUS = Corpus(
    train={"authored": tiny.records(4), "minimization": tiny.records(8, first=20, source="minimization")},
    held_out={
        "authored": tiny.records(12, first=40),
        "minimization": tiny.records(6, first=60, source="minimization"),
    },
    hashes={},
)


@pytest.mark.parametrize("precision", [0.0, 0.2, 0.3, 0.5])
def test_the_threshold_is_the_lowest_that_keeps_the_precision(precision: float) -> None:
    scored = score_texts(tiny.net(), CORPUS.held_out["authored"], TOKENIZE, SPECIAL)
    threshold = fit_threshold(scored, precision)
    lower = [value for value in THRESHOLDS if value < threshold]
    assert all(detection_counts(scored, value).figures()["precision"] < precision for value in lower)
    if precision == 0:
        assert threshold == THRESHOLDS[0]


def test_a_precision_that_nothing_reaches_takes_the_highest_threshold() -> None:
    scored = score_texts(tiny.net(), CORPUS.held_out["authored"], TOKENIZE, SPECIAL)
    assert fit_threshold(scored, 1.01) == THRESHOLDS[-1]


def test_difficulties_land_where_the_two_published_models_are() -> None:
    net = tiny.net()
    found = calibrate(net, CORPUS, TOKENIZE, SPECIAL)
    held = need_scores(net, [r for part in CORPUS.held_out.values() for r in part], TOKENIZE, SPECIAL)
    needed = found.scale * held.b_redact[held.needed] + found.shift
    odds = float(np.log(GAMMA / (1 - GAMMA)))
    # Redacted is what the model answers without: difficulty at most theta less the odds of the floor.
    assert float(np.mean(needed >= STRONG_THETA - odds - 1e-6)) == pytest.approx(KEPT, abs=1 / len(needed) + 1e-6)
    assert found.scale > 0
    prompts = [*CORPUS.train["minimization"], *CORPUS.held_out["minimization"]]
    all_spans = found.scale * need_scores(net, prompts, TOKENIZE, SPECIAL).b_redact + found.shift
    if found.scale != 1.0:
        share = float(np.mean(all_spans <= WEAK_THETA - odds + 1e-6))
        assert share == pytest.approx(WEAK_SHARE, abs=1 / len(all_spans) + 1e-6)


def test_what_comes_out_is_what_a_manifest_takes() -> None:
    found = calibrate(tiny.net(), CORPUS, TOKENIZE, SPECIAL)
    assert set(found.detection) == {"temperature", "threshold", "by_type"}
    assert 0.01 <= found.detection["threshold"] <= 0.99
    assert found.scale >= 1e-6


def test_the_scale_of_the_start_stays_where_no_prompts_tell_another() -> None:
    start = NeedScale(
        attention_heads=2, attention_width=4, thresholds=(0.0, 1.0, 2.0), scale=1.5, shift=-0.25, slope=1.0
    )
    own = Corpus(train={"written": tiny.records(4)}, held_out={"written": tiny.records(40, first=40)}, hashes={})
    found = calibrate(tiny.net(), own, TOKENIZE, SPECIAL, start=start)
    assert (found.scale, found.shift) == (1.5, -0.25)
    fitted, whole = (calibrate(tiny.net(), CORPUS, TOKENIZE, SPECIAL, start=given) for given in (start, None))
    assert (fitted.scale, fitted.shift) == (whole.scale, whole.shift)


def test_a_threshold_of_a_few_spans_is_refused() -> None:
    few = Corpus(train={}, held_out={"written": tiny.records(1)}, hashes={})
    with pytest.raises(ConfigError, match=rf"labelled spans are held out, and it takes {LEAST_SPANS}"):
        calibrate(tiny.net(), few, TOKENIZE, SPECIAL)
