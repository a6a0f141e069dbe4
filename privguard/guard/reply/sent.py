"""What the caller has sent: a value of the request is no news in the reply, in whatever spelling."""

from collections.abc import Iterable

from privguard.core.entities import EntityType
from privguard.core.letters import bare_letters, bare_words
from privguard.core.remembered import remembered
from privguard.core.restoring import RestoreTable
from privguard.core.segments import Segment
from privguard.detect.codes import without_codes
from privguard.detect.linking.person_name import read_name
from privguard.guard.entities import Entity
from privguard.replacements.normal import normal_form

_MIN_NUMBER = 6  # letters and digits of a value that is known with other signs between them
_MIN_DIGITS = 4  # that it has


class Sent:
    """The texts and the values of one request. Both are worked out when they are first asked for."""

    def __init__(self, texts: Iterable[str] = (), values: Iterable[tuple[EntityType, str]] = ()) -> None:
        """Take the texts of the request, as the caller gave them, and what was found in them."""
        self._texts = tuple(texts)
        self._values = tuple(values)

    @classmethod
    def of(cls, segments: Iterable[Segment], entities: Iterable[Entity], table: RestoreTable) -> "Sent":
        """Take a request and what was found in it, with the values of earlier ones."""
        values = [(entity.kind, spelling) for entity in entities for spelling in entity.surfaces]
        values += [(entry.kind, spelling) for entry in table.entries.values() for _, spelling in entry.spellings]
        return cls([segment.text for segment in segments], values)

    def holds(self, kind: EntityType, value: str) -> bool:
        """Tell whether a value stands in the request.

        Words count in any letter case and without accents, with whatever stands between them; numbers with other
        separators, and as their type is normalised; a name by its words, titles left out. Codes of HTML and of programs
        count as what they show.
        """
        return self._holds(kind, value) or ((shown := without_codes(value)) != value and self._holds(kind, shown))

    def _holds(self, kind: EntityType, value: str) -> bool:
        words = bare_words(value)
        if not words or f" {' '.join(words)} " in self._said:
            return True
        if self._has_number(bare_letters(value)) or (kind, normal_form(kind, value)) in self._normal:
            return True
        return kind is EntityType.PERSON and self._names(value)

    def _has_number(self, letters: str) -> bool:
        if len(letters) < _MIN_NUMBER or sum(map(str.isdecimal, letters)) < _MIN_DIGITS:
            return False
        at = self._letters.find(letters)
        while at >= 0:
            end = at + len(letters)
            before, behind = self._letters[max(0, at - 1) : at], self._letters[end : end + 1]
            cuts = (before.isdecimal() and letters[0].isdecimal()) or (behind.isdecimal() and letters[-1].isdecimal())
            if not cuts:
                return True
            at = self._letters.find(letters, at + 1)
        return False

    def _names(self, value: str) -> bool:
        name = read_name(value)
        return name is not None and all(
            word in self._name_words or (len(word) == 1 and word in self._initials)
            for word in map(bare_letters, name.words)
        )

    @remembered
    def _said(self) -> str:
        return "".join([f" {' '.join(bare_words(text))} " for text in (*self._texts, *self._spellings)])

    @remembered
    def _letters(self) -> str:
        return " ".join(map(bare_letters, (*self._texts, *self._spellings)))

    @remembered
    def _normal(self) -> frozenset[tuple[EntityType, str]]:
        return frozenset([(kind, normal_form(kind, value)) for kind, value in self._values])

    @remembered
    def _name_words(self) -> frozenset[str]:
        names = [read_name(value) for kind, value in self._values if kind is EntityType.PERSON]
        return frozenset([bare_letters(word) for name in names if name is not None for word in name.words])

    @remembered
    def _initials(self) -> frozenset[str]:
        return frozenset([word[:1] for word in self._name_words])

    @property
    def _spellings(self) -> tuple[str, ...]:
        return tuple([value for _, value in self._values])

    def __repr__(self) -> str:
        return f"Sent(texts={len(self._texts)}, values={len(self._values)})"
