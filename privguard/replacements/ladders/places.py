"""The ladder of places: a large city in Texas, a large city in the United States, a place in North America."""

import re
from collections.abc import Callable, Sequence
from functools import cache

from privguard.core.patterns import lazy_pattern
from privguard.core.protocols import Rung
from privguard.replacements.ladders.areas import CONTINENTS, Areas, levels
from privguard.replacements.ladders.gazetteer import Gazetteer, Place, Size
from privguard.replacements.ladders.naming import EN_DASH

# Words of the phrases themselves, and of so many names that sharing one gives nothing away.
_GRAMMAR = (
    "address and city country east eastern large mid new north northern place region sized small south southern the "
    "very west western"
)
GRAMMAR = frozenset(_GRAMMAR.split())
_ANY_CITY = "a city"
MIN_SHARED = 5  # places; a rung that fewer share all but names its value
_PARTS = lazy_pattern(rf"[,;/()\n]|\s[-{EN_DASH}]\s")
_POSTCODE = lazy_pattern(r"\S*\d\S*")
_AFTER_POSTCODE = lazy_pattern(r"(?:^|.*\s)(?:[A-Z]{1,2}-)?\d{4,5}\s+(?P<town>\D+)", re.DOTALL)
_LONGEST_AREA = 3  # words of an area after a city without a comma: Austin Texas


def place_rungs(value: str, gazetteer: Gazetteer) -> tuple[Rung, ...]:
    """Return the generalisations that all places of a name share, the most precise first."""
    parts = [part.strip() for part in _PARTS.split(value) if part.strip()]
    if len(parts) == 1 and not gazetteer.find(parts[0]):
        parts = _split_words(parts[0], gazetteer)
    places, used = _resolve(parts, gazetteer)
    if used < len(parts):
        return _shared(places, lambda place: _inside(place.path, gazetteer))
    return _shared(places, lambda place: _ladder(place, gazetteer))


def address_rungs(value: str, gazetteer: Gazetteer) -> tuple[Rung, ...]:
    """Return the generalisations of an address by the town, region or country that it names after the street."""
    lines = [part for part in _PARTS.split(value) if part.strip()]
    parts = [part for part in (_POSTCODE.sub(" ", line).strip() for line in lines[1:]) if part]
    if not parts and (match := _AFTER_POSTCODE.fullmatch(value)):
        parts = [match["town"].strip()]
    elif len(parts) == 1 and not gazetteer.find(parts[0]):
        parts = _split_words(parts[0], gazetteer)
    places, _ = _resolve(parts, gazetteer)
    rungs = _shared(places, lambda p: _ladder(p, gazetteer) if p.size else _inside(p.path, gazetteer))
    return tuple(Rung(phrase=_at(rung.phrase), population=rung.population) for rung in rungs)


def is_place_rung(phrase: str, areas: Areas) -> bool:
    """Tell whether the ladder of places could have written `phrase`."""
    return phrase in _all_rungs(tuple(areas.names.items()))


def is_address_rung(phrase: str, areas: Areas) -> bool:
    """Tell whether the ladder of addresses could have written `phrase`."""
    tail = phrase.removeprefix("an address in ")
    if tail == phrase:
        return False
    phrases = _all_rungs(tuple(areas.names.items()))
    return f"a place in {tail}" in phrases or (tail in phrases and (" city in " in tail or tail == _ANY_CITY))


def _resolve(parts: Sequence[str], gazetteer: Gazetteer) -> tuple[tuple[Place, ...], int]:
    """Read the parts of a name from the widest, the last one, inwards; return what was found and how many were read."""
    places: tuple[Place, ...] = ()
    for used, part in enumerate(reversed(parts)):
        inner = gazetteer.find(part, [place.path for place in places] if used else [""])
        if not inner:
            return places, used
        places = inner
    return places, len(parts)


def _split_words(name: str, gazetteer: Gazetteer) -> list[str]:
    """Split `Austin Texas` or `Austin TX` before the area, where the name ends in one."""
    words = name.split()
    # The longest first: South America is not a part of America.
    for length in range(min(_LONGEST_AREA, len(words) - 1), 0, -1):
        tail = " ".join(words[-length:])
        if any(place.size is None for place in gazetteer.find(tail)):
            return [" ".join(words[:-length]), tail]
    return [name]


def _shared(places: Sequence[Place], ladder: Callable[[Place], tuple[Rung, ...]]) -> tuple[Rung, ...]:
    """Return the rungs that the ladders of all places have in common."""
    ladders = [ladder(place) for place in places]
    if not ladders:
        return ()
    return tuple(rung for rung in ladders[0] if all(rung in other for other in ladders[1:]))


def _ladder(place: Place, gazetteer: Gazetteer) -> tuple[Rung, ...]:
    continent, *rest = levels(place.path)
    country = rest[0] if rest else ""
    counts, names = gazetteer.counts, gazetteer.areas.names
    rungs: list[tuple[str, int]] = []
    if place.size is not None:
        rungs += [(_sized(place.size, names[area]), counts[area, place.size]) for area in reversed(rest)]
        rungs.append((f"a city in {names[country]}", counts[country, None]))
    elif len(rest) == 2:
        rungs.append((f"a region in {names[country]}", sum(path.startswith(f"{country}/") for path in names)))
    elif len(rest) == 1:
        countries = sum(path.startswith(f"{continent}/") for path in gazetteer.areas.populations)
        rungs.append((f"a country in {names[continent]}", countries))
    if country and (place.size is not None or len(rest) == 2):
        rungs.append((f"a place in {names[country]}", counts[country, None]))
    if place.size is not None:
        rungs.append((f"a city in {names[continent]}", counts[continent, None]))
    if rest:
        rungs.append((f"a place in {names[continent]}", counts[continent, None]))
    if place.size is not None:
        rungs.append((_ANY_CITY, sum(counts[area, None] for area in CONTINENTS)))
    return tuple(Rung(phrase=phrase, population=shared) for phrase, shared in rungs if shared >= MIN_SHARED)


def _inside(path: str, gazetteer: Gazetteer) -> tuple[Rung, ...]:
    """Return the ladder of something unknown that lies in an area."""
    return tuple(
        Rung(phrase=f"a place in {gazetteer.areas.names[area]}", population=gazetteer.counts[area, None])
        for area in reversed(levels(path))
        if gazetteer.counts[area, None] >= MIN_SHARED
    )


def _sized(size: Size, name: str) -> str:
    return f"a {size.word} city in {name}"


def _at(phrase: str) -> str:
    return f"an address in {phrase.removeprefix('a place in ')}"


@cache
def _all_rungs(names: tuple[tuple[str, str], ...]) -> frozenset[str]:
    phrases = {_ANY_CITY}
    for path, name in names:
        phrases |= {f"a place in {name}"}
        if path.count("/"):
            phrases |= {_sized(size, name) for size in Size}
        if path.count("/") < 2:
            phrases |= {f"a city in {name}"}
        if path.count("/") == 1 and any(other.startswith(f"{path}/") for other, _ in names):
            phrases |= {f"a region in {name}"}
        if not path.count("/"):
            phrases |= {f"a country in {name}"}
    return frozenset(phrases)
