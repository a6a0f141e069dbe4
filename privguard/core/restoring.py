"""What R is given and what it reports: the values of one request by placeholder id."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from privguard.core.audit import RestoreEvent
from privguard.core.entities import EntityType


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

    def value_of(self, hint: str) -> str:
        """Return the spelling that a hint tells; the value where it tells none."""
        folded = hint.strip().casefold()
        return next((spelling for form, spelling in self.forms if form == folded), self.value)

    def written_of(self, hint: str) -> str:
        """Return how the spelling that a hint tells was written, "" where that is how it reads."""
        folded = hint.strip().casefold() if self.written else ""
        told = folded if any(form == folded for form, _ in self.forms) else ""
        return next((written for form, written in self.written if form == told), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreTable:
    """Everything that the replies to one request may get back, and where it must not stand."""

    entries: Mapping[str, RestoreEntry]  # by placeholder id
    literals: frozenset[str] = field(default=frozenset(), repr=False)  # ids of look-alikes that the caller typed
    url_hosts: tuple[str, ...] = ()  # hosts in whose URLs values may stand
    disputed: frozenset[str] = frozenset()  # ids of entries with two values in one conversation: never restored


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A restored text and what happened in it."""

    text: str = field(repr=False)
    events: tuple[RestoreEvent, ...] = ()
