"""Profile files: where they are looked for, and how damaged ones are refused."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.minimizer.layers import Layer
from privguard.minimizer.profile_file import FILE_NAME, VARIABLE, find_profile_file, parse_book, read_book
from privguard.minimizer.profile_schema import validate
from privguard.minimizer.profiles import Profiles


def write(folder: Path, text: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / FILE_NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_the_variable_wins_over_the_directory_and_that_over_the_configuration(tmp_path: Path) -> None:
    cwd, config = tmp_path / "cwd", tmp_path / "config"
    cwd.mkdir()
    assert find_profile_file({}, cwd, config) is None
    in_config = write(config)
    assert find_profile_file({}, cwd, config) == in_config
    in_cwd = write(cwd)
    assert find_profile_file({}, cwd, config) == in_cwd
    named = tmp_path / "team.toml"
    named.write_text("", encoding="utf-8")
    assert find_profile_file({VARIABLE: str(named)}, cwd, config) == named
    assert find_profile_file({VARIABLE: "../team.toml"}, cwd, config) == cwd / "../team.toml"
    assert find_profile_file({VARIABLE: ""}, cwd, config) == in_cwd


def test_a_variable_that_names_no_file_is_an_error_and_no_fallback(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(ConfigError, match=VARIABLE):
        find_profile_file({VARIABLE: "absent.toml"}, tmp_path, tmp_path)


def test_the_platform_names_the_configuration_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "config")
    expected = write(tmp_path / "config")
    assert find_profile_file({}, tmp_path) == expected


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"\xef\xbb\xbf[defaults]\ngamma = 0.5\n")
    assert read_book(path).defaults.gamma == 0.5


def test_an_absent_file_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_book(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'[defaults]\nallow = ["Ada Roth"', "not valid TOML at end of document"),
        (b"[defaults]\ngamma = Ada Roth\n", "not valid TOML at line 2"),
        (b'[defaults.deny]\n"Ada Roth" = "PERSON"\n"Ada Roth" = "PERSON"\n', "not valid TOML at line 3"),
        (b'["Ada Roth"]\n["Ada Roth"]\n', "not valid TOML at line 2"),
        (b"[defaults]\n# Ada Roth \xff\n", "not UTF-8 at byte"),
    ],
    ids=["open", "bare", "twice", "table-twice", "bytes"],
)
def test_a_broken_file_names_the_place_and_repeats_nothing(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=says) as caught:
        read_book(path)
    assert str(path) in str(caught.value)
    assert "Roth" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_mapping_goes_the_same_way() -> None:
    with pytest.raises(ConfigError, match=r'^profiles: defaults has an unknown key \(did you mean "gamma"\?\)'):
        parse_book({"defaults": {"gama": 0.5}})


def test_the_example_of_the_documentation_is_valid() -> None:
    page = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    profiles = Profiles(parse_book(tomllib.loads(example)))
    assert profiles.names == ("clinic", "default", "lenient", "strict")
    assert profiles.resolve("qwen2.5-0.5b", "clinic")[0].gamma == 0.8
    assert profiles.resolve("llama-local-3")[1].theta == 0.3


def test_the_documentation_names_every_setting_and_every_type() -> None:
    page = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")
    for name in (*Layer.__slots__, *EntityType):
        assert f"`{name}`" in page


def test_a_pattern_without_quotes_is_told_to_have_some(tmp_path: Path) -> None:
    path = write(tmp_path, "[targets.gpt-4.1*]\ntheta = 1\n")
    with pytest.raises(
        ConfigError, match=r'line 1, column 17; quote a pattern with dots or wildcards: \[targets\."gpt-4\.1\*"\]'
    ):
        read_book(path)
    with pytest.raises(ConfigError, match=r"at line 2, column 6$"):
        read_book(write(tmp_path, "[defaults]\nnote 3"))


def test_a_file_that_says_nothing_is_the_shipped_profiles_and_loads_no_pydantic() -> None:
    assert parse_book({}, "empty") == validate({}, "empty")
    script = (
        "import sys, privguard\n"
        "privguard.load_guard(profiles={}, audit='off', model='tiny')\n"
        "print('pydantic' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout.strip() == b"False"
