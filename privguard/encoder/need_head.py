"""The need head in numpy: span features against instruction features give difficulties and owner.

The features of a text are computed once; a new instruction costs microseconds for each span.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.core.errors import ArtifactError, DetectionError
from privguard.encoder.artifact import Manifest
from privguard.encoder.labels import OWNERS, TAG_COUNT
from privguard.encoder.products import product

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedScores:
    """Difficulties on the scale of theta, and whose the values are; rows in span order."""

    difficulties: FloatArray = field(repr=False)  # (n, 2) b_redact, b_abstract, b_abstract <= b_redact, in logits
    owners: FloatArray = field(repr=False)  # (n, len(OWNERS)) probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """An instruction prepared for many spans: keys and values of its `t` tokens."""

    keys: FloatArray = field(repr=False)  # (heads, width, t)
    values: FloatArray = field(repr=False)  # (heads, t, width)


class NeedHead:
    """Score spans against instructions. Immutable."""

    def __init__(self, arrays: Mapping[str, FloatArray], manifest: Manifest) -> None:
        """Take the arrays by their names in the network, shapes as there."""
        self._arrays = arrays
        self._heads = manifest.need.attention_heads
        self._width = manifest.need.attention_width
        self._scale = np.float32(manifest.need.scale)
        self._shift = np.float32(manifest.need.shift)

    def prepare(self, features: NDArray[np.floating]) -> Instruction:
        """Prepare the features of the instruction tokens, `(t, features)`, at least one token."""
        wide = features.astype(np.float32)
        parts = (product(wide, self._arrays["key.weight"].T), self._linear("value", wide))
        keys, values = (part.reshape(len(wide), self._heads, self._width) for part in parts)
        return Instruction(keys=keys.transpose(1, 2, 0), values=values.transpose(1, 0, 2))

    def score(
        self, spans: FloatArray, tags: IntArray, own: NDArray[np.bool_], instruction: Instruction | None
    ) -> NeedScores:
        """Score spans against one instruction.

        Args:
            spans: `(n, features)` mean features of their tokens.
            tags: `(n,)` number of the type among the tags, 1 and up.
            own: `(n,)` whether the span stands in the instruction itself.
            instruction: None where there is no token of one: nothing is attended to.

        Raises:
            DetectionError: a difficulty is not finite.
        """
        joined = np.concatenate([spans, self._arrays["kinds.weight"][tags]], axis=1, dtype=np.float32)
        attended = self._attend(joined, instruction)
        hidden = _gelu(self._linear("up", np.concatenate([joined, attended, own[:, None]], axis=1, dtype=np.float32)))
        out = self._linear("out", hidden)
        redact = self._scale * out[:, 0] + self._shift
        difficulties = np.stack([redact, redact - self._scale * np.logaddexp(0, out[:, 1])], axis=1)
        if not np.isfinite(difficulties).all():
            raise DetectionError("the need head answered with numbers that are not finite")
        owners = np.exp(out[:, 2:] - out[:, 2:].max(axis=1, keepdims=True, initial=-np.inf))
        return NeedScores(difficulties=difficulties, owners=owners / owners.sum(axis=1, keepdims=True))

    def _attend(self, joined: FloatArray, instruction: Instruction | None) -> FloatArray:
        count = len(joined)
        if instruction is None:
            return np.zeros((count, self._heads * self._width), dtype=np.float32)
        query = self._linear("query", joined).reshape(count, self._heads, self._width).transpose(1, 0, 2)
        logits = _by_head(query, instruction.keys) / np.float32(np.sqrt(self._width))
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        attended = _by_head(weights, instruction.values).transpose(1, 0, 2).reshape(count, self._heads * self._width)
        return np.asarray(attended, dtype=np.float32)

    def _linear(self, name: str, rows: FloatArray) -> FloatArray:
        return product(rows, self._arrays[f"{name}.weight"].T) + self._arrays[f"{name}.bias"]


def _by_head(left: FloatArray, right: FloatArray) -> FloatArray:
    return np.stack([product(one, other) for one, other in zip(left, right, strict=True)])


def load_need_head(content: bytes, manifest: Manifest) -> NeedHead:
    """Read the arrays of an artifact.

    Raises:
        ArtifactError: the file is damaged, or its arrays are not those of the manifest.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: np.ascontiguousarray(stored[name], dtype=np.float32) for name in stored.files}
    except Exception as error:  # noqa: BLE001 - a damaged archive raises anything
        raise ArtifactError(f"the need head cannot be read: {type(error).__name__}") from None
    inner = arrays["up.bias"].shape[0] if arrays.get("up.bias", np.zeros(())).ndim == 1 else 0
    expected = _shapes(manifest, inner)
    if {name: array.shape for name, array in arrays.items()} != expected:
        raise ArtifactError("the arrays of the need head have other names or shapes than the manifest says")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ArtifactError("the need head holds numbers that are not finite")
    return NeedHead(arrays, manifest)


def _shapes(manifest: Manifest, inner: int) -> dict[str, tuple[int, ...]]:
    features = manifest.features
    attended = manifest.need.attention_heads * manifest.need.attention_width
    outputs = 2 + len(OWNERS)
    return {
        "kinds.weight": (TAG_COUNT, features),
        "query.weight": (attended, 2 * features),
        "query.bias": (attended,),
        "key.weight": (attended, features),
        "value.weight": (attended, features),
        "value.bias": (attended,),
        "up.weight": (inner, 2 * features + attended + 1),
        "up.bias": (inner,),
        "out.weight": (outputs, inner),
        "out.bias": (outputs,),
        "steps": (2,),
    }


def _gelu(values: FloatArray) -> FloatArray:
    return np.asarray(0.5 * values * (1.0 + _erf(values / np.sqrt(2.0))), dtype=np.float32)


def _erf(values: FloatArray) -> FloatArray:
    """Return the error function to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    size = np.abs(values)
    t = 1.0 / (1.0 + 0.3275911 * size)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.asarray(np.sign(values) * (1.0 - series * np.exp(-size * size)), dtype=np.float32)
