"""Tag probabilities to spans.

Tokens are pieces of words, spans are whole words: the pieces of one word are judged together, so that a name is never
cut in the middle.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.encoder.labels import TAGS
from privguard.encoder.tokens import CLASSES, SYMBOL, UNSPACED, Tokens

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

BEGIN = 0.5  # from this probability on, a word opens a span of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSpans:
    """Spans in text order, each array of shape `(n,)`; offsets in code points."""

    starts: IntArray = field(repr=False)
    ends: IntArray = field(repr=False)
    tags: IntArray = field(repr=False)  # index into TAGS
    scores: FloatArray = field(repr=False)  # mean probability that its words are inside of some span, 0 to 1


def decode(tokens: Tokens, probabilities: FloatArray, begins: FloatArray, threshold: float | FloatArray) -> FoundSpans:
    """Read spans off tag probabilities.

    Args:
        tokens: the `n` tokens of a text.
        probabilities: `(n, TAG_COUNT)` softmax over "outside" and the types.
        begins: `(n,)` probability that a token opens a span.
        threshold: the least probability of being inside, one for all types or `(len(TAGS),)` by type, 0 to 1.
    """
    if not len(tokens):
        empty = np.zeros(0, dtype=np.int64)
        return FoundSpans(starts=empty, ends=empty, tags=empty, scores=np.zeros(0, dtype=np.float32))
    words = _words(tokens, probabilities)
    tags = words.probabilities[:, 1:].argmax(axis=1)
    limits = np.broadcast_to(np.asarray(threshold, dtype=np.float32), (len(TAGS),))
    taken = words.inside >= limits[tags]
    opens = begins[words.first] >= BEGIN
    fresh = taken & (~np.append(False, taken[:-1]) | np.append(True, tags[1:] != tags[:-1]) | opens)
    return _gather(tokens, words, taken, fresh)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    first: IntArray  # first token of each word
    last: IntArray  # last one
    probabilities: FloatArray  # (words, TAG_COUNT), mean over the tokens
    inside: FloatArray


def _words(tokens: Tokens, probabilities: FloatArray) -> _Words:
    first = _word_starts(tokens)
    sizes = np.diff(np.append(first, len(tokens)))
    means = np.add.reduceat(probabilities, first, axis=0) / sizes[:, None]
    return _Words(first=first, last=first + sizes - 1, probabilities=means, inside=1.0 - means[:, 0])


def _word_starts(tokens: Tokens) -> IntArray:
    """Return the first token of each word; symbols and pieces of unspaced scripts are words of their own."""
    classes = tokens.shapes % CLASSES
    alone = (classes == SYMBOL) | (classes == UNSPACED)
    glued = np.append(False, tokens.starts[1:] == tokens.ends[:-1])
    glued &= ~alone & ~np.append(False, alone[:-1])
    return np.flatnonzero(~glued)


def _gather(tokens: Tokens, words: _Words, taken: NDArray[np.bool_], fresh: NDArray[np.bool_]) -> FoundSpans:
    """Join the taken words into spans, a new one at each fresh word."""
    opening = np.flatnonzero(fresh)
    members = np.flatnonzero(taken)
    owner = (np.cumsum(fresh) - 1)[members]
    count = len(opening)
    last = np.zeros(count, dtype=np.int64)
    last[owner] = members  # members ascend, so the last assignment wins
    totals = np.zeros((count, len(TAGS)), dtype=np.float32)
    np.add.at(totals, owner, words.probabilities[members, 1:])
    scores = np.bincount(owner, weights=words.inside[members], minlength=count)
    scores /= np.maximum(np.bincount(owner, minlength=count), 1)
    return FoundSpans(
        starts=tokens.starts[words.first[opening]],
        ends=tokens.ends[words.last[last]],
        tags=totals.argmax(axis=1) if count else np.zeros(0, dtype=np.int64),
        scores=np.clip(scores, 0.0, 1.0).astype(np.float32),
    )
