"""Profile files: where they are found and how they are read. pydantic is imported only when there is one."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.minimizer.layers import Book

VARIABLE = "PRIVGUARD_PROFILES"
FILE_NAME = "privguard.toml"

_POSITION = re.compile(r"line \d+, column \d+|end of document")


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
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as exc:
        fault = f"cannot be read: {exc.strerror or type(exc).__name__}"
    except UnicodeDecodeError as exc:
        fault = f"is not UTF-8 at byte {exc.start}"
    except tomllib.TOMLDecodeError as exc:
        # The parser's text may repeat what stands in the file: only the position is passed on.
        position = _POSITION.search(str(exc))
        fault = f"is not valid TOML at {position[0] if position else 'some place'}"
    except RecursionError:
        fault = "nests too deeply"
    if fault:
        # Raised out here: the error before holds the file, and the context of an exception keeps it reachable.
        raise ConfigError(f"{path} {fault}")
    return parse_book(content, source=str(path))


def parse_book(content: Mapping[str, object], source: str = "profiles") -> Book:
    """Validate the content of a profile file and freeze it.

    Raises:
        ConfigError: something in it is wrong; `source` says where.
    """
    from privguard.minimizer.profile_schema import validate

    return validate(content, source)
