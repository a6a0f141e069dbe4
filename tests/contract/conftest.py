"""The contract runs against a real guard whose detector knows the canaries, and a scripted server."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.profile import Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink, ModelServer
from privguard.testing.canary import Canary, all_canaries, values_of
from tests.contract import anthropic_driver, http_driver, langchain_driver, openai_driver, responses_driver
from tests.contract.driver import Driver

MORE_VALUES = {
    'Bob "Ace" Lee\nof Zurich': EntityType.PERSON,
    "Zoë 😀 Ådahl": EntityType.PERSON,
    "דנה לוי": EntityType.PERSON,
}


DRIVERS: tuple[Driver, ...] = (
    *openai_driver.DRIVERS,
    *responses_driver.DRIVERS,
    *anthropic_driver.DRIVERS,
    *http_driver.DRIVERS,
    *langchain_driver.DRIVERS,
)

# What these have of their own is tried with their adapter.
_LONG = frozenset({"langchain-async"})


@pytest.fixture(
    params=[pytest.param(each, marks=[pytest.mark.long] if each.name in _LONG else []) for each in DRIVERS],
    ids=[driver.name for driver in DRIVERS],
)
def driver(request: pytest.FixtureRequest) -> Driver:
    chosen: Driver = request.param
    return chosen


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def make_guard(sink: ListSink) -> Callable[..., Guard]:
    def make(**profile: Any) -> Guard:  # noqa: ANN401 - fields of the profile
        profile = {"restore_secrets": True} | profile  # all that left comes back
        values = values_of(all_canaries()) | MORE_VALUES
        values[Canary.card().value.replace(" ", "")] = EntityType.FIN_ACCOUNT
        return Guard(
            Parts(
                detector=FakeDetector(values),
                need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
                abstractor=FakeAbstractor(),
                profiles=FakeProfiles(Profile(id="test:1", name="test", gamma=0.5, **profile)),
                sink=sink,
                key=Key.from_text("correct horse battery staple"),
            )
        )

    return make


@pytest.fixture
def guard(make_guard: Callable[..., Guard]) -> Guard:
    return make_guard()
