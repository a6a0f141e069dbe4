"""Properties are tried at random on a developer's machine, and the same way every time in CI."""

import os
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def calls_of() -> Callable[[Callable[[], object]], int]:
    """Count the calls that some work makes: its cost, whatever else the machine does at the moment."""

    def count(work: Callable[[], object]) -> int:
        calls = 0

        def note(_frame: FrameType, event: str, _value: object) -> None:
            nonlocal calls
            calls += event in {"call", "c_call"}

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(before)
        return calls

    return count
