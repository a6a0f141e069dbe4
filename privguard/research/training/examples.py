"""Records as arrays: windows of tokens with targets, grouped so that a span and its instruction train together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.core.entities import EntityType
from privguard.encoder.instruction import instruction_tokens
from privguard.encoder.labels import TAG_COUNT, TAG_OF
from privguard.encoder.tokens import Tokens
from privguard.encoder.windows import split_windows
from privguard.research.training.records import Label, Record
from privguard.research.training.scopes import UNLABELLED, UNTYPED, scope_of

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float32]
HalfArray = NDArray[np.float16]

ANY_TAG = -2  # something stands here, of a type nobody noted
UNKNOWN_TAG = -3  # nobody looked: only a teacher can say
IGNORE = -100


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanTarget:
    """One labelled span inside a window: tokens `[start, end)` of it."""

    window: int  # index into the windows of the group
    start: int
    end: int
    tag: int
    own: bool  # it stands in the instruction message
    place: tuple[int, int]  # the text of the record and the label of the text that it comes from
    reach: tuple[float, ...] | None
    owner: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenWindow:
    """The inputs and tag targets of one window, each array of shape `(n,)`, without special tokens."""

    ids: IntArray = field(repr=False)  # (n, pieces)
    shapes: IntArray = field(repr=False)
    tags: IntArray = field(repr=False)
    begins: IntArray = field(repr=False)  # 1 at the first token of a span, 0 inside, IGNORE elsewhere
    soft: HalfArray | None = field(default=None, repr=False)  # (n, TAG_COUNT + 1) probabilities of a teacher


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """All windows of one record, its spans, and where its instruction stands."""

    source: str
    windows: tuple[TokenWindow, ...]
    spans: tuple[SpanTarget, ...]
    instruction: tuple[tuple[int, int], ...]  # (window, token) of each instruction token

    @property
    def size(self) -> int:
        """Return the number of tokens."""
        return sum(len(window.ids) for window in self.windows)


def build_group(
    record: Record,
    tokenize: Callable[[str], Tokens],
    *,
    length: int,
    overlap: int,
    soft: Sequence[HalfArray] | None = None,
) -> Group:
    """Cut a record into windows.

    Args:
        record: the labelled texts.
        tokenize: the tokenizer of the model.
        length: tokens per window, special tokens not counted.
        overlap: tokens shared by neighbours.
        soft: for each text the probabilities of a teacher, one row a token.
    """
    windows: list[TokenWindow] = []
    spans: list[SpanTarget] = []
    instruction: list[tuple[int, int]] = []
    for number, text in enumerate(record.texts):
        tokens = tokenize(text.text)
        ranges = [_token_range(tokens, label) for label in text.labels]
        tags, begins = _tag_targets(tokens, text.labels, ranges)
        if record.source == UNLABELLED:
            tags[:] = UNKNOWN_TAG
        wanted = set(instruction_tokens(len(tokens))) if number == record.instruction else set()
        for window in split_windows(len(tokens), length=length, overlap=overlap):
            place = len(windows)
            cut = slice(window.start, window.end)
            windows.append(
                TokenWindow(
                    ids=tokens.ids[cut],
                    shapes=tokens.shapes[cut],
                    tags=tags[cut],
                    begins=begins[cut],
                    soft=None if soft is None else soft[number][cut],
                )
            )
            kept = range(window.keep_start, window.keep_end)
            instruction.extend((place, token - window.start) for token in kept if token in wanted)
            for index, (start, end) in enumerate(ranges):
                if start < end and start in kept:
                    local = (start - window.start, min(end, window.end) - window.start)
                    own = number == record.instruction
                    spans.append(_span_target(text.labels[index], place, local, own=own, source=(number, index)))
    return Group(source=record.source, windows=tuple(windows), spans=tuple(spans), instruction=tuple(instruction))


def scope_mask(source: str) -> FloatArray:
    """Return a `(TAG_COUNT,)` mask: 1 where the source labels the tag, "outside" included."""
    mask = np.zeros(TAG_COUNT, dtype=np.float32)
    mask[0] = 1
    for kind in scope_of(source):
        mask[TAG_OF[kind]] = 1
    return mask


def _token_range(tokens: Tokens, label: Label) -> tuple[int, int]:
    """Return the tokens that share a code point with the label."""
    start = int(np.searchsorted(tokens.ends, label.start, side="right"))
    end = int(np.searchsorted(tokens.starts, label.end, side="left"))
    return start, end


def _tag_targets(
    tokens: Tokens, labels: Sequence[Label], ranges: Sequence[tuple[int, int]]
) -> tuple[IntArray, IntArray]:
    tags = np.zeros(len(tokens), dtype=np.int64)
    begins = np.full(len(tokens), IGNORE, dtype=np.int64)
    for label, (start, end) in zip(labels, ranges, strict=True):
        if start < end:
            tags[start:end] = ANY_TAG if label.kind == UNTYPED else TAG_OF[EntityType(label.kind)]
            begins[start:end] = 0
            begins[start] = 1
    return tags, begins


def _span_target(
    label: Label, window: int, local: tuple[int, int], *, own: bool, source: tuple[int, int]
) -> SpanTarget:
    return SpanTarget(
        window=window,
        start=local[0],
        end=local[1],
        tag=0 if label.kind == UNTYPED else TAG_OF[EntityType(label.kind)],
        own=own,
        place=source,
        reach=label.reach,
        owner=label.owner,
    )
