"""Several requests that are sent together: each is an exchange of its own, so none gets the values of another."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.errors import UnknownReferenceError
from privguard.core.profile import Profile
from privguard.core.segments import Channel, Segment
from privguard.core.views import View
from privguard.guard.holding import NO_NOTES
from privguard_adapters.guarding import Guarding, OpenExchange
from privguard_adapters.wire.exchanging import TextStream
from privguard_adapters.wire.identifiers import rename
from privguard_adapters.wire.kept_names import rules_note
from privguard_adapters.wire.request import Part
from privguard_adapters.wire.rules import reply_rules


class Begin(Protocol):
    """Minimize a request: `Guarding.begin`."""

    def __call__(
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


class _Many:
    """What several exchanges have in common with one: the first stands for what is said of all of them."""

    def __init__(self, first: OpenExchange) -> None:
        self._first = first

    @property
    def profile(self) -> Profile:
        """Return the profile in force."""
        return self._first.profile

    @property
    def notes(self) -> Mapping[str, str]:
        """Return none: what is kept beside values is that of a single request."""
        return {}

    def restore(self, text: str, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> str:
        """Look for values that the model itself brings, and put none of the caller's in: whose it is, is not known."""
        return self._first.restore(text, channel, path, view=view or _NOBODY)

    def stream(self, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> TextStream:
        """Do so with a stream of text."""
        return self._first.stream(channel, path, view=view or _NOBODY)


_NOBODY = View(kinds=frozenset(), unsaid=False)


class Batch(_Many):
    """The exchanges of requests that are sent together."""

    def __init__(
        self, names: Sequence[str], exchanges: Sequence[OpenExchange], noted: Sequence[Mapping[str, str]]
    ) -> None:
        """Take them.

        Args:
            names: of the requests.
            exchanges: of each.
            noted: what the reply to each is to be read by.
        """
        super().__init__(exchanges[0])
        self._names, self._exchanges, self._noted = tuple(names), tuple(exchanges), tuple(noted)

    @property
    def outgoing(self) -> tuple[Segment, ...]:
        """Return the minimized segments of all of them."""
        return tuple([segment for exchange in self._exchanges for segment in exchange.outgoing])

    def hides(self, text: str, *, chosen: bool = False) -> bool:
        """Tell whether a text beside the content holds a value that one of them hides."""
        return any(exchange.hides(text, chosen=chosen) for exchange in self._exchanges)

    def hold(self, reference: str | None = None, *, join: bool = False, notes: Mapping[str, str] = NO_NOTES) -> str:  # noqa: ARG002 - those of no single request
        """Keep the values of each for its reply."""
        references = [
            exchange.hold(reference, join=join, notes=noted)
            for exchange, noted in zip(self._exchanges, self._noted, strict=True)
        ]
        return references[0]

    def bind(self, reference: str, *, keep: bool = False) -> None:
        """Put what is held under the id of the batch and the name of each, and of the first under the id as well."""
        self._first.bind(reference, keep=keep)
        for name, exchange in zip(self._names, self._exchanges, strict=True):
            exchange.bind(reference_of(reference, name), keep=exchange is self._first)

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> AuditRecord:
        """Write the record of each, and return that of the first."""
        records = [exchange.close(outcome, error) for exchange in self._exchanges]
        return records[0]


class Results(_Many):
    """The replies to requests that were sent together."""

    def __init__(self, batch: OpenExchange, reopen: Callable[[str], OpenExchange]) -> None:
        super().__init__(batch)
        self._reopen = reopen

    @property
    def outgoing(self) -> tuple[Segment, ...]:
        """Return nothing: what comes back has left before."""
        return ()

    def hides(self, text: str, *, chosen: bool = False) -> bool:
        """Tell whether a text holds a value that the plan hides."""
        return self._first.hides(text, chosen=chosen)

    def hold(self, reference: str | None = None, *, join: bool = False, notes: Mapping[str, str] = NO_NOTES) -> str:
        """Keep what is kept already."""
        return self._first.hold(reference, join=join, notes=notes)

    def bind(self, reference: str, *, keep: bool = False) -> None:
        """Put what is held under another id."""
        self._first.bind(reference, keep=keep)

    def each(self, name: str) -> OpenExchange | None:
        """Take up one request by its name; None where nothing is kept of it."""
        try:
            return self._reopen(name)
        except UnknownReferenceError:
            return None

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> AuditRecord:
        """Write the record of having asked."""
        return self._first.close(outcome, error)


def reference_of(batch: str, name: str) -> str:
    """Return what the values of one request are kept under."""
    return f"{batch}:{name}"


def begin_each(guard: Guarding, parts: Sequence[Part]) -> Begin:
    """Return how a request is begun: as one, or where it has parts, each of them apart."""
    if not parts:
        return guard.begin

    def begin(
        segments: Sequence[Segment],  # noqa: ARG001 - those of all parts
        *,
        target: str,  # noqa: ARG001 - each part has its own
        profile: str | None = None,
        route: str = "by-hand",
        earlier: Sequence[str] = (),
    ) -> OpenExchange:
        opened: list[OpenExchange] = []
        noted: list[Mapping[str, str]] = []
        try:
            for part in parts:
                exchange = guard.begin(
                    part.view.segments, target=part.view.target, profile=profile, route=route, earlier=earlier
                )
                opened.append(exchange)
                renamed = rename(part.view.identifiers, exchange.outgoing)
                noted.append(rules_note(reply_rules(part.view, renamed)))
        except Exception as error:
            for each in opened:
                each.close(Outcome.BLOCKED, error)
            raise
        return Batch([part.name for part in parts], opened, noted)

    return begin


def reopen_each(guard: Guarding, reference: str, *, profile: str | None = None, route: str = "by-hand") -> OpenExchange:
    """Take up requests that were sent together, by the id of their batch.

    Raises:
        VaultError: the vault holds nothing for it, or could not be used.
    """
    batch = guard.reopen(reference, profile=profile, route=route)
    return Results(batch, lambda name: guard.reopen(reference_of(reference, name), profile=profile, route=route))
