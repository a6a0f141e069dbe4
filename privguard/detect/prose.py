"""Tell a mention of a carried value from a word or a number that is only spelled like it, by what stands around it.

A surname is often an ordinary word in some language, and no list holds the words of all. So a single word of a name
that stands in lower case in running text is no mention where it may be a word; it is one beside another part of a
name, within an identifier, path or address, and in a field of its own. A short number is a mention as it is written.
"""

import re
from collections.abc import Iterable, Mapping

from privguard.core.entities import NUMBERED, EntityType
from privguard.core.letters import plain
from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered
from privguard.detect.found import listed
from privguard.detect.ordinary import is_function_word, is_noun, is_ordinary, may_be_word
from privguard.detect.scanning import Carried, Hit

MIN_NUMBER = 7  # digits of a number that is looked for with other separators
MAX_FIELD = 3  # words of a field
_MAX_FIELD = 120  # code points of a field
_JOINS_BEFORE = frozenset("_/\\@=#&%+~$`|-.,:")
_JOINS_BEHIND = frozenset("_/\\@=#&%+~$`|-.,:(")
_OPENS = frozenset("_/\\@=#$`|")  # alone enough, whatever stands on their other side
_EDGE = lazy_pattern(r"[\n\r\t\"\u201c\u201d\u201e\u00ab\u00bb<>{}\[\]|=:]")
_WORD = lazy_pattern(r"[^\W\d_]+")
_WORD_BEFORE = lazy_pattern(r"(?<![^\W_])([^\W\d_]+)(?:\.?\s|,\s?|\.)\Z")
_WORD_BEHIND = lazy_pattern(r"(?:\s|,\s?)([^\W\d_]+)\.?")
_MAX_WORD = 40
_MAX_PARTS = 8
_TITLES = listed(
    "dr fr frau frl herr herrn hr madame mademoiselle meneer mevrouw miss mlle mme monsieur mr mrs ms mx prof senhor "
    "senhora se\u00f1or se\u00f1ora sig signor signora sir sr sra"
)
_ENDS_SENTENCE = lazy_pattern(r"[.!?]\s*\Z")
_GERMAN = (
    r"(?:k?ein|mein|dein|sein|ihr|unser|euer|jed|dies|jen|welch|manch)(?:e|en|em|er|es)?|d(?:er|ie|as|en|em|es)"
    r"|zwei|drei|vier|f\u00fcnf|sechs|sieben|acht|neun|zehn|zum|zur|beim|vom|im|am"
)
# Without `a` and `an`, which stand before names in Spanish and German.
_OTHER = (
    r"the|my|your|our|their|el|la|una?|mi|mis|tu|su|le|les|une|mon|ma|mes|ton|ta|votre|notre|il|lo|gli|uno|het|een|uma?"
)
_ADJECTIVE = (
    r"(?:gut|kurz|lang|neu|nett|formell|f\u00f6rmlich|h\u00f6flich|klein|gro\u00df|freundlich|professionell|einfach"
    r"|alt|jung|pers\u00f6nlich|offiziell)e[nmrs]?"
)
_BEHIND_GERMAN = lazy_pattern(rf"(?<!\w)(?:{_GERMAN})\s(?:{_ADJECTIVE}\s)?\Z", re.IGNORECASE)
_BEHIND_OTHER = lazy_pattern(rf"(?<!\w)(?:{_OTHER})\s\Z", re.IGNORECASE)
_NAME_BEHIND = lazy_pattern(r"[ \u00a0][^\W\d_a-z]")
_DECIMALS = lazy_pattern(
    r"\.\d+(?![\w.])|,\d{1,2}\s?(?:[%\u20ac$\u00a3]|(?:EUR|USD|GBP|CHF)\b)|,\d{3}(?![\d,])\s[^\W\d]"
)
_WHOLE = lazy_pattern(r"(?<![\w.])\d+\.\Z")


