"""Tag probabilities to spans.

Tokens are pieces of words, spans are whole words: the pieces of one word are judged together, so that a name is never
cut in the middle.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privguard.core.entities import NUMBERED, Category, EntityType
from privguard.encoder.labels import TAGS
from privguard.encoder.tokens import CLASSES, GAPS, LOWER, SYMBOL, Tokens

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

BEGIN = 0.5  # from this probability on, a word opens a span of its own
SPLIT = 0.95  # within a phrase, from this one on: "Senior Data Engineer" is one occupation, and no sign parts it
TURN = 0.4  # from this one on it does where its likeliest type is another than that of the word before
_NEAR = 0.25  # words that are inside with this probability or more, side by side, agree on one type
LIFT = 8.0  # a word beside a surer one counts up to this many times as much
_WEAK = 0.5  # what is likelier inside than outside keeps its type
_FAINT = 0.05  # nothing lifts what is almost surely outside
_LINE_BREAK = (GAPS - 1) * CLASSES  # from this shape on, one stands before the token
_IS_NUMBER = tuple(kind in NUMBERED for kind in TAGS)  # a lower-case word beside one is no part of it
_NUMBERS = np.array(_IS_NUMBER)
_IS_PHRASE = tuple(
    kind is EntityType.ADDRESS
    or (
        kind.category in {Category.QUASI, Category.SENSITIVE}
        and kind not in {EntityType.LOCATION, EntityType.ORGANIZATION}
    )
    for kind in TAGS
)
_PHRASES = np.array(_IS_PHRASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSpans:
    """Spans in text order, each array of shape `(n,)`; offsets in code points."""

    starts: IntArray = field(repr=False)
    ends: IntArray = field(repr=False)
    tags: IntArray = field(repr=False)  # index into TAGS
    scores: FloatArray = field(repr=False)  # mean probability that its words are inside of some span, 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of a text, each array of shape `(n,)`; offsets in code points."""

    starts: IntArray = field(repr=False)
    ends: IntArray = field(repr=False)
    inside: FloatArray = field(repr=False)  # probability of being inside of some span
    tags: IntArray = field(repr=False)  # likeliest type, index into TAGS
    opens: BoolArray = field(repr=False)  # whether it belongs to another span than the word before, if to any


def read_words(tokens: Tokens, probabilities: FloatArray, begins: FloatArray) -> Words:
    """Judge the pieces of each word together.

    Args:
        tokens: the `n` tokens of a text.
        probabilities: `(n, TAG_COUNT)` softmax over "outside" and the types.
        begins: `(n,)` probability that a token opens a span.
    """
    if not len(tokens):
        nothing = np.zeros(0, dtype=np.int64)
        return Words(
            starts=nothing, ends=nothing, tags=nothing, inside=np.zeros(0, np.float32), opens=np.zeros(0, np.bool_)
        )
    first = tokens.word_starts
    sizes = np.diff(np.append(first, len(tokens)))
    words = np.asarray(np.add.reduceat(probabilities, first, axis=0) / sizes[:, None], dtype=np.float32)
    kinds = words[:, 1:].argmax(axis=1)
    likely = begins[first] >= BEGIN
    begin = likely & ~_goes_on(begins[first], kinds, tokens.shapes[first])
    plain = np.logical_and.reduceat(tokens.classes == LOWER, first)
    inside = np.asarray(1.0 - words[:, 0], dtype=np.float32)
    turns = begin[1:] | ((begins[first[1:]] >= TURN) & (kinds[1:] != kinds[:-1]))
    tags = _agreed(words[:, 1:], kinds, inside, turns, plain)
    inside, tags = _lifted(inside, tags, begin, likely, plain)
    return Words(
        starts=tokens.starts[first],
        ends=tokens.ends[first + sizes - 1],
        inside=inside,
        tags=tags,
        opens=np.append(True, tags[1:] != tags[:-1]) | begin,
    )


def _goes_on(begins: FloatArray, kinds: IntArray, shapes: IntArray) -> BoolArray:
    """Tell which words go on with a phrase: all but the surest beginnings, and what a comma or a line break parts.

    The network is seldom sure where one phrase ends and the next begins, and the pieces are less sure than the whole. A
    name beside another one is another name.
    """
    parted = (shapes >= _LINE_BREAK) | np.append(False, shapes[:-1] == SYMBOL)  # a sign with nothing before it
    return np.asarray(_PHRASES[kinds] & (begins < SPLIT) & ~parted, dtype=np.bool_)


