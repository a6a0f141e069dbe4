from pathlib import Path

import pytest

from privguard.core.errors import ConfigError
from privguard.research.training.folder import (
    GAZETTEERS,
    check_folder,
    check_generated,
    has_lists,
    parts_of,
)


def test_every_list_that_is_read_is_checked_for(gazetteer_data: Path) -> None:
    there = {str(path.relative_to(gazetteer_data)) for path in gazetteer_data.rglob("*") if path.is_file()}
    assert set(GAZETTEERS) == there


def test_a_folder_that_is_not_there_is_told_from_one_that_lacks_something(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        check_folder(tmp_path / "nowhere", ("a",))
    with pytest.raises(ConfigError, match=r"lacks a, b, c and 1 more; "):
        check_folder(tmp_path, "abcd")
    with pytest.raises(ConfigError, match=r"lacks a, b; "):
        check_folder(tmp_path, "ab")
    (tmp_path / "a").touch()
    check_folder(tmp_path, "a")


def test_what_is_there_is_told_from_what_is_not(tmp_path: Path) -> None:
    (tmp_path / "b").touch()
    assert parts_of(tmp_path, "abc") == ("b",)
    with pytest.raises(ConfigError, match="does not exist"):
        parts_of(tmp_path / "nowhere", "abc")


def test_the_lists_are_there_or_not_and_never_in_part(tmp_path: Path, gazetteer_data: Path) -> None:
    assert has_lists(gazetteer_data)
    assert not has_lists(tmp_path)
    (tmp_path / GAZETTEERS[0]).parent.mkdir()
    (tmp_path / GAZETTEERS[0]).touch()
    with pytest.raises(ConfigError, match="lacks"):
        has_lists(tmp_path)


def test_generated_examples_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="train generate"):
        check_generated(tmp_path / "g.jsonl")
    (tmp_path / "g.jsonl").touch()
    check_generated(tmp_path / "g.jsonl")
