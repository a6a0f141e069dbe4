import gc
import sys
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.memory import Memory


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 6)), max_size=30))
def test_it_never_holds_more_than_it_may_and_forgets_the_oldest(steps: list[tuple[str, int]]) -> None:
    memory: Memory[tuple[str, int]] = Memory(10, lambda value: value[1])
    model: dict[str, tuple[str, int]] = {}
    for text, size in steps:
        mark = memory.mark(text)
        assert memory.get(mark) == model.get(text)
        if text in model:
            model[text] = model.pop(text)
        else:
            model[text] = (text, size)
            while sum(value[1] for value in model.values()) > 10:
                model.pop(next(iter(model)))
        memory.put(mark, (text, size))
        assert memory.size == sum(value[1] for value in model.values()) <= 10


def test_what_is_larger_than_the_whole_memory_is_not_kept() -> None:
    memory: Memory[int] = Memory(10, lambda value: value)
    memory.put(memory.mark("small"), 4)
    memory.put(memory.mark("large"), 11)
    assert memory.get(memory.mark("large")) is None
    assert memory.get(memory.mark("small")) == 4


def test_marks_of_two_memories_differ_and_hold_no_text() -> None:
    first, second = (Memory[int](10, lambda value: value) for _ in range(2))
    text = "a canary " * 50
    assert first.mark(text) == first.mark(text) != second.mark(text)
    assert first.mark("\ud800") != first.mark("\udfff")
    before = sys.getrefcount(text)
    first.put(first.mark(text), 1)
    gc.collect()
    assert sys.getrefcount(text) == before


def test_threads_may_share_it() -> None:
    memory: Memory[int] = Memory(50, lambda value: value)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: memory.put(memory.mark(str(number % 40)), 1 + number % 5), range(2000)))
    assert 0 < memory.size <= 50