def _agreed(types: FloatArray, tags: IntArray, inside: FloatArray, turns: BoolArray, plain: BoolArray) -> IntArray:
    """Let words that stand side by side in one span agree on its type: the one that is likeliest over all of them.

    One by one they may waver between two types that fit alike, and the span would fall to pieces, each less sure.
    """
    near, numbers = inside >= _NEAR, _NUMBERS[tags]
    foreign = ((plain[1:] & numbers[:-1]) | (plain[:-1] & numbers[1:])) & (tags[1:] != tags[:-1])
    opening = np.flatnonzero(np.append(True, turns | foreign | ~near[1:] | ~near[:-1]))
    sizes = np.diff(np.append(opening, len(tags)))
    return np.repeat(np.add.reduceat(types, opening, axis=0).argmax(axis=1), sizes)


def _lifted(
    inside: FloatArray, tags: IntArray, begin: BoolArray, likely: BoolArray, plain: BoolArray
) -> tuple[FloatArray, IntArray]:
    """Let a sure word carry its neighbours along, so that a name is not cut where one part of it is unusual.

    A word counts as sure as the surest one that is reached over words of which none is more than `LIFT` times less
    sure; where a span begins there is no way, nor from a number to a word in lower case, nor from a name to a
    phrase that is likely to begin there ("Edna passed away"). Spans grow by this, none appears.
    """
    own = inside.tolist()
    result, kinds, opens = list(own), tags.tolist(), begin.tolist()
    closed, parted = plain.tolist(), likely.tolist()
    places = np.flatnonzero(inside >= _FAINT).tolist()
    for place in places:
        surer = place and result[place - 1] > result[place]
        if surer and not opens[place] and not (closed[place] and _IS_NUMBER[kinds[place - 1]]):
            _carry(place - 1, place, own, result, kinds, parted=parted[place])
    for place in reversed(places):
        after = place + 1
        surer = after < len(own) and result[after] > result[place]
        if surer and not opens[after] and not (closed[place] and _IS_NUMBER[kinds[after]]):
            _carry(after, place, own, result, kinds, parted=parted[after])
    return np.array(result, dtype=np.float32), np.array(kinds, dtype=np.int64)


def _carry(source: int, place: int, own: list[float], result: list[float], kinds: list[int], *, parted: bool) -> None:
    other = kinds[source] != kinds[place]
    if other and (own[place] >= _WEAK or (parted and not _IS_PHRASE[kinds[source]])):
        return
    lifted = min(result[source], own[place] * LIFT)
    if lifted > result[place]:
        result[place] = lifted
        kinds[place] = kinds[source]


def decode(tokens: Tokens, probabilities: FloatArray, begins: FloatArray, threshold: float | FloatArray) -> FoundSpans:
    """Read spans off tag probabilities.

    Args:
        tokens: the `n` tokens of a text.
        probabilities: `(n, TAG_COUNT)` softmax over "outside" and the types.
        begins: `(n,)` probability that a token opens a span.
        threshold: the least probability of being inside, one for all types or `(len(TAGS),)` by type, 0 to 1.
    """
    words = read_words(tokens, probabilities, begins)
    limits = np.broadcast_to(np.asarray(threshold, dtype=np.float32), (len(TAGS),))
    taken = words.inside >= limits[words.tags]
    members = np.flatnonzero(taken)
    if not len(members):
        empty = np.zeros(0, dtype=np.int64)
        return FoundSpans(starts=empty, ends=empty, tags=empty, scores=np.zeros(0, dtype=np.float32))
    fresh = words.opens[members] | np.append(True, members[1:] != members[:-1] + 1)
    opening = np.flatnonzero(fresh)
    last = members[np.append(opening[1:], len(members)) - 1]
    counts = np.diff(np.append(opening, len(members)))
    scores = np.add.reduceat(words.inside[members].astype(np.float64), opening) / counts
    return FoundSpans(
        starts=words.starts[members[opening]],
        ends=words.ends[last],
        tags=words.tags[members[opening]],  # a word of another type opens a span, so that all words of one agree
        scores=np.clip(scores, 0.0, 1.0).astype(np.float32),
    )
