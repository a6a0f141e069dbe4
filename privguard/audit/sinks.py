"""Choose a sink by its name."""

from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.core.protocols import AuditSink

_SQLITE_SCHEME = "sqlite:///"
_SQLITE_SUFFIXES = frozenset({".sqlite", ".sqlite3", ".db"})


def default_audit_path() -> Path:
    """Return where the audit log of this user is kept unless a setting says otherwise."""
    from platformdirs import user_state_dir

    return Path(user_state_dir("privguard", appauthor=False)) / "audit.sqlite"


def audit_path(spec: str | Path | None) -> Path:
    """Return the file that a spec names, the default for None; `sqlite:///` comes before the path itself."""
    if spec is None:
        return default_audit_path()
    text = str(spec)
    return Path(text.removeprefix(_SQLITE_SCHEME)).expanduser()


def open_sink(spec: str | Path | None = None, key: bytes | None = None) -> AuditSink:
    """Open the sink that `spec` names.

    Args:
        spec: `sqlite:///PATH` (an absolute path has four slashes in all), `*.sqlite`, `*.sqlite3`, `*.db`, `*.jsonl`,
            `memory:`, `off`, or None for the default path.
        key: at least 16 bytes, for the sinks that keep a chain.

    Raises:
        AuditError: the path cannot be opened or holds something else.
        ConfigError: the spec names no sink, or the key is too short.
    """
    from privguard.audit.memory import MemorySink, NullSink

    text = "" if spec is None else str(spec)
    if text == "off":
        return NullSink()
    if text == "memory:":
        return MemorySink()
    path = audit_path(spec)
    if text.startswith(_SQLITE_SCHEME) or path.suffix.lower() in _SQLITE_SUFFIXES:
        from privguard.audit.sqlite import SqliteSink

        return SqliteSink(path, key=key)
    if path.suffix.lower() == ".jsonl":
        from privguard.audit.jsonl import JsonlSink

        return JsonlSink(path, key=key)
    raise ConfigError(
        "the audit setting names no sink: use a path that ends in .sqlite, .db or .jsonl, sqlite:///PATH, "
        "memory: or off"
    )
