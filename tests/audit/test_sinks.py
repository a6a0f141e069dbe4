"""A spec names one sink, or is refused."""

from pathlib import Path

import pytest

from privguard.audit.background import BackgroundSink
from privguard.audit.jsonl import JsonlSink
from privguard.audit.memory import MemorySink, NullSink
from privguard.audit.postgres import PostgresSink
from privguard.audit.read import open_log, verify_file
from privguard.audit.signing import load_public_key, write_key_pair
from privguard.audit.sinks import audit_name, audit_path, audit_place, default_audit_path, open_sink, open_store
from privguard.audit.sqlite import SqliteSink
from privguard.core.audit import AuditMode, AuditRecord
from privguard.core.errors import AuditError, ConfigError

KEY = b"an invented audit key"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.sqlite", SqliteSink), ("a.SQLITE3", SqliteSink), ("a.db", SqliteSink), ("a.jsonl", JsonlSink)],
)
def test_the_suffix_names_the_format(tmp_path: Path, name: str, kind: type, record: AuditRecord) -> None:
    for spec in (tmp_path / name, str(tmp_path / name)):
        sink = open_sink(spec, KEY)
        assert isinstance(sink, BackgroundSink)
        assert isinstance(sink.store, kind)
        assert sink.mode is AuditMode.BEST_EFFORT
        sink.write(record)
        sink.close()
        store = open_store(spec, KEY)
        assert isinstance(store, kind)
        store.write(record)
        store.close()
    assert verify_file(tmp_path / name, KEY).records == 4


def test_the_scheme_names_sqlite_whatever_the_suffix(tmp_path: Path) -> None:
    sink = open_sink(f"sqlite:///{tmp_path}/audit.log")
    sink.close()
    assert isinstance(sink, BackgroundSink)
    assert isinstance(sink.store, SqliteSink)
    assert (tmp_path / "audit.log").exists()


def test_a_path_after_the_scheme_is_relative_with_three_slashes_and_absolute_with_four() -> None:
    assert audit_path("sqlite:///a/b.db") == Path("a/b.db")
    assert audit_path("sqlite:////a/b.db") == Path("/a/b.db")
    assert audit_path("~/b.db") == Path.home() / "b.db"
    assert audit_path(None) == default_audit_path()


def test_a_url_names_a_database_and_is_shown_without_its_password(database: str) -> None:
    sink = open_sink(database, KEY)
    assert isinstance(sink, BackgroundSink)
    assert isinstance(sink.store, PostgresSink)
    sink.close()
    assert verify_file(database, KEY).ok
    assert audit_place(database) == database
    assert audit_place("a.sqlite") == Path("a.sqlite")
    assert audit_name("postgresql://ada:secret@db.example/audit") == "postgresql://db.example/audit"
    assert audit_name("a.sqlite") == "a.sqlite"


@pytest.mark.parametrize("url", ["mysql://ada:secret@host/db", "postgresql:/ada:secret@host/db"], ids=range(2))
def test_a_url_of_something_else_is_never_taken_for_a_file_and_shown(url: str) -> None:
    for take in (audit_place, audit_path, open_store):
        with pytest.raises(ConfigError, match="names no sink") as caught:
            take(url)
        assert "secret" not in str(caught.value)
    with pytest.raises(AuditError, match="no file") as refused, open_log(url):
        pass
    assert "secret" not in str(refused.value)


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


@pytest.mark.parametrize(
    "spec",
    ["", "audit", "audit.txt", "mysql://ada:secret@host/db", "postgresql+x://ada:secret@host/db", "sqlite://a"],
    ids=lambda _: "",
)
def test_a_spec_that_names_no_sink_is_refused(spec: str) -> None:
    for opener in (open_sink, open_store):
        with pytest.raises(ConfigError, match="names no sink"):
            opener(spec)


@pytest.mark.parametrize("spec", ["off", "memory:"])
def test_what_keeps_no_file_is_no_store(spec: str) -> None:
    with pytest.raises(ConfigError, match="names no sink"):
        open_store(spec)


def test_an_audit_that_is_required_is_not_off() -> None:
    with pytest.raises(ConfigError, match="required"):
        open_sink("off", mode="required")
    with pytest.raises(ConfigError, match="mode is one of: required, best-effort"):
        open_sink("memory:", mode="always")
    assert isinstance(open_sink("memory:", mode=AuditMode.REQUIRED), MemorySink)


@pytest.mark.parametrize("name", ["a.sqlite", "a.jsonl"])
def test_a_signing_key_signs_the_end_when_the_sink_is_closed(tmp_path: Path, name: str, record: AuditRecord) -> None:
    public, _ = write_key_pair(tmp_path / "key")
    sink = open_sink(tmp_path / name, mode=AuditMode.REQUIRED, signing_key=tmp_path / "key")
    sink.write(record)
    sink.close()
    verdict = verify_file(tmp_path / name, public_keys=[load_public_key(public)])
    assert verdict.ok
    assert verdict.signed is not None
    assert verdict.signed.seq == verdict.rows - 1


def test_a_signing_key_that_cannot_be_used_opens_no_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("no key", encoding="ascii")
    for name in ("a.sqlite", "a.jsonl"):
        with pytest.raises(ConfigError, match="key"):
            open_sink(tmp_path / name, signing_key=tmp_path / "key")
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_a_short_key_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    for name in ("a.sqlite", "a.jsonl"):
        with pytest.raises(ConfigError, match="key"):
            open_sink(tmp_path / name, b"short")
    assert list(tmp_path.iterdir()) == []
