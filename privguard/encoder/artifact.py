"""The model artifact: a folder whose manifest names every file with its hash, and is checked against them at load."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from privguard.core.entities import EntityType
from privguard.core.errors import ArtifactError
from privguard.encoder.labels import OWNERS, TAGS

FORMAT = 1
MANIFEST = "manifest.json"
TOKENIZER = "tokenizer.json"
CPU_GRAPH = "int8.onnx"
GPU_GRAPH = "fp16.onnx"
NEED_HEAD = "need.npz"
_REQUIRED = frozenset({TOKENIZER, CPU_GRAPH, NEED_HEAD})
_ALLOWED = _REQUIRED | {GPU_GRAPH}
_KEYS = frozenset(
    {
        "format",
        "name",
        "version",
        "types",
        "owners",
        "window",
        "features",
        "pieces",
        "files",
        "detection",
        "need",
        "training",
    }
)
_MAX_WINDOW = 510  # units: the encoder has 512 positions, and two are taken by special ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """How tag logits become spans."""

    temperature: float
    thresholds: tuple[float, ...]  # by type, in the order of TAGS: probability from which on a word is in a span


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedScale:
    """The size of the need head, and how its difficulties are put on the scale of theta."""

    attention_heads: int
    attention_width: int
    thresholds: tuple[float, float, float]  # theta of the ordinal labels the head was trained on
    scale: float
    shift: float
    slope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What an artifact says of itself."""

    name: str
    version: str
    length: int  # units of a window, special ones not counted
    overlap: int
    features: int
    pieces: int  # word pieces of one unit
    files: Mapping[str, str]  # name to sha256 in hex
    detection: Detection
    need: NeedScale
    training: Mapping[str, object] = field(repr=False)  # the card of the training run


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A verified artifact."""

    manifest: Manifest
    digest: str  # sha256 of the manifest, which names the hash of every other file
    folder: Path

    @property
    def id(self) -> str:
        """Return name, version and the beginning of the hash, for plan and audit."""
        return f"{self.manifest.name}-{self.manifest.version}-{self.digest[:12]}"

    def read(self, name: str) -> bytes:
        """Return the content of a file; it is verified once more, since it may have changed since.

        Raises:
            ArtifactError: it has.
        """
        content = _read(self.folder / name)
        _compare(hashlib.sha256(content).hexdigest(), self.manifest, self.folder, name)
        return content


def load_artifact(folder: Path) -> Artifact:
    """Read and verify an artifact.

    Raises:
        ArtifactError: the folder is absent, a file is missing, unknown or altered, or the manifest is of another
            format or of other labels.
    """
    raw = _read(folder / MANIFEST)
    manifest = parse_manifest(raw)
    present = {path.name for path in folder.iterdir()} - {MANIFEST}
    if missing := sorted(set(manifest.files) - present):
        raise ArtifactError(f"the model {folder.name} lacks {', '.join(missing)}")
    if extra := sorted(present - set(manifest.files)):
        raise ArtifactError(f"the model {folder.name} holds files that its manifest does not name: {', '.join(extra)}")
    for name in manifest.files:
        _compare(_digest(folder / name), manifest, folder, name)
    return Artifact(manifest=manifest, digest=hashlib.sha256(raw).hexdigest(), folder=folder)


def parse_manifest(raw: bytes) -> Manifest:
    """Read a manifest.

    Raises:
        ArtifactError: it is damaged, of another format, or of other labels.
    """
    try:
        return _parse(json.loads(raw))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArtifactError(f"the manifest is damaged: {type(error).__name__} while reading it") from None


def _parse(document: Any) -> Manifest:  # noqa: ANN401 - JSON enters here
    if document["format"] != FORMAT:
        raise ArtifactError(f"the model has format {document['format']!r}; this version reads format {FORMAT}")
    if unknown := sorted(set(document) - _KEYS):
        raise ArtifactError(f"the manifest has fields that this version does not know: {', '.join(unknown)}")
    if tuple(document["types"]) != tuple(kind.value for kind in TAGS):
        raise ArtifactError("the model was trained for other entity types, or for another order of them")
    if tuple(document["owners"]) != OWNERS:
        raise ArtifactError("the model was trained for other owners, or for another order of them")
    window, need = document["window"], document["need"]
    first, second, third = (float(number) for number in need["thresholds"])
    return Manifest(
        name=_word(document["name"], "name"),
        version=_word(document["version"], "version"),
        length=_whole(window["length"], "window length", most=_MAX_WINDOW),
        overlap=_whole(window["overlap"], "window overlap", least=0, most=int(window["length"]) - 1),
        features=_whole(document["features"], "features"),
        pieces=_whole(document["pieces"], "pieces", most=16),
        files=MappingProxyType(_files(document["files"])),
        detection=_detection(document["detection"]),
        need=NeedScale(
            attention_heads=_whole(need["attention_heads"], "attention heads"),
            attention_width=_whole(need["attention_width"], "attention width"),
            thresholds=(first, second, third),
            scale=_number(need["scale"], "need scale", least=1e-6),
            shift=_number(need["shift"], "need shift"),
            slope=_number(need["slope"], "need slope", least=1e-6),
        ),
        training=MappingProxyType(dict(document["training"])),
    )


def _files(given: Mapping[str, str]) -> dict[str, str]:
    if not _REQUIRED <= set(given) <= _ALLOWED:
        raise ArtifactError(f"a model consists of {', '.join(sorted(_REQUIRED))} and perhaps {GPU_GRAPH}")
    return {name: str(digest).lower() for name, digest in given.items()}


def _detection(given: Mapping[str, Any]) -> Detection:
    default = _number(given["threshold"], "threshold", least=0.01, most=0.99)
    by_type = {
        EntityType(kind): _number(number, f"threshold of {kind}", least=0.01, most=0.99)
        for kind, number in given.get("by_type", {}).items()
    }
    return Detection(
        temperature=_number(given["temperature"], "temperature", least=0.01),
        thresholds=tuple(by_type.get(kind, default) for kind in TAGS),
    )


def _word(value: object, name: str) -> str:
    if not isinstance(value, str) or not value or not all(letter.isalnum() or letter in "._-" for letter in value):
        raise ArtifactError(f"the {name} of the model is not a plain word")
    return value


def _whole(value: object, name: str, *, least: int = 1, most: int = 4096) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ArtifactError(f"the {name} of the model is not a whole number from {least} to {most}")
    return value


def _number(value: object, name: str, *, least: float = -100.0, most: float = 100.0) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise ArtifactError(f"the {name} of the model is not a number from {least:g} to {most:g}")
    return float(value)


def _compare(digest: str, manifest: Manifest, folder: Path, name: str) -> None:
    if digest != manifest.files[name]:
        raise ArtifactError(f"{name} of the model {folder.name} is damaged or altered; install it again")


def _digest(path: Path) -> str:
    # Piece by piece: graphs that are not run are not held in memory.
    try:
        with path.open("rb") as stored:
            return hashlib.file_digest(stored, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> ArtifactError:
    return ArtifactError(f"{path.name} of the model {path.parent.name} cannot be read: {type(error).__name__}")
