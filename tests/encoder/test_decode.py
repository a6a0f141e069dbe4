import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.encoder.decode import FoundSpans, decode, read_words
from privguard.encoder.labels import TAG_COUNT, TAGS
from privguard.encoder.tokens import CLASSES, DIGITS, LOWER, SYMBOL, Tokens

# One letter for each unit: its type (a, b, none), and whether it is glued to the one before.
UNITS = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 2]), st.booleans(), st.floats(0.0, 1.0, width=32), st.sampled_from([LOWER, SYMBOL])
    ),
    max_size=20,
)
Units = list[tuple[int, bool, float, int]]


def build(units: Units) -> tuple[Tokens, np.ndarray, np.ndarray]:
    count = len(units)
    starts = np.zeros(count, dtype=np.int64)
    place = 0
    for number, (_, glued, _, _) in enumerate(units):
        place += 0 if glued and number else 1
        starts[number] = place
        place += 2
    probabilities = np.zeros((count, TAG_COUNT), dtype=np.float32)
    for number, (tag, _, inside, _) in enumerate(units):
        probabilities[number, 0] = 1 - inside
        probabilities[number, 1 + tag] = inside
    tokens = Tokens(
        ids=np.zeros((count, 1), dtype=np.int64),
        shapes=np.array([unit[3] for unit in units], dtype=np.int64),
        starts=starts,
        ends=starts + 2,
    )
    return tokens, probabilities, np.zeros(count, dtype=np.float32)


def listed(found: FoundSpans) -> list[tuple[int, int, int]]:
    return list(zip(found.starts.tolist(), found.ends.tolist(), found.tags.tolist(), strict=True))


@given(UNITS, st.floats(0.05, 0.95))
def test_spans_are_sorted_disjoint_and_made_of_whole_words(units: Units, threshold: float) -> None:
    tokens, probabilities, begins = build(units)
    words = read_words(tokens, probabilities, begins)
    found = decode(tokens, probabilities, begins, threshold)
    assert (found.starts[1:] >= found.ends[:-1]).all()
    assert np.isin(found.starts, words.starts).all()
    assert np.isin(found.ends, words.ends).all()
    assert ((found.scores >= threshold - 1e-5) & (found.scores <= 1)).all()


@given(UNITS, st.floats(0.05, 0.95))
def test_a_word_is_taken_if_and_only_if_it_reaches_the_threshold(units: Units, threshold: float) -> None:
    tokens, probabilities, begins = build(units)
    words = read_words(tokens, probabilities, begins)
    spans = listed(decode(tokens, probabilities, begins, threshold))
    for start, end, inside in zip(words.starts, words.ends, words.inside, strict=True):
        covered = any(low <= start and end <= high for low, high, _ in spans)
        assert covered == (inside >= np.float32(threshold))


def test_a_beginning_opens_a_span_and_a_likely_one_does_where_the_type_changes() -> None:
    tokens, probabilities, begins = build([(0, False, 0.9, LOWER)] * 3 + [(1, False, 0.9, LOWER)])
    begins[3] = 0.45
    assert listed(decode(tokens, probabilities, begins, 0.5)) == [(1, 9, 0), (10, 12, 1)]
    begins[1], begins[2] = 0.6, 0.45
    assert listed(decode(tokens, probabilities, begins, 0.5)) == [(1, 3, 0), (4, 9, 0), (10, 12, 1)]


PHRASE, NAME = TAGS.index(EntityType.OCCUPATION), TAGS.index(EntityType.LOCATION)
COMMA, BRACKET = SYMBOL, SYMBOL + CLASSES  # with nothing before it, and with white space


@pytest.mark.parametrize(
    ("tag", "between", "spans"),
    [
        (PHRASE, LOWER, [(1, 9, PHRASE)]),  # Freelance sound designer
        (PHRASE, BRACKET, [(1, 9, PHRASE)]),  # registered (grade 3
        (PHRASE, COMMA, [(1, 6, PHRASE), (7, 9, PHRASE)]),  # asthma, diabetes
        (NAME, LOWER, [(1, 6, NAME), (7, 9, NAME)]),
    ],
)
def test_a_phrase_goes_on_unless_a_sign_parts_it(tag: int, between: int, spans: list[tuple[int, int, int]]) -> None:
    tokens, probabilities, begins = build(
        [(tag, False, 0.9, LOWER), (tag, False, 0.9, between), (tag, False, 0.9, LOWER)]
    )
    begins[2] = 0.8
    assert listed(decode(tokens, probabilities, begins, 0.5)) == spans
    begins[2] = 0.97
    assert len(listed(decode(tokens, probabilities, begins, 0.5))) == 2


def test_a_line_break_parts_phrases_as_a_sign_does() -> None:
    tokens, probabilities, begins = build([(PHRASE, False, 0.9, LOWER), (PHRASE, False, 0.9, LOWER + 2 * CLASSES)])
    begins[1] = 0.8
    assert len(listed(decode(tokens, probabilities, begins, 0.5))) == 2
    begins[1] = 0.3
    assert len(listed(decode(tokens, probabilities, begins, 0.5))) == 1


