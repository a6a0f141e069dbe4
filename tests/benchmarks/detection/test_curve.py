"""The curve over thresholds."""

import json
from pathlib import Path

from benchmarks.detection.curve import Point, curve_table
from benchmarks.detection.report import markdown
from benchmarks.guards import build_guard
from benchmarks.intervals import Share

MODEL = Path(__file__).parents[2] / "encoder" / "model"
POINT = Point(threshold=0.3, recall=Share(hits=3, n=4), precision=Share(hits=0, n=0))


def test_a_guard_takes_its_threshold_from_the_point() -> None:
    settings, _ = build_guard(str(MODEL), threshold=0.3).parts.profiles.resolve("gpt-5", "default")
    assert settings.threshold == 0.3


def test_a_point_without_a_found_span_has_no_precision() -> None:
    assert json.loads(json.dumps(POINT.as_json()))["precision"]["value"] is None
    assert "| 0.3 | 0.750 (0.301-0.954) | unscored |" in markdown(curve_table("ours", [POINT]))
