"""Find a value again whose letters stand by themselves: `T o b i a s`, `P X - 4 4 7 1`."""

from collections.abc import Iterable, Iterator, Sequence

from privguard.core.entities import EntityType
from privguard.core.letters import lowered
from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered
from privguard.detect.grams import GramIndex
from privguard.detect.ordinary import is_telling

MIN_LETTERS = 4
MIN_DIGITS = 8  # a shorter list of single digits is no number
_FEW = 32  # values up to which it costs less to look for one after the other
_SECRET = EntityType.SECRET
_SPACED = lazy_pattern(r"(?<![^\W_])[^\W_](?:[ \u00a0\u2009\u202f._\u00b7-]{1,3}[^\W_](?![^\W_])){3,}")
_LETTERS = lazy_pattern(r"[^\W_]")


class SpacedBook:
    """A fixed set of values to look for in letter-spaced text. What is found of one does not depend on the others."""

    def __init__(self, values: Sequence[tuple[str, EntityType]]) -> None:
        self._keys = [
            (key, number, kind is _SECRET)
            for number, (value, kind) in enumerate(values)
            if (key := _key_of(value, kind))
        ]

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the value)` for each mention; the neighbouring letters may be spaced as well.

        Cost: linear in the text and in what is found.
        """
        for run in _SPACED.finditer(text) if self._keys else ():
            written = _LETTERS.findall(run[0])
            exact = "".join(written)
            folded = lowered(exact)  # as long, so that the places agree
            places = [match.start() for match in _LETTERS.finditer(text, *run.span())]
            for key, number, is_secret in self._possible(exact, folded):
                among = exact if is_secret else folded
                at = among.find(key)
                while at >= 0:
                    yield places[at], places[at + len(key) - 1] + 1, number
                    at = among.find(key, at + 1)

    def _possible(self, exact: str, folded: str) -> Iterable[tuple[str, int, bool]]:
        """Return the keys that may stand in the letters of a run, or all where they are few."""
        if len(self._keys) <= _FEW:
            return self._keys
        return [self._keys[number] for number in self._grams.possible((exact, folded))]

    @remembered
    def _grams(self) -> GramIndex:
        return GramIndex([(key,) for key, _, _ in self._keys])


def _key_of(value: str, kind: EntityType) -> str:
    """Return the letters and digits of a value, "" where they say too little."""
    letters = "".join(_LETTERS.findall(value))
    key = letters if kind is _SECRET else lowered(letters)
    if len(key) < (MIN_DIGITS if key.isdecimal() else MIN_LETTERS):
        return ""
    return "" if value.isalpha() and not is_telling(value, kind) else key
