import inspect
from dataclasses import FrozenInstanceError, fields

import pytest

import privguard
from privguard.audit import NullSink
from privguard.core.errors import ConfigError
from privguard.settings import Settings, build_guard
from privguard.testing import FakeDetector, FakeNeed, ListSink

NAMES = [each.name for each in fields(Settings)]


def test_a_guard_is_loaded_and_a_client_wrapped_with_the_same_settings() -> None:
    loaded = inspect.signature(privguard.load_guard).parameters
    wrapped = inspect.signature(privguard.wrap).parameters
    assert list(loaded) == NAMES
    assert [name for name in wrapped if name not in ("client", "guard")] == [
        name for name in NAMES if name not in ("need", "abstractor")
    ]
    for each in fields(Settings):
        for given in (loaded, wrapped):
            assert each.name not in given or given[each.name].default == each.default


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_given_is_known_and_never_shown(name: str) -> None:
    assert not Settings().are_given
    settings = Settings(**{name: "an-invented-text"})  # type: ignore[arg-type]  # a text stands for each
    assert settings.are_given
    assert ("an-invented-text" in repr(settings)) is (name not in {"profiles", "key", "audit", "vault", "tenant"})
    with pytest.raises(FrozenInstanceError):
        settings.model = "tiny"  # type: ignore[misc]  # what must not be


def test_an_empty_text_is_given_too_but_for_a_tenant() -> None:
    assert Settings(key="").are_given
    assert not Settings(tenant="").are_given


def test_a_guard_has_the_parts_that_are_given() -> None:
    detector, need, sink = FakeDetector({}), FakeNeed(), ListSink()
    settings = Settings(
        detector=detector, need=need, audit=sink, profiles={}, key=b"an invented key of 32 bytes or more"
    )
    parts = build_guard(settings).parts
    assert [parts.detector, parts.need, parts.sink, parts.scanner] == [detector, need, sink, None]
    assert isinstance(Settings(audit="off").sink(), NullSink)
    with pytest.raises(ConfigError, match="no model is left"):
        build_guard(Settings(detector=detector, need=need, model="tiny"))
