"""A real guard made of fakes, where the fake guard is too small."""

import pytest

from privguard.core.entities import EntityType
from privguard.core.profile import Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def real_guard(sink: ListSink) -> Guard:
    return Guard(
        Parts(
            detector=FakeDetector({"Ada Roth": EntityType.PERSON, "ada@roth.example": EntityType.EMAIL}),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5)),
            sink=sink,
            key=Key.from_text("correct horse battery staple"),
        )
    )
