"""A trained network as an artifact: ONNX graphs, tokenizer, need head, manifest with hashes.

The graphs are written for the CPU kernels that run them: layer normalisation and attention stand as plain operators,
because their fused forms are scalar loops there (measured: several times slower), and query, key and value are one
product, so that the input is quantised once.
"""

import copy
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from privguard.encoder.labels import OWNERS, TAGS
from privguard.research.training.model import Layer, LeanLayer, Net, embed_units, unit_norm

OPSET = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactSpec:
    """What the manifest says beside the hashes."""

    name: str
    version: str
    length: int = 126  # content tokens per window
    overlap: int = 32
    detection: Mapping[str, Any] = field(default_factory=lambda: {"temperature": 1.0, "threshold": 0.35, "by_type": {}})
    scale: float = 1.0  # of the difficulties, onto the theta of the shipped targets
    shift: float = 0.0
    half: bool = True  # whether a graph for CUDA is written
    training: Mapping[str, Any] = field(default_factory=dict)


class PlainNorm(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """Layer normalisation out of operators that are vectorised on a CPU."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        super().__init__()
        self.weight, self.bias, self.eps = norm.weight, norm.bias, norm.eps

    def forward(self, states: Tensor) -> Tensor:
        """Normalise the last axis."""
        centred = states - states.mean(-1, keepdim=True)
        spread = (centred * centred).mean(-1, keepdim=True) + self.eps
        return centred * spread.rsqrt() * self.weight + self.bias


class PlainLayer(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """A layer with one product for query, key and value, and the scale folded into the query.

    Shapes are written as constants where they can be, since each computed one costs operators of its own.
    """

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.heads = layer.heads
        self.width = layer.query.out_features
        self.joined = nn.Linear(layer.query.in_features, 3 * self.width)
        with torch.no_grad():
            self.joined.weight.copy_(
                torch.cat([layer.query.weight * layer.scale, layer.key.weight, layer.value.weight])
            )
            self.joined.bias.copy_(torch.cat([layer.query.bias * layer.scale, layer.key.bias, layer.value.bias]))
        self.out, self.up, self.down = layer.out, layer.up, layer.down
        self.attention_norm, self.norm = PlainNorm(layer.attention_norm), PlainNorm(layer.norm)

    def forward(self, states: Tensor, bias: Tensor | None) -> Tensor:
        """Return the new states: `(tokens, hidden)` without a bias, else `(batch, tokens, hidden)`."""
        mixed = _attend(self.joined(states), bias, self.heads, self.width)
        states = self.attention_norm(states + self.out(mixed))
        out: Tensor = self.norm(states + self.down(nn.functional.gelu(self.up(states))))
        return out


class PlainLeanLayer(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """A lean layer with the scale folded into the query."""

    def __init__(self, layer: LeanLayer) -> None:
        super().__init__()
        self.heads, self.width = layer.heads, layer.width
        self.joined = nn.Linear(layer.joined.in_features, 3 * self.width, bias=False)
        with torch.no_grad():
            self.joined.weight.copy_(layer.joined.weight)
            self.joined.weight[: self.width] *= layer.scale
        self.out, self.up, self.down = layer.out, layer.up, layer.down

    def forward(self, states: Tensor, bias: Tensor | None) -> Tensor:
        """Return the new states: `(tokens, hidden)` without a bias, else `(batch, tokens, hidden)`."""
        states = states + self.out(_attend(self.joined(unit_norm(states)), bias, self.heads, self.width))
        out: Tensor = states + self.down(nn.functional.relu(self.up(unit_norm(states))))
        return out


def _attend(joined: Tensor, bias: Tensor | None, heads: int, width: int) -> Tensor:
    lead = () if bias is None else (joined.shape[0],)
    query, key, value = (
        part.reshape(*lead, -1, heads, width // heads).transpose(-3, -2) for part in joined.split(width, -1)
    )
    logits = query @ key.transpose(-1, -2)
    logits = logits if bias is None else logits + bias
    return (logits.softmax(-1) @ value).transpose(-3, -2).reshape(*lead, -1, width)


class ByteTable(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """A word table in int8 with one scale a row: half of all weights, and nothing is lost that can be measured."""

    def __init__(self, words: nn.Embedding) -> None:
        super().__init__()
        table = words.weight.detach()
        scale = (table.abs().amax(1, keepdim=True) / 127).clamp(min=1e-9)
        self.register_buffer("table", (table / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the rows, `(..., hidden)` of `(...)`."""
        rows: Tensor = self.table[ids].to(self.scale.dtype) * self.scale[ids]
        return rows


class ByteLinear(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """A product whose weights lie in int8 with a scale for each output; a session unfolds them when it loads."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        scale = (weight.abs().amax(1, keepdim=True) / 127).clamp(min=1e-9)
        self.register_buffer("weight", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, states: Tensor) -> Tensor:
        """Return the product, as `nn.Linear` does."""
        product = states @ (self.weight.to(self.scale.dtype) * self.scale).transpose(0, 1)
        out: Tensor = product if self.bias is None else product + self.bias
        return out


def _pack_weights(module: nn.Module) -> None:
    """Put every product into bytes."""
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, ByteLinear(child))
        else:
            _pack_weights(child)


class PlainEncoder(nn.Module):  # type: ignore[misc] # torch is absent where types are checked
    """The encoder as it is exported; agrees with `Encoder` up to rounding."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        encoder = net.encoder
        self.words, self.places, self.shapes = ByteTable(encoder.words), encoder.places, encoder.shapes
        self.gates = encoder.gates
        self.norm = PlainNorm(encoder.norm)
        self.layers = nn.ModuleList(
            PlainLeanLayer(layer) if isinstance(layer, LeanLayer) else PlainLayer(layer) for layer in encoder.layers
        )
        self.lean = net.spec.lean
        self.heads = nn.Linear(net.spec.hidden, encoder.tags.out_features + encoder.features.out_features)
        self.sizes = (encoder.tags.out_features, encoder.features.out_features)
        with torch.no_grad():
            self.heads.weight.copy_(torch.cat([encoder.tags.weight, encoder.features.weight]))
            self.heads.bias.copy_(torch.cat([encoder.tags.bias, encoder.features.bias]))

    def forward(self, ids: Tensor, shapes: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return tag logits and features, as `Encoder` does; without a mask there is one window and no padding."""
        places = self.places.weight[: ids.shape[1]]
        bias = None
        if mask is None:
            ids, shapes = ids[0], shapes[0]
        else:
            bias = ((mask - 1).to(places.dtype) * 1e4)[:, None, None, :]
        states = self.norm(embed_units(self.words, self.gates, ids) + places + self.shapes(shapes))
        for layer in self.layers:
            states = layer(states, bias)
        states = unit_norm(states) if self.lean else states
        tags, features = self.heads(states).split(self.sizes, -1)
        return (tags, features) if mask is not None else (tags[None], features[None])


def export_graph(net: Net, path: Path, *, masked: bool) -> None:
    """Write the fp32 graph; without `mask` among its inputs where it never sees padding, else with packed weights."""
    inputs = ("ids", "shapes", "mask") if masked else ("ids", "shapes")
    shapes = torch.zeros(2 if masked else 1, 16, dtype=torch.int64)
    ids = shapes[..., None].repeat(1, 1, net.spec.pieces)
    moving = {0: "batch", 1: "tokens"} if masked else {1: "tokens"}
    axes = dict.fromkeys((*inputs, "tags", "features"), moving)
    # A copy: what is packed for one graph must stay as it is for the next.
    encoder = PlainEncoder(copy.deepcopy(net)).eval()
    if masked:
        _pack_weights(encoder)
    torch.onnx.export(
        encoder,
        (ids, shapes, torch.ones_like(shapes))[: len(inputs)],
        str(path),
        input_names=list(inputs),
        output_names=["tags", "features"],
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
        do_constant_folding=not masked,
    )


def quantize_int8(source: Path, target: Path) -> None:
    """Quantise weights per channel to int8, activations at run time."""
    quantize_dynamic(
        str(source),
        str(target),
        per_channel=True,
        # 7 bits: processors without VNNI overflow on products of 8 by 8.
        reduce_range=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )


def write_artifact(net: Net, tokenizer: Path, folder: Path, spec: ArtifactSpec) -> None:
    """Write all files of an artifact; the manifest comes last, so that a half-written one does not load."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").unlink(missing_ok=True)
    shutil.copyfile(tokenizer, folder / "tokenizer.json")
    with tempfile.TemporaryDirectory() as scratch:
        plain, masked = Path(scratch) / "plain.onnx", Path(scratch) / "masked.onnx"
        # A CPU reads one window at a time: the scale of quantised activations must not depend on neighbours.
        export_graph(net, plain, masked=False)
        quantize_int8(plain, folder / "int8.onnx")
        if spec.half:
            export_graph(net, masked, masked=True)
            write_fp16(masked, folder / "fp16.onnx")
    np.savez(folder / "need.npz", **_need_arrays(net))
    files = ("tokenizer.json", "int8.onnx", *(("fp16.onnx",) if spec.half else ()), "need.npz")
    manifest = {
        "format": 1,
        "name": spec.name,
        "version": spec.version,
        "types": [kind.value for kind in TAGS],
        "owners": list(OWNERS),
        "window": {"length": spec.length, "overlap": spec.overlap},
        "features": net.spec.features,
        "pieces": net.spec.pieces,
        "files": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
        "detection": dict(spec.detection),
        "need": {
            "attention_heads": net.spec.attention_heads,
            "attention_width": net.spec.attention_width,
            "thresholds": [round(step, 6) for step in net.need.thresholds().tolist()],
            "scale": spec.scale,
            "shift": spec.shift,
            "slope": 1.0,
        },
        "training": dict(spec.training),
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _need_arrays(net: Net) -> dict[str, Any]:
    arrays = {name: weights.float().numpy() for name, weights in net.need.state_dict().items()}
    if not net.spec.interaction:  # the head that runs them knows no ablation: it attends to zeros
        arrays |= {name: np.zeros_like(arrays[name]) for name in ("value.weight", "value.bias")}
    return arrays


def write_fp16(source: Path, target: Path) -> None:
    """Write a half-precision graph whose inputs and outputs keep their types."""
    from onnxruntime.transformers.float16 import convert_float_to_float16

    model = convert_float_to_float16(onnx.load(source), keep_io_types=True)
    onnx.save(model, target)
