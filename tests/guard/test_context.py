from concurrent.futures import ThreadPoolExecutor

import pytest

from privguard.guard import profile_in_force, use


def test_blocks_nest_and_end_with_an_error_too() -> None:
    assert profile_in_force() is None
    with use("outer"):
        with use("inner"):
            assert profile_in_force() == "inner"
        with pytest.raises(KeyError), use("failing"):
            raise KeyError
        assert profile_in_force() == "outer"
    assert profile_in_force() is None


def test_another_thread_is_not_in_the_block() -> None:
    with use("mine"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(profile_in_force).result() is None
