from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.products import MOST, product


@given(st.integers(0, 60), st.integers(1, 130), st.integers(2, 300), st.integers(0, 9))
def test_blocks_make_no_difference(rows: int, inner: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left = rng.standard_normal((rows, inner), dtype=np.float32)
    right = rng.standard_normal((inner, columns), dtype=np.float32)
    found = product(left, right)
    assert found.shape == (rows, columns)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, left.astype(np.float64) @ right.astype(np.float64), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("rows", "inner", "columns"), [(1, 96, 128), (2, 96, 128), (500, 96, 128), (43, 301, 256), (5, 301, 400)]
)
def test_no_block_is_large_enough_to_be_spread_over_cores(rows: int, inner: int, columns: int) -> None:
    shapes: list[tuple[int, int, int]] = []

    class Watched(np.ndarray):
        def __matmul__(self, other: Any) -> Any:  # noqa: ANN401 - like numpy's
            right = np.asarray(other)
            shapes.append((len(self), self.shape[1], right.shape[1]))
            return np.asarray(self) @ right

    left = np.ones((rows, inner), dtype=np.float32).view(Watched)
    found = product(left, np.ones((inner, columns), dtype=np.float32))
    assert (np.asarray(found) == inner).all()
    assert all(count >= 2 and count * across * down <= MOST for count, across, down in shapes)
