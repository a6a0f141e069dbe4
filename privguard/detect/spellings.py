"""Find a value again that is written with other separators or none: `7-AB-99201` as `7AB99201`.

A text is cut into runs of letters and digits. A value is found where such runs, put together without letter case, are
its letters and digits, and only separators stand between them. So a mention never begins or ends next to a letter or a
digit, and the cost is linear in the text however many values there are.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from itertools import accumulate
from typing import NamedTuple

from privguard.core.entities import EntityType

MIN_ID = 5  # letters and digits of an id
MIN_ID_DIGITS = 3
MIN_NAME = 6  # letters of a full name
_MAX_KEY = 64  # longer values are found as they are
_PREFIX = 5  # what is looked up first; no key is shorter
_IDS = frozenset(
    {
        EntityType.PHONE,
        EntityType.FIN_ACCOUNT,
        EntityType.GOV_ID,
        EntityType.RECORD_ID,
        EntityType.DEVICE_ID,
    }
)
_RUN = re.compile(r"([^\W_]+)")
_ID_GAP = re.compile(r"[ \u00a0\u2010-\u2013._/()-]{1,2}|[:]")
_NAME_GAP = re.compile(r"[_.-]")
_PIECE = 1 << 16  # code points that are looked at together
_OVERLAP = 4 * _MAX_KEY


class SpellingBook:
    """A fixed set of values to look for in other spellings. What is found of one does not depend on the others."""

    def __init__(self, values: Sequence[tuple[str, EntityType]]) -> None:
        self._keys: dict[str, list[int]] = {}
        self._is_name = tuple([kind is EntityType.PERSON for _, kind in values])
        for number, (value, kind) in enumerate(values):
            for key in _keys_of(value, kind):
                self._keys.setdefault(key, []).append(number)
        lengths: dict[str, set[int]] = {}
        for key in self._keys:
            lengths.setdefault(key[:_PREFIX], set()).add(len(key))
        self._lengths = {prefix: sorted(found, reverse=True) for prefix, found in lengths.items()}

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the value)` for each mention; some come twice."""
        for start in range(0, len(text), _PIECE) if self._keys else ():
            yield from self._find_between(text, start, min(len(text), start + _PIECE + _OVERLAP))

    def _find_between(self, text: str, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        # Separators and runs by turns, so that their lengths give the offsets.
        parts = _RUN.split(text[start:stop])
        offsets = [start + length for length in accumulate(map(len, parts))]
        folded = [run.casefold() for run in parts[1::2]]
        ends = list(accumulate(map(len, folded)))
        runs = _Runs(text=text, starts=offsets[0::2], stops=offsets[1::2], joined="".join(folded), ends=ends)
        at = 0
        for number, end in enumerate(runs.ends):
            lengths = self._lengths.get(runs.joined[at : at + _PREFIX])
            if lengths:
                yield from self._match(runs, number, at, lengths)
            at = end

    def _match(self, runs: "_Runs", first: int, at: int, lengths: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Yield the values that begin with the run `first`, which stands at `at` of the joined runs."""
        for length in lengths:
            numbers = self._keys.get(runs.joined[at : at + length])
            last = first if numbers is None else bisect_left(runs.ends, at + length, lo=first)
            # A list of single digits is no number.
            if (
                numbers is None
                or last == len(runs.ends)
                or runs.ends[last] != at + length
                or 2 * (last - first) >= length
            ):
                continue
            for number in numbers:
                if runs.belong_together(first, last, _NAME_GAP if self._is_name[number] else _ID_GAP):
                    yield runs.starts[first], runs.stops[last], number


class _Runs(NamedTuple):
    """The runs of letters and digits of a piece of text."""

    text: str
    starts: Sequence[int]  # of each run, in `text`
    stops: Sequence[int]
    joined: str  # in the form in which they are compared
    ends: Sequence[int]  # of each run, in `joined`

    def belong_together(self, first: int, last: int, gap: re.Pattern[str]) -> bool:
        """Tell whether the runs stand apart by separators alone, and nothing that belongs to a word stands next."""
        start, end = self.starts[first], self.stops[last]
        if self.text[start - 1 : start].isalnum() or self.text[end : end + 1].isalnum():
            return False  # the piece that is looked at cut a run
        gaps = zip(self.stops[first:last], self.starts[first + 1 : last + 1], strict=True)
        return all(gap.fullmatch(self.text, before, after) for before, after in gaps)


def _keys_of(value: str, kind: EntityType) -> tuple[str, ...]:
    """Return what a value is when its separators are left out; nothing where that would say too little."""
    runs = _RUN.findall(value)
    key = "".join(runs).casefold()
    if len(key) > _MAX_KEY or len(key) < _PREFIX:
        return ()
    if kind is EntityType.PERSON:
        return (key,) if len(runs) > 1 and len(key) >= MIN_NAME and key.isalpha() else ()
    if kind not in _IDS or sum(map(str.isdecimal, key)) < MIN_ID_DIGITS or _is_address(value):
        return ()
    return (key, f"00{key}") if kind is EntityType.PHONE and value.startswith("+") else (key,)


def _is_address(value: str) -> bool:
    """Tell whether a value is an IP address: without its dots it is another number."""
    try:
        ip_address(value)
    except ValueError:
        return False
    return True
