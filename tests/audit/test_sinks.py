"""A spec names one sink, or is refused."""

from pathlib import Path

import pytest

from privguard.audit.jsonl import JsonlSink
from privguard.audit.memory import MemorySink, NullSink
from privguard.audit.read import verify_file
from privguard.audit.sinks import audit_path, default_audit_path, open_sink
from privguard.audit.sqlite import SqliteSink
from privguard.core.audit import AuditRecord
from privguard.core.errors import ConfigError

KEY = b"an invented audit key"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.sqlite", SqliteSink), ("a.SQLITE3", SqliteSink), ("a.db", SqliteSink), ("a.jsonl", JsonlSink)],
)
def test_the_suffix_names_the_format(tmp_path: Path, name: str, kind: type, record: AuditRecord) -> None:
    for spec in (tmp_path / name, str(tmp_path / name)):
        sink = open_sink(spec, KEY)
        assert isinstance(sink, kind)
        sink.write(record)
        sink.close()
    assert verify_file(tmp_path / name, KEY).rows == 3


def test_the_scheme_names_sqlite_whatever_the_suffix(tmp_path: Path) -> None:
    sink = open_sink(f"sqlite:///{tmp_path}/audit.log")
    sink.close()
    assert isinstance(sink, SqliteSink)
    assert (tmp_path / "audit.log").exists()


def test_a_path_after_the_scheme_is_relative_with_three_slashes_and_absolute_with_four() -> None:
    assert audit_path("sqlite:///a/b.db") == Path("a/b.db")
    assert audit_path("sqlite:////a/b.db") == Path("/a/b.db")
    assert audit_path("~/b.db") == Path.home() / "b.db"
    assert audit_path(None) == default_audit_path()


def test_two_words_open_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(open_sink("memory:"), MemorySink)
    assert isinstance(open_sink("off"), NullSink)
    assert list(tmp_path.iterdir()) == []


def test_the_default_is_in_the_state_directory_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_audit_path().name == "audit.sqlite"
    assert default_audit_path().parent.name == "privguard"


@pytest.mark.parametrize("spec", ["", "audit", "audit.txt", "postgresql://host/db", "sqlite://a"], ids=lambda _: "")
def test_a_spec_that_names_no_sink_is_refused(spec: str) -> None:
    with pytest.raises(ConfigError, match="names no sink"):
        open_sink(spec)


def test_a_short_key_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    for name in ("a.sqlite", "a.jsonl"):
        with pytest.raises(ConfigError, match="key"):
            open_sink(tmp_path / name, b"short")
    assert list(tmp_path.iterdir()) == []
