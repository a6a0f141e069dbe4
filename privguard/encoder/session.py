"""The ONNX session: one graph on one device, checked where it enters and where it answers.

On a CPU the graph is quantized dynamically: the scale of the activations is taken over a whole call, so that what
shares a call changes the answer. Each window is therefore a call of its own, without padding; measured, a call for
several windows is no faster there. On CUDA the graph is fp16 and nothing is quantized at run time: windows share calls.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from privguard.core.errors import ArtifactError, ConfigError, DetectionError
from privguard.encoder.artifact import CPU_GRAPH, GPU_GRAPH, NEED_HEAD, TOKENIZER, Artifact
from privguard.encoder.labels import TAG_COUNT

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

CPU_PROVIDER = "CPUExecutionProvider"
CUDA_PROVIDER = "CUDAExecutionProvider"
_INPUTS = ("ids", "shapes", "mask")
_OUTPUTS = ["tags", "features"]
_FATAL_ONLY = 4  # log severity; what the runtime writes to stderr otherwise may hold numbers of word pieces


class Device(StrEnum):
    """Where the model runs."""

    AUTO = "auto"  # CUDA where it works, else the CPU
    CPU = "cpu"
    CUDA = "cuda"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What the graph says of `B` rows of `T` units."""

    tags: FloatArray = field(repr=False)  # (B, T, TAG_COUNT + 1) logits, the last one "begins a span"
    features: FloatArray = field(repr=False)  # (B, T, features)


class Session(Protocol):
    """What runs the graph. Thread-safe."""

    @property
    def device(self) -> Device:
        """Return CPU or CUDA."""
        ...

    def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> Outputs:
        """Encode rows.

        Args:
            ids: `(B, T, pieces)` vocabulary ids, special ones included, 0 where a unit has fewer pieces.
            shapes: `(B, T)` shapes, 0 at special units and padding.
            mask: `(B, T)` 1 at units, 0 at padding.

        Raises:
            DetectionError: the runtime failed, or its answer is not one.
        """
        ...


class OnnxSession:
    """A graph in onnxruntime. Thread-safe: concurrent calls share the weights, each runs on its caller's thread."""

    def __init__(self, graph: bytes, *, device: Device, features: int, pieces: int, threads: int = 1) -> None:
        """Load a graph onto a device and try it once.

        Args:
            graph: the bytes of the ONNX file.
            device: CPU or CUDA.
            features: width of the features that the graph gives.
            pieces: word pieces of one unit.
            threads: of one call on the CPU.

        Raises:
            ArtifactError: the graph is damaged, or not one of ours.
            ConfigError: the device is not there.
        """
        self.device = device
        self._features = features
        provider = CUDA_PROVIDER if device is Device.CUDA else CPU_PROVIDER
        self._session = _open(graph, provider, threads)
        if provider not in self._session.get_providers():
            raise ConfigError(f"onnxruntime could not set {provider} up; it offers {self._session.get_providers()}")
        # A graph for single rows has no mask: there is no padding.
        self._inputs = tuple(node.name for node in self._session.get_inputs())
        wanted = _INPUTS if device is Device.CUDA else _INPUTS[:2]
        if not set(wanted) <= set(self._inputs) <= set(_INPUTS) or not set(_OUTPUTS) <= {
            node.name for node in self._session.get_outputs()
        }:
            raise ArtifactError("the graph of the model has other inputs or outputs")
        probe = np.ones((1, 2), dtype=np.int64)
        try:
            self.run(np.ones((1, 2, pieces), dtype=np.int64), 0 * probe, probe)
        except DetectionError as error:  # ours, which holds no content
            raise ArtifactError(f"the graph of the model does not run: {error}") from None

    def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> Outputs:
        """Encode `B` rows of `T` units, see `Session`; a graph without a mask takes one row.

        Raises:
            DetectionError: the runtime failed, or its answer has another shape or is not finite.
        """
        failure = ""
        try:
            given = {"ids": ids, "shapes": shapes, "mask": mask}
            tags, features = self._session.run(_OUTPUTS, {name: given[name] for name in self._inputs})
        except Exception as error:  # noqa: BLE001 - whatever the runtime raises, the call must be blocked
            failure = type(error).__name__
        if failure:
            # Raised out here: the context of an exception keeps reachable what the one before it says.
            raise DetectionError(f"the model failed with {failure}; nothing was sent")
        if tags.shape != (*shapes.shape, TAG_COUNT + 1) or features.shape != (*shapes.shape, self._features):
            raise DetectionError(f"the model answered in shapes {tags.shape} and {features.shape}; nothing was sent")
        # A sum is finite only where every term is; a pass over the padding costs less than picking it out.
        if not (np.isfinite(tags.sum()) and np.isfinite(features.sum())):
            raise DetectionError("the model answered with numbers that are not finite; nothing was sent")
        return Outputs(tags=tags, features=features)


def open_session(artifact: Artifact, *, device: Device = Device.AUTO, threads: int = 1) -> OnnxSession:
    """Open the graph of an artifact on the device that is asked for.

    Raises:
        ArtifactError: the graph is damaged.
        ConfigError: CUDA is demanded, and there is none, or the artifact has no graph for it.
    """
    manifest = artifact.manifest
    sizes = {"features": manifest.features, "pieces": manifest.pieces, "threads": threads}
    if device is not Device.CPU:
        obstacle = _cuda_obstacle(GPU_GRAPH in manifest.files)
        if not obstacle:
            try:
                return OnnxSession(artifact.read(GPU_GRAPH), device=Device.CUDA, **sizes)
            except ConfigError:
                if device is Device.CUDA:
                    raise
        if device is Device.CUDA:
            raise ConfigError(f"the model was to run on CUDA, but {obstacle}")
    return OnnxSession(artifact.read(CPU_GRAPH), device=Device.CPU, **sizes)


def files_on(device: Device) -> frozenset[str]:
    """Return the files of an artifact that an encoder on CPU or CUDA has read."""
    return frozenset({TOKENIZER, NEED_HEAD, GPU_GRAPH if device is Device.CUDA else CPU_GRAPH})


def _cuda_obstacle(has_graph: bool) -> str:
    if not has_graph:
        return f"the artifact has no {GPU_GRAPH}"
    if CUDA_PROVIDER not in ort.get_available_providers():
        return "this onnxruntime has no CUDA: pip uninstall onnxruntime; pip install 'privguard[gpu]'"
    return ""


def _open(graph: bytes, provider: str, threads: int) -> ort.InferenceSession:
    ort.disable_telemetry_events()
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = _FATAL_ONLY
    # Lengths vary from call to call: a plan or an arena per length would grow, and neither is any faster here.
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False
    # Threads that wait burn no processor time between calls.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        # No provider is added in silence: where this one cannot be had, get_providers() shows it.
        session = ort.InferenceSession(graph, options, providers=[provider])
    except Exception as error:  # noqa: BLE001 - the runtime raises classes of its own, some of them undocumented
        if provider == CUDA_PROVIDER:
            raise ConfigError(f"onnxruntime could not start CUDA: {type(error).__name__}") from None
        raise ArtifactError(f"the graph of the model cannot be loaded: {type(error).__name__}") from None
    # A call that fails would be tried again on another device, and told of on stdout. Without that, the bytes of the
    # graph have no use: the session has read them, but holds them as long as it lives.
    session.disable_fallback()
    session._model_bytes = None  # noqa: SLF001
    return session
