"""Spans of encoded texts against the instruction of encoded texts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.encoder.encoder import Encoded
from privguard.encoder.instruction import instruction_tokens
from privguard.encoder.labels import OWNERS
from privguard.encoder.need_head import Instruction, NeedHead

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

_PUBLIC = [OWNERS.index("public"), OWNERS.index("none")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Spans of one text that are to be scored."""

    text: Encoded = field(repr=False)
    places: IntArray = field(repr=False)  # (n, 3) start, end, tag: half-open in code points; tags are 1 and up
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


def score_spans(head: NeedHead, asked: Sequence[Asked], instruction: Instruction | None) -> list[FloatArray]:
    """Score the spans of several texts against one instruction, None where nothing is said.

    Returns:
        for each text `(n, 3)` float32: `b_redact`, `b_abstract <= b_redact` in logits, and the probability that the
        value is public knowledge or nobody's.
    """
    sizes = [len(row.places) for row in asked]
    if not sum(sizes):
        return [np.zeros((0, 3), dtype=np.float32) for _ in asked]
    pooled = [pool(row.text, row.places[:, 0], row.places[:, 1]) for row in asked]
    tags = np.concatenate([row.places[:, 2] for row in asked])
    scores = head.score(np.concatenate(pooled), tags, np.repeat([row.own for row in asked], sizes), instruction)
    public = scores.owners[:, _PUBLIC].sum(axis=1, keepdims=True)
    # The last digits depend on how many spans are scored together.
    table = np.round(np.concatenate([scores.difficulties, np.minimum(public, 1.0)], axis=1), 4)
    return np.split(table, np.cumsum(sizes)[:-1])


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
