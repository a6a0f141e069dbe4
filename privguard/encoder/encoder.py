"""Texts to what the network says of their tokens: one pass serves detection and need."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.core.memory import Memory
from privguard.encoder.artifact import NEED_HEAD, TOKENIZER, Artifact
from privguard.encoder.batching import Row
from privguard.encoder.labels import TAG_COUNT
from privguard.encoder.need_head import NeedHead, load_need_head
from privguard.encoder.runners import RowOutput, Runner, SharedRunner, SingleRunner
from privguard.encoder.session import Device, Session, open_session
from privguard.encoder.tokens import TextTokenizer, Tokens
from privguard.encoder.windows import Window, split_windows

HalfArray = NDArray[np.float16]
FloatArray = NDArray[np.float32]

MEMORY_BYTES = 32 * 2**20
_ROWS = 128  # windows in flight at once: bounds the memory of the outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """What is known of the `n` tokens of one text. The ids are left out: they are the text in other words."""

    mark: bytes = field(repr=False)  # equal texts have equal marks, within one process
    starts: NDArray[np.int32] = field(repr=False)
    ends: NDArray[np.int32] = field(repr=False)
    shapes: NDArray[np.uint8] = field(repr=False)
    probabilities: HalfArray = field(repr=False)  # (n, TAG_COUNT), after temperature
    begins: HalfArray = field(repr=False)  # (n,) probability that a token opens a span
    features: HalfArray = field(repr=False)  # (n, features)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.starts)

    @property
    def tokens(self) -> Tokens:
        """Return the tokens as the decoder takes them, all ids 0."""
        return Tokens(
            ids=np.zeros((len(self), 1), dtype=np.int64),
            shapes=self.shapes.astype(np.int64),
            starts=self.starts.astype(np.int64),
            ends=self.ends.astype(np.int64),
        )

    @property
    def size(self) -> int:
        """Return the bytes that it takes."""
        arrays = (self.starts, self.ends, self.shapes, self.probabilities, self.begins, self.features)
        return sum(array.nbytes for array in arrays) + 1024  # the objects themselves


class TokenEncoder:
    """Encode texts. Thread-safe; equal texts are encoded once while they are remembered.

    On a CPU an answer depends on the text alone, to the bit. On CUDA it depends on what shares a call by the rounding
    of fp16; what is remembered does not change.
    """

    def __init__(self, artifact: Artifact, session: Session, *, memory_bytes: int = MEMORY_BYTES) -> None:
        """Put an artifact and an open session together.

        Raises:
            ArtifactError: the tokenizer or the need head is damaged.
        """
        self._artifact = artifact
        self._session = session
        self._tokenizer = TextTokenizer(artifact.read(TOKENIZER), artifact.manifest.pieces)
        self.need_head: NeedHead = load_need_head(artifact.read(NEED_HEAD), artifact.manifest)
        cuda = session.device is Device.CUDA
        self._runner: Runner = SharedRunner(session, self._tokenizer.pad_id) if cuda else SingleRunner(session)
        self._memory: Memory[Encoded] = Memory(memory_bytes, lambda encoded: encoded.size)

    @property
    def id(self) -> str:
        """Return name, version and hash of the artifact."""
        return self._artifact.id

    @property
    def artifact(self) -> Artifact:
        """Return the artifact."""
        return self._artifact

    @property
    def device(self) -> Device:
        """Return where the graph runs."""
        return self._session.device

    @property
    def held_bytes(self) -> int:
        """Return what is remembered, in bytes."""
        return self._memory.size

    def encode(self, texts: Sequence[str]) -> tuple[Encoded, ...]:
        """Return what the network says of each text, in order. Linear in the length.

        Raises:
            DetectionError: the session failed.
        """
        marks = [self._memory.mark(text) for text in texts]
        known: dict[bytes, Encoded] = {}
        fresh: dict[bytes, str] = {}
        for mark, text in zip(marks, texts, strict=True):
            if mark in known or mark in fresh:
                continue
            found = self._memory.get(mark)
            if found is None:
                fresh[mark] = text
            else:
                known[mark] = found
        for mark, encoded in self._encode(fresh):
            known[mark] = encoded
            self._memory.put(mark, encoded)
        return tuple(known[mark] for mark in marks)

    def _encode(self, fresh: dict[bytes, str]) -> list[tuple[bytes, Encoded]]:
        window = self._artifact.manifest
        pieces: list[tuple[int, Window]] = []
        drafts: list[_Draft] = []
        for number, text in enumerate(fresh.values()):
            tokens = self._tokenizer(text)
            drafts.append(_Draft(tokens, window.features))
            windows = split_windows(len(tokens), length=window.length, overlap=window.overlap)
            pieces.extend((number, piece) for piece in windows)
        for at in range(0, len(pieces), _ROWS):
            some = pieces[at : at + _ROWS]
            outputs = self._runner.run([self._row(drafts[number].tokens, piece) for number, piece in some])
            for (number, piece), output in zip(some, outputs, strict=True):
                drafts[number].fill(piece, output, window.detection.temperature)
        return [(mark, draft.finish(mark)) for mark, draft in zip(fresh, drafts, strict=True)]

    def _row(self, tokens: Tokens, window: Window) -> Row:
        cut = slice(window.start, window.end)
        count = window.end - window.start
        ids = np.zeros((count + 2, tokens.ids.shape[1]), dtype=np.int64)
        shapes = np.zeros(count + 2, dtype=np.int64)
        ids[0, 0], ids[-1, 0] = self._tokenizer.cls_id, self._tokenizer.sep_id
        ids[1:-1], shapes[1:-1] = tokens.ids[cut], tokens.shapes[cut]
        return Row(ids=ids, shapes=shapes)


class _Draft:
    """One text whose windows come in one by one."""

    def __init__(self, tokens: Tokens, features: int) -> None:
        self.tokens = tokens
        self._probabilities = np.zeros((len(tokens), TAG_COUNT), dtype=np.float16)
        self._begins = np.zeros(len(tokens), dtype=np.float16)
        self._features = np.zeros((len(tokens), features), dtype=np.float16)

    def fill(self, window: Window, output: RowOutput, temperature: float) -> None:
        """Keep what a window says of the tokens that are read from it; row 0 is the opening token."""
        kept = slice(window.keep_start, window.keep_end)
        rows = slice(window.keep_start - window.start + 1, window.keep_end - window.start + 1)
        logits = output.tags[rows]
        self._probabilities[kept] = softmax(logits[:, :-1] / np.float32(temperature))
        self._begins[kept] = 0.5 * (1.0 + np.tanh(0.5 * logits[:, -1]))
        self._features[kept] = output.features[rows]

    def finish(self, mark: bytes) -> Encoded:
        """Return the whole text."""
        return Encoded(
            mark=mark,
            starts=self.tokens.starts.astype(np.int32),
            ends=self.tokens.ends.astype(np.int32),
            shapes=self.tokens.shapes.astype(np.uint8),
            probabilities=self._probabilities,
            begins=self._begins,
            features=self._features,
        )


def softmax(logits: FloatArray) -> FloatArray:
    """Return the softmax over the last axis."""
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), dtype=np.float32)


def open_encoder(artifact: Artifact, *, device: Device = Device.AUTO, threads: int = 1) -> TokenEncoder:
    """Open an artifact on a device.

    Raises:
        ArtifactError: a part of it is damaged.
        ConfigError: the device is not there.
    """
    return TokenEncoder(artifact, open_session(artifact, device=device, threads=threads))
