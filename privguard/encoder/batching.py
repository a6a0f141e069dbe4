"""Rows of tokens in few padded calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]

MAX_TOKENS = 16384  # padded tokens of one call: bounds the memory of the device
_STEP = 16  # lengths are padded to multiples of this, so that few shapes occur


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One window of `T` units, special ones included."""

    ids: IntArray = field(repr=False)  # (T, pieces), 0 where a unit has fewer
    shapes: IntArray = field(repr=False)  # (T,)

    def __len__(self) -> int:
        """Return the number of units, special ones included."""
        return len(self.ids)


def plan_batches(lengths: Sequence[int], max_tokens: int = MAX_TOKENS) -> tuple[tuple[int, ...], ...]:
    """Group rows by like length into calls of at most `max_tokens` padded tokens; a longer row goes alone."""
    batches: list[tuple[int, ...]] = []
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda number: (lengths[number], number)):
        if batch and (len(batch) + 1) * padded(lengths[number]) > max_tokens:
            batches.append(tuple(batch))
            batch = []
        batch.append(number)
    if batch:
        batches.append(tuple(batch))
    return tuple(batches)


def padded(length: int) -> int:
    """Return the length that a row of `length` tokens is padded to."""
    return -(-length // _STEP) * _STEP


def stack(rows: Sequence[Row], pad_id: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return ids `(len(rows), T, pieces)`, shapes and mask `(len(rows), T)` of padded rows."""
    size = (len(rows), padded(max(map(len, rows))))
    ids = np.zeros((*size, rows[0].ids.shape[1]), np.int64)
    ids[:, :, 0] = pad_id
    shapes, mask = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row.ids
        shapes[number, : len(row)] = row.shapes
        mask[number, : len(row)] = 1
    return ids, shapes, mask
