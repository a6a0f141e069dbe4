"""Choose a sink by its name."""

from pathlib import Path

from privguard.audit.checkpoints import Notary
from privguard.audit.postgres_link import Address, is_postgres, is_url
from privguard.audit.signing import load_signer
from privguard.audit.store import Store
from privguard.core.audit import AuditMode
from privguard.core.errors import ConfigError
from privguard.core.protocols import AuditSink

_SQLITE_SCHEME = "sqlite:///"
_SQLITE_SUFFIXES = frozenset({".sqlite", ".sqlite3", ".db"})
_NO_SINK = (
    "the audit setting names no sink: use a path that ends in .sqlite, .db or .jsonl, sqlite:///PATH, postgresql://…, "
    "memory: or off"
)


def default_audit_path() -> Path:
    """Return where the audit log of this user is kept unless a setting says otherwise."""
    from platformdirs import user_state_dir

    return Path(user_state_dir("privguard", appauthor=False)) / "audit.sqlite"


def audit_path(spec: str | Path | None) -> Path:
    """Return the file that a spec names, the default for None; `sqlite:///` comes before the path itself.

    Raises:
        ConfigError: it is a URL of something else.
    """
    if spec is None:
        return default_audit_path()
    text = str(spec).removeprefix(_SQLITE_SCHEME)
    if is_url(text):
        raise ConfigError(_NO_SINK)
    return Path(text).expanduser()


def audit_place(spec: str | Path | None) -> str | Path:
    """Return where a log is read that a spec names: the URL of a database, or a file.

    Raises:
        ConfigError: it is a URL of something else.
    """
    return str(spec) if is_postgres(spec) else audit_path(spec)


def audit_name(spec: str | Path) -> str:
    """Return a spec as it may be shown, without user and password.

    Raises:
        ConfigError: it cannot be read.
    """
    return Address(str(spec)).name if is_postgres(spec) else str(spec)


def open_sink(
    spec: str | Path | None = None,
    key: bytes | None = None,
    *,
    mode: str = AuditMode.BEST_EFFORT,
    signing_key: str | Path | None = None,
) -> AuditSink:
    """Open the sink that `spec` names. Files are written by a thread of their own.

    Args:
        spec: `sqlite:///PATH` (an absolute path has four slashes in all), `*.sqlite`, `*.sqlite3`, `*.db`, `*.jsonl`,
            `postgresql://…` (extra `postgres`), `memory:`, `off`, or None for the default path.
        key: at least 16 bytes, for the sinks that keep a chain.
        mode: what happens to a request that cannot be recorded: "required" (it does not leave) or "best-effort".
        signing_key: the file of an Ed25519 private key, which signs checkpoints of the chain (extra `crypto`).

    Raises:
        AuditError: the path cannot be opened or holds something else.
        ConfigError: the spec names no sink, there is no such mode, a key cannot be used, or nothing is kept although
            the audit is required.
    """
    from privguard.audit.memory import MemorySink, NullSink

    wanted = mode_of(mode, "mode")
    if str(spec) == "off":
        if wanted is AuditMode.REQUIRED:
            raise ConfigError("the audit is required, and it is off: name a file, or leave the mode out")
        return NullSink()
    if str(spec) == "memory:":
        return MemorySink()
    from privguard.audit.background import BackgroundSink

    return BackgroundSink(open_store(spec, key, signing_key=signing_key), wanted)


def open_store(
    spec: str | Path | None = None, key: bytes | None = None, *, signing_key: str | Path | None = None
) -> Store:
    """Open what keeps the chain that `spec` names, without a thread in front of it.

    Raises:
        AuditError: the path cannot be opened or holds something else.
        ConfigError: the spec names no file, or a key cannot be used.
    """
    if is_postgres(spec):
        return _open_postgres(str(spec), key, signing_key)
    path = audit_path(spec)
    is_sqlite = str(spec).startswith(_SQLITE_SCHEME) or path.suffix.lower() in _SQLITE_SUFFIXES
    if not is_sqlite and path.suffix.lower() != ".jsonl":
        raise ConfigError(_NO_SINK)
    notary = _notary(signing_key)
    if is_sqlite:
        from privguard.audit.sqlite import SqliteSink

        return SqliteSink(path, key=key, notary=notary)
    from privguard.audit.jsonl import JsonlSink

    return JsonlSink(path, key=key, notary=notary)


def _open_postgres(url: str, key: bytes | None, signing_key: str | Path | None) -> Store:
    from privguard.audit.postgres import PostgresSink

    return PostgresSink(url, key=key, notary=_notary(signing_key))


def _notary(signing_key: str | Path | None) -> Notary | None:
    return None if signing_key is None else Notary(load_signer(signing_key))


def mode_of(text: str, source: str) -> AuditMode:
    """Return the mode that a setting names; `source` is the name of the setting.

    Raises:
        ConfigError: it names none.
    """
    if text not in AuditMode.__members__.values():
        raise ConfigError(f"{source} is one of: {', '.join(AuditMode)}")
    return AuditMode(text)
