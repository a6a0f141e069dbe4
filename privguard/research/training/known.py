"""People of public life, whom a text may name without anybody's privacy: facts, from a list of our own."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from privguard.detect.linking.nicknames import look_up
from privguard.research.training.lexicon import FOLDER

FILE = "known.toml"
_PAIR = re.compile(r"\b([A-Z][a-zà-ÿ]+) ((?:[A-Z]\. )?[A-Z][a-zà-ÿ]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Names of one script: in full, and those that are said alone."""

    full: tuple[str, ...]
    short: tuple[str, ...] = ()


@cache
def known_names() -> Mapping[str, Known]:
    """Return the names by language; those in Latin letters, which most languages share, stand under ""."""
    tables = tomllib.loads((FOLDER / FILE).read_text("utf-8"))
    own = {lang: _known(table) for lang, table in tables.items() if isinstance(table, dict)}
    return {"": _known(tables), **own}


def _known(table: Mapping[str, object]) -> Known:
    return Known(full=_names(table["full"]), short=_names(table.get("short", "")))


def _names(text: object) -> tuple[str, ...]:
    return tuple(name.strip() for name in re.split(r"[;\n]", str(text)) if name.strip())


def is_known(name: str) -> bool:
    """Tell whether a name is that of somebody of public life, in full or as it is said alone, in any script."""
    return name in _all_names()


@cache
def _all_names() -> frozenset[str]:
    return frozenset(name for known in known_names().values() for name in (*known.full, *known.short))


def names_stranger(text: str) -> bool:
    """Tell whether an English text holds a given name and a surname of somebody who is not in the list."""
    return any(
        look_up(match[1].lower()).rows and not any(match[0] in name for name in known_names()[""].full)
        for match in _PAIR.finditer(text)
    )
