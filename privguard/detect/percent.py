"""A text with its percent-encoding undone: `%4Bernberg` is Kernberg, `ada%2540roth.example` an e-mail address."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

_LEVELS = 3  # of encoding within encoding
_RUN = re.compile("(?:%[0-9A-Fa-f]{2})+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A decoded text, and the way back."""

    text: str = field(repr=False)
    _places: tuple[int, ...] = field(repr=False)  # of the letters in `text` that were encoded
    _starts: tuple[int, ...] = field(repr=False)  # of their codes in the text before
    _ends: tuple[int, ...] = field(repr=False)
    _before: "Decoded | None" = field(repr=False)  # where that one was decoded as well

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
        last = _decode(text, last)
        text = last.text
        yield last
    if last is not None and "+" in text:
        yield Decoded(text=text.replace("+", " "), _places=(), _starts=(), _ends=(), _before=last)


def decoded(value: str) -> str:
    """Return a value without its percent-encoding; the same object where it has none."""
    for each in decodings(value):
        return each.text
    return value


def _decode(text: str, before: Decoded | None) -> Decoded:
    pieces: list[str] = []
    places: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    done = length = 0
    for run in _RUN.finditer(text):
        raw = bytes.fromhex(run[0].replace("%", ""))
        letters, encoding = _letters(raw)
        length += run.start() - done
        places += range(length, length + len(letters))
        at = run.start()
        for letter in letters:
            starts.append(at)
            at += 3 * len(letter.encode(encoding))
            ends.append(at)
        pieces += (text[done : run.start()], letters)
        length += len(letters)
        done = run.end()
    return Decoded(
        text="".join((*pieces, text[done:])),
        _places=tuple(places),
        _starts=tuple(starts),
        _ends=tuple(ends),
        _before=before,
    )


def _letters(raw: bytes) -> tuple[str, str]:
    try:
        return raw.decode(), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "latin-1"
