"""Profile files: where they are found and how they are read. pydantic is imported only when there is one."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.core.patterns import lazy_pattern
from privguard.minimizer.layers import QUOTE_PATTERNS, Book

VARIABLE = "PRIVGUARD_PROFILES"
FILE_NAME = "privguard.toml"

_POSITION = lazy_pattern(r"line (\d+), column \d+|end of document")
_HEADER = lazy_pattern(r"\s*\[[^\]\"']*[*?]")  # of a table, with a wildcard outside of quotes


def find_profile_file(environ: Mapping[str, str], cwd: Path, config_dir: Path | None = None) -> Path | None:
    """Return the profile file in force: that of `PRIVGUARD_PROFILES`, `privguard.toml` in `cwd` or in `config_dir`.

    Args:
        environ: the environment.
        cwd: the working directory.
        config_dir: the user's configuration directory of privguard; default: the platform's.

    Raises:
        ConfigError: `PRIVGUARD_PROFILES` names no file.
    """
    if named := environ.get(VARIABLE):
        path = cwd / Path(named).expanduser()
        if not path.is_file():
            raise ConfigError(f"{VARIABLE} names {named}, which is no file")
        return path
    if config_dir is None:
        from platformdirs import user_config_path

        config_dir = user_config_path("privguard", appauthor=False)
    places = (cwd / FILE_NAME, config_dir / FILE_NAME)
    return next((path for path in places if path.is_file()), None)


def read_book(path: Path) -> Book:
    """Read a profile file.

    Raises:
        ConfigError: the file cannot be read, is no TOML, or something in it is wrong.
    """
    fault = ""
    content: dict[str, object] = {}
    text = ""
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except OSError as exc:
        fault = f"cannot be read: {exc.strerror or type(exc).__name__}"
    except UnicodeDecodeError as exc:
        fault = f"is not UTF-8 at byte {exc.start}"
    except tomllib.TOMLDecodeError as exc:
        fault = _no_toml(str(exc), text)
    except RecursionError:
        fault = "nests too deeply"
    if fault:
        # Raised out here: the error before holds the file, and the context of an exception keeps it reachable.
        raise ConfigError(f"{path} {fault}")
    return parse_book(content, source=str(path))


def _no_toml(told: str, text: str) -> str:
    """Say where a file is no TOML. What the parser tells may repeat the file: only the position is passed on."""
    position = _POSITION.search(told)
    if position is None:
        return "is not valid TOML at some place"
    line = text.split("\n")[int(position[1]) - 1] if position[1] else ""
    return f"is not valid TOML at {position[0]}" + (f"; {QUOTE_PATTERNS}" if _HEADER.match(line) else "")


def parse_book(content: Mapping[str, object], source: str = "profiles") -> Book:
    """Validate the content of a profile file and freeze it.

    Raises:
        ConfigError: something in it is wrong; `source` says where.
    """
    if not content:
        return Book(source=source)  # nothing to validate, which is what loading pydantic would be for
    from privguard.minimizer.profile_schema import validate

    return validate(content, source)
