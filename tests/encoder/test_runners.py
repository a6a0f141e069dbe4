import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from privguard.core.errors import DetectionError
from privguard.encoder.batching import Row
from privguard.encoder.runners import SharedRunner, SingleRunner
from privguard.encoder.session import Device, Outputs

IntArray = NDArray[np.int64]
POISON = 666


class Echo:
    """Answer with the ids, so that every row can be told; record the size of each call."""

    device = Device.CUDA

    def __init__(self) -> None:
        self.calls: list[int] = []
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.gate.set()

    def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> Outputs:
        self.entered.set()
        assert self.gate.wait(60)
        self.calls.append(len(ids))
        if (ids == POISON).any():
            raise DetectionError("poison")
        said = (ids[..., :1] * mask[..., None]).astype(np.float32)
        return Outputs(tags=said, features=-said)


def rows(values: Sequence[Sequence[int]]) -> list[Row]:
    return [Row(ids=np.array(row)[:, None], shapes=np.zeros(len(row), np.int64)) for row in values]


def answers(outputs: Sequence[object]) -> list[list[int]]:
    return [out.tags[:, 0].astype(int).tolist() for out in outputs]  # type: ignore[attr-defined] # a RowOutput


VALUES = st.lists(st.lists(st.integers(1, 99), min_size=2, max_size=40), max_size=12)


@given(VALUES)
def test_each_row_gets_its_own_answer(values: list[list[int]]) -> None:
    assert answers(SingleRunner(Echo()).run(rows(values))) == values
    assert answers(SharedRunner(Echo(), pad_id=0, max_tokens=64).run(rows(values))) == values


@settings(max_examples=15)
@given(st.lists(VALUES, min_size=2, max_size=8))
def test_threads_get_their_own_answers(requests: list[list[list[int]]]) -> None:
    runner = SharedRunner(Echo(), pad_id=0, max_tokens=96)
    with ThreadPoolExecutor(8) as pool:
        assert [answers(out) for out in pool.map(lambda values: runner.run(rows(values)), requests)] == requests


def test_one_row_at_a_time_is_never_padded() -> None:
    echo = Echo()
    SingleRunner(echo).run(rows([[1, 2], [1, 2, 3]]))
    assert echo.calls == [1, 1]


def test_rows_that_wait_share_a_call() -> None:
    echo = Echo()
    echo.gate.clear()
    runner = SharedRunner(echo, pad_id=0)
    with ThreadPoolExecutor(6) as pool:
        first = pool.submit(runner.run, rows([[1, 2]]))
        assert echo.entered.wait(60)
        others = [pool.submit(runner.run, rows([[number, number]])) for number in range(2, 7)]
        while runner.waiting < 5:
            pass
        echo.gate.set()
        assert answers(first.result(60)) == [[1, 2]]
        assert [answers(other.result(60)) for other in others] == [[[n, n]] for n in range(2, 7)]
    assert echo.calls == [1, 5]


def test_a_failure_reaches_those_whose_rows_were_in_the_call_and_nobody_else() -> None:
    runner = SharedRunner(Echo(), pad_id=0)
    with pytest.raises(DetectionError, match="nothing was sent"):
        runner.run(rows([[POISON, 1]]))
    assert answers(runner.run(rows([[4, 5]]))) == [[4, 5]]


def test_a_foreign_failure_leaves_nobody_waiting() -> None:
    class Broken(Echo):
        def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> Outputs:
            raise RuntimeError("text that may hold content")

    runner = SharedRunner(Broken(), pad_id=0)
    for _ in range(2):
        with pytest.raises(DetectionError) as caught:
            runner.run(rows([[1, 2]]))
        assert "content" not in str(caught.value)
