"""What R is given and what it reports: the values of one request by placeholder id."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from privguard.core.audit import RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.placeholders import part_hint


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEntry:
    """One entity that left as a placeholder or as a phrase."""

    placeholder_id: str
    kind: EntityType
    value: str = field(repr=False)  # what the plain placeholder stands for
    hint: str = field(default="", repr=False)  # what stood behind the colon of its placeholder, "" where nothing did
    phrase: str = field(default="", repr=False)  # the bare abstract phrase that left, "" where none did
    forms: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # other spellings, each behind its form
    written: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # by form, "" the plain one: with its escapes
    unsaid: frozenset[str] = frozenset()  # forms, "" the plain one: spellings that the application's own text alone has

    @property
    def spellings(self) -> tuple[tuple[str, str], ...]:
        """Return every spelling behind its form, the plain one first and behind ""."""
        return (("", self.value), *self.forms)

    def value_of(self, hint: str) -> str:
        """Return the spelling that a hint tells; the value where it tells none."""
        folded = part_hint(hint).words.casefold()
        return next((spelling for form, spelling in self.forms if form == folded), self.value)

    def written_of(self, hint: str) -> str:
        """Return how the spelling that a hint tells was written, "" where that is how it reads."""
        folded = part_hint(hint).words.casefold() if self.written else ""
        told = folded if any(form == folded for form, _ in self.forms) else ""
        return next((written for form, written in self.written if form == told), "")

    def said(self) -> "RestoreEntry | None":
        """Return what is left of it without the spellings that the application's own text alone has.

        Where the plain one goes, it stands for the longest of the others. None where no spelling is left.
        """
        if not self.unsaid:
            return self
        left = [pair for pair in self.spellings if pair[0] not in self.unsaid]
        if not left:
            return None
        written = dict(self.written)
        # Of one spelling the one without escapes, which can be written anywhere.
        plain, value = max(left, key=lambda pair: (not pair[0], len(pair[1]), pair[0] not in written))
        kept = {"": plain} | {form: form for form, _ in left if form}
        return replace(
            self,
            value=value,
            forms=tuple([pair for pair in left if pair[0]]),
            written=tuple([(form, written[source]) for form, source in kept.items() if source in written]),
            unsaid=frozenset(),
        )

    def emptied(self) -> "RestoreEntry":
        """Return what is left of it where it is never restored: that its id is known."""
        return RestoreEntry(
            placeholder_id=self.placeholder_id, kind=self.kind, value="", hint=self.hint, phrase=self.phrase
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreTable:
    """Everything that the replies to one request may get back, and where it must not stand."""

    entries: Mapping[str, RestoreEntry]  # by placeholder id
    literals: frozenset[str] = field(default=frozenset(), repr=False)  # ids of look-alikes that the caller typed
    url_hosts: tuple[str, ...] = ()  # hosts in whose URLs values may stand
    disputed: frozenset[str] = frozenset()  # ids of entries with two values in one conversation: never restored
    before_links: frozenset[str] = frozenset()  # ids that the request has right before a destination, as no link's text
    notes: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # by name, sorted: what adapters keep, not for R


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A restored text and what happened in it."""

    text: str = field(repr=False)
    events: tuple[RestoreEvent, ...] = ()
