"""The card of a run: what went in, how it went, and the curves as a picture."""

import json
from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure  # type: ignore[import-not-found] # absent where types are checked

from privguard.research.training.loop import LOG

CARD = "card.json"
CURVES = "curves.svg"


def write_card(
    folder: Path, *, run: Mapping[str, object], net: Mapping[str, object], hashes: Mapping[str, str]
) -> None:
    """Write `card.json` and `curves.svg` beside the log of a run."""
    rounds = [json.loads(line) for line in (folder / LOG).read_text(encoding="utf-8").splitlines()]
    card = {"run": dict(run), "network": dict(net), "data_sha256": dict(hashes), "last_round": rounds[-1]}
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    draw_curves(rounds, folder / CURVES)


def draw_curves(rounds: list[dict[str, float]], path: Path) -> None:
    """Draw losses and held-out figures over the rounds."""
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    losses, scores = figure.subplots(1, 2)
    at = [row["round"] for row in rounds]
    for name in ("tag", "begin", "need", "owner", "extra"):
        if any(name in row for row in rounds):
            losses.plot(at, [row.get(name, float("nan")) for row in rounds], label=name)
    for name in sorted(rounds[-1]):
        if "@0.35" in name or name.startswith("auc"):
            scores.plot(at, [row.get(name, float("nan")) for row in rounds], label=name)
    for axes, title in ((losses, "training loss"), (scores, "held-out records")):
        axes.set_title(title)
        axes.set_xlabel("round")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize=7)
    figure.savefig(path)
