"""Settings and the environment name one sink, or are refused with the name of what is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from privguard.audit.background import BackgroundSink
from privguard.audit.memory import MemorySink, NullSink
from privguard.audit.read import verify_file
from privguard.audit.settings import (
    AUDIT_KEY_VARIABLE,
    AUDIT_MODE_VARIABLE,
    AUDIT_VARIABLE,
    SIGNING_KEY_VARIABLE,
    TELEMETRY_VARIABLE,
    observed,
    sink_of_settings,
)
from privguard.audit.signing import load_public_key, write_key_pair
from privguard.audit.telemetry import TelemetrySink
from privguard.core.audit import AuditMode, AuditRecord
from privguard.core.errors import AuditError, ConfigError

KEY = "an invented audit key"


def mode_of(given: str | None, environment: Mapping[str, str], path: Path) -> AuditMode:
    """Return the mode of the sink that is opened."""
    sink = sink_of_settings(path, given, environment)
    sink.close()
    assert isinstance(sink, BackgroundSink)
    return sink.mode


def test_a_sink_that_is_given_is_taken_as_it_is() -> None:
    sink = MemorySink()
    assert sink_of_settings(sink, None, {AUDIT_VARIABLE: "off", AUDIT_MODE_VARIABLE: "required"}) is sink
    with pytest.raises(ConfigError, match="audit_mode"):
        sink_of_settings(sink, "required", {})
    odd: Any = 5
    with pytest.raises(ConfigError, match="audit is"):
        sink_of_settings(odd, None, {})


def test_the_argument_counts_before_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    assert isinstance(sink_of_settings("off", None, {AUDIT_VARIABLE: str(path)}), NullSink)
    assert not path.exists()
    assert mode_of(None, {}, path) is AuditMode.BEST_EFFORT
    assert mode_of(None, {AUDIT_MODE_VARIABLE: ""}, path) is AuditMode.BEST_EFFORT
    assert mode_of(None, {AUDIT_MODE_VARIABLE: "required"}, path) is AuditMode.REQUIRED
    assert mode_of("best-effort", {AUDIT_MODE_VARIABLE: "required"}, path) is AuditMode.BEST_EFFORT


@pytest.mark.parametrize(
    ("given", "environment", "named"),
    [("always", {}, "audit_mode"), ("", {}, "audit_mode"), (None, {AUDIT_MODE_VARIABLE: "yes"}, AUDIT_MODE_VARIABLE)],
    ids=range(3),
)
def test_a_mode_that_there_is_not_is_refused(
    tmp_path: Path, given: str | None, environment: Mapping[str, str], named: str
) -> None:
    with pytest.raises(ConfigError, match=f"{named} is one of: required, best-effort"):
        sink_of_settings(tmp_path / "audit.sqlite", given, environment)
    assert not (tmp_path / "audit.sqlite").exists()


def test_keys_come_from_the_environment(tmp_path: Path, record: AuditRecord) -> None:
    public, _ = write_key_pair(tmp_path / "key")
    environment = {
        AUDIT_VARIABLE: str(tmp_path / "audit.jsonl"),
        AUDIT_KEY_VARIABLE: KEY,
        SIGNING_KEY_VARIABLE: str(tmp_path / "key"),
    }
    sink = sink_of_settings(None, None, environment)
    sink.write(record)
    sink.close()
    path = tmp_path / "audit.jsonl"
    assert verify_file(path, KEY.encode(), public_keys=[load_public_key(public)]).ok
    with pytest.raises(AuditError, match="with a key"):
        verify_file(path)
    with pytest.raises(ConfigError, match="cannot read the key"):
        sink_of_settings(path, None, {SIGNING_KEY_VARIABLE: str(tmp_path / "none")})


def test_without_any_setting_it_is_the_log_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    for environment in ({}, {AUDIT_VARIABLE: "", AUDIT_KEY_VARIABLE: "", SIGNING_KEY_VARIABLE: ""}):
        sink_of_settings(None, None, environment).close()
    assert [file.name for file in tmp_path.rglob("audit.sqlite")] == ["audit.sqlite"]


def test_telemetry_is_off_unless_a_setting_asks_for_it(record: AuditRecord) -> None:
    sink = MemorySink()
    for telemetry, environment in ((None, {}), (None, {TELEMETRY_VARIABLE: ""}), ("off", {TELEMETRY_VARIABLE: "otel"})):
        assert observed(sink, telemetry, environment) is sink
    for telemetry, environment in ((None, {TELEMETRY_VARIABLE: "otel"}), ("otel", {})):
        behind = observed(sink, telemetry, environment)
        assert isinstance(behind, TelemetrySink)
        assert behind.sink is sink
    for telemetry, source in ((None, "PRIVGUARD_TELEMETRY"), ("yes", "telemetry"), ("", "telemetry")):
        with pytest.raises(ConfigError, match=f"{source} is one of: otel, off"):
            observed(sink, telemetry, {TELEMETRY_VARIABLE: "1"})
