"""Find a value again behind a preposition that is written as one word with it: `لفاطمة` (for), `ולדוד` (and to).

Arabic and Hebrew write `and`, `for`, `in`, `from` and the article so. A word that begins with such letters may be
another word as well, so fewer of them count before short words.
"""

from collections.abc import Iterator, Sequence

from privguard.core.entities import NUMBERED, EntityType
from privguard.core.patterns import lazy_pattern
from privguard.detect.ordinary import is_said_of_anybody

MIN_LETTERS = 3  # of the first word of a value
MIN_LONG = 4  # from which on all prefixes count
_AS_WRITTEN = NUMBERED | {EntityType.SECRET, EntityType.URL, EntityType.EMAIL, EntityType.USERNAME}
_WORD = lazy_pattern("[\u05d0-\u05ea\u0621-\u064a\u0671-\u06d3]+")
_GAP = lazy_pattern("[ \u00a0_\u05be-]|\\s{1,8}")  # with the hyphen of Hebrew
_ARABIC = "[\u0648\u0641]?(?:[\u0628\u0644\u0643]|(?:\u0627|\u0628\u0627|\u0643\u0627)?\u0644)?"
_HEBREW = "\u05d5?(?:\u05db?\u05e9|\u05dc\u05db\u05e9|\u05de\u05e9)?[\u05d1\u05db\u05dc\u05de\u05d4]?"
_ANY = lazy_pattern(f"(?:{_ARABIC}|{_HEBREW})")
_FEW = lazy_pattern("[\u0648\u0644\u0628]|\u0648[\u0644\u0628]|\u05d5?[\u05dc\u05d1\u05de\u05e9]|\u05d5")
_LONGEST = 5  # letters of a prefix


class PrefixBook:
    """A fixed set of values to look for behind prefixes. What is found of one does not depend on the others."""

    def __init__(self, values: Sequence[tuple[str, EntityType]]) -> None:
        """Index the values of Arabic and Hebrew words; the others are left out."""
        self._by_word: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for number, (value, kind) in enumerate(values):
            if value.isascii() or kind in _AS_WRITTEN or is_said_of_anybody(kind):
                continue
            first, *others = _WORD.findall(value) or ("",)
            if len(first) >= MIN_LETTERS and "".join((first, *others)) == "".join(_GAP.split(value)):
                self._by_word.setdefault(first, []).append((tuple(others), number))

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the value)` for each mention, without its prefix."""
        if not self._by_word or text.isascii():
            return
        for word in _WORD.finditer(text):
            for length in range(1, min(_LONGEST, len(word[0]) - MIN_LETTERS) + 1):
                rest = word[0][length:]
                for others, number in self._by_word.get(rest, ()):
                    prefixes = _ANY if others or len(rest) >= MIN_LONG else _FEW
                    end = _end_of(others, text, word.end()) if prefixes.fullmatch(word[0], 0, length) else -1
                    if end >= 0:
                        yield word.start() + length, end, number


def _end_of(others: Sequence[str], text: str, end: int) -> int:
    """Return where the further words of a value end that stand behind `end`, -1 where they do not."""
    for other in others:
        gap = _GAP.match(text, end)
        word = _WORD.match(text, gap.end()) if gap else None
        if word is None or word[0] != other:
            return -1
        end = word.end()
    return end
