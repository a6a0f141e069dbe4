"""Which forms a placeholder may tell."""

from collections.abc import Collection

from privguard.core.entities import EntityType
from privguard.core.placeholders import is_form, part_hint
from privguard.core.protocols import Abstractor, Rung


class Hints:
    """The ladders, with the forms that a placeholder may tell: what stands in a bracket already and is ours."""

    def __init__(self, abstractor: Abstractor) -> None:
        self._abstractor = abstractor
        self.id = abstractor.id

    def abstract(self, kind: EntityType, value: str, forbidden: Collection[str] = ()) -> Rung:
        """Return the rung of the ladders."""
        return self._abstractor.abstract(kind, value, forbidden)

    def is_rung(self, kind: EntityType, phrase: str) -> bool:
        """Tell whether a phrase may stand in a bracket that is ours: a form, a pronoun, or a rung."""
        words, pronoun = part_hint(phrase)
        return is_form(words) or (bool(pronoun) and not words) or self._abstractor.is_rung(kind, words)
