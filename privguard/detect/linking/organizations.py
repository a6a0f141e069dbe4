"""Link the mentions of organizations: with and without legal form, and abbreviations that the text itself explains."""

# ruff: noqa: RUF001 - letters of other scripts

import re
from collections.abc import Sequence
from unicodedata import normalize

from privguard.core.letters import plain, straight
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import Form
from privguard.detect.found import listed
from privguard.detect.linking.surfaces import MAX_LENGTH, Surface

_LEGAL = {
    "incorporated": "inc", "inc": "inc", "corporation": "corp", "corp": "corp", "company": "co", "co": "co",
    "limited": "ltd", "ltd": "ltd", "llc": "llc", "llp": "llp", "lp": "lp", "plc": "plc", "gmbh": "gmbh",
    "ggmbh": "ggmbh", "mbh": "gmbh", "ag": "ag", "kg": "kg", "kgaa": "kgaa", "ohg": "ohg", "ug": "ug", "ev": "ev",
    "se": "se", "sa": "sa", "sas": "sas", "sasu": "sas", "sarl": "sarl", "eurl": "eurl", "sl": "sl", "slu": "sl",
    "spa": "spa", "srl": "srl", "bv": "bv", "nv": "nv", "ab": "ab", "as": "as", "asa": "asa", "aps": "aps",
    "oy": "oy", "oyj": "oyj", "ltda": "ltda", "lda": "lda", "spzoo": "spzoo", "sro": "sro", "kft": "kft",
    "zrt": "zrt", "doo": "doo", "ооо": "ооо", "оао": "оао", "зао": "зао", "тов": "тов", "pty": "pty", "pte": "pte",
    "kk": "kk", "株式会社": "kk", "有限会社": "yk", "有限公司": "ltd", "주식회사": "kk",
}  # fmt: skip
_ARTICLES = listed("the der die das le la les el los las il lo gli i o os a as de het")
_SMALL_WORDS = listed("of the and for de la le des du y e und für der die das di del et & en van")
_WORD = lazy_pattern(r"[^\W_]+(?:['&+-][^\W_]+)*")
_DOTTED = lazy_pattern(r"\b(?:\w\.[ ]?){2,}(?!\w)|\bsp\.? ?z ?o\.? ?o\.?", re.IGNORECASE)
_IN_BRACKETS = lazy_pattern(r"\s*[(\uff08]\s*([A-Z\u0410-\u042f][\w&.-]{1,11})\s*[)\uff09]")
_MAX_SUFFIXES = 3


class OrganizationForms:
    """The organizations of one request. Cost: linear in the number of different mentions."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, str]] = {}
        self._count = 0
        self._by_core: dict[str, dict[str, int]] = {}  # core -> legal form -> number
        self._stated: dict[str, int | None] = {}  # abbreviation -> number, None where it stands for two

    def link(self, batch: Sequence[Surface]) -> tuple[int, ...]:
        """Return the number of the organization that each mention is of, counted from 0 in order of discovery."""
        read = [self._read(surface.text) for surface in batch]
        for core, legal in dict.fromkeys(read):
            if legal:
                self._number(core, legal)
        for surface, (core, legal) in zip(batch, read, strict=True):
            self._state(surface, core, legal)
        return tuple(
            self._abbreviated(surface.text, core) if not legal else self._number(core, legal)
            for surface, (core, legal) in zip(batch, read, strict=True)
        )

    def identity_of(self, surface: Surface) -> str:
        """Return what the id of an organization first known by this mention is derived from: its name alone."""
        return self._read(surface.text)[0]

    def fullness(self, surface: Surface) -> tuple[int, int, int, bool, int]:
        """Return how much of a name a mention is, to be compared with another; of equals the plainer one is more."""
        core, legal = self._read(surface.text)
        return len(core.split()), len(core), len(legal), not surface.text.isupper(), -len(surface.text)

    def form_of(self, surface: Surface, plain: Surface) -> Form:
        """Return how a mention differs from the one that the plain placeholder stands for."""
        (core, legal), (full, its) = self._read(surface.text), self._read(plain.text)
        if core == full:
            return Form.SHORT if its and not legal else Form.FULL if legal and not its else Form.SPELLING
        return Form.ABBREVIATION if len(surface.text) < len(plain.text) else Form.FULL

    def _read(self, text: str) -> tuple[str, str]:
        if text not in self._known:
            is_long = len(text) > MAX_LENGTH
            self._known[text] = (text.casefold(), "") if is_long else _read(normalize("NFC", straight(plain(text))))
        return self._known[text]

    def _number(self, core: str, legal: str) -> int:
        forms = self._by_core.setdefault(core, {})
        if legal not in forms:
            named = [form for form in forms if form]
            if legal and "" in forms and not named:
                forms[legal] = forms[""]  # first known without its legal form
            elif not legal and len(named) == 1:
                forms[legal] = forms[named[0]]
            else:
                forms[legal] = self._count
                self._count += 1
        return forms[legal]

    def _state(self, surface: Surface, core: str, legal: str) -> None:
        inside = surface.text if len(surface.text) <= MAX_LENGTH else ""
        stated = _IN_BRACKETS.match(surface.after) or _IN_BRACKETS.search(inside)
        if stated is None or not _abbreviates(stated[1], core):
            return
        number = self._number(core, legal)
        short = _fold_short(stated[1])
        self._stated[short] = number if self._stated.get(short, number) == number else None

    def _abbreviated(self, text: str, core: str) -> int:
        number = self._stated.get(_fold_short(text))
        return number if number is not None and core not in self._by_core else self._number(core, "")


def _read(text: str) -> tuple[str, str]:
    """Return the name in lower case without article, brackets and legal form, and the legal form."""
    stated = _IN_BRACKETS.search(text)
    if stated is not None and stated.start() > 0:
        text = text[: stated.start()]
    joined = _DOTTED.sub(lambda dotted: re.sub(r"[. ]", "", dotted[0]) + " ", text)
    words = [word.removesuffix("'s") for word in _WORD.findall(joined.casefold())]
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    legal = ""
    for _ in range(_MAX_SUFFIXES):
        if len(words) < 2 or words[-1] not in _LEGAL:
            break
        legal = f"{_LEGAL[words.pop()]} {legal}".strip()
    return " ".join(words) or text.casefold(), legal


def _fold_short(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _abbreviates(short: str, core: str) -> bool:
    letters = _fold_short(short)
    words = core.replace("-", " ").split()
    return letters in ("".join(word[0] for word in words), "".join(w[0] for w in words if w not in _SMALL_WORDS))
