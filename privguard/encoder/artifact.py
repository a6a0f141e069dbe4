"""The model artifact: a folder whose manifest names every file with its hash, and is checked against them at load."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from privguard.core.entities import EntityType
from privguard.core.errors import ArtifactError
from privguard.core.patterns import lazy_pattern
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
_MIN_WINDOW = 16  # units; in shorter ones a name and what it is called by do not stand together
_MIN_OVERLAP = 4  # units; with fewer, the windows on both sides cut a name
_STEPS = 3  # between the four ordinal labels of need
_SHA256 = lazy_pattern(r"[0-9a-f]{64}")
_MAX_MANIFEST = 1 << 20  # bytes


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
    """An artifact whose manifest is in order."""

    manifest: Manifest
    digest: str  # sha256 of the manifest, which names the hash of every other file
    folder: Path

    @property
    def id(self) -> str:
        """Return name, version and the beginning of the hash, for plan and audit."""
        return f"{self.manifest.name}-{self.manifest.version}-{self.digest[:12]}"

    def read(self, name: str) -> bytes:
        """Return the content of a file; it is verified, whatever was verified before, since it may have changed since.

        Raises:
            ArtifactError: it has.
        """
        content = _read(self.folder / name)
        _compare(hashlib.sha256(content).hexdigest(), self.manifest, self.folder, name)
        return content

    def verify(self, *, but: Collection[str] = ()) -> None:
        """Compare its files with the hashes of the manifest.

        Args:
            but: those that need not be: whoever reads them does.

        Raises:
            ArtifactError: a file is altered, or cannot be read.
        """
        for name in self.manifest.files:
            if name not in but:
                _compare(_digest(self.folder / name), self.manifest, self.folder, name)


def load_artifact(folder: Path, expected: str | None = None, *, verified: bool = True) -> Artifact:
    """Read and verify an artifact. What its manifest does not name is never read, and may stand there.

    Args:
        folder: where it is.
        expected: the digest that the manifest must have; None where any will do.
        verified: False where the caller verifies the files, by `read` and `verify`: the manifest alone is checked.

    Raises:
        ArtifactError: the folder is absent, a file is missing or altered, or the manifest is of another format or of
            other labels, out of bounds, or not the one that is expected.
    """
    raw = _read(folder / MANIFEST)
    digest = hashlib.sha256(raw).hexdigest()
    if expected is not None and digest != expected:
        raise ArtifactError(
            f"the manifest of the shipped model {_name(folder)} is not the one that this version came with; install "
            "privguard again (whoever replaces a shipped model renews the digests: docs/training.md)"
        )
    manifest = parse_manifest(raw)
    if missing := sorted(name for name in manifest.files if not (folder / name).is_file()):
        raise ArtifactError(f"the model {_name(folder)} lacks {', '.join(missing)}")
    artifact = Artifact(manifest=manifest, digest=digest, folder=folder)
    if verified:
        artifact.verify()
    return artifact


def parse_manifest(raw: bytes) -> Manifest:
    """Read a manifest.

    Raises:
        ArtifactError: it is damaged, of another format, or of other labels.
    """
    if len(raw) > _MAX_MANIFEST:
        raise ArtifactError(f"the manifest is damaged: it has more than {_MAX_MANIFEST} bytes")
    try:
        return _parse(json.loads(raw, parse_constant=_refuse))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        failure = type(error).__name__
    raise ArtifactError(f"the manifest is damaged: {failure} while reading it")


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number of JSON")


def _parse(document: Any) -> Manifest:  # noqa: ANN401 - JSON enters here
    if type(document["format"]) is not int or document["format"] != FORMAT:
        raise ArtifactError(f"the model has another format than {FORMAT}, which this version reads")
    if unknown := sorted(set(document) - _KEYS):
        raise ArtifactError(f"the manifest has fields that this version does not know: {', '.join(unknown)}")
    if tuple(document["types"]) != tuple(kind.value for kind in TAGS):
        raise ArtifactError("the model was trained for other entity types, or for another order of them")
    if tuple(document["owners"]) != OWNERS:
        raise ArtifactError("the model was trained for other owners, or for another order of them")
    window, need = document["window"], document["need"]
    return Manifest(
        name=_word(document["name"], "name"),
        version=_word(document["version"], "version"),
        length=(length := _whole(window["length"], "window length", least=_MIN_WINDOW, most=_MAX_WINDOW)),
        overlap=_whole(window["overlap"], "window overlap", least=_MIN_OVERLAP, most=length // 2),
        features=_whole(document["features"], "features"),
        pieces=_whole(document["pieces"], "pieces", most=16),
        files=MappingProxyType(_files(document["files"])),
        detection=_detection(document["detection"]),
        need=NeedScale(
            attention_heads=_whole(need["attention_heads"], "attention heads"),
            attention_width=_whole(need["attention_width"], "attention width"),
            thresholds=_thresholds(need["thresholds"]),
            scale=_number(need["scale"], "need scale", least=0.01),
            shift=_number(need["shift"], "need shift"),
            slope=_number(need["slope"], "need slope", least=0.01),
        ),
        training=MappingProxyType(dict(document["training"])),
    )


def _files(given: Mapping[str, str]) -> dict[str, str]:
    if not _REQUIRED <= set(given) <= _ALLOWED:
        raise ArtifactError(f"a model consists of {', '.join(sorted(_REQUIRED))} and perhaps {GPU_GRAPH}")
    digests = {name: str(digest).lower() for name, digest in given.items()}
    if not all(_SHA256.fullmatch(digest) for digest in digests.values()):
        raise ArtifactError("the manifest names no SHA-256 digest of one of its files")
    return digests


def _thresholds(given: object) -> tuple[float, float, float]:
    if not isinstance(given, list) or len(given) != _STEPS:
        raise ArtifactError(f"the need thresholds of the model are not {_STEPS} numbers")
    first, second, third = (_number(number, "need threshold") for number in given)
    if not first < second < third:
        raise ArtifactError("the need thresholds of the model do not ascend")
    return first, second, third


def _detection(given: Mapping[str, Any]) -> Detection:
    default = _number(given["threshold"], "threshold", least=0.01, most=0.99)
    by_type = {
        EntityType(kind): _number(number, f"threshold of {kind}", least=0.01, most=0.99)
        for kind, number in given.get("by_type", {}).items()
    }
    return Detection(
        temperature=_number(given["temperature"], "temperature", least=0.2, most=5.0),
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
        raise ArtifactError(f"{name} of the model {_name(folder)} is damaged or altered; install it again")


def _name(folder: Path) -> str:
    return folder.resolve().name or str(folder)


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
    return ArtifactError(f"{path.name} of the model {_name(path.parent)} cannot be read: {type(error).__name__}")
