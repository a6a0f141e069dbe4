"""Where is a place, and how large? Cities of 15,000 people and more, by name and local name (GeoNames)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import NamedTuple

from privguard.replacements.ladders.areas import FOLDER, Areas, levels, read_areas, read_table
from privguard.replacements.ladders.naming import key_of

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


class Cities(Mapping[str, tuple[Place, ...]]):
    """Cities by key. The rows stay as they are on disk and are searched by halves: a dict would take 20 times as much.

    Args:
        table: rows of key, tab, `path people;path people`, each ended by a line feed, in the order of their bytes.
    """

    def __init__(self, table: bytes) -> None:
        self._table = table

    def __getitem__(self, key: str) -> tuple[Place, ...]:
        sought = key.encode("utf-8", "surrogatepass")
        low, high = 0, len(self._table)
        while low < high:
            start = self._table.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._table.index(b"\n", start)
            found, _, places = self._table[start:end].partition(b"\t")
            if found == sought:
                return tuple(map(_place, places.decode().split(";")))
            if found < sought:
                low = end + 1
            else:
                high = start
        raise KeyError

    def __iter__(self) -> Iterator[str]:
        return (line.partition(b"\t")[0].decode() for line in self._table.splitlines())

    def __len__(self) -> int:
        return self._table.count(b"\n")


def _place(written: str) -> Place:
    path, _, people = written.rpartition(" ")
    return Place(path, size_of(int(people)), int(people))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteer:
    """Places by name and how many there are of each class."""

    areas: Areas
    cities: Mapping[str, tuple[Place, ...]] = field(repr=False)  # by key
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
    """Return the gazetteer; it is read at the first call, which takes some milliseconds."""
    areas = load_areas()
    counts: Counter[tuple[str, Size | None]] = Counter()
    population: Counter[str] = Counter()
    for path, *classes, people in read_table("crowds"):
        for area in levels(path):
            for size, number in zip(Size, classes, strict=True):
                counts[area, size] += int(number)
                counts[area, None] += int(number)
            population[area] += int(people)
    return Gazetteer(
        areas=areas,
        cities=Cities((FOLDER / "cities.tsv").read_bytes()),
        counts=counts,
        # A country has more people than its cities.
        population={**population, **areas.populations},
    )


@cache
def places_version() -> str:
    """Return where the places are from, and which version."""
    return (FOLDER / "VERSION").read_text(encoding="utf-8").strip()


def size_of(people: int) -> Size:
    """Return the class of a city."""
    return next(size for size in _LARGEST_FIRST if people >= size.value)
