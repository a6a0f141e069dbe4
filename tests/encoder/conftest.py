"""What the tests of the encoder share: the small model of look-up tables, and copies of it to be damaged."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from privguard.encoder.artifact import Artifact, load_artifact
from privguard.encoder.encoder import TokenEncoder, open_encoder
from privguard.encoder.session import Device

MODEL = Path(__file__).parent / "model"

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="session")
def artifact() -> Artifact:
    return load_artifact(MODEL)


@pytest.fixture(scope="session")
def encoder(artifact: Artifact) -> TokenEncoder:
    return open_encoder(artifact, device=Device.CPU)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Return a copy of the model that may be changed."""
    folder = tmp_path / "tables"
    shutil.copytree(MODEL, folder)
    return folder


@pytest.fixture
def rewritten(copied: Path) -> Callable[[Change], Path]:
    """Return what changes the manifest of a copy and returns its folder."""

    def rewrite(change: Change) -> Path:
        path = copied / "manifest.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        change(document)
        path.write_text(json.dumps(document), encoding="utf-8")
        return copied

    return rewrite


@pytest.fixture
def exchanged(copied: Path) -> Callable[[str, bytes], Path]:
    """Return what puts other bytes into a file of a copy, with the hash that fits."""

    def exchange(name: str, content: bytes) -> Path:
        (copied / name).write_bytes(content)
        path = copied / "manifest.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        document["files"][name] = hashlib.sha256(content).hexdigest()
        path.write_text(json.dumps(document), encoding="utf-8")
        return copied

    return exchange
