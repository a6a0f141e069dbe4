import io
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import ArtifactError, DetectionError
from privguard.encoder.artifact import Artifact, load_artifact
from privguard.encoder.encoder import open_encoder
from privguard.encoder.need_head import NeedHead, _erf, load_need_head
from privguard.encoder.session import Device

REFERENCE = Path(__file__).parent / "need_reference.json"
WIDTH = 8


@pytest.fixture(scope="session")
def head(artifact: Artifact) -> NeedHead:
    return load_need_head(artifact.read("need.npz"), artifact.manifest)


def arrays(artifact: Artifact) -> dict[str, Any]:
    with np.load(io.BytesIO(artifact.read("need.npz"))) as stored:
        return {name: stored[name] for name in stored.files}


def packed(stored: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    np.savez(out, **stored)
    return out.getvalue()


def test_it_says_what_the_network_of_the_training_code_says(head: NeedHead) -> None:
    said = json.loads(REFERENCE.read_text(encoding="utf-8"))
    scores = head.score(
        np.array(said["spans"], dtype=np.float32),
        np.array(said["tags"]),
        np.array(said["own"]) > 0,
        head.prepare(np.array(said["instruction"], dtype=np.float32)),
    )
    assert np.allclose(scores.difficulties[:, 0], said["b_redact"], atol=1e-5)
    assert np.allclose(scores.difficulties[:, 1], said["b_abstract"], atol=1e-5)
    assert np.allclose(scores.owners, said["owners"], atol=1e-5)


@given(st.lists(st.tuples(st.integers(1, 26), st.booleans()), max_size=8), st.integers(0, 5), st.integers(0, 2**31))
def test_a_generalisation_is_never_harder_and_owners_are_probabilities(
    head: NeedHead, spans: list[tuple[int, bool]], tokens: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    instruction = head.prepare(10 * rng.normal(size=(tokens, WIDTH))) if tokens else None
    scores = head.score(
        10 * rng.normal(size=(len(spans), WIDTH)).astype(np.float32),
        np.array([tag for tag, _ in spans], dtype=np.int64),
        np.array([own for _, own in spans], dtype=np.bool_),
        instruction,
    )
    assert scores.difficulties.shape == (len(spans), 2)
    assert (scores.difficulties[:, 1] <= scores.difficulties[:, 0]).all()
    assert np.allclose(scores.owners.sum(axis=1), 1)


def test_a_span_is_scored_alike_alone_and_with_others(head: NeedHead) -> None:
    rng = np.random.default_rng(3)
    spans, tags, own = rng.normal(size=(9, WIDTH)).astype(np.float32), np.arange(1, 10), np.arange(9) % 2 > 0
    instruction = head.prepare(rng.normal(size=(40, WIDTH)))
    together = head.score(spans, tags, own, instruction).difficulties
    for number in range(9):
        cut = slice(number, number + 1)
        alone = head.score(spans[cut], tags[cut], own[cut], instruction).difficulties
        assert np.allclose(alone, together[cut], atol=1e-5)


def test_difficulties_are_put_on_the_scale_of_the_manifest(artifact: Artifact, head: NeedHead) -> None:
    need = replace(artifact.manifest.need, scale=2.0, shift=1.0)
    other = load_need_head(artifact.read("need.npz"), replace(artifact.manifest, need=need))
    asked = (np.ones((1, WIDTH), dtype=np.float32), np.array([1]), np.array([True]), None)
    assert np.allclose(other.score(*asked).difficulties, 2 * head.score(*asked).difficulties + 1, atol=1e-5)


def test_features_that_are_not_finite_are_refused(head: NeedHead) -> None:
    with pytest.raises(DetectionError, match="not finite"), np.errstate(invalid="ignore"):
        head.score(np.full((1, WIDTH), np.nan, dtype=np.float32), np.array([1]), np.array([True]), None)


def _pickled() -> bytes:
    return packed({"steps": np.array([{"a": 1}], dtype=object)})


@pytest.mark.parametrize("content", [b"", b"no archive", _pickled()], ids=["empty", "foreign", "pickled"])
def test_what_is_no_archive_of_plain_arrays_is_refused(artifact: Artifact, content: bytes) -> None:
    with pytest.raises(ArtifactError, match="cannot be read"):
        load_need_head(content, artifact.manifest)


@pytest.mark.parametrize(
    "change",
    [
        lambda stored: stored.pop("steps"),
        lambda stored: stored.update(more=np.zeros(1)),
        lambda stored: stored.update({"key.weight": stored["key.weight"].T}),
        lambda stored: stored.pop("up.bias"),
    ],
    ids=["one less", "one more", "transposed", "without a bias"],
)
def test_arrays_that_do_not_fit_are_refused(artifact: Artifact, change: Callable[[dict[str, Any]], object]) -> None:
    stored = arrays(artifact)
    change(stored)
    with pytest.raises(ArtifactError, match="names or shapes"):
        load_need_head(packed(stored), artifact.manifest)


def test_weights_that_are_not_finite_are_refused(artifact: Artifact, exchanged: Callable[[str, bytes], Path]) -> None:
    stored = arrays(artifact)
    stored["out.bias"] = np.full_like(stored["out.bias"], np.inf)
    broken = load_artifact(exchanged("need.npz", packed(stored)))
    with pytest.raises(ArtifactError, match="not finite"):
        open_encoder(broken, device=Device.CPU)


@given(st.floats(-6, 6))
def test_the_error_function_is_that_of_the_standard_library(value: float) -> None:
    assert abs(float(_erf(np.array([value], dtype=np.float32))[0]) - math.erf(value)) < 1e-6
