"""An exported model back as a network that can be trained: its graphs are read, and what the export folded is undone.

The export loses little. The weights of products lie in bytes with a scale for each output: in 7 bits in the graph for
processors, in 8 in the one for CUDA, which is read where there is one. The word table lies in bytes in both. All else
stands in full in the graph for processors. The arrays of the need head are those of the network: scale and shift of the
difficulties stand in the manifest alone, as the thresholds of detection do.
"""

import hashlib
import io
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from privguard.core.errors import ArtifactError, ConfigError
from privguard.encoder.artifact import CPU_GRAPH, GPU_GRAPH, MANIFEST, NEED_HEAD, TOKENIZER, Artifact, Manifest
from privguard.encoder.labels import TAG_COUNT
from privguard.encoder.loading import open_artifact, shipped_models
from privguard.research.training.loop import CHECKPOINT, load_net
from privguard.research.training.model import Net, NetSpec

FloatArray = NDArray[np.float32]

_PRODUCT = re.compile(r"/(?P<module>.+)/(?:Gemm_)?MatMul_quant")  # the name of its node
_OF_LAYER = re.compile(r"layers\.(?P<number>\d+)\.(?P<part>\w+)\.(?P<kind>weight|bias)")
_JOINED = ("query", "key", "value")  # in this order in the one product of a layer


def load_learnt(source: str, tokenizer: Path) -> Net:
    """Return the network of a run or of an exported model.

    Args:
        source: the folder of either, or the name of a shipped model; a run is nearer.
        tokenizer: see `load_exported`.

    Raises:
        ConfigError: it is neither, or the model reads with another tokenizer.
        ArtifactError: the model is damaged.
    """
    folder = Path(source)
    if (folder / CHECKPOINT).is_file():
        return load_net(folder / CHECKPOINT)
    if source in shipped_models() or (folder / MANIFEST).is_file():
        return load_exported(open_artifact(source if source in shipped_models() else folder), tokenizer)
    raise ConfigError(
        f"{source} holds neither {CHECKPOINT} nor {MANIFEST}: it is no model and not the folder of a run, or its first "
        "round is not over"
    )


def load_exported(artifact: Artifact, tokenizer: Path, *, rounded: bool = False, interaction: bool = True) -> Net:
    """Return the network of an artifact.

    Args:
        artifact: verified.
        tokenizer: the file that the network is to be trained with.
        rounded: see `NetSpec`.
        interaction: see `NetSpec`.

    Raises:
        ConfigError: the model reads with another tokenizer.
        ArtifactError: its graph is not one that this version writes.
    """
    if artifact.manifest.files[TOKENIZER] != hashlib.sha256(tokenizer.read_bytes()).hexdigest():
        raise ConfigError(f"the model {artifact.id} reads with another tokenizer than that of the base weights")
    try:
        net = _load(artifact, rounded=rounded, interaction=interaction)
    except ArtifactError:
        raise
    except Exception as error:  # noqa: BLE001 - a graph of another make may lack anything
        failure = type(error).__name__
    else:
        net.eval()
        return net
    raise ArtifactError(
        f"the model {artifact.id} cannot be trained on: this version did not write its graph ({failure})"
    )


def _load(artifact: Artifact, *, rounded: bool, interaction: bool) -> Net:
    graph = onnx.load_model_from_string(artifact.read(CPU_GRAPH)).graph
    kept = _encoder_arrays(graph)
    if GPU_GRAPH in artifact.manifest.files:
        kept |= _packed_products(onnx.load_model_from_string(artifact.read(GPU_GRAPH)).graph)
    with np.load(io.BytesIO(artifact.read(NEED_HEAD)), allow_pickle=False) as stored:
        need = {name: stored[name] for name in stored.files}
    spec = replace(
        _spec(kept, artifact.manifest, _heads(graph)),
        need_inner=need["up.bias"].shape[0],
        rounded=rounded,
        interaction=interaction,
    )
    net = Net(spec)
    state = {f"encoder.{name}": _unfolded(name, kept, spec) for name in net.encoder.state_dict()}
    state |= {f"need.{name}": array for name, array in need.items()}
    net.load_state_dict({name: torch.from_numpy(np.array(array, dtype=np.float32)) for name, array in state.items()})
    return net


def _encoder_arrays(graph: onnx.GraphProto) -> dict[str, FloatArray]:
    """Return the arrays of the graph for processors by the names of `PlainEncoder`, out of their bytes."""
    arrays = _arrays(graph)
    for node in graph.node:
        if product := _PRODUCT.fullmatch(node.name):
            _, weight, _, zero = node.input
            scale = arrays[f"{weight.removesuffix('_quantized')}_scale"]
            whole = (arrays[weight].astype(np.float32) - arrays[zero]) * scale  # (inputs, outputs)
            arrays[f"{product['module'].replace('/', '.')}.weight"] = whole.T
    arrays["words.weight"] = arrays["words.table"].astype(np.float32) * arrays["words.scale"]
    return arrays


def _packed_products(graph: onnx.GraphProto) -> dict[str, FloatArray]:
    """Return the weights of products of the graph for CUDA, out of their bytes."""
    arrays = _arrays(graph)
    scales = {name: f"{name.removesuffix('.weight')}.scale" for name in arrays if name.endswith(".weight")}
    return {
        name: arrays[name].astype(np.float32) * arrays[scale].astype(np.float32)
        for name, scale in scales.items()
        if scale in arrays
    }


def _arrays(graph: onnx.GraphProto) -> dict[str, FloatArray]:
    return {stored.name: numpy_helper.to_array(stored) for stored in graph.initializer}


def _heads(graph: onnx.GraphProto) -> tuple[int, int]:
    """Return number and width of the attention heads: no array tells them, but the first reshape of a layer does."""
    shape = next(node.input[1] for node in graph.node if node.name == "/layers.0/Reshape")
    constant = next(node for node in graph.node if shape in node.output)
    _, heads, width = numpy_helper.to_array(constant.attribute[0].t).tolist()
    return heads, width


def _spec(kept: Mapping[str, FloatArray], manifest: Manifest, heads: tuple[int, int]) -> NetSpec:
    vocabulary, hidden = kept["words.weight"].shape
    return NetSpec(
        layers=len({found["number"] for name in kept if (found := _OF_LAYER.fullmatch(name))}),
        hidden=hidden,
        heads=heads[0],
        head_width=heads[1],
        inner=kept["layers.0.up.weight"].shape[0],
        vocabulary=vocabulary,
        positions=kept["places.weight"].shape[0],
        features=manifest.features,
        attention_heads=manifest.need.attention_heads,
        attention_width=manifest.need.attention_width,
        pieces=manifest.pieces,
        lean="layers.0.norm.weight" not in kept,
    )


def _unfolded(name: str, kept: Mapping[str, FloatArray], spec: NetSpec) -> FloatArray:
    """Return the array of the encoder that has a name there, undoing what `PlainEncoder` did."""
    head, _, kind = name.partition(".")
    if head == "tags":
        return kept[f"heads.{kind}"][: TAG_COUNT + 1]
    if head == "features":
        return kept[f"heads.{kind}"][TAG_COUNT + 1 :]
    if (found := _OF_LAYER.fullmatch(name)) and found["part"] in {*_JOINED, "joined"}:
        joined = np.array(kept[f"layers.{found['number']}.joined.{found['kind']}"])
        width = spec.heads * spec.head_width
        joined[:width] /= spec.head_width**-0.5
        if found["part"] == "joined":
            return joined
        return np.split(joined, len(_JOINED))[_JOINED.index(found["part"])]
    return kept[name]
