"""Word lists that several makers share, from the template files."""

import tomllib
from collections.abc import Mapping

from privguard.research.training.lexicon import FOLDER

_LISTS: Mapping[str, str] = tomllib.loads((FOLDER / "words.toml").read_text("utf-8"))

WORDS = tuple(_LISTS["english"].split())
FOREIGN_WORDS = tuple(_LISTS["foreign"].split())
TITLES = frozenset(_LISTS["titles"].split())
PARTS_OF_LINKS = frozenset(_LISTS["parts_of_links"].split())
STOP_WORDS = frozenset(_LISTS["stop_words"].split())
STREETS = frozenset(_LISTS["streets"].split())
ENDINGS = tuple(_LISTS["endings"].split())
PROVIDERS = tuple(_LISTS["providers"].split())
SYLLABLES = tuple(_LISTS["syllables"].split())
