"""What the folder behind `--data` must hold, checked before anything heavy is loaded."""

from collections.abc import Iterable
from pathlib import Path

from privguard.core.errors import ConfigError

AUTHORED = "authored/train.jsonl"
NEED = {"minimization": "need/minimization_prompts.jsonl", "pupa": "need/pupa_prompts.jsonl"}
SPANS = "spans/train.jsonl.gz"
PROMPTS = "chat_prompts"
CORPORA = (AUTHORED, *NEED.values(), SPANS)

FORENAMES = "gaz_names/common-forenames-by-country.csv"
SURNAMES = "gaz_names/common-surnames-by-country.csv"
CENSUS_WOMEN = "gaz_names/us_census1990_dist.female.first"
CENSUS_MEN = "gaz_names/us_census1990_dist.male.first"
CENSUS_SURNAMES = "gaz_names/us_census1990_dist.all.last"
CITIES = "gaz_geo/cities15000.tsv"
COUNTRIES = "gaz_geo/corpora_countries.json"
NATIONALITIES = "gaz_geo/corpora_nationalities.json"
COMPANIES = "gaz_orgs/sp500_constituents.csv"
LISTED = "gaz_orgs/nasdaq_listed.csv"
CHARITIES = "gaz_orgs/corpora_corporations_charities.json"
PAPERS = "gaz_orgs/corpora_corporations_newspapers.json"
AGENCIES = "gaz_orgs/corpora_governments_us_federal_agencies.json"
HOSPITALS = "gaz_orgs/corpora_medicine_hospitals.json"
UNIVERSITIES = "gaz_orgs/world_universities_and_domains.json"
OCCUPATIONS = "gaz_jobs/corpora_occupations.json"
ILLNESSES = "gaz_health/corpora_diseases.json"
SYMPTOMS = "gaz_health/corpora_symptoms.json"
DRUGS = "gaz_health/corpora_drugs.json"
GAZETTEERS = (
    *(FORENAMES, SURNAMES, CENSUS_WOMEN, CENSUS_MEN, CENSUS_SURNAMES),
    *(CITIES, COUNTRIES, NATIONALITIES),
    *(COMPANIES, LISTED, CHARITIES, PAPERS, AGENCIES, HOSPITALS, UNIVERSITIES),
    *(OCCUPATIONS, ILLNESSES, SYMPTOMS, DRUGS),
)

_NAMED = 3  # files of those that are missing


def check_folder(data: Path, files: Iterable[str]) -> None:
    """Refuse a folder that is not there or lacks one of the files.

    Raises:
        ConfigError: it does; the message names the first of them.
    """
    if not data.is_dir():
        raise ConfigError(f"the folder {data} does not exist; --data names the one that holds the corpora")
    if lacking := [name for name in files if not (data / name).is_file()]:
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        named = ", ".join(lacking[:_NAMED])
        raise ConfigError(f"{data} lacks {named}{more}; docs/training.md says what the folder of --data holds")


def parts_of(data: Path, files: Iterable[str]) -> tuple[str, ...]:
    """Return those of the files that a folder holds, for a run that makes do with what is there.

    Raises:
        ConfigError: the folder is not there.
    """
    check_folder(data, ())
    return tuple([name for name in files if (data / name).is_file()])


def has_lists(data: Path) -> bool:
    """Tell whether a folder holds the lists that values are drawn from: all of them, or none.

    Raises:
        ConfigError: it holds some, or is not there.
    """
    if not parts_of(data, GAZETTEERS):
        return False
    check_folder(data, GAZETTEERS)
    return True


def check_generated(path: Path) -> None:
    """Refuse generated examples that are not there.

    Raises:
        ConfigError: there is no such file.
    """
    if not path.is_file():
        raise ConfigError(f"the file {path} does not exist; `privguard train generate` writes it")
