"""Capabilities fitted to published shares reach them, keep their order, and stand in the shipped artifact."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privguard.minimizer.layers import DEFAULT_GAMMA
from privguard.minimizer.targets import shipped_capabilities
from privguard.research import need_table, published
from privguard.research.published import PUBLISHED, Difficulties, Published, agreeing_gamma, fit_model


def spread(n_spans: int, low: float, high: float) -> Difficulties:
    base = np.linspace(low, high, n_spans)
    b_redact = np.stack([base + shift for shift in (0.0, -0.05, 0.0, 0.05)])
    return Difficulties(b_redact=b_redact, b_abstract=b_redact - 1.0, record=np.arange(n_spans))


SPANS = spread(400, -4.0, 4.0)


def model(redact: float) -> Published:
    return Published(model="some-model", patterns=("some*",), redact=redact, retain=0.1)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.857])
@pytest.mark.parametrize("gamma", [0.5, 0.8])
def test_the_expected_share_is_the_published_one(share: float, gamma: float) -> None:
    found = fit_model(model(share), SPANS, gamma=gamma, seed=1)
    assert found.redact == pytest.approx(share, abs=0.01)
    assert found.redact_shipped == pytest.approx(share, abs=0.02)
    assert found.theta_95[0] < found.theta < found.theta_95[1]


def test_a_model_that_redacts_more_is_stronger_and_retains_less() -> None:
    weak, strong = (fit_model(model(share), SPANS, gamma=0.7, seed=1) for share in (0.3, 0.8))
    assert weak.theta < strong.theta
    assert weak.retain > strong.retain
    assert weak.survival.theta < strong.survival.theta


def test_the_agreeing_gamma_does_not_depend_on_the_gamma_of_the_fit() -> None:
    found = [
        agreeing_gamma([fit_model(model(share), SPANS, gamma=gamma, seed=1) for share in (0.6, 0.8)], gamma)
        for gamma in (0.5, 0.9)
    ]
    assert found[0] == pytest.approx(found[1], abs=0.01)


def test_the_script_writes_every_pattern_and_repeats_itself(
    need_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(need_table, "REPLICATES", 10)
    monkeypatch.setattr(published, "ROUNDS", 10)
    written = []
    for name in ("a.json", "b.json"):
        arguments = ["--data", str(need_folder), "--out", str(tmp_path / name), "--date", "2030-01-01"]
        published.main(arguments)
        written.append((tmp_path / name).read_text(encoding="utf-8"))
    assert written[0] == written[1]
    document = json.loads(written[0])
    assert {row["pattern"] for row in document["targets"]} == {each.pattern for each in shipped_capabilities()}
    assert document["n_records"] == 48
    assert "both readings agree at gamma" in capsys.readouterr().out


def shipped() -> dict[str, Any]:
    raw = resources.files("privguard.minimizer").joinpath("data", "targets.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(raw)
    return document


def test_the_shipped_fits_reach_the_published_shares() -> None:
    fits = {row["model"]: row for row in shipped()["fits"]}
    assert set(fits) == {each.model for each in PUBLISHED}
    for each in PUBLISHED:
        row = fits[each.model]
        assert row["published"] == {"redact": each.redact, "retain": each.retain}
        assert row["expected"]["redact"] == pytest.approx(each.redact, abs=0.005)
        assert row["shipped_table"]["redact"] == pytest.approx(each.redact, abs=0.05)
        assert row["theta_95"][0] <= row["theta"] <= row["theta_95"][1]


def test_the_shipped_artifacts_belong_together() -> None:
    raw = resources.files("privguard.minimizer").joinpath("data", "need_table.json").read_text(encoding="utf-8")
    assert shipped()["data_sha256"] == json.loads(raw)["data_sha256"]
    assert shipped()["gamma"] == DEFAULT_GAMMA


def test_the_default_utility_floor_is_where_both_readings_agree() -> None:
    assert shipped()["agreeing_gamma"] == pytest.approx(DEFAULT_GAMMA, abs=0.025)


def test_the_documentation_shows_the_shipped_figures() -> None:
    page = (Path(__file__).parents[2] / "docs" / "need.md").read_text(encoding="utf-8").replace("−", "-")
    for row in shipped()["fits"]:
        low, high = row["theta_95"]
        shares = [
            f"{100 * row[kind][action]:.1f}"
            for action in ("redact", "retain")
            for kind in ("published", "expected", "shipped_table")
        ]
        cells = (row["model"], f"{row['theta']:.2f}", f"{low:.2f} to {high:.2f}", *shares)
        assert f"| {' | '.join(cells)} |" in page
    for row in json.loads(
        resources.files("privguard.minimizer").joinpath("data", "need_table.json").read_text(encoding="utf-8")
    )["test_fold"]:
        low, high = row["auc_95"]
        assert (
            f"| {row['n_needed']} | {row['auc']:.3f} ({low:.3f} to {high:.3f}) | {row['type_only_auc']:.3f} |" in page
        )
