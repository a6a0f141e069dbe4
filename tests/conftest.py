"""Properties are tried at random on a developer's machine, and the same way every time in CI.

Whatever is set where the tests run, they see an environment without keys, settings, proxies and colours.
"""

import gc
import os
import re
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import HealthCheck, settings

_OTHERS = re.compile(
    r"(PRIVGUARD|OPENAI|AZURE|ANTHROPIC|LANGCHAIN|LANGSMITH|OTEL)_.*|(HTTPS?|ALL|NO)_PROXY"
    r"|FORCE_COLOR|CLICOLOR_FORCE|NO_COLOR|PY_COLORS|GITHUB_ACTIONS|TTY_\w+|COLUMNS|LINES",
    re.IGNORECASE,
)
for _name in filter(_OTHERS.fullmatch, tuple(os.environ)):  # before anything reads it, and for processes of tests too
    del os.environ[_name]

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

        before, collects = sys.getprofile(), gc.isenabled()
        gc.disable()  # what ends with its garbage is called as well, and is of other tests
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(before)
            if collects:
                gc.enable()
        return calls

    return count
