from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from privguard.guard.remembered import Remembered


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers()), max_size=30))
def test_the_latest_values_are_kept_and_the_oldest_forgotten(steps: list[tuple[str, int]]) -> None:
    memory: Remembered[int] = Remembered(capacity=3)
    model: dict[str, int] = {}
    for text, value in steps:
        assert memory.get(memory.mark(text)) == model.get(text)
        model.pop(text, None)
        model[text] = value
        memory.put(memory.mark(text), value)
        while len(model) > 3:
            model.pop(next(iter(model)))
        assert memory.marks() == tuple(map(memory.mark, model))


def test_marks_depend_on_text_salt_and_memory_alone() -> None:
    one, other = Remembered[int](), Remembered[int]()
    assert one.mark("Ada") == one.mark("Ada")
    assert len({one.mark("Ada"), one.mark("ada"), one.mark("Ada", b"salt"), other.mark("Ada")}) == 4
    assert one.mark("\ud800") != one.mark("\udfff")


def test_threads_may_share_it() -> None:
    memory: Remembered[int] = Remembered(capacity=20)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: memory.put(memory.mark(str(number % 40)), number), range(2000)))
    assert len(memory) == 20
