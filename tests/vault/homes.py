"""The places where a vault may keep its records, and invented records to keep there."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.vault import MemoryStore, RedisStore, SqliteStore, Store, Stored


@dataclass(frozen=True, kw_only=True)
class Home:
    """A place for records, which may be opened more than once."""

    name: str
    open: Callable[[], Store]
    raw: Callable[[], bytes]  # everything that lies there
    close: Callable[[], None] = lambda: None


def memory_home() -> Home:
    """Return a place in memory, which is one store however often it is opened."""
    store = MemoryStore()

    def raw() -> bytes:
        return b"|".join(b"%b%b%b" % (each.slot, each.key_id, each.sealed) for each in store.stale(b""))

    return Home(name="memory", open=lambda: store, raw=raw)


def sqlite_home(folder: Path) -> Home:
    """Return a database."""

    def raw() -> bytes:
        return b"|".join(file.name.encode() + file.read_bytes() for file in sorted(folder.iterdir()))

    return Home(name="sqlite", open=lambda: SqliteStore(folder / "vault.sqlite"), raw=raw)


def redis_home(name: str, connect: Callable[[], Any]) -> Home:
    """Return a Redis server."""
    client = connect()

    def raw() -> bytes:
        return b"|".join(key + client.get(key) for key in client.scan_iter())

    return Home(name=name, open=lambda: RedisStore(connect()), raw=raw, close=client.close)


@dataclass(slots=True)
class Clock:
    """Tell a time that the test moves, in seconds since 1970."""

    at: float = 1_900_000_000.0

    def __call__(self) -> float:
        return self.at


def make_entry(placeholder_id: str = "7QK2", value: str = "Ada Roth", **changes: Any) -> RestoreEntry:  # noqa: ANN401 - any field
    return replace(RestoreEntry(placeholder_id=placeholder_id, kind=EntityType.PERSON, value=value), **changes)


def make_table(*entries: RestoreEntry, **changes: Any) -> RestoreTable:  # noqa: ANN401 - any field of a table
    table = RestoreTable(entries={entry.placeholder_id: entry for entry in entries or (make_entry(),)})
    return replace(table, **changes)


def full_table() -> RestoreTable:
    """Return a table with something in every field."""
    ada = make_entry(
        hint="a person",
        forms=(("last name", "Roth"), ("other spelling", "ADA \ud800ROTH")),
        written=(("last name", "R\\u006fth"),),
        unsaid=frozenset({"", "other spelling"}),
    )
    zurich = make_entry("A3BC", "Zürich", kind=EntityType.LOCATION, phrase="a large city")
    return make_table(
        ada,
        zurich,
        make_entry("8DEF", ""),
        literals=frozenset({"9ZZZ", "4MNP"}),
        url_hosts=("b.example", "a.example"),
        disputed=frozenset({"8DEF"}),
        before_links=frozenset({"7QK2"}),
        notes=(("rules", "{}"), ("seen", "")),
    )


def make_record(
    slot: int = 1, *, key: int = 1, expires_ms: int = 2_000_000_000_000, sealed: bytes = b"sealed"
) -> Stored:
    return Stored(slot=slot.to_bytes(32, "big"), key_id=bytes([key]) * 8, expires_ms=expires_ms, sealed=sealed)
