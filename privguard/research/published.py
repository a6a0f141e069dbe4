"""Write the shipped capabilities: `python -m privguard.research.published --data DIR --out FILE`.

For each model of a published table theta is set so that the policy, at the default utility floor, redacts the share of
open-ended spans that the paper's oracle redacted. The share is the expected one: the mean over bootstrap replicates of
the need table, which smooths the steps that a table of few cells has. See docs/need.md.
"""

import argparse
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from privguard.core.targets import Provenance
from privguard.minimizer.layers import DEFAULT_GAMMA
from privguard.minimizer.targets import ANY, FORMAT
from privguard.research import need_fit, need_table
from privguard.research.need_data import OPEN_ENDED, NeedData, read_need_data
from privguard.research.need_fit import Floats

SCRIPT = "privguard.research.published 1"
ROUNDS = 200  # of records drawn with replacement, for the interval of theta
PAPER = "Operationalizing Data Minimization (ICLR 2026, arXiv 2510.03662), table of oracle shares, open-ended prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One row of the paper's table: shares of spans, 0 to 1."""

    model: str
    patterns: tuple[str, ...]
    redact: float
    retain: float
    capable: bool = True  # False: far below what answering takes, left out where models are averaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """Patterns without figures of their own."""

    patterns: tuple[str, ...]
    like: str  # a published model, or "" for the median of all
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulties:
    """The difficulties of the open-ended spans: `(1 + replicates, n_spans)`, the first row of the table itself."""

    b_redact: Floats
    b_abstract: Floats
    record: np.ndarray[tuple[int], np.dtype[np.intp]]  # (n_spans,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The theta of a model and the shares that result."""

    published: Published
    theta: float
    theta_95: tuple[float, float]  # over records drawn with replacement
    redact: float  # expected share
    retain: float
    redact_shipped: float  # share under the shipped table, without smoothing
    retain_shipped: float
    survival: "Survival"


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """The other reading of the published share: the mean probability that REDACT is survived. A check, not shipped."""

    theta: float
    retain: float  # 1 - mean probability that ABSTRACT is survived


PUBLISHED = (
    Published(model="gpt-5", patterns=("gpt-5*",), redact=0.857, retain=0.057),
    Published(model="gpt-4.1", patterns=("gpt-4.1*",), redact=0.826, retain=0.076),
    Published(model="claude-sonnet-4", patterns=("claude-sonnet-4*",), redact=0.748, retain=0.140),
    Published(
        model="mistral-small-3.1-24b",
        patterns=("mistral-small-3.1*", "mistral-small3.1*", "mistral-small-2503*"),
        redact=0.753,
        retain=0.122,
    ),
    Published(model="qwen2.5-7b", patterns=("qwen2.5-7b*",), redact=0.699, retain=0.181),
    Published(model="qwen2.5-0.5b", patterns=("qwen2.5-0.5b*",), redact=0.193, retain=0.697, capable=False),
)
ASSUMED = (
    Assumed(patterns=("gpt-5.*",), like="gpt-5", note="a later version of the family"),
    Assumed(
        patterns=("gpt-5-mini*", "gpt-5-nano*", "gpt-5.*-mini*", "gpt-5.*-nano*", "gpt-4.1-mini*", "gpt-4.1-nano*"),
        like="",
        note="a smaller model of the family",
    ),
    Assumed(
        patterns=("claude-sonnet-4-[1-9]", "claude-sonnet-4-[1-9]-*", "claude-sonnet-4.*"),
        like="claude-sonnet-4",
        note="a later version of the family",
    ),
    Assumed(patterns=("claude-*",), like="claude-sonnet-4", note="another model of the family"),
    Assumed(patterns=("mistral-small*",), like="mistral-small-3.1-24b", note="another version of the family"),
    Assumed(patterns=(ANY,), like="", note="an unknown model"),
)


def read_difficulties(data: NeedData, *, seed: int, replicates: int) -> tuple[need_table.Fit, Difficulties]:
    """Fit the need table as its script does and look the open-ended spans up, in the table and in its replicates."""
    fitted = need_table.fit(need_table.training(data), seed=seed, n_replicates=replicates)
    spans = need_fit.observe([record for record in data.records if record.source == OPEN_ENDED])
    found = [
        [each.reshape(-1)[spans.cell] for each in need_fit.difficulties(table.cells, fitted.step)]
        for table in (fitted.table, *fitted.replicates)
    ]
    redact, abstract = (np.stack([pair[place] for pair in found]) for place in (0, 1))
    return fitted, Difficulties(b_redact=redact, b_abstract=abstract, record=spans.record)


def fit_model(published: Published, spans: Difficulties, *, gamma: float, seed: int) -> Fitted:
    """Fit theta by bisection on the expected REDACT share."""
    margin = math.log(gamma / (1 - gamma))
    drawn = spans.b_redact[1:]
    theta = _bisect(lambda theta: float((theta - margin >= drawn).mean()), published.redact)
    rng = np.random.default_rng(seed)
    low, high = margin + np.percentile(_redrawn_quantiles(spans, published.redact, rng), (2.5, 97.5))
    by_survival = _bisect(lambda theta: float(_sigmoid(theta - spans.b_redact[0]).mean()), published.redact)
    return Fitted(
        published=published,
        theta=round(theta, 2),
        theta_95=(float(low), float(high)),
        redact=float((theta - margin >= drawn).mean()),
        retain=float((theta - margin < spans.b_abstract[1:]).mean()),
        redact_shipped=float((theta - margin >= spans.b_redact[0]).mean()),
        retain_shipped=float((theta - margin < spans.b_abstract[0]).mean()),
        survival=Survival(theta=by_survival, retain=float((1 - _sigmoid(by_survival - spans.b_abstract[0])).mean())),
    )


