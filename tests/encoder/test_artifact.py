import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from privguard.core.errors import ArtifactError
from privguard.encoder.artifact import load_artifact, parse_manifest
from privguard.encoder.labels import TAGS

Rewrite = Callable[[Callable[[dict[str, Any]], object]], Path]


def test_an_artifact_says_who_it_is(copied: Path) -> None:
    artifact = load_artifact(copied)
    assert artifact.id == f"tables-1-{artifact.digest[:12]}"
    assert artifact.read("need.npz") == (copied / "need.npz").read_bytes()
    assert artifact.manifest.detection.thresholds[TAGS.index(TAGS[11])] == 0.5
    assert artifact.manifest.detection.thresholds[0] == 0.35


@pytest.mark.parametrize("name", ["tokenizer.json", "int8.onnx", "need.npz"])
def test_one_changed_bit_is_seen(copied: Path, name: str) -> None:
    content = bytearray((copied / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / name).write_bytes(content)
    with pytest.raises(ArtifactError, match=f"{name} of the model tables is damaged or altered"):
        load_artifact(copied)


@pytest.mark.parametrize("name", ["tokenizer.json", "int8.onnx", "need.npz", "manifest.json"])
def test_a_missing_file_is_named(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(ArtifactError, match=name):
        load_artifact(copied)


def test_what_the_manifest_does_not_name_is_never_read(copied: Path) -> None:
    digest = load_artifact(copied).digest
    (copied / ".DS_Store").write_bytes(b"")
    (copied / "fp16.onnx").write_bytes(b"no graph")
    (copied / "__pycache__").mkdir()
    artifact = load_artifact(copied)
    assert artifact.digest == digest
    assert set(artifact.manifest.files) == {"tokenizer.json", "int8.onnx", "need.npz"}


def test_a_folder_in_the_place_of_a_file_is_a_missing_file(copied: Path) -> None:
    (copied / "need.npz").unlink()
    (copied / "need.npz").mkdir()
    with pytest.raises(ArtifactError, match=r"lacks need\.npz"):
        load_artifact(copied)


def test_another_manifest_than_the_expected_one_is_refused(copied: Path) -> None:
    digest = load_artifact(copied).digest
    assert load_artifact(copied, digest).digest == digest
    for other in ("", digest[::-1]):
        with pytest.raises(ArtifactError, match=r"shipped model tables .*install privguard again"):
            load_artifact(copied, other)


def test_a_model_in_the_working_directory_has_the_name_of_that(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copied)
    (copied / "manifest.json").unlink()
    with pytest.raises(ArtifactError, match=r"manifest\.json of the model tables cannot be read"):
        load_artifact(Path())


def test_a_file_that_changes_after_it_was_verified_is_not_read(copied: Path) -> None:
    artifact = load_artifact(copied)
    (copied / "int8.onnx").write_bytes(b"another graph")
    with pytest.raises(ArtifactError, match="damaged or altered"):
        artifact.read("int8.onnx")


def test_files_that_are_read_need_not_be_verified_before(copied: Path) -> None:
    (copied / "int8.onnx").write_bytes(b"another graph")
    artifact = load_artifact(copied, verified=False)
    artifact.verify(but={"int8.onnx"})
    with pytest.raises(ArtifactError, match="damaged or altered"):
        artifact.read("int8.onnx")
    with pytest.raises(ArtifactError, match="damaged or altered"):
        artifact.verify(but={"need.npz"})


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="cannot be read"):
        load_artifact(tmp_path / "nothing")


def _swap_types(document: dict[str, Any]) -> None:
    document["types"][:2] = document["types"][1::-1]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d.update(format=2), "another format than 1"),
        (lambda d: d.update(format=True), "another format than 1"),
        (lambda d: d.update(format=1.0), "another format than 1"),
        (lambda d: d.update(by_typ={}), "by_typ"),
        (_swap_types, "entity types"),
        (lambda d: d["owners"].reverse(), "owners"),
        (lambda d: d["files"].pop("need.npz"), "consists of"),
        (lambda d: d["files"].update({"../../secret": "0"}), "consists of"),
        (lambda d: d["window"].update(overlap=24), "window overlap"),
        (lambda d: d["window"].update(length=4000), "window length"),
        (lambda d: d["window"].update(length=1, overlap=0), "window length"),
        (lambda d: d["window"].update(length=24.0), "window length"),
        (lambda d: d["window"].update(overlap=0), "window overlap"),
        (lambda d: d["window"].update(overlap=13), "window overlap"),
        (lambda d: d.update(pieces=0), "pieces"),
        (lambda d: d["detection"].update(temperature=0), "temperature"),
        (lambda d: d["detection"].update(temperature=100), "temperature"),
        (lambda d: d["detection"].update(temperature="1"), "temperature"),
        (lambda d: d["detection"].update(threshold=float("nan")), "damaged"),
        (lambda d: d["files"].update({"need.npz": "0"}), "SHA-256"),
        (lambda d: d["detection"]["by_type"].update(LOCATION=1.5), "threshold of LOCATION"),
        (lambda d: d["detection"]["by_type"].update(NOTHING=0.5), "damaged"),
        (lambda d: d["need"].update(scale=-1), "need scale"),
        (lambda d: d["need"].update(thresholds=[0, 1]), "need thresholds of the model are not 3 numbers"),
        (lambda d: d["need"].update(thresholds={"0": 0, "1": 1, "2": 2}), "need thresholds"),
        (lambda d: d["need"].update(thresholds=[0, 2, 1]), "do not ascend"),
        (lambda d: d["need"].update(thresholds=[0, 0, 1]), "do not ascend"),
        (lambda d: d["need"].update(thresholds=["0", "1", "2"]), "need threshold of the model is not a number"),
        (lambda d: d["need"].update(thresholds=[0, 1, float("inf")]), "damaged"),
        (lambda d: d["need"].update(thresholds=[0, 1, float("nan")]), "damaged"),
        (lambda d: d["need"].update(thresholds=[0, 1, 10**400]), "need threshold of the model is not a number"),
        (lambda d: d.update(name="a/b"), "name"),
        (lambda d: d.pop("need"), "damaged"),
    ],
)
def test_a_foreign_manifest_is_refused(rewritten: Rewrite, change: Callable[[Any], object], told: str) -> None:
    with pytest.raises(ArtifactError, match=told):
        load_artifact(rewritten(change))


NO_MANIFESTS = {
    "empty": b"",
    "list": b"[]",
    "bytes": b"\xff",
    "null": b"null",
    "no fields": json.dumps({"format": 1}).encode(),
    "deep": b"[" * 100_000,
    "long": b" " * (1 << 21),
}


@pytest.mark.parametrize("raw", NO_MANIFESTS.values(), ids=NO_MANIFESTS)
def test_what_is_no_manifest_is_refused(raw: bytes) -> None:
    with pytest.raises(ArtifactError, match="damaged") as caught:
        parse_manifest(raw)
    assert caught.value.__context__ is None
