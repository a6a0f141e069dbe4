"""What the adapters ask of a guard. `privguard.guard.Guard` is one."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.segments import Segment
from privguard.guard.holding import NO_NOTES
from privguard_adapters.wire.exchanging import Restoring


class Answered(Restoring, Protocol):
    """What a reply belongs to: it is closed when the reply has ended."""

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> object:
        """Write what is to be recorded; the first call wins."""
        ...


class Noting(Protocol):
    """Notes in the vault, by reference. `privguard.guard.notebook.Notebook` is one."""

    def add(self, reference: str, notes: Mapping[str, str]) -> None:
        """Keep notes, added to those that are there."""
        ...

    def read(self, reference: str) -> Mapping[str, str] | None:
        """Return the notes under a reference; None where there are none."""
        ...

    def erase(self, reference: str) -> bool:
        """Forget what is kept under a reference, values too."""
        ...


class OpenExchange(Restoring, Protocol):
    """One protected request."""

    @property
    def outgoing(self) -> tuple[Segment, ...]:
        """Return the minimized segments."""
        ...

    def hides(self, text: str, *, chosen: bool = False) -> bool:
        """Tell whether a text beside the content holds a value that the plan hides."""
        ...

    @property
    def notes(self) -> Mapping[str, str]:
        """Return the notes that are kept with the values that were taken up."""
        ...

    def hold(self, reference: str | None = None, *, join: bool = False, notes: Mapping[str, str] = NO_NOTES) -> str:
        """Keep the values, and notes with them, for a reply that comes later, before the request is sent."""
        ...

    def bind(self, reference: str, *, keep: bool = False) -> None:
        """Put what is held under the id that the provider gave."""
        ...

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> AuditRecord:
        """Write the record; the first call wins."""
        ...


class KeptExchange(OpenExchange, Protocol):
    """One protected request, whose reply may come later."""

    @property
    def request_id(self) -> str:
        """Return the random id of the audit record."""
        ...

    def release(self) -> None:
        """Forget what is held: no reply comes later."""
        ...


class Guarding(Protocol):
    """What the adapters ask of a guard. `privguard.guard.Guard` is one."""

    @property
    def keeps(self) -> bool:
        """Tell whether values can be kept for replies that come later."""
        ...

    def begin(
        self,
        segments: Sequence[Segment],
        *,
        target: str,
        profile: str | None = None,
        route: str = "by-hand",
        earlier: Sequence[str] = (),
    ) -> KeptExchange:
        """Minimize a request, whose reply may speak of earlier ones."""
        ...

    def reopen(self, *references: str, profile: str | None = None, route: str = "by-hand") -> KeptExchange:
        """Take up requests whose reply came later."""
        ...

    def notebook(self) -> Noting:
        """Return the notes that are kept for later replies."""
        ...

    def block(self, *, route: str, error: BaseException, target: str = "") -> None:
        """Record a request that was refused before anything was sent."""
        ...

    def scan(self, text: str, *, key: str = "") -> bool:
        """Tell whether a text holds something sensitive, which the name that it is sent under may tell."""
        ...

    def rehearsal(self) -> "Guarding":
        """Return a guard that decides like this one and keeps nothing."""
        ...
