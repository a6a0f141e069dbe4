"""Spans of encoded texts against the instruction of encoded texts, in plain numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privguard.encoder.encoder import Encoded
from privguard.encoder.instruction import instruction_tokens
from privguard.encoder.labels import OWNERS
from privguard.encoder.need_head import Instruction, NeedHead

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_PUBLIC = [OWNERS.index("public"), OWNERS.index("none")]


class Place(NamedTuple):
    """A span of a text, half-open in code points, and its tag, 1 and up."""

    start: int
    end: int
    tag: int


class SpanScore(NamedTuple):
    """What one instruction says of one span."""

    b_redact: float
    b_abstract: float
    p_public: float  # probability that the value is public knowledge, or nobody's


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Spans of one text that are to be scored."""

    text: Encoded = field(repr=False)
    places: Sequence[Place]
    own: bool  # whether the text belongs to the instruction


def read_instruction(head: NeedHead, texts: Sequence[Encoded]) -> Instruction | None:
    """Prepare the head and the tail of a message that may come in several texts; None where it has no token."""
    sizes = [len(text) for text in texts]
    wanted = np.array(instruction_tokens(sum(sizes)), dtype=np.int64)
    if not len(wanted):
        return None
    parts = []
    low = 0
    for text, size in zip(texts, sizes, strict=True):
        parts.append(text.features[wanted[(wanted >= low) & (wanted < low + size)] - low])
        low += size
    return head.prepare(np.concatenate(parts))


def score_spans(
    head: NeedHead, asked: Sequence[Asked], instruction: Instruction | None
) -> tuple[tuple[SpanScore, ...], ...]:
    """Score the spans of several texts against one instruction, None where nothing is said; rows in their order."""
    count = sum(len(row.places) for row in asked)
    if not count:
        return tuple(() for _ in asked)
    columns = [np.array(row.places, dtype=np.int64).reshape(-1, 3) for row in asked]
    pooled = [pool(row.text, places[:, 0], places[:, 1]) for row, places in zip(asked, columns, strict=True)]
    own = np.repeat([row.own for row in asked], [len(row.places) for row in asked])
    scores = head.score(np.concatenate(pooled), np.concatenate(columns)[:, 2], own, instruction)
    # The last digits depend on how many spans are scored together.
    numbers = np.round(scores.difficulties.astype(np.float64), 4).tolist()
    public = np.clip(np.round(scores.owners[:, _PUBLIC].sum(axis=1).astype(np.float64), 4), 0.0, 1.0).tolist()
    flat = iter([SpanScore(redact, abstract, p) for (redact, abstract), p in zip(numbers, public, strict=True)])
    return tuple(tuple(next(flat) for _ in row.places) for row in asked)


def pool(text: Encoded, starts: IntArray, ends: IntArray) -> FloatArray:
    """Return the mean features of the tokens that share a code point with `[start, end)`, `(n, features)`.

    A span without any token takes its neighbour's; where the text has no token at all they are 0.
    """
    if not len(text):
        return np.zeros((len(starts), text.features.shape[1]), dtype=np.float32)
    first = np.minimum(np.searchsorted(text.ends, starts, side="right"), len(text) - 1)
    last = np.maximum(np.searchsorted(text.starts, ends, side="left"), first + 1)
    sizes = last - first
    offsets = np.cumsum(sizes) - sizes
    rows = np.arange(sizes.sum()) - np.repeat(offsets - first, sizes)
    total = np.add.reduceat(text.features[rows].astype(np.float32), offsets, axis=0)
    return np.asarray(total / sizes[:, None], dtype=np.float32)
