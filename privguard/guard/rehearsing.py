"""Parts of a guard for what is not sent: they decide like those of the real one, and keep nothing."""

from dataclasses import replace

from privguard.core.audit import AuditRecord
from privguard.core.holding import Owner
from privguard.core.protocols import Vault
from privguard.core.restoring import RestoreTable
from privguard.guard.parts import Parts


def rehearsal_parts(parts: Parts) -> Parts:
    """Return the same parts, with a sink that keeps no record and a vault that can only be read."""
    return replace(parts, sink=_NoSink(), vault=None if parts.vault is None else _ReadVault(parts.vault))


class _NoSink:
    def write(self, record: AuditRecord) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing: the real sink is somebody else's."""


class _ReadVault:
    """What the vault keeps, for reading alone: whatever changes it does nothing."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def put(
        self,
        owner: Owner,  # noqa: ARG002 - likewise
        reference: str,  # noqa: ARG002 - likewise
        table: RestoreTable,  # noqa: ARG002 - likewise
        *,
        ttl_s: float | None = None,  # noqa: ARG002 - likewise
        join: bool = False,  # noqa: ARG002 - likewise
    ) -> bool:
        """Keep nothing."""
        return False

    def get(self, owner: Owner, reference: str) -> RestoreTable | None:
        """Return what is kept."""
        return self._vault.get(owner, reference)

    def delete(self, owner: Owner, reference: str) -> bool:  # noqa: ARG002 - the arguments of a vault
        """Delete nothing."""
        return False

    def purge(self) -> int:
        """Remove nothing."""
        return 0

    def close(self) -> None:
        """Do nothing: the real vault is somebody else's."""
