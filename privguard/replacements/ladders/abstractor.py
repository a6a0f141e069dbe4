"""Generalise values by typed ladders: the most precise phrase that gives no value away."""

from collections.abc import Collection

from privguard.core.entities import EntityType
from privguard.core.placeholders import MAX_HINT
from privguard.core.protocols import Rung
from privguard.replacements.ladders.ages import age_rungs, is_age_rung
from privguard.replacements.ladders.amounts import amount_rungs, is_amount_rung
from privguard.replacements.ladders.dates import date_rungs, is_date_rung
from privguard.replacements.ladders.gazetteer import load_areas, load_gazetteer, places_version
from privguard.replacements.ladders.naming import Forbidden, names, shares_word
from privguard.replacements.ladders.places import (
    GRAMMAR,
    address_rungs,
    is_address_rung,
    is_place_rung,
    place_rungs,
)

VERSION = 1
MAX_VALUE = 200  # code points; a longer value is no date, number or place, and becomes its noun
_PLACES = (EntityType.LOCATION, EntityType.ADDRESS)


class Ladders:
    """The shipped ladders: dates, ages, amounts and places; every other type has its noun.

    Thread-safe and deterministic. The gazetteer is read at the first place.

    Args:
        months: begin the ladder of dates with the month and the year ("March 1987"); otherwise with the season.
    """

    def __init__(self, *, months: bool = False) -> None:
        self._months = months

    @property
    def id(self) -> str:
        """Return name and version for plan and audit."""
        return f"ladders/{VERSION}{'-months' if self._months else ''}+{places_version()}"

    def abstract(self, kind: EntityType, value: str, forbidden: Collection[str] = ()) -> Rung:
        """Return the most precise rung that names neither `value` nor any of `forbidden`.

        The noun of the type is the floor: it says no more than the placeholder does, and is returned even where it
        names a value ("person" among `forbidden`).

        Args:
            kind: the type, which chooses the ladder.
            value: the value as it is written.
            forbidden: values that the phrase must not name; a `Forbidden` for many calls with the same ones.
        """
        held = forbidden if isinstance(forbidden, Forbidden) else Forbidden(forbidden)
        for rung in self._rungs(kind, value) if 0 < len(value) <= MAX_VALUE else ():
            if _says_nothing_of(value, kind, rung.phrase) and not held.named_in(rung.phrase):
                return rung
        return Rung(phrase=kind.noun)

    def is_rung(self, kind: EntityType, phrase: str) -> bool:
        """Tell whether `phrase` is one that this ladder could have written: a closed grammar, free of values."""
        return phrase == kind.noun or (len(phrase) <= MAX_HINT and self._wrote(kind, phrase))

    def _wrote(self, kind: EntityType, phrase: str) -> bool:
        match kind:
            case EntityType.DATE:
                return is_date_rung(phrase, months=self._months)
            case EntityType.AGE:
                return is_age_rung(phrase)
            case EntityType.FINANCE | EntityType.MISC:
                return is_amount_rung(phrase)
            case EntityType.LOCATION:
                return is_place_rung(phrase, load_areas())
            case EntityType.ADDRESS:
                return is_address_rung(phrase, load_areas())
        return False

    def _rungs(self, kind: EntityType, value: str) -> tuple[Rung, ...]:
        match kind:
            case EntityType.DATE:
                return date_rungs(value, months=self._months)
            case EntityType.AGE:
                return age_rungs(value)
            case EntityType.FINANCE | EntityType.MISC:
                return amount_rungs(value, money=kind is EntityType.FINANCE)
            case EntityType.LOCATION:
                return place_rungs(value, load_gazetteer())
            case EntityType.ADDRESS:
                return address_rungs(value, load_gazetteer())
        return ()


def _says_nothing_of(value: str, kind: EntityType, phrase: str) -> bool:
    """Tell whether a phrase may stand for a value: short enough, and it does not name the value.

    A place must not share a single telling word with its phrase either. The phrases of dates, ages and amounts are
    made of months, seasons and round numbers alone, and the year of a day is meant to stay.
    """
    shares = kind in _PLACES and shares_word(phrase, value, GRAMMAR)
    return len(phrase) <= MAX_HINT and not names(phrase, value) and not shares
