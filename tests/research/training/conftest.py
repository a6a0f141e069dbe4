"""Tiny gazetteers, invented, in the formats of the real ones."""

import json
from pathlib import Path

import pytest

from privguard.research.training.gazetteers import Gazetteers, load_gazetteers

FORENAMES = """Country,Gender,Localized Name,Romanized Name
DE,F,Ada,Ada
DE,M,Ben,Ben
GR,F,Ζωή,Zoi
GR,M,Λέων,Leon
"""
SURNAMES = """Country,Rank,Index,Name Group,Localized Name,Romanized Name,Count,Percent
DE,1,1,a,Roth,Roth,,
DE,2,2,b,KOLE,KOLE,,
GR,1,1,c,Βλάχος,Vlachos,,
"""
CITIES = """geonameid\tname\tadmin1_code\tadmin1_name\tcountry_iso2\tcountry\tcontinent\tpopulation\tlatitude\tlongitude
1\tLindenfeld\t1\tNordmark\tDE\tGermany\tEU\t9\t1.0\t1.0
2\tOstau\t1\tNordmark\tDE\tGermany\tEU\t9\t1.0\t1.0
"""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="session")
def gazetteer_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("gazetteers")
    _write(data / "gaz_names/common-forenames-by-country.csv", "\ufeff" + FORENAMES)
    _write(data / "gaz_names/common-surnames-by-country.csv", "\ufeff" + SURNAMES)
    for name, word in (("female.first", "CORA"), ("male.first", "DAN"), ("all.last", "MILLER")):
        _write(data / f"gaz_names/us_census1990_dist.{name}", f"{word}  1.0  1.0  1\n")
    _write(data / "gaz_geo/cities15000.tsv", CITIES)
    _write(data / "gaz_orgs/sp500_constituents.csv", "Symbol,Security\nXXX,Osprey Foods\n")
    _write(data / "gaz_orgs/nasdaq_listed.csv", "Symbol,Security Name\nYYY,Heron Motors - Common Stock\nZZZ,Some ETF\n")
    _write(data / "gaz_orgs/world_universities_and_domains.json", json.dumps([{"name": "Lindenfeld University"}]))
    for path, key in (
        ("gaz_orgs/corpora_corporations_charities.json", "charities"),
        ("gaz_orgs/corpora_corporations_newspapers.json", "newspapers"),
        ("gaz_orgs/corpora_governments_us_federal_agencies.json", "agencies"),
        ("gaz_orgs/corpora_medicine_hospitals.json", "hospitals"),
        ("gaz_geo/corpora_countries.json", "countries"),
        ("gaz_geo/corpora_nationalities.json", "nationalities"),
        ("gaz_jobs/corpora_occupations.json", "occupations"),
        ("gaz_health/corpora_symptoms.json", "symptoms"),
        ("gaz_health/corpora_drugs.json", "drugs"),
    ):
        _write(data / path, json.dumps({key: [f"One {key}", f"Two {key}"]}))
    _write(data / "gaz_health/corpora_diseases.json", json.dumps({"diseases": [["a", "measles"], ["b", "mumps"]]}))
    return data


@pytest.fixture(scope="session")
def gazetteers(gazetteer_data: Path) -> Gazetteers:
    return load_gazetteers(gazetteer_data)
