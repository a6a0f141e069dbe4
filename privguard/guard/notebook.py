"""Notes in the vault: what belongs to replies that come later, and to no single request."""

from collections.abc import Mapping
from dataclasses import dataclass

from privguard.core.holding import Owner
from privguard.core.protocols import Vault
from privguard.core.restoring import RestoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Notebook:
    """The notes of one owner, by reference. Encrypted, and kept for as long as values are."""

    vault: Vault
    owner: Owner

    def add(self, reference: str, notes: Mapping[str, str]) -> None:
        """Keep notes, added to those that are there; of two with one name, the newer one counts.

        Raises:
            VaultError: they could not be kept.
        """
        table = RestoreTable(entries={}, notes=tuple(sorted(notes.items())))
        self.vault.put(self.owner, reference, table, join=True)

    def read(self, reference: str) -> Mapping[str, str] | None:
        """Return the notes under a reference; None where there are none, or none any more.

        Raises:
            VaultError: the vault could not be used.
        """
        table = self.vault.get(self.owner, reference)
        return None if table is None else dict(table.notes)

    def erase(self, reference: str) -> bool:
        """Forget what is kept under a reference, values too, and tell whether there was anything.

        Raises:
            VaultError: the vault could not be used.
        """
        return self.vault.delete(self.owner, reference)
