import gc
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.memory import Memory

STEPS = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 6)), max_size=30)


@given(STEPS)
def test_it_never_holds_more_than_it_may_and_forgets_the_oldest(steps: list[tuple[str, int]]) -> None:
    memory: Memory[int] = Memory(10, lambda value: value)
    model: dict[str, int] = {}
    for text, value in steps:
        mark = memory.mark(text)
        assert memory.get(mark) == model.get(text)
        model.pop(text, None)
        model[text] = value
        while sum(model.values()) > 10:
            model.pop(next(iter(model)))
        memory.put(mark, value)
        assert memory.size == sum(model.values()) <= 10
        assert memory.marks() == tuple(map(memory.mark, model))


@given(STEPS)
def test_without_weights_it_counts_values(steps: list[tuple[str, int]]) -> None:
    memory: Memory[int] = Memory(3)
    for text, value in steps:
        memory.put(memory.mark(text), value)
        assert memory.get(memory.mark(text)) == value
    assert memory.size == len(memory.marks()) == min(3, len({text for text, _ in steps}))


def test_what_is_larger_than_the_whole_memory_is_not_kept_nor_what_it_replaces() -> None:
    memory: Memory[int] = Memory(10, lambda value: value)
    memory.put(memory.mark("small"), 4)
    memory.put(memory.mark("grown"), 3)
    memory.put(memory.mark("grown"), 11)
    assert memory.get(memory.mark("grown")) is None
    assert memory.get(memory.mark("small")) == memory.size == 4


def test_marks_depend_on_text_salt_and_memory_alone_and_hold_no_text() -> None:
    one, other = Memory[int](), Memory[int]()
    text = "a canary " * 50
    assert one.mark(text) == one.mark(text)
    assert len({one.mark(text), one.mark("ada"), one.mark(text, b"salt"), other.mark(text)}) == 4
    assert one.mark("\ud800") != one.mark("\udfff")
    before = sys.getrefcount(text)
    one.put(one.mark(text), 1)
    gc.collect()
    assert sys.getrefcount(text) == before


def test_threads_may_share_it() -> None:
    memory: Memory[int] = Memory(50, lambda value: value)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: memory.put(memory.mark(str(number % 40)), 1 + number % 5), range(2000)))
    assert 0 < memory.size <= 50


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what is dangerous about it is what is tested
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_child_waits_for_no_thread_of_its_parent() -> None:
    writing, may_end = threading.Event(), threading.Event()

    def size_of(value: int) -> int:
        return value

    class Slow(dict[bytes, int]):
        def __contains__(self, key: object) -> bool:
            writing.set()
            may_end.wait()
            return super().__contains__(key)

    memory: Memory[int] = Memory(10, size_of)
    memory._values = Slow()  # type: ignore[assignment]
    thread = threading.Thread(target=memory.put, args=(b"mark", 1))
    thread.start()
    writing.wait()
    child = os.fork()
    if not child:
        signal.alarm(60)
        memory.put(b"other", 2)
        os._exit(0 if (memory.get(b"other"), memory.size) == (2, 2) else 1)
    may_end.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
