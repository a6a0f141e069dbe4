"""Other people: new names, and the logins, addresses and links that carry them."""

import re
import unicodedata
from collections.abc import Mapping
from random import Random

from privguard.research.training.gazetteers import Gazetteers, Names
from privguard.research.training.lexicon import languages, load_lexicon
from privguard.research.training.swapping_numbers import swap_signs
from privguard.research.training.words import PARTS_OF_LINKS, TITLES, WORDS

WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_RUN = re.compile(r"[A-Za-z]+|\d+")
_LISTED = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)?, ")
_LANGUAGES: Mapping[str, str] = {
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "THAI": "th",
    "CJK": "zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
}
_UNSPACED = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI"))


def styled(value: str, like: str) -> str:
    """Write a value in the letter case of another."""
    if like.isupper() and len(like) > 1:
        return value.upper()
    if like.islower():
        return value.lower()
    if like[:1].isupper() and value[:1].islower():
        return value[:1].upper() + value[1:]
    return value


class NameSwaps:
    """New names for old ones, word by word: a surname that two people share stays shared."""

    def __init__(self, rng: Random, gazetteers: Gazetteers) -> None:
        self._rng = rng
        self._gazetteers = gazetteers
        self._words: dict[str, str] = {}
        self._whole: dict[str, str] = {}

    def known(self, word: str) -> str | None:
        """Return the new name of a word that was part of a name."""
        return self._words.get(word.casefold())

    def person(self, value: str) -> str:
        """Return another name of the same script, order and letter case; titles and particles stay."""
        script = _script(value)
        if script in _UNSPACED:
            return self._whole.setdefault(value, self._unspaced(value, script))
        words = [word for word in WORD.findall(value) if word.casefold() not in TITLES]
        names = self._names(script)
        listed = bool(_LISTED.match(value))
        for place, word in enumerate(words):
            alone = len(words) == 1
            last = word in names.surnames if alone else place == (0 if listed else len(words) - 1)
            self._words.setdefault(word.casefold(), self._word(word, names, surname=last))
        return WORD.sub(lambda match: styled(self.known(match[0]) or match[0], match[0]), value)

    def login(self, value: str) -> str:
        """Return another login, address or link: names as in the text, other words and digits, known parts kept."""
        return _RUN.sub(lambda match: self._run(match[0]), value)

    def _word(self, word: str, names: Names, *, surname: bool) -> str:
        if len(word) == 1:
            return self._rng.choice("ABCDEFGHJKLMNPRSTW") if word.isascii() else word
        return self._rng.choice(names.surnames if surname else names.given).split(" ")[0]

    def _names(self, script: str) -> Names:
        lang = _LANGUAGES.get(script)
        if lang is None or lang not in languages():
            return self._gazetteers.any_names(self._rng)
        lexicon = load_lexicon(lang)
        return Names(women=lexicon.women, men=lexicon.men, surnames=lexicon.surnames)

    def _unspaced(self, value: str, script: str) -> str:
        for old, new in self._whole.items():
            if len(value) < len(old) and old.startswith(value):
                return new[: max(1, len(new) - 2)]
            if len(value) < len(old) and old.endswith(value):
                return new[-2:]
        names = self._names(script)
        given, surname = self._rng.choice(names.given), self._rng.choice(names.surnames)
        if len(value) <= 2:
            return surname if len(value) == 1 else given
        if script == "THAI":
            return f"{given} {surname}" if " " in value else given
        return f"{surname} {given}" if " " in value else surname + given

    def _run(self, run: str) -> str:
        if run.isdigit():
            return swap_signs(run, self._rng)
        if run.lower() in PARTS_OF_LINKS or len(run) < 3:
            return run
        new = _plain(self._words.setdefault(run.casefold(), self._rng.choice(WORDS)))
        return new.title() if run[0].isupper() and not run.isupper() else styled(new, run)


def _plain(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z]", "", bare.lower()) or "osprey"


def _script(value: str) -> str:
    letter = next((sign for sign in value if sign.isalpha()), "a")
    return unicodedata.name(letter, "LATIN").split(" ", 1)[0]
