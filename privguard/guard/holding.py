"""Values that outlive their request: what an exchange keeps in the vault for a reply that comes later."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType
from typing import TypeVar

from privguard.core.errors import ConfigError, PrivguardError, UnheldError, UnknownReferenceError, VaultError
from privguard.core.holding import Owner
from privguard.core.merging import merge_tables
from privguard.core.protocols import Vault
from privguard.core.restoring import RestoreTable

Answer = TypeVar("Answer")
NO_NOTES: Mapping[str, str] = MappingProxyType({})


@dataclass(slots=True, kw_only=True)
class Holding:
    """What one exchange has in the vault."""

    vault: Vault | None = field(default=None, repr=False)
    owner: Owner = field(default_factory=Owner)
    reference: str = field(default="", repr=False)  # where its table lies now, "" where it does not
    ttl_s: float | None = None
    # Where nothing was before it held or bound: what others put there is not its to forget.
    created: set[str] = field(default_factory=set, repr=False)
    taken: str = field(default="", repr=False)  # where it took up what an earlier exchange held, "" where it did not

    def hold(
        self,
        table: RestoreTable,
        reference: str,
        ttl_s: float | None,
        *,
        join: bool = False,
        notes: Mapping[str, str] = NO_NOTES,
    ) -> None:
        """Keep a table before the request is sent, with notes, added to what is there where it joins that.

        Raises:
            UnheldError: it could not be kept.
            ConfigError: there is no vault.
        """
        vault = required(self.vault)
        noted = replace(table, notes=tuple(sorted(notes.items())))  # those of earlier requests are not its own
        if before_sending(lambda: vault.put(self.owner, reference, noted, ttl_s=ttl_s, join=join)):
            self.created.add(reference)
        self.reference, self.ttl_s = reference, ttl_s

    def bind(self, reference: str, *, join: bool, keep: bool) -> None:
        """Put the table under another reference: first there, then no longer here, so that it is never nowhere.

        Under the reference where it lies already its time begins anew.

        Raises:
            VaultError: nothing is held, or the vault could not be used.
        """
        if not self.reference:
            raise VaultError("nothing is held for a later reply: call hold() before the request is sent")
        vault = required(self.vault)
        table = vault.get(self.owner, self.reference)
        if table is None:
            raise UnknownReferenceError("what was held for a later reply has expired: hold it for longer")
        if vault.put(self.owner, reference, table, ttl_s=self.ttl_s, join=join):
            self.created.add(reference)
        held, self.reference = self.reference, reference
        if not keep and held != reference and held in (*self.created, self.taken):
            self._forget(held)

    def release(self) -> None:
        """Forget the table, wherever this exchange created it or took it up: nothing comes later.

        Raises:
            VaultError: the vault could not be used; another call tries again.
        """
        failures: list[Exception] = []
        for reference in (*self.created, self.taken):
            try:
                if reference:
                    self._forget(reference)
            except Exception as error:  # noqa: BLE001 - a vault of one's own may raise anything
                failures.append(error)
        if failures:
            raise failures[0]
        self.reference = ""

    def drop(self) -> None:
        """Forget the table of a request that was not sent; where that fails, it expires."""
        self.taken = ""  # that one was sent
        with suppress(Exception):  # a vault of one's own may raise anything
            self.release()

    def _forget(self, reference: str) -> None:
        required(self.vault).delete(self.owner, reference)
        self.created.discard(reference)
        if reference == self.taken:
            self.taken = ""


def recall(vault: Vault | None, owner: Owner, references: str | Sequence[str]) -> RestoreTable | None:
    """Return what is kept under the references, the oldest first, as one table; None where nothing is.

    Raises:
        VaultError: the vault could not be used.
        ConfigError: there is no vault.
    """
    if isinstance(references, str):
        raise ConfigError("the references of earlier requests are a list, such as one of response ids")
    found = [required(vault).get(owner, reference) for reference in references]
    tables = [table for table in found if table is not None]
    return reduce(merge_tables, tables) if tables else None


def before_sending(work: Callable[[], Answer]) -> Answer:
    """Use the vault for a request that waits.

    Raises:
        UnheldError: the vault could not be used: the request may not leave.
        ConfigError: a setting is wrong.
    """
    try:
        return work()
    except ConfigError:
        raise
    except VaultError as error:
        failure = str(error)
    except Exception as error:  # noqa: BLE001 - a vault of one's own may raise anything; its text may hold content
        failure = type(error).__name__
    # Raised out here, since the context of an exception keeps reachable what the one before it says.
    raise UnheldError(f"the values for a later reply could not be kept or read ({failure}); nothing was sent")


def after_sending(work: Callable[[], Answer]) -> Answer:
    """Use the vault for a reply that came later.

    Raises:
        VaultError: the vault could not be used.
        ConfigError: a setting is wrong.
    """
    try:
        return work()
    except PrivguardError:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        failure = type(error).__name__
    # Likewise.
    raise VaultError(f"the vault could not be used ({failure})")


def required(vault: Vault | None) -> Vault:
    """Return the vault.

    Raises:
        ConfigError: there is none.
    """
    if vault is None:
        raise ConfigError(
            "replies that come later need a vault: set PRIVGUARD_VAULT to a path that ends in .sqlite, redis://… or "
            "memory:, or give load_guard(vault=…)"
        )
    return vault
