"""One person of a request, and what their mentions have told so far."""

from privguard.detect.linking.matching import abbreviates
from privguard.detect.linking.person_name import Name


class Person:
    """One person of the request."""

    __slots__ = ("alone", "full_names", "genders", "generations", "name", "names", "number", "offices")

    def __init__(self, number: int, name: Name, *, alone: bool) -> None:
        """Begin with the name by which a person is first known.

        Args:
            number: in order of discovery, from 0.
            name: the name.
            alone: whether no other mention is linked with it.
        """
        self.number, self.name, self.alone = number, name, alone
        self.genders: set[str] = set()
        self.generations: set[str] = set()
        self.offices: set[str] = set()
        self.names: set[Name] = set()
        self.full_names: dict[tuple[str, ...], Name] = {}
        self.take(name)

    def take(self, name: Name) -> int:
        """Take in another name of this person; return how much of what tells people apart is new with it."""
        if name in self.names:
            return 0
        self.names.add(name)
        if name.is_full:
            self.full_names.setdefault(name.words, name)
        changes = 0
        for told, known in (
            (name.sex, self.genders),
            (name.generation, self.generations),
            (name.office, self.offices),
        ):
            if told and told not in known:
                known.add(told)
                changes += 1
        return changes

    def is_surely(self, name: Name) -> bool:
        """Tell whether a compatible full name is a writing of this one, not a mere likeness of it: see `matching`."""
        return name.words in self.full_names or abbreviates(name, self.name)

    def is_like(self, name: Name) -> bool:
        """Tell whether a compatible full name is a mere likeness of this one."""
        return name.is_full and self.name.is_full and not self.is_surely(name)