def agreeing_gamma(fits: Sequence[Fitted], gamma: float) -> float:
    """Return the utility floor at which both readings give the capable models the same theta, in the mean."""
    # The fitted theta moves with the logit of gamma; the reading by survival knows no gamma.
    margin = math.log(gamma / (1 - gamma))
    gaps = [each.survival.theta - each.theta for each in fits if each.published.capable]
    return float(_sigmoid(np.array(margin + sum(gaps) / len(gaps))))


def write_targets(fits: Sequence[Fitted], spans: Difficulties, meta: dict[str, object]) -> str:
    """Return the artifact as JSON."""
    thetas = {each.published.model: each.theta for each in fits}
    median = round(float(np.median(list(thetas.values()))), 2)
    targets = [
        _target(pattern, each.theta, Provenance.PUBLISHED, f"fitted to {each.published.model} of arXiv 2510.03662")
        for each in fits
        for pattern in each.published.patterns
    ]
    for assumed in ASSUMED:
        theta = thetas.get(assumed.like, median)
        basis = f"taken as {assumed.like}" if assumed.like else "taken as the median of the published models"
        note = f"{assumed.note}, {basis}"
        targets += [_target(pattern, theta, Provenance.ASSUMED, note) for pattern in assumed.patterns]
    n_records = len(set(spans.record.tolist()))
    document = {
        "format": FORMAT,
        "script": SCRIPT,
        "source": PAPER,
        **meta,
        "n_spans": len(spans.record),
        "n_records": n_records,
        "agreeing_gamma": round(agreeing_gamma(fits, float(str(meta["gamma"]))), 3),
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items()]
    lines += [_block("fits", [_fit_row(each) for each in fits]), _block("targets", targets)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _bisect(share: Callable[[float], float], wanted: float) -> float:
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < wanted else (low, middle)
    return high


def _redrawn_quantiles(spans: Difficulties, share: float, rng: np.random.Generator) -> list[float]:
    """Return the difficulty up to which `share` of the spans lie, for records drawn with replacement."""
    drawn = spans.b_redact[1:]
    order = np.argsort(drawn, axis=None)
    ordered, record = drawn.reshape(-1)[order], np.broadcast_to(spans.record, drawn.shape).reshape(-1)[order]
    n_records = int(spans.record.max()) + 1
    found = []
    for _ in range(ROUNDS):
        weight = rng.multinomial(n_records, np.full(n_records, 1 / n_records))[record].cumsum()
        found.append(float(ordered[np.searchsorted(weight, share * weight[-1])]))
    return found


def _sigmoid(logits: Floats) -> Floats:
    sigmoid: Floats = 1 / (1 + np.exp(-logits))
    return sigmoid


def _target(pattern: str, theta: float, provenance: Provenance, note: str) -> dict[str, object]:
    return {"pattern": pattern, "theta": theta, "provenance": provenance.value, "note": note}


def _fit_row(each: Fitted) -> dict[str, object]:
    return {
        "model": each.published.model,
        "theta": each.theta,
        "theta_95": [round(bound, 2) for bound in each.theta_95],
        "published": {"redact": each.published.redact, "retain": each.published.retain},
        "expected": {"redact": round(each.redact, 3), "retain": round(each.retain, 3)},
        "shipped_table": {"redact": round(each.redact_shipped, 3), "retain": round(each.retain_shipped, 3)},
        "by_survival": {"theta": round(each.survival.theta, 2), "retain": round(each.survival.retain, 3)},
    }


def _block(name: str, rows: Sequence[dict[str, object]]) -> str:
    return f" {json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n ]"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the models, print the shares beside the published ones, write the artifact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that the need table was estimated from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--gamma", type=float, default=DEFAULT_GAMMA)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat())
    options = parser.parse_args(arguments)
    data = read_need_data(options.data)
    fitted, spans = read_difficulties(data, seed=options.seed, replicates=need_table.REPLICATES)
    fits = [fit_model(each, spans, gamma=options.gamma, seed=options.seed) for each in PUBLISHED]
    meta = {
        "date": options.date,
        "seed": options.seed,
        "gamma": options.gamma,
        "data_sha256": dict(data.sha256),
        "replicates": len(fitted.replicates),
    }
    options.out.write_text(write_targets(fits, spans, meta), encoding="utf-8")
    names = (
        "model",
        "theta",
        "95 %",
        "REDACT: paper",
        "expected",
        "as shipped",
        "RETAIN: paper",
        "expected",
        "as shipped",
    )
    grid = Grid(*names, title=f"{len(spans.record)} open-ended spans, gamma {options.gamma}")
    for each in fits:
        low, high = each.theta_95
        redact = (each.published.redact, each.redact, each.redact_shipped)
        retain = (each.published.retain, each.retain, each.retain_shipped)
        shares = [f"{100 * share:.1f}" for share in (*redact, *retain)]
        grid.add_row(each.published.model, f"{each.theta:.2f}", f"{low:.2f} to {high:.2f}", *shares)
    Console().print(grid)
    Console().print(f"both readings agree at gamma {agreeing_gamma(fits, options.gamma):.3f}")


if __name__ == "__main__":
    main()
