"""Spans for every threshold at once, so that the threshold may be chosen when a request comes.

A span at a higher threshold lies inside one at a lower threshold. All of them are given, each with the surest
threshold at which it is still whole: keeping those whose score reaches a threshold, and joining what overlaps, is
decoding at that threshold. A score is relative to the threshold that the artifact sets for the type, which is 0.5.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from privguard.core.entities import EntityType
from privguard.encoder.decode import Words
from privguard.encoder.labels import TAGS
from privguard.encoder.thresholds import FLOOR, step_of


@dataclass(frozen=True, slots=True)
class LevelSpan:
    """One span, half-open in code points."""

    start: int
    end: int
    kind: EntityType
    score: float  # relative certainty of its least certain word, 0 to 1


def level_spans(words: Words, thresholds: Sequence[float], floor: float = FLOOR) -> tuple[LevelSpan, ...]:
    """Return the spans of all thresholds from `floor` on.

    Args:
        words: the words of a text.
        thresholds: by type, the probability that becomes a score of 0.5.
        floor: the least score.
    """
    limits = np.asarray(thresholds, dtype=np.float32)[words.tags]
    inside = np.clip(words.inside, 0.0, 1.0)
    certain = np.where(inside < limits, 0.5 * inside / limits, 0.5 + 0.5 * (inside - limits) / (1 - limits))
    members = np.flatnonzero(certain >= floor)
    if not len(members):
        return ()
    fresh = words.opens[members] | np.append(True, members[1:] != members[:-1] + 1)
    opening = np.flatnonzero(fresh)
    scores, starts, ends = (array[members].tolist() for array in (certain, words.starts, words.ends))
    tags = words.tags[members[opening]].tolist()
    stops = [*opening[1:].tolist(), len(members)]
    return tuple(
        LevelSpan(starts[first], ends[last - 1], TAGS[tag], score)
        for low, high, tag in zip(opening.tolist(), stops, tags, strict=True)
        for first, last, score in _nested(scores, low, high)
    )


def _nested(scores: Sequence[float], low: int, high: int) -> Iterator[tuple[int, int, float]]:
    """Yield the run `[low, high)` with its least score, then what is left of it above that, step by step."""
    pending = [(low, high)]
    while pending:
        start, end = pending.pop()
        least = min(scores[start:end])
        yield start, end, least
        bound = step_of(least) + 1
        run = start
        for place in range(start, end + 1):
            if place == end or step_of(scores[place]) < bound:
                if run < place and (run, place) != (start, end):
                    pending.append((run, place))
                run = place + 1
