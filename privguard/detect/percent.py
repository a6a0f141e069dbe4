"""A text with its percent-encoding undone: `%4Bernberg` is Kernberg, `ada%2540roth.example` an e-mail address."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from privguard.core.patterns import lazy_pattern

_LEVELS = 3  # of encoding within encoding
_RUN = lazy_pattern("(?:%[0-9A-Fa-f]{2})+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A decoded text, and the way back."""

    text: str = field(repr=False)
    _places: tuple[int, ...] = field(repr=False)  # of the letters in `text` that were encoded
    _starts: tuple[int, ...] = field(repr=False)  # of their codes in the text before
    _ends: tuple[int, ...] = field(repr=False)
    _before: "Decoded | None" = field(repr=False)  # where that one was decoded as well

    @classmethod
    def of(cls, text: str, signs: Iterable[tuple[int, int, str]], before: "Decoded | None" = None) -> "Decoded":
        """Put each code point in the place of `[start, end)`, in order; several may stand for one code."""
        pieces: list[str] = []
        places: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        done = length = 0
        for start, end, sign in signs:
            length += max(0, start - done)
            places.append(length)
            starts.append(start)
            ends.append(end)
            pieces += (text[done:start], sign)
            length += 1
            done = end
        return cls(
            text="".join((*pieces, text[done:])),
            _places=tuple(places),
            _starts=tuple(starts),
            _ends=tuple(ends),
            _before=before,
        )

    def touches(self, start: int, end: int) -> bool:
        """Tell whether any of `[start, end)` was encoded."""
        return bisect_left(self._places, start) < bisect_left(self._places, end)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open interval of the original that `[start, end)` came from, codes as a whole."""
        first, last = self._code(start)[0], self._code(end - 1)[1]
        return self._before.back(first, last) if self._before else (first, last)

    def _code(self, place: int) -> tuple[int, int]:
        at = bisect_right(self._places, place) - 1
        if at < 0:
            return place, place + 1
        ahead = place - self._places[at]
        return (self._ends[at] + ahead - 1, self._ends[at] + ahead) if ahead else (self._starts[at], self._ends[at])


def decodings(text: str) -> Iterator[Decoded]:
    """Yield the text decoded once, twice and so on, and the last one with spaces for plus signs; mostly there are none.

    A run of codes that is no UTF-8 is Latin-1.
    """
    last: Decoded | None = None
    for _ in range(_LEVELS):
        if "%" not in text or not _RUN.search(text):
            break
        last = Decoded.of(text, _signs(text), last)
        text = last.text
        yield last
    if last is not None and "+" in text:
        yield Decoded(text=text.replace("+", " "), _places=(), _starts=(), _ends=(), _before=last)


def decoded(value: str) -> str:
    """Return a value without its percent-encoding; the same object where it has none."""
    for each in decodings(value):
        return each.text
    return value


def _signs(text: str) -> Iterator[tuple[int, int, str]]:
    for run in _RUN.finditer(text):
        letters, encoding = _letters(bytes.fromhex(run[0].replace("%", "")))
        at = run.start()
        for letter in letters:
            end = at + 3 * len(letter.encode(encoding))
            yield at, end, letter
            at = end


def _letters(raw: bytes) -> tuple[str, str]:
    try:
        return raw.decode(), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"
