"""A guard made of fakes: nothing heavy, nothing on disk."""

from collections.abc import Callable
from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.profile import Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink

VALUES = {
    "Ada Roth": EntityType.PERSON,
    "Ada": EntityType.PERSON,
    "Ben Kole": EntityType.PERSON,
    "ada@roth.example": EntityType.EMAIL,
    "ben@kole.example": EntityType.EMAIL,
    "7-AB-99201": EntityType.RECORD_ID,
    "Zurich": EntityType.LOCATION,
    "hunter2-hunter2": EntityType.SECRET,
}
# All that left comes back, whoever it came from: what a profile keeps from the user is tested apart.
OPEN = FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5, restore_system=True, restore_secrets=True))


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def make_guard(sink: ListSink) -> Callable[..., Guard]:
    def make(**changes: Any) -> Guard:  # noqa: ANN401 - any part may be replaced
        parts: dict[str, Any] = {
            "detector": FakeDetector(VALUES),
            "need": FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            "abstractor": FakeAbstractor(),
            "profiles": OPEN,
            "sink": sink,
            "key": Key.from_text("correct horse battery staple"),
        }
        return Guard(Parts(**parts | changes))

    return make


@pytest.fixture
def guard(make_guard: Callable[..., Guard]) -> Guard:
    return make_guard()
