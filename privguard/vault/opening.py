"""Choose a vault by its name."""

from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.vault.keys import HOW_TO_MAKE_ONE, VaultKeys
from privguard.vault.sealed import DEFAULT_TTL_S, SealedVault
from privguard.vault.stores import Store

VAULT_VARIABLE = "PRIVGUARD_VAULT"
VAULT_KEY_VARIABLE = "PRIVGUARD_VAULT_KEY"
NO_VAULT = "off"
MEMORY = "memory:"

_SQLITE_SCHEME = "sqlite:///"
_SQLITE_SUFFIXES = frozenset({".sqlite", ".sqlite3", ".db"})
_REDIS_SCHEMES = ("redis://", "rediss://", "unix://")


def open_vault(
    spec: str | Path, keys: VaultKeys | str | bytes | None = None, *, ttl_s: float = DEFAULT_TTL_S
) -> SealedVault:
    """Open the vault that `spec` names.

    Args:
        spec: `memory:`, `*.sqlite`, `*.sqlite3`, `*.db`, `sqlite:///PATH` (an absolute path has four slashes in all),
            `redis://`, `rediss://` or `unix://`.
        keys: the keys of the vault, 32 random bytes, or a text with the newest first, separated by commas or spaces and
            of at least 32 characters each. A vault in memory makes one of its own.
        ttl_s: how long values are kept unless it is said with them, in seconds.

    Raises:
        ConfigError: the spec names no vault, a key is missing or too short, or an extra is missing.
        VaultError: the file or the server cannot be used.
    """
    text = str(spec)
    if text != MEMORY and not text.startswith(_REDIS_SCHEMES) and vault_file(text) is None:
        raise ConfigError(
            "the vault setting (vault=, PRIVGUARD_VAULT) names no vault: use a path that ends in .sqlite or .db, "
            "sqlite:///PATH, redis://HOST/NUMBER, rediss://, unix:// or memory:"
        )
    ring = _ring(keys, alone=text == MEMORY)
    return SealedVault(_store(text), ring, ttl_s=ttl_s)


def vault_file(spec: str) -> str | None:
    """Return the path of the database that a spec names; None where it names none."""
    if spec.startswith(_SQLITE_SCHEME):
        return spec.removeprefix(_SQLITE_SCHEME)
    is_file = not spec.startswith(_REDIS_SCHEMES) and Path(spec).suffix.lower() in _SQLITE_SUFFIXES
    return spec if is_file else None


def _ring(keys: VaultKeys | str | bytes | None, *, alone: bool) -> VaultKeys:
    if isinstance(keys, VaultKeys):
        return keys
    if isinstance(keys, bytes) and keys:
        return VaultKeys(keys)
    if isinstance(keys, str) and keys:
        return VaultKeys.from_text(keys)
    if alone:
        return VaultKeys.random()
    raise ConfigError(
        "the vault needs a key that outlives this process: set PRIVGUARD_VAULT_KEY to at least 32 random characters, "
        f"such as from {HOW_TO_MAKE_ONE}"
    )


def _store(spec: str) -> Store:
    if spec == MEMORY:
        from privguard.vault.memory import MemoryStore

        return MemoryStore()
    if spec.startswith(_REDIS_SCHEMES):
        from privguard.vault.redis import RedisStore

        return RedisStore.from_url(spec)
    from privguard.vault.sqlite import SqliteStore

    return SqliteStore(spec.removeprefix(_SQLITE_SCHEME))