def test_words_side_by_side_agree_on_the_type_that_is_likeliest_over_all_of_them() -> None:
    tokens, probabilities, begins = build([(0, False, 0.9, LOWER), (1, False, 0.6, LOWER), (0, False, 0.3, LOWER)])
    assert listed(decode(tokens, probabilities, begins, 0.25)) == [(1, 9, 0)]
    probabilities[1, 2] = 0.9
    probabilities[0, 1] = 0.5
    assert listed(decode(tokens, probabilities, begins, 0.25)) == [(1, 9, 1)]


def test_a_number_and_a_word_in_lower_case_do_not_agree() -> None:
    tag = TAGS.index(EntityType.PHONE)
    for units in (
        [(tag, False, 0.9, DIGITS), (0, False, 0.7, LOWER)],
        [(0, False, 0.7, LOWER), (tag, False, 0.9, DIGITS)],
    ):
        tokens, probabilities, begins = build(units)
        assert [kind for _, _, kind in listed(decode(tokens, probabilities, begins, 0.5))] == [
            unit[0] for unit in units
        ]


@given(UNITS)
def test_without_a_beginning_only_what_is_doubtful_or_a_number_parts_words(units: Units) -> None:
    tokens, probabilities, begins = build(
        [(kind, glued, max(inside, 0.5), shape) for kind, glued, inside, shape in units]
    )
    assert len(decode(tokens, probabilities, begins, 0.5).starts) == min(1, len(units))


def test_thresholds_may_differ_by_type() -> None:
    tokens, probabilities, begins = build([(0, False, 0.4, LOWER), (1, False, 0.4, LOWER)])
    begins[1] = 0.45
    limits = np.full(len(TAGS), 0.3, dtype=np.float32)
    limits[0] = 0.5
    assert listed(decode(tokens, probabilities, begins, limits)) == [(4, 6, 1)]


def test_pieces_of_one_word_are_judged_together() -> None:
    tokens, probabilities, begins = build([(0, False, 0.9, LOWER), (0, True, 0.3, LOWER), (0, True, 0.04, SYMBOL)])
    assert listed(decode(tokens, probabilities, begins, 0.5)) == [(1, 5, 0)]


def test_a_sure_word_carries_a_doubtful_neighbour_along_with_its_type() -> None:
    tokens, probabilities, begins = build([(1, False, 0.2, LOWER), (0, False, 0.9, LOWER), (1, False, 0.2, LOWER)])
    assert listed(decode(tokens, probabilities, begins, 0.6)) == [(1, 9, 0)]


@pytest.mark.parametrize("kind", [EntityType.GOV_ID, EntityType.PHONE, EntityType.FIN_ACCOUNT])
def test_a_number_carries_no_word_in_lower_case_along(kind: EntityType) -> None:
    tag = TAGS.index(kind)
    units = [(tag, False, 0.2, LOWER), (tag, False, 0.9, DIGITS), (tag, False, 0.2, DIGITS), (tag, False, 0.2, LOWER)]
    tokens, probabilities, begins = build(units)
    assert listed(decode(tokens, probabilities, begins, 0.6)) == [(4, 9, tag)]


def test_a_name_carries_no_phrase_along_that_is_likely_to_begin() -> None:
    units = [(NAME, False, 0.9, LOWER), (PHRASE, False, 0.3, LOWER), (PHRASE, False, 0.3, LOWER)]
    tokens, probabilities, begins = build(units)
    begins[1] = 0.6
    assert listed(decode(tokens, probabilities, begins, 0.6)) == [(1, 3, NAME)]
    tokens, probabilities, begins = build([(PHRASE, False, 0.9, LOWER), *units[1:]])
    begins[1] = 0.6
    assert listed(decode(tokens, probabilities, begins, 0.6)) == [(1, 9, PHRASE)]


def test_what_is_likely_inside_by_itself_keeps_its_type() -> None:
    tokens, probabilities, begins = build([(0, False, 0.9, LOWER), (1, False, 0.7, LOWER)])
    begins[1] = 0.45
    assert listed(decode(tokens, probabilities, begins, 0.6)) == [(1, 3, 0), (4, 6, 1)]


def test_nothing_is_carried_over_the_beginning_of_a_span() -> None:
    tokens, probabilities, begins = build([(0, False, 0.9, LOWER), (0, False, 0.2, LOWER)])
    begins[1] = 0.9
    assert listed(decode(tokens, probabilities, begins, 0.6)) == [(1, 3, 0)]


@given(UNITS)
def test_carrying_makes_spans_longer_and_none_where_no_word_is_sure(units: Units) -> None:
    tokens, probabilities, begins = build(units)
    for start, end, _ in listed(decode(tokens, probabilities, begins, 0.6)):
        inside = 1 - probabilities[(tokens.starts >= start) & (tokens.ends <= end), 0]
        assert inside.max() >= 0.6 - 1e-6


def test_nothing_is_found_in_nothing() -> None:
    assert listed(decode(*build([]), 0.5)) == []
