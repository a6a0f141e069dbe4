"""The template files: per language its sentences, documents, values and names; `common` holds what every one shares.

A list is one text: an item a line, or parted by semicolons if it has one line; documents are parted by `----`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "templates"
COMMON = "common"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language. Sentences stand alone, documents have lines of their own, negatives hold nothing sensitive."""

    lang: str
    countries: tuple[str, ...]  # whose names and cities of the gazetteers fit, in the letters of this language
    sentences: tuple[str, ...]
    documents: tuple[str, ...] = ()
    machine_documents: tuple[str, ...] = ()  # configuration, logs, code: the same in every language
    openers: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    date_shapes: tuple[str, ...] = ()
    women: tuple[str, ...] = ()
    men: tuple[str, ...] = ()
    surnames: tuple[str, ...] = ()
    surname_first: bool = False
    joiner: str = " "  # between the parts of a name
    glue: str = " "  # between sentences
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # kind → what a form calls it
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # kind → templates of its value
    zero: str = ""  # of the digits of this script, where it has its own
    weight: int = 1


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a file."""
    return tuple(sorted(path.stem for path in FOLDER.glob("??.toml")))


@cache
def load_lexicon(lang: str) -> Lexicon:
    """Read the file of one language, with the shared values under its own."""
    shared, own = _read(COMMON), _read(lang)
    tables: dict[str, Any] = {key: _items(value) for key, value in own.items() if not isinstance(value, dict)}
    tables["fields"] = {kind: _items(names) for kind, names in own.get("fields", {}).items()}
    tables["values"] = {kind: _items(value) for kind, value in (shared["values"] | own.get("values", {})).items()}
    tables["documents"] = _documents(own.get("documents", ""))
    tables["machine_documents"] = _documents(shared["documents"])
    tables["negatives"] = _documents(own.get("negatives", "")) + _documents(shared["negatives"])
    return Lexicon(lang=lang, **tables)


@cache
def load_labels() -> dict[str, str]:
    """Return the entity type of each kind that is a span."""
    return {kind: label for label, kinds in _read(COMMON)["labels"].items() for kind in _items(kinds)}


def _items(value: object) -> Any:  # noqa: ANN401 - what TOML held, or its parts
    """Split a text at its lines, a text of one line at its semicolons; leave flags and numbers alone."""
    if not isinstance(value, str) or len(value) < 2:
        return value
    return tuple(item.strip() for item in value.split("\n" if "\n" in value else "; ") if item.strip())


def _documents(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\n") for part in text.split("\n----\n") if part.strip())


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
