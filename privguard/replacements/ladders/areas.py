"""Areas by name and code: continents, countries, and the regions of a few large countries.

An area is a path: `EU`, `EU/DE`, `EU/DE/02`; a path that begins with another lies in it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from privguard.replacements.ladders.naming import key_of

FOLDER = Path(__file__).parent / "geonames"  # written by tools/build_places.py
CONTINENTS = {
    "AF": "Africa",
    "AN": "Antarctica",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}
_WITH_ARTICLE = ("BS", "CD", "CF", "CG", "DO", "GM", "IM", "IO", "KM", "MV", "PH", "PS", "TF", "VA")
_WITHOUT_ARTICLE = ("GS", "HM")
_COUNTRY_ALIASES = {
    "AE": "uae, emirates",
    "AT": "österreich, autriche",
    "BE": "belgien, belgique, belgië",
    "BR": "brasil, brasilien",
    "CH": "schweiz, suisse, svizzera",
    "CI": "côte d'ivoire",
    "CN": "people's republic of china, prc",
    "CZ": "czech republic, tschechien, česko",
    "DE": "deutschland, allemagne, alemania, germania, federal republic of germany",
    "DK": "dänemark, danmark",
    "ES": "españa, spanien, espagne, spagna",
    "FI": "suomi, finnland",
    "FR": "frankreich, francia",
    "GB": "uk, u.k., great britain, britain, großbritannien, vereinigtes königreich, royaume-uni, reino unido",
    "GR": "griechenland, hellas",
    "HU": "ungarn, magyarország",
    "IE": "irland, éire, republic of ireland",
    "IT": "italia, italien, italie",
    "JP": "nippon, nihon",
    "KR": "korea, republic of korea",
    "MX": "méxico, mexiko",
    "NL": "netherlands, holland, niederlande, nederland, pays-bas, países bajos",
    "NO": "norwegen, norge",
    "PL": "polen, polska, pologne",
    "RU": "russian federation, russland",
    "SE": "schweden, sverige",
    "SZ": "swaziland",
    "TR": "türkiye, türkei",
    "US": "usa, u.s., u.s.a., united states of america, america, états-unis, estados unidos, vereinigte staaten",
    "VN": "viet nam",
}
# GeoNames admin1 codes; the city-states of Germany are left to the cities of the same name.
_REGIONS = {
    "GB": "ENG England; SCT Scotland, Schottland; WLS Wales; NIR Northern Ireland, Nordirland",
    "CA": "01 Alberta, AB; 02 British Columbia, BC, B.C.; 03 Manitoba, MB; 04 New Brunswick, NB; 05 Newfoundland, NL;"
    "07 Nova Scotia, NS; 08 Ontario, ON; 09 Prince Edward Island, PE, PEI; 10 Quebec, QC; 11 Saskatchewan, SK",
    "AU": "01 Australian Capital Territory, ACT; 02 New South Wales, NSW; 03 Northern Territory, NT;"
    "04 Queensland, QLD; 05 South Australia, SA; 06 Tasmania, TAS; 07 Victoria, VIC; 08 Western Australia, WA",
    "DE": "01 Baden-Württemberg; 02 Bavaria, Bayern; 05 Hesse, Hessen; 06 Lower Saxony, Niedersachsen;"
    "07 North Rhine-Westphalia, Nordrhein-Westfalen, NRW; 08 Rhineland-Palatinate, Rheinland-Pfalz; 09 Saarland;"
    "10 Schleswig-Holstein; 11 Brandenburg; 12 Mecklenburg-Western Pomerania, Mecklenburg-Vorpommern;"
    "13 Saxony, Sachsen; 14 Saxony-Anhalt, Sachsen-Anhalt; 15 Thuringia, Thüringen",
}
_DISPLAY = {"EU/DE/01": "Baden-Wuerttemberg"}  # phrases stay within ASCII


@dataclass(frozen=True, slots=True, kw_only=True)
class Areas:
    """All areas, read once."""

    names: Mapping[str, str]  # path to the name as it stands in a phrase, with its article
    paths: Mapping[str, tuple[str, ...]]  # key of a name to paths
    codes: Mapping[str, tuple[str, ...]]  # `TX`, `DE` to paths; upper case, since `in` and `or` are words
    populations: Mapping[str, int]  # of countries, by path
    countries: Mapping[str, str]  # two letters to path


def levels(path: str) -> list[str]:
    """Return the area and all areas around it, the widest first."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def read_table(name: str) -> Iterator[list[str]]:
    """Yield the rows of a shipped table."""
    return (line.split("\t") for line in (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines())


def read_areas() -> Areas:
    """Read continents, countries and regions; a few milliseconds."""
    names = dict(CONTINENTS)
    paths: dict[str, list[str]] = {}
    codes: dict[str, list[str]] = {}
    populations: dict[str, int] = {}

    def add(path: str, shown: str, aliases: list[str]) -> None:
        names[path] = shown
        for alias in dict.fromkeys((shown.removeprefix("the "), *aliases)):
            if alias.isupper() and len(alias) in (2, 3):
                codes.setdefault(alias, []).append(path)
            else:
                paths.setdefault(key_of(alias), []).append(path)

    for path, shown in CONTINENTS.items():
        add(path, shown, ["Europa"] if path == "EU" else [])
    for code, iso3, continent, people, name in read_table("countries"):
        path = f"{continent}/{code}"
        add(path, _with_article(code, name), _aliases(code, iso3))
        populations[path] = int(people)
    by_code = {path.split("/")[1]: path for path in populations}
    for code, name in read_table("states"):
        add(f"{by_code['US']}/{code}", _state_name(name), [code, *(["D.C.", "DC"] if code == "DC" else [])])
    for path, aliases in _regions(by_code):
        add(path, _DISPLAY.get(path, aliases[0]), aliases)
    return Areas(
        names=names,
        paths={key: tuple(dict.fromkeys(found)) for key, found in paths.items()},
        codes={code: tuple(dict.fromkeys(found)) for code, found in codes.items()},
        populations=populations,
        countries=by_code,
    )


def _regions(countries: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield path and names of the regions outside the United States."""
    for country, listed in _REGIONS.items():
        for entry in listed.split(";"):
            code, _, names = entry.strip().partition(" ")
            yield f"{countries[country]}/{code}", [name.strip() for name in names.split(",")]


def _aliases(code: str, iso3: str) -> list[str]:
    return [code, iso3, *(alias.strip() for alias in _COUNTRY_ALIASES.get(code, "").split(",") if alias)]


def _with_article(code: str, name: str) -> str:
    plain = name.removeprefix("The ")
    group = plain.endswith(" Islands") and code not in _WITHOUT_ARTICLE
    definite = group or code in _WITH_ARTICLE or plain != name or plain.startswith(("United ", "U.S."))
    return f"the {plain}" if definite else plain


def _state_name(name: str) -> str:
    return f"the {name}" if name.startswith("District") else name
