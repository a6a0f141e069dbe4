"""What a vault asks of the place where its records lie. A store sees neither values nor whose they are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One record as it lies in a store. Everything in it is random to whoever has no key, but the time."""

    slot: bytes = field(repr=False)  # 32 bytes, the keyed index
    key_id: bytes = field(repr=False)  # 8 bytes: under which key it is sealed
    expires_ms: int  # milliseconds since 1970
    sealed: bytes = field(repr=False)


class Store(Protocol):
    """Keep records by slot. Thread-safe; each method does all of its work or none.

    Every method raises `VaultError` where the store cannot be used. Times are milliseconds since 1970.
    """

    def load(self, slot: bytes) -> Stored | None:
        """Return the record in a slot, which may have expired."""
        ...

    def write(self, record: Stored, *, expects: Stored | None, now_ms: int) -> bool:
        """Put a record in the place of another one, and tell whether that was possible.

        Args:
            record: what is kept from now on.
            expects: what it replaces, in this slot or another; None where it replaces nothing.
            now_ms: what expired before counts as absent.

        Returns:
            False, and nothing has changed, where `expects` is not there as it is given, or where the slot of the
            record holds anything else.
        """
        ...

    def delete(self, slot: bytes) -> bool:
        """Remove the record in a slot, and tell whether there was one."""
        ...

    def purge(self, now_ms: int) -> int:
        """Remove what has expired, and return how many records that were; 0 where the store does it by itself."""
        ...

    def stale(self, key_id: bytes) -> Iterator[Stored]:
        """Yield the records that are sealed under another key, while others may be written or removed."""
        ...

    def close(self) -> None:
        """Release whatever is held; a second time does nothing."""
        ...
