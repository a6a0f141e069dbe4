import shutil
from pathlib import Path

import pytest

from privguard.core.errors import ConfigError
from privguard.research.training.folder import COUNTRIES
from privguard.research.training.gazetteers import Gazetteers, load_gazetteers
from privguard.research.training.seeds import seeded


def test_names_come_in_their_own_script_and_in_latin_letters(gazetteers: Gazetteers) -> None:
    assert gazetteers.native["GR"].surnames == ("Βλάχος",)
    assert gazetteers.latin["GR"].given == ("Zoi", "Leon")
    assert gazetteers.latin["DE"].surnames == ("Roth", "Kole")
    assert gazetteers.latin["US"].given == ("Cora", "Dan")


def test_funds_are_no_organisations(gazetteers: Gazetteers) -> None:
    assert {"Osprey Foods", "Heron Motors"} <= set(gazetteers.organizations)
    assert not any("ETF" in name for name in gazetteers.organizations)


def test_a_city_is_drawn_from_the_list(gazetteers: Gazetteers) -> None:
    assert {gazetteers.any_city(seeded(seed)) for seed in range(20)} == {"Lindenfeld", "Ostau"}


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"lacks gaz_names/common-forenames-by-country\.csv, "):
        load_gazetteers(tmp_path)


def test_a_list_of_another_format_is_refused(gazetteer_data: Path, tmp_path: Path) -> None:
    shutil.copytree(gazetteer_data, tmp_path / "data")
    (tmp_path / "data" / COUNTRIES).write_text("[]", encoding="utf-8")
    with pytest.raises(ConfigError, match="not of its format"):
        load_gazetteers(tmp_path / "data")
