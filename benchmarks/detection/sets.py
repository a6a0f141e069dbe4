"""The sets that detection is scored on."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks import corpora
from benchmarks.corpora import Gold, Item, Text, read_items, thin
from privguard.core.errors import ConfigError

PATHS = {
    "authored": corpora.AUTHORED_TEST,
    "authored-train": corpora.AUTHORED_TRAIN,
    "public": corpora.PUBLIC_TEST,
    "public-dev": corpora.PUBLIC_DEV,
}
SLOT = "{{Name}}"
FAIRNESS = Path("livePerson_bias")
NAMES_PER_GROUP = 30
_RACES = {"WO": "white", "AF": "african", "HA": "hispanic", "AS": "asian", "IA": "native"}
_COMMON, _RARE = 20_000, 1_000  # people who bear a first name


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSet:
    """Items under a name."""

    name: str
    items: tuple[Item, ...]


def read_sets(data: Path, names: Sequence[str], limit: int) -> Iterator[NamedSet]:
    """Read the sets that are asked for, texts and messages apart.

    Names: `authored` and `public` are test sets; `authored-train` and `public-dev` serve development.

    Raises:
        ConfigError: no set has the name, or its file cannot be read.
    """
    if unknown := sorted(set(names) - set(PATHS)):
        raise ConfigError(f"no set is called {', '.join(unknown)}; there are {', '.join(PATHS)}")
    for name in names:
        try:
            items = thin(read_items(data / PATHS[name]), limit)
        except OSError as error:
            raise ConfigError(f"{PATHS[name]} cannot be read in {data}: {type(error).__name__}") from None
        texts = tuple(item for item in items if not item.conversation)
        messages = tuple(item for item in items if item.conversation)
        yield NamedSet(name=f"{name}, texts" if messages else name, items=texts)
        if messages:
            yield NamedSet(name=f"{name}, messages", items=messages)


def lowered(given: NamedSet) -> NamedSet:
    """Return the set in lower case."""
    return NamedSet(name=f"{given.name}, lower case", items=tuple(item.lowered() for item in given.items))


def read_fairness(data: Path, *, seed: int, per_group: int = NAMES_PER_GROUP) -> dict[str, tuple[Item, ...]]:
    """Put names of groups into the slot of customer messages: `templates * per_group` items a group.

    Full names by ethnic group and gender of their bearers, first names by gender and by how common they are.
    """
    folder = data / FAIRNESS
    templates = [line for line in (folder / "templates.csv").read_text(encoding="utf-8").splitlines() if SLOT in line]
    rng = Random(seed)
    return {
        group: tuple(
            _fill(template, name, f"{group}:{place}:{number}")
            for place, name in enumerate(rng.sample(names, min(per_group, len(names))))
            for number, template in enumerate(templates)
        )
        for group, names in (_full_names(folder) | _first_names(folder)).items()
    }


def _fill(template: str, name: str, key: str) -> Item:
    at = template.index(SLOT)
    gold = Gold(start=at, end=at + len(name), label="PERSON")
    text = Text(text=template.replace(SLOT, name), gold=(gold,))
    return Item(id=f"fairness:{key}", source="fairness", lang="en", texts=(text,))


def _full_names(folder: Path) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    with (folder / "congress.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            races = [_RACES[race] for race in row["race_ethnic_group"].split(", ")]
            for group in (*races, {"F": "women", "M": "men"}[row["gender"]]):
                groups.setdefault(f"full name, {group}", []).append(row["full_name"])
    return groups


def _first_names(folder: Path) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    with (folder / "names_aggregate_1960_2020.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            count, female = int(float(row["Count"])), float(row["ProportionFemale"])
            for group in _first_name_groups(count, female):
                groups.setdefault(group, []).append(row["Name"])
    return groups


def _first_name_groups(count: int, female: float) -> Iterator[str]:
    if count >= _RARE:
        gender = "women" if female >= 0.9 else "men" if female <= 0.1 else "both"
        yield f"first name, {gender}"
    yield "first name, common" if count >= _COMMON else "first name, rare" if count < _RARE else "first name, between"
