from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.encoder.encoder import Encoded, TokenEncoder
from privguard.encoder.history import History, Served, places_of
from privguard.encoder.interaction import Asked, read_instruction, score_spans

TEXTS = st.sampled_from(["Ada Roth in Bern", "the email of Ben Kole", "who is in Graz", "translate", "555123"])
PLACE = np.array([(0, 3, 1)])


def served(text: Encoded, first: int, *, own: bool) -> Served:
    return Served(text=text, places=PLACE, first=first, own=own)


def by_hand(encoder: TokenEncoder, turns: Sequence[Sequence[Encoded]], row: Served) -> list[float]:
    """Return the maximum over the turns, each scored by itself."""
    found = []
    for number, turn in enumerate(turns):
        if number >= row.first:
            asked = Asked(text=row.text, places=row.places, own=row.own and number == row.first)
            head = encoder.need_head
            found.append(score_spans(head, [asked], read_instruction(head, turn))[0][0])
    return [float(value) for value in np.max(found, axis=0)]


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.data())
def test_the_largest_over_the_turns_is_taken_whatever_is_remembered(
    encoder: TokenEncoder, talk: list[tuple[str, str]], data: st.DataObject
) -> None:
    history = History(encoder.need_head)
    for length in sorted(data.draw(st.sets(st.integers(1, len(talk)), min_size=1))):
        turns = [encoder.encode([said]) for said, _ in talk[:length]]
        rows = [served(encoder.encode([said])[0], number, own=True) for number, (said, _) in enumerate(talk[:length])]
        rows += [served(encoder.encode([told])[0], number, own=False) for number, (_, told) in enumerate(talk[:length])]
        for row, scores in zip(rows, history.largest(turns, rows), strict=True):
            assert scores[0] == pytest.approx(by_hand(encoder, turns, row), abs=2e-4)


def test_little_memory_costs_time_alone(encoder: TokenEncoder) -> None:
    forgetful, history = History(encoder.need_head, memory_bytes=0), History(encoder.need_head)
    turns = [encoder.encode([text]) for text in ("who is Ada", "the email")]
    rows = [served(turns[0][0], 0, own=True), served(turns[1][0], 1, own=True)]
    for _ in range(2):
        first, second = forgetful.largest(turns, rows), history.largest(turns, rows)
        assert all(np.array_equal(left, right) for left, right in zip(first, second, strict=True))


def test_spans_become_rows_of_numbers() -> None:
    spans = [Span(start=2, end=5, kind=EntityType.PERSON, score=1.0, source="test")]
    assert places_of(spans).tolist() == [[2, 5, 1]]
    assert places_of([]).shape == (0, 3)
