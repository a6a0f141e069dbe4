"""Lists of names, places, organisations, jobs and illnesses, read once from the data folder."""

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

from privguard.core.errors import ConfigError
from privguard.research.training import folder

CITIES_PER_COUNTRY = 60
LONGEST_PHRASE = 38


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Given names of women and men and surnames of one culture, in its own script or in Latin letters."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    surnames: tuple[str, ...]

    @property
    def given(self) -> tuple[str, ...]:
        """Return the given names of both."""
        return self.women + self.men


@dataclass(frozen=True, slots=True, kw_only=True)
class Gazetteers:
    """What the generator and the entity swap draw from; every tuple is non-empty."""

    native: Mapping[str, Names]  # by ISO country, own script
    latin: Mapping[str, Names]  # by ISO country, Latin letters
    cities: Mapping[str, tuple[str, ...]]  # by ISO country
    regions: tuple[str, ...]
    countries: tuple[str, ...]
    organizations: tuple[str, ...]
    hospitals: tuple[str, ...]
    universities: tuple[str, ...]
    occupations: tuple[str, ...]
    illnesses: tuple[str, ...]
    symptoms: tuple[str, ...]
    drugs: tuple[str, ...]
    nationalities: tuple[str, ...]

    def any_names(self, rng: Random) -> Names:
        """Draw a culture, then its names in Latin letters."""
        return self.latin[rng.choice(tuple(self.latin))]

    def any_city(self, rng: Random) -> str:
        """Draw a country, then one of its cities."""
        return rng.choice(self.cities[rng.choice(tuple(self.cities))])


def load_gazetteers(data: Path) -> Gazetteers:
    """Read the lists under `data`: the folders `gaz_names`, `gaz_geo`, `gaz_orgs`, `gaz_jobs` and `gaz_health`.

    Raises:
        ConfigError: a list is missing or not of its format.
    """
    folder.check_folder(data, folder.GAZETTEERS)
    try:
        return _load(data)
    except OSError as exc:
        raise ConfigError(f"a gazetteer cannot be read: {Path(exc.filename or '?').name}") from None
    except (ValueError, KeyError, TypeError):
        raise ConfigError("a gazetteer is not of its format") from None


def _load(data: Path) -> Gazetteers:
    native, latin = _names(data)
    cities, regions = _places(data / folder.CITIES)
    companies = (row["Security"] for row in _rows(data / folder.COMPANIES))
    charities = _column(data / folder.CHARITIES, "charities")
    papers = _column(data / folder.PAPERS, "newspapers")
    agencies = _column(data / folder.AGENCIES, "agencies")
    listed = (_company(row["Security Name"]) for row in _rows(data / folder.LISTED))
    universities: list[dict[str, Any]] = json.loads((data / folder.UNIVERSITIES).read_text("utf-8"))
    diseases = cast("list[list[str]]", _column(data / folder.ILLNESSES, "diseases"))
    return Gazetteers(
        native=native,
        latin=latin,
        cities=cities,
        regions=regions,
        countries=_clean(_column(data / folder.COUNTRIES, "countries")),
        organizations=_clean((*companies, *charities, *papers, *agencies, *listed)),
        hospitals=_clean(_column(data / folder.HOSPITALS, "hospitals")),
        universities=_clean(row["name"] for row in universities),
        occupations=_clean(_column(data / folder.OCCUPATIONS, "occupations")),
        illnesses=_clean(row[-1] for row in diseases),
        symptoms=_clean(_column(data / folder.SYMPTOMS, "symptoms")),
        drugs=_clean(_column(data / folder.DRUGS, "drugs")),
        nationalities=_clean(_column(data / folder.NATIONALITIES, "nationalities")),
    )


def _clean(values: Iterable[str]) -> tuple[str, ...]:
    kept = {v.strip(): None for v in values if 2 <= len(v.strip()) <= LONGEST_PHRASE and "(" not in v and "[" not in v}
    if not kept:
        raise ValueError("an empty list")
    return tuple(kept)


def _company(listing: str) -> str:
    name = listing.split(" - ", maxsplit=1)[0]
    return "" if "ETF" in name or "Fund" in name or "Acquisition" in name else name


def _rows(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        yield from csv.DictReader(lines, delimiter=delimiter)


def _column(path: Path, key: str) -> list[str]:
    return cast("list[str]", json.loads(path.read_text("utf-8"))[key])


def _places(path: Path) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    cities: defaultdict[str, dict[str, None]] = defaultdict(dict)
    regions: dict[str, None] = {}
    for row in _rows(path, "\t"):
        if len(cities[row["country_iso2"]]) < CITIES_PER_COUNTRY:
            cities[row["country_iso2"]][row["name"]] = None
            regions[row["admin1_name"]] = None
    return {country: tuple(names) for country, names in cities.items() if names}, _clean(regions)


def _names(data: Path) -> tuple[dict[str, Names], dict[str, Names]]:
    given = list(_rows(data / folder.FORENAMES))
    family = list(_rows(data / folder.SURNAMES))
    native = _by_country(given, family, lambda row: row["Localized Name"] or row["Romanized Name"])
    latin = _by_country(given, family, lambda row: row["Romanized Name"] or row["Localized Name"])
    latin["US"] = Names(
        women=tuple(_census(data / folder.CENSUS_WOMEN, 1500)),
        men=tuple(_census(data / folder.CENSUS_MEN, 1000)),
        surnames=tuple(_census(data / folder.CENSUS_SURNAMES, 6000)),
    )
    return native, {c: n for c, n in latin.items() if all(name.isascii() or name[0] < "\u0370" for name in n.given)}


def _by_country(
    given: Iterable[Mapping[str, str]], family: Iterable[Mapping[str, str]], read: Callable[[Mapping[str, str]], str]
) -> dict[str, Names]:
    first: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    last: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in given:
        first[row["Country"], row["Gender"]][read(row).strip()] = None
    for row in family:
        last[row["Country"]][read(row).strip().title() if read(row).isupper() else read(row).strip()] = None
    made = {}
    for country, surnames in last.items():
        women, men = tuple(first[country, "F"]), tuple(first[country, "M"])
        if women and men:
            made[country] = Names(women=women, men=men, surnames=tuple(surnames))
    return made


def _census(path: Path, most: int) -> Iterator[str]:
    with path.open(encoding="ascii") as lines:
        for _, line in zip(range(most), lines, strict=False):
            yield line.split()[0].title()
