from hypothesis import given
from hypothesis import strategies as st

from privguard.encoder.instruction import HEAD, TAIL, instruction_tokens


@given(st.integers(0, 1000))
def test_head_and_tail_are_taken_once_each(count: int) -> None:
    found = instruction_tokens(count)
    assert list(found) == sorted(set(found))
    assert len(found) == min(count, HEAD + TAIL)
    assert set(found) == {number for number in range(count) if number < HEAD or number >= count - TAIL}
