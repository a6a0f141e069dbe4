import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.batching import Row, padded, plan_batches, stack

LENGTHS = st.lists(st.integers(2, 200), max_size=40)


@given(LENGTHS, st.integers(1, 2000))
def test_every_row_is_in_one_batch_that_fits(lengths: list[int], most: int) -> None:
    batches = plan_batches(lengths, most)
    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * padded(max(lengths[number] for number in batch)) <= most


@given(LENGTHS)
def test_rows_of_like_length_share_a_batch(lengths: list[int]) -> None:
    batches = plan_batches(lengths, 512)
    ordered = [lengths[number] for batch in batches for number in batch]
    assert ordered == sorted(ordered)


@given(st.integers(1, 10_000))
def test_padding_is_little(length: int) -> None:
    assert 0 <= padded(length) - length < 16


def test_padding_is_marked() -> None:
    rows = [Row(ids=np.full((n, 2), 5), shapes=np.full(n, 7)) for n in (3, 17)]
    ids, shapes, mask = stack(rows, pad_id=9)
    assert ids.shape == (2, 32, 2)
    assert mask.sum(axis=1).tolist() == [3, 17]
    assert (ids[0, 3:] == [9, 0]).all()
    assert not shapes[0, 3:].any()
    assert (ids[1, :17] == 5).all()
