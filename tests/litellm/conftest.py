"""The tests of the LiteLLM adapter run where LiteLLM is installed: `make test-litellm`."""

import importlib.util
import os
import warnings
from pathlib import Path

import pytest

from tests.contract.conftest import guard, make_guard, server, sink

__all__ = ["driver", "guard", "make_guard", "server", "sink"]

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
if importlib.util.find_spec("litellm") is not None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own, and those of what it imports
        import litellm  # noqa: F401 - once for all


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture(params=["litellm", "litellm-async", "router", "router-async"])
def driver(request: pytest.FixtureRequest) -> object:
    from tests.litellm.litellm_driver import DRIVERS

    return DRIVERS[request.param]
