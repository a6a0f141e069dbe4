"""What the guard accepts: each part of the pipeline as a protocol."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from privguard.core.audit import AuditRecord, Intent
from privguard.core.entities import EntityType
from privguard.core.holding import Owner
from privguard.core.plan import Need
from privguard.core.profile import Profile
from privguard.core.restoring import RestoreTable
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.core.targets import TargetModel


class Detector(Protocol):
    """Find spans. Thread-safe; raises whatever it likes, the guard blocks the call."""

    @property
    def id(self) -> str:
        """Return name and version for plan and audit."""
        ...

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment, in segment order; they may overlap."""
        ...


class NeedModel(Protocol):
    """Estimate how much of each span the instruction needs."""

    @property
    def id(self) -> str:
        """Return name and version for plan and audit."""
        ...

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        """Return one `Need` per span, in the shape of `spans`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One generalisation of a value."""

    phrase: str = field(repr=False)
    population: int | None = None  # how many values of the population share the rung


class Abstractor(Protocol):
    """Generalise values by typed ladders."""

    @property
    def id(self) -> str:
        """Return name and version for plan and audit."""
        ...

    def abstract(self, kind: EntityType, value: str, forbidden: Collection[str] = ()) -> Rung:
        """Return the most precise rung that names neither `value` nor any of `forbidden`.

        Falls back to the noun of the type, so there is always a rung.
        """
        ...

    def is_rung(self, kind: EntityType, phrase: str) -> bool:
        """Tell whether `phrase` is one that this ladder could have written: a closed grammar, free of values."""
        ...


class ProfileBook(Protocol):
    """Resolve names to settings."""

    def resolve(self, target: str, profile: str | None = None) -> tuple[Profile, TargetModel]:
        """Return the profile and the capability for a target model.

        Raises:
            ConfigError: no profile has that name.
        """
        ...


class AuditSink(Protocol):
    """Keep audit records. Thread-safe."""

    def write(self, record: AuditRecord) -> None:
        """Append one record.

        Raises:
            AuditError: it could not be written.
        """
        ...

    def close(self) -> None:
        """Flush and release whatever is held."""
        ...


class IntentSink(AuditSink, Protocol):
    """A sink that is told of a request before it leaves. Other sinks hear of it when it has ended."""

    def begin(self, intent: Intent) -> None:
        """Note a request that is about to leave.

        Raises:
            AuditError: it cannot be recorded, and must be: it may not leave.
        """
        ...


class Vault(Protocol):
    """Keep tables for replies that come later, each under a reference and for an owner. Thread-safe.

    A reference is the id of a request, a response, a batch or a conversation. What is another owner's is not there.
    """

    def put(
        self, owner: Owner, reference: str, table: RestoreTable, *, ttl_s: float | None = None, join: bool = False
    ) -> bool:
        """Keep a table; keeping the same one again makes its time the longer of both, and changes nothing else.

        Args:
            owner: whose it is.
            reference: where it is found again; not empty.
            table: what R needs.
            ttl_s: how long it is kept, in seconds; default: as the vault is set.
            join: whether it is added to what is kept there already, as by `merge_tables`, for the longer of both times.

        Returns:
            whether nothing was there: who put it there first may take it away, nobody else.

        Raises:
            VaultError: it could not be kept, or the reference has another table and `join` is not set.
        """
        ...

    def get(self, owner: Owner, reference: str) -> RestoreTable | None:
        """Return the table; None where there is none, where it has expired or where it is another owner's.

        Raises:
            VaultError: the vault cannot be read, or the record was altered.
        """
        ...

    def delete(self, owner: Owner, reference: str) -> bool:
        """Forget a table, and tell whether there was one.

        Raises:
            VaultError: the vault cannot be written.
        """
        ...

    def purge(self) -> int:
        """Remove what has expired, and return how many tables that were; 0 where the store does it by itself.

        Raises:
            VaultError: the vault cannot be written.
        """
        ...

    def close(self) -> None:
        """Release whatever is held; a second time does nothing."""
        ...
