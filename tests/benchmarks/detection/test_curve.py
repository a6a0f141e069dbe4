"""One artifact under several thresholds."""

import json
from pathlib import Path

import pytest

from benchmarks.detection.curve import with_threshold
from privguard.core.errors import ConfigError


def test_the_copy_differs_in_its_thresholds_alone_and_the_artifact_stays(tmp_path: Path) -> None:
    manifest = {"name": "m", "detection": {"temperature": 1.5, "threshold": 0.35, "by_type": {"DATE": 0.6}}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "graph").write_bytes(b"\0\1")
    with with_threshold(tmp_path, 0.7) as copy:
        assert (copy / "graph").read_bytes() == b"\0\1"
        changed = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    assert changed == {"name": "m", "detection": {"temperature": 1.5, "threshold": 0.7, "by_type": {}}}
    assert json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8")) == manifest
    assert not copy.exists()


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"holds no manifest\.json"), with_threshold(tmp_path, 0.5):
        pass
