"""What the adapters ask of a guard. `privguard.guard.Guard` is one."""

from collections.abc import Sequence
from typing import Protocol

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.segments import Segment
from privguard_adapters.wire.exchanging import Restoring


class OpenExchange(Restoring, Protocol):
    """One protected request."""

    @property
    def outgoing(self) -> tuple[Segment, ...]:
        """Return the minimized segments."""
        ...

    def hides(self, text: str, *, chosen: bool = False) -> bool:
        """Tell whether a text beside the content holds a value that the plan hides."""
        ...

    def hold(self, reference: str | None = None, *, join: bool = False) -> str:
        """Keep the values for a reply that comes later, before the request is sent."""
        ...

    def bind(self, reference: str, *, keep: bool = False) -> None:
        """Put what is held under the id that the provider gave."""
        ...

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> AuditRecord:
        """Write the record; the first call wins."""
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
    ) -> OpenExchange:
        """Minimize a request, whose reply may speak of earlier ones."""
        ...

    def reopen(self, *references: str, profile: str | None = None, route: str = "by-hand") -> OpenExchange:
        """Take up requests whose reply came later."""
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
