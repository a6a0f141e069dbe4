"""Keep, encrypted and for a time, what R needs for replies that come later or in another process."""

from typing import TYPE_CHECKING

from privguard.core.lazy import lazy_exports

if TYPE_CHECKING:
    from privguard.vault.keys import VaultKeys
    from privguard.vault.memory import MemoryStore
    from privguard.vault.opening import open_vault
    from privguard.vault.redis import RedisStore
    from privguard.vault.sealed import Rotation, SealedVault, VaultStatus
    from privguard.vault.sqlite import SqliteStore
    from privguard.vault.stores import Store, Stored

_HOMES = {
    "MemoryStore": "memory",
    "RedisStore": "redis",
    "Rotation": "sealed",
    "SealedVault": "sealed",
    "SqliteStore": "sqlite",
    "Store": "stores",
    "Stored": "stores",
    "VaultKeys": "keys",
    "VaultStatus": "sealed",
    "open_vault": "opening",
}

__all__ = [
    "MemoryStore",
    "RedisStore",
    "Rotation",
    "SealedVault",
    "SqliteStore",
    "Store",
    "Stored",
    "VaultKeys",
    "VaultStatus",
    "open_vault",
]

__getattr__ = lazy_exports(__name__, _HOMES)