class Prose:
    """What is carried in one request, and which words belong to one name."""

    def __init__(self, carried: Mapping[bytes, Carried]) -> None:
        self._carried = carried

    def mentioned(self, hits: Iterable[Hit], text: str, *, beside: bool = False) -> list[Hit]:
        """Return the hits of what is carried that are mentions; nothing but the text around each decides.

        Args:
            hits: where values stand in a text.
            text: the text.
            beside: whether it stands beside the conversation and is no running text: no name is a word there.
        """
        return [hit for hit in hits if hit.key in self._carried and self._is_mention(hit, text, beside=beside)]

    def _is_mention(self, hit: Hit, text: str, *, beside: bool) -> bool:
        value = self._carried[hit.key]
        kind = value.seed.kind
        if kind in NUMBERED:
            return _is_number(text, hit, value.text)
        if beside or kind is not EntityType.PERSON or not value.text.isalpha() or not value.text[0].isupper():
            return True
        word = plain(text[hit.start : hit.end])
        if not word.isalpha():
            return True
        if word.islower():
            return not may_be_word(word) or self._is_named(text, hit) or _is_field(text, hit, word)
        return not _is_thing(text, hit, word) or self._is_named(text, hit)

    def _is_named(self, text: str, hit: Hit) -> bool:
        """Tell whether another part of the name, its initial or a title stands right beside a hit."""
        fellows = self._fellows.get(plain(text[hit.start : hit.end]).casefold(), set())
        before = _WORD_BEFORE.search(text, max(0, hit.start - _MAX_WORD), hit.start)
        behind = _WORD_BEHIND.match(text, hit.end)
        words = [plain(match[1]).casefold() for match in (before, behind) if match]
        initials = {fellow[0] for fellow in fellows}
        return (
            any(word in fellows for word in words)
            or (before is not None and words[0] in _TITLES)
            or any(
                match[1].casefold() in initials and match[0].rstrip().endswith(".")
                for match in (before, behind)
                if match
            )
        )

    @remembered
    def _fellows(self) -> Mapping[str, set[str]]:
        """The other words of the names that hold a word."""
        fellows: dict[str, set[str]] = {}
        for value in self._carried.values():
            if value.seed.kind is EntityType.PERSON:
                words = _WORD.findall(plain(value.text).casefold())[:_MAX_PARTS]
                for word in words if len(words) > 1 else ():
                    fellows.setdefault(word, set()).update(other for other in words if other != word)
        return fellows


def _is_field(text: str, hit: Hit, word: str) -> bool:
    """Tell whether a word that is no ordinary one stands within an identifier or fills a short field."""
    if is_ordinary(word):
        return False
    before, behind = text[hit.start - 1 : hit.start], text[hit.end : hit.end + 1]
    if before.isalnum() or behind.isalnum() or before in _OPENS or behind in _OPENS:
        return bool(before or behind)
    if before in _JOINS_BEFORE and not text[max(0, hit.start - 2) : hit.start - 1].isspace() and hit.start > 1:
        return True
    if behind == "(" or (behind in _JOINS_BEHIND and text[hit.end + 1 : hit.end + 2].isalnum()):
        return True
    return _is_short(text, hit)


def _is_short(text: str, hit: Hit) -> bool:
    """Tell whether a hit stands in one to three words, none of which joins others, between quotes or line ends."""
    low, high = max(0, hit.start - _MAX_FIELD), min(len(text), hit.end + _MAX_FIELD)
    start = max((edge.end() for edge in _EDGE.finditer(text, low, hit.start)), default=None if low else 0)
    edge = _EDGE.search(text, hit.end, high)
    end = edge.start() if edge else (high if high == len(text) else None)
    if start is None or end is None:
        return False
    field = text[start:end]
    found = _WORD.findall(field.casefold())
    return len(found) <= MAX_FIELD and not any(map(is_function_word, found)) and not _ENDS_SENTENCE.search(field)


def _is_thing(text: str, hit: Hit, word: str) -> bool:
    """Tell whether a capitalised word is a thing or a trade by the article before it: `einen Koch`, `the Brief`."""
    german = is_noun(word, german=True)
    if not german and not is_noun(word, german=False):
        return False
    before = text[max(0, hit.start - 40) : hit.start]
    behind_article = (german and _BEHIND_GERMAN.search(before)) or (
        is_noun(word, german=False) and _BEHIND_OTHER.search(before)
    )
    return bool(behind_article) and not _NAME_BEHIND.match(text, hit.end) and text[hit.end : hit.end + 1] != "_"


def _is_number(text: str, hit: Hit, value: str) -> bool:
    """Tell whether a short number stands as it was written, or without its separators, and within no other number."""
    digits = "".join(filter(str.isdecimal, value))
    if len(digits) >= MIN_NUMBER or any(map(str.isalpha, value)):
        return True
    shown = plain(text[hit.start : hit.end])
    if shown not in {plain(value), plain(digits)}:
        return False
    return not _DECIMALS.match(text, hit.end) and not _WHOLE.search(text, max(0, hit.start - 20), hit.start)
