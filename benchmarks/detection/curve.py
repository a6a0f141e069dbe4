"""Recall and precision over the threshold of the profile: 0.5 is what a model sets for each type itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks.intervals import Share
from privguard.core.errors import ConfigError

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one threshold gives."""

    threshold: float
    recall: Share
    precision: Share

    def as_json(self) -> dict[str, Any]:
        """Return both shares."""
        return {
            "threshold": self.threshold,
            "recall": self.recall.as_json(),
            "precision": self.precision.as_json(),
        }


def curve_table(name: str, points: Sequence[Point]) -> Table:
    """Return one row per threshold."""
    table = Table(title=f"{name}: by threshold of the profile")
    for column in ("threshold", "recall", "precision"):
        table.add_column(column)
    for point in points:
        table.add_row(f"{point.threshold:g}", str(point.recall), str(point.precision))
    return table


def pictures() -> Any:  # noqa: ANN401 - a module that is not installed where types are checked
    """Return matplotlib's figures.

    Raises:
        ConfigError: matplotlib is missing.
    """
    try:
        return import_module("matplotlib.figure")
    except ImportError:
        raise ConfigError("a picture needs matplotlib: pip install matplotlib") from None


def draw(curves: dict[str, Sequence[Point]], path: Path) -> None:
    """Draw precision over recall, one line per model.

    Raises:
        ConfigError: matplotlib is missing.
    """
    figure = pictures().Figure(figsize=(6.4, 4.4), dpi=150, layout="constrained")
    axes = figure.subplots()
    for name, points in curves.items():
        known = [point for point in points if point.recall.value is not None and point.precision.value is not None]
        recalls, precisions = ([each.value or 0.0 for each in side] for side in _sides(known))
        axes.plot(recalls, precisions, marker="o", markersize=3.5, label=name)
        for point, recall, precision in zip(known, recalls, precisions, strict=True):
            axes.annotate(
                f"{point.threshold:g}", (recall, precision), textcoords="offset points", xytext=(4, 4), fontsize=7
            )
    axes.set_xlabel("whole-span recall, all types but MISC")
    axes.set_ylabel("precision (any overlap)")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path)


def _sides(points: Sequence[Point]) -> tuple[list[Share], list[Share]]:
    return [point.recall for point in points], [point.precision for point in points]
