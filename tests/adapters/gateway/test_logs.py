import io
import logging
from collections.abc import Iterator
from typing import NoReturn

import pytest

from privguard_adapters.gateway.logs import set_up_logs


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Set the logs of this process up, and put them back."""
    root = logging.getLogger()
    names = ("privguard.gateway", "httpx2", "httpcore2", "asyncio", "uvicorn", "uvicorn.error")
    before, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in names}
    stream = io.StringIO()
    # pytest's handlers stay out of it: basicConfig would close them.
    root.handlers.clear()
    set_up_logs(stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    for name, each in levels.items():
        logging.getLogger(name).setLevel(each)


def fail() -> NoReturn:
    raise ValueError("Ada Roth")


def test_an_exception_is_shown_by_class_and_place_alone(log: io.StringIO) -> None:
    try:
        fail()
    except ValueError:
        logging.getLogger("uvicorn.error").exception("a fault")
    told = log.getvalue()
    assert "a fault\nValueError in fail, " in told
    assert "Ada" not in told


def test_an_exception_that_is_none_is_nothing(log: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").error("a fault", exc_info=(None, None, None))
    assert log.getvalue().strip().endswith("a fault")


def test_libraries_do_not_tell_of_requests(log: io.StringIO) -> None:
    for name in ("httpx2", "httpcore2", "uvicorn.access", "uvicorn.error", "another"):
        logging.getLogger(name).info("GET /v1/models?q=Ada")
    logging.getLogger("privguard.gateway").info("openai.models 200")
    assert log.getvalue().count("\n") == 1
    assert log.getvalue().endswith("Z INFO privguard.gateway openai.models 200\n")
