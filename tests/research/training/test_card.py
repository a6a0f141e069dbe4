import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from privguard.research.training.card import CARD, CURVES, draw_curves, write_card
from privguard.research.training.loop import LOG


def log(folder: Path, rounds: int) -> None:
    rows = [
        {"round": n, "tag": 1 / n, "need": 2 / n, "auc authored": 0.5, "recall@0.35": 0.1 * n}
        for n in range(1, rounds + 1)
    ]
    (folder / LOG).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write(folder: Path) -> dict[str, object]:
    write_card(folder, run={"rounds": 3}, net={"layers": 2}, hashes={"a.jsonl": "00"})
    card: dict[str, object] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    return card


def test_a_card_says_what_went_in_and_how_far_it_is_and_is_redrawn(tmp_path: Path) -> None:
    log(tmp_path, 1)
    card = write(tmp_path)
    assert card["run"] == {"rounds": 3}
    assert card["network"] == {"layers": 2}
    assert card["data_sha256"] == {"a.jsonl": "00"}
    before = (tmp_path / CURVES).read_bytes()
    log(tmp_path, 3)
    last = write(tmp_path)["last_round"]
    assert isinstance(last, dict)
    assert last["round"] == 3
    assert (tmp_path / CURVES).read_bytes() != before


def test_curves_are_a_picture_even_where_a_figure_is_missing_in_some_rounds(tmp_path: Path) -> None:
    path = tmp_path / "c.svg"
    draw_curves(
        [
            {"round": 0, "auc pupa": 0.5},
            {"round": 1, "tag": 2.0},
            {"round": 2, "tag": 1.0, "need": 1.0, "auc pupa": float("nan")},
        ],
        path,
    )
    assert ET.parse(path).getroot().tag.endswith("svg")  # noqa: S314 - our own picture
