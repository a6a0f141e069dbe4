import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.decode import Words, decode, read_words
from privguard.encoder.labels import TAG_COUNT, TAGS
from privguard.encoder.levels import level_spans
from privguard.encoder.thresholds import DEFAULT, FLOOR, STEPS, reaches
from privguard.encoder.tokens import LOWER, Tokens

LIMITS = tuple(0.35 if number % 2 else 0.6 for number in range(len(TAGS)))
WORDS = st.lists(st.tuples(st.sampled_from([0, 1]), st.floats(0.0, 1.0, width=32), st.booleans()), max_size=12)


def build(given_words: list[tuple[int, float, bool]]) -> Words:
    starts = 3 * np.arange(len(given_words), dtype=np.int64)
    tags = np.array([word[0] for word in given_words], dtype=np.int64)
    opens = np.array([word[2] for word in given_words], dtype=np.bool_)
    opens |= np.append(True, tags[1:] != tags[:-1])[: len(tags)]
    inside = np.array([word[1] for word in given_words], dtype=np.float32)
    return Words(starts=starts, ends=starts + 2, inside=inside, tags=tags, opens=opens)


def at_threshold(words: Words, threshold: float) -> set[tuple[int, int, str]]:
    """Return the outermost spans that reach a threshold."""
    chosen = [span for span in level_spans(words, LIMITS) if reaches(span.score, threshold)]
    return {
        (span.start, span.end, span.kind.value)
        for span in chosen
        if not any(
            other is not span and other.start <= span.start and span.end <= other.end and other.kind is span.kind
            for other in chosen
        )
    }


@given(WORDS, st.integers(2, STEPS - 1))
def test_choosing_by_score_is_decoding_at_that_threshold(given_words: list[tuple[int, float, bool]], step: int) -> None:
    words = build(given_words)
    threshold = step / STEPS
    limits = np.array(LIMITS, dtype=np.float32)[words.tags]
    certain = np.where(
        words.inside < limits, 0.5 * words.inside / limits, 0.5 + 0.5 * (words.inside - limits) / (1 - limits)
    )
    expected = set()
    run: list[int] = []
    for number in range(len(given_words) + 1):
        ends = number == len(given_words) or not reaches(certain[number], threshold)
        if run and (ends or words.opens[number]):
            expected.add((int(words.starts[run[0]]), int(words.ends[run[-1]]), TAGS[words.tags[run[0]]].value))
            run = []
        if not ends:
            run.append(number)
    assert at_threshold(words, threshold) == expected


@given(WORDS)
def test_the_default_is_what_the_artifact_says(given_words: list[tuple[int, float, bool]]) -> None:
    words = build(given_words)
    count = len(given_words)
    probabilities = np.zeros((count, TAG_COUNT), dtype=np.float32)
    probabilities[:, 0] = 1 - words.inside
    probabilities[np.arange(count), words.tags + 1] = words.inside
    tokens = Tokens(
        ids=np.zeros((count, 1), dtype=np.int64),
        shapes=np.full(count, LOWER),
        starts=words.starts,
        ends=words.ends,
    )
    limits = np.array(LIMITS, dtype=np.float32)
    found = decode(tokens, probabilities, words.opens.astype(np.float32), limits)
    expected = {
        (start, end, TAGS[tag].value)
        for start, end, tag in zip(found.starts.tolist(), found.ends.tolist(), found.tags.tolist(), strict=True)
    }
    words = read_words(tokens, probabilities, words.opens.astype(np.float32))
    border = np.abs(words.inside - limits[words.tags]) < 1e-6  # 1 - (1 - p) is not p to the last bit
    if not border.any() and not (words.inside == 0).any():
        assert at_threshold(words, DEFAULT) == expected


@given(WORDS)
def test_spans_lie_inside_each_other_or_apart_and_each_is_given_once(
    given_words: list[tuple[int, float, bool]],
) -> None:
    spans = level_spans(build(given_words), LIMITS)
    assert len({(span.start, span.end) for span in spans}) == len(spans) <= len(given_words)
    assert all(FLOOR <= span.score <= 1 for span in spans)
    for left in spans:
        for right in spans:
            apart = left.end <= right.start or right.end <= left.start
            inside = left.start <= right.start and right.end <= left.end and left.score <= right.score
            outside = right.start <= left.start and left.end <= right.end and right.score <= left.score
            assert apart or inside or outside


@pytest.mark.parametrize(("score", "threshold", "expected"), [(0.5, 0.5, True), (0.51, 0.54, True), (0.49, 0.5, False)])
def test_thresholds_act_in_steps(score: float, threshold: float, expected: bool) -> None:
    assert reaches(score, threshold) is expected
