"""Change a labelled text as real texts vary: other people and numbers in it, another hand writing it."""

from collections.abc import Callable, Sequence
from random import Random

from privguard.research.training import noise
from privguard.research.training.edits import Augmented, LabelledSpan
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.swapping import Swaps

SWAP = 0.75
LOWER = 0.14
UPPER = 0.03
TYPOS = 0.1
ACCENTS = 0.06
PUNCTUATION = 0.06
JOINED = 0.06
SPLIT = 0.04


def augment(
    text: str,
    spans: Sequence[LabelledSpan],
    rng: Random,
    gazetteers: Gazetteers,
    swaps: Swaps | None = None,
) -> Augmented:
    """Draw a variant of a text: as many spans, with the same labels and in the same order.

    Args:
        text: the text.
        spans: disjoint spans of it.
        rng: decides everything; the same state gives the same variant.
        gazetteers: where new names and places come from.
        swaps: the new values so far, when the text belongs to a conversation whose people must stay the same.
    """
    result: Augmented = (text, tuple(spans))
    if swaps is not None or rng.random() < SWAP:
        result = (swaps or Swaps(rng, gazetteers)).swap(*result)
    return rewrite(*result, rng)


def rewrite(text: str, spans: Sequence[LabelledSpan], rng: Random) -> Augmented:
    """Draw another hand for the same text: letter case, typing errors, accents, punctuation, line breaks."""
    changes: tuple[tuple[float, Callable[[Augmented], Augmented]], ...] = (
        (TYPOS, lambda drawn: noise.add_typos(*drawn, rng)),
        (ACCENTS, lambda drawn: noise.drop_accents(*drawn)),
        (PUNCTUATION, lambda drawn: noise.drop_punctuation(*drawn)),
        (JOINED, lambda drawn: noise.join_lines(*drawn)),
        (SPLIT, lambda drawn: noise.split_lines(*drawn, rng)),
        (LOWER, lambda drawn: noise.lower_case(*drawn)),
        (UPPER, lambda drawn: noise.upper_case(*drawn)),
    )
    result: Augmented = (text, tuple(spans))
    for chance, change in changes:
        if rng.random() < chance:
            result = change(result)
    return result


__all__ = ["Augmented", "LabelledSpan", "augment", "rewrite"]
