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
    tags = np.concatenate([row.places[:, 2] for row in asked])
    scores = head.score(_pool_all(asked), tags, np.repeat([row.own for row in asked], sizes), instruction)
    public = scores.owners[:, _PUBLIC].sum(axis=1, keepdims=True)
    # The last digits depend on how many spans are scored together.
    table = np.round(np.concatenate([scores.difficulties, np.minimum(public, 1.0)], axis=1), 4)
    return np.split(table, np.cumsum(sizes)[:-1])


def _pool_all(asked: Sequence[Asked]) -> FloatArray:
    """Pool the spans of all texts as if these were one, each far enough from the next."""
    rows = [row for row in asked if len(row.places)]
    if len(rows) == 1 or not all(len(row.text) for row in rows):
        return np.concatenate([pool(row.text, row.places[:, 0], row.places[:, 1]) for row in rows])
    reach = [max(int(row.text.ends[-1]), int(row.places[:, 1].max())) + 1 for row in rows]
    counts = [len(row.text) for row in rows]
    shifts, stops = np.cumsum([0, *reach[:-1]]), np.cumsum(counts)
    spans = [len(row.places) for row in rows]
    places = np.concatenate([row.places for row in rows])[:, :2] + np.repeat(shifts, spans)[:, None]
    by_token = np.repeat(shifts, counts)
    ends = np.concatenate([row.text.ends for row in rows]) + by_token
    starts = np.concatenate([row.text.starts for row in rows]) + by_token
    first = np.minimum(np.searchsorted(ends, places[:, 0], side="right"), np.repeat(stops, spans) - 1)
    last = np.maximum(np.searchsorted(starts, places[:, 1], side="left"), first + 1)
    return _mean(np.concatenate([row.text.features for row in rows]), first, last)


def pool(text: Encoded, starts: IntArray, ends: IntArray) -> FloatArray:
    """Return the mean features of the tokens that share a code point with `[start, end)`, `(n, features)`.

    A span without any token takes its neighbour's; where the text has no token at all they are 0.
    """
    if not len(text):
        return np.zeros((len(starts), text.features.shape[1]), dtype=np.float32)
    first = np.minimum(np.searchsorted(text.ends, starts, side="right"), len(text) - 1)
    last = np.maximum(np.searchsorted(text.starts, ends, side="left"), first + 1)
    return _mean(text.features, first, last)


def _mean(features: NDArray[np.float16], first: IntArray, last: IntArray) -> FloatArray:
    """Return the mean of the rows `[first, last)` for each span, none of them empty."""
    sizes = last - first
    offsets = np.cumsum(sizes) - sizes
    rows = np.arange(sizes.sum()) - np.repeat(offsets - first, sizes)
    total = np.add.reduceat(features[rows].astype(np.float32), offsets, axis=0)
    return np.asarray(total / sizes[:, None], dtype=np.float32)
