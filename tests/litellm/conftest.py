"""The tests of the LiteLLM adapter run where LiteLLM is installed: `make test-litellm`."""

import importlib.util
import os
import sys
import types
import warnings
from pathlib import Path

import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
if importlib.util.find_spec("litellm") is not None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own, and those of what it imports
        import litellm  # noqa: F401 - once for all
    # The environment of these tests has no LangChain, whose drivers the other contract tests bring.
    absent = types.ModuleType("tests.contract.langchain_driver")
    absent.__dict__["DRIVERS"] = ()
    sys.modules[absent.__name__] = absent

from tests.contract.conftest import guard, make_guard, server, sink

__all__ = ["driver", "guard", "make_guard", "server", "sink"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture(params=["litellm", "litellm-async", "router", "router-async"])
def driver(request: pytest.FixtureRequest) -> object:
    from tests.litellm.litellm_driver import DRIVERS

    return DRIVERS[request.param]
