"""Card numbers in any grouping."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.letters import plain
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import luhn, near, words
from privguard.detect.prepared import Prepared

_SHORTEST, _LONGEST = 13, 19  # digits of a card
_LENGTHS = range(15, 17)  # those of nearly all
_SMALLEST_GROUP = 3  # digits, where the run goes on before or behind: two-digit numbers in a row make any length
_USUAL = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)})
_ORDINARY_GAPS = frozenset({" ", "\u00a0", ".", "-"})
_GAP = lazy_pattern(r"[ \u00a0]{0,2}[-./_\u00b7\u2022][ \u00a0]{0,2}|[ \u00a0]{1,3}")
_LONGEST_GAP = 5
_LEAD = lazy_pattern(r"(?<![\w./\u00b7\u2022-])")
_COMMA = lazy_pattern(r"(?<=\d,)")
_WORD_LETTER = lazy_pattern(r"\w")
_PREFIX = lazy_pattern(
    r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[689])|6(?:011|4[4-9]|5|[0-9])|35"
)
_SIMILAR = {(4, 4, 4, 4): frozenset(" .\u00a0-"), (4, 6, 5): frozenset(" -")}  # hardly anything else looks like it
_ROUND_GROUPS = lazy_pattern(r"(?:(?:19|20)\d{2}|\d{3}0){4}")  # four years or round numbers in a row
_CARD_WORD = lazy_pattern(
    words(
        "card cards credit debit visa mastercard amex american_express maestro discover diners cc pan karte "
        "kreditkarte ec_karte carte tarjeta carta kaart creditcard cartão karta kort картой карта карты كارت بطاقة"
    ),
    re.IGNORECASE,
)


class _Run(NamedTuple):
    """Groups of digits with nothing but gaps between them."""

    groups: list[tuple[int, int]]  # half-open, in order
    gaps: list[str]  # behind each group but the last


class _Window(NamedTuple):
    """Neighbouring groups of a run that may be a card."""

    start: int
    end: int
    sizes: tuple[int, ...]  # digits of each group
    gaps: frozenset[str]

    @property
    def is_similar(self) -> bool:
        """Tell whether the form alone speaks for a card."""
        return len(self.gaps) == 1 and self.gaps <= _SIMILAR.get(self.sizes, frozenset())


def find_cards(view: Prepared) -> Iterator[Span]:
    """Find card numbers in any grouping; where a card word stands near by, a typing error does not save it."""
    for run in _runs(view):
        scored = [(_score(view.text, window), window) for window in _windows(run)]
        taken: list[_Window] = []  # disjoint, in order
        # The surest first, then the longest: a valid number is not hidden by the digits before it.
        for score, window in sorted(scored, key=_rank, reverse=True):
            place = bisect_left(taken, window.start, key=_start)
            if score and _is_free(taken, place, window):
                taken.insert(place, window)
                yield Span(
                    start=window.start, end=window.end, kind=EntityType.FIN_ACCOUNT, score=score, source="rules/card"
                )


def _start(window: _Window) -> int:
    return window.start


def _is_free(taken: Sequence[_Window], place: int, window: _Window) -> bool:
    """Tell whether a window overlaps none of the disjoint ones before and from `place` on."""
    return (place == 0 or taken[place - 1].end <= window.start) and (
        place == len(taken) or window.end <= taken[place].start
    )


def _rank(scored: tuple[float, _Window]) -> tuple[float, int]:
    score, window = scored
    return score, window.end - window.start


def _runs(view: Prepared) -> Iterator[_Run]:
    """Yield the runs that have the digits of a card, each as long as it can be."""
    text = view.text
    run = _Run([], [])
    for start, end in view.numbers:
        gap = text[run.groups[-1][1] : start] if run.groups and start - run.groups[-1][1] <= _LONGEST_GAP else ""
        if gap and _GAP.fullmatch(gap):
            run.gaps.append(gap)
        else:
            yield from _own(text, run)
            run = _Run([], [])
        run.groups.append((start, end))
    yield from _own(text, run)


def _own(text: str, run: _Run) -> Iterator[_Run]:
    """Yield a run without the groups that belong to something else: a word, a path, a decimal number."""
    groups, gaps = run
    if sum(end - start for start, end in groups) < _SHORTEST:
        return
    first, last = 0, len(groups)
    if gaps[:1] == ["."] and plain(text[slice(*groups[0])]) == "0":
        first = 2
    while first < last and not _is_lead(text, groups[first][0], groups[last - 1][1]):
        first += 1
    while first < last and _WORD_LETTER.match(text, groups[last - 1][1]):
        last -= 1
    if first < last:
        yield _Run(groups[first:last], gaps[first : last - 1])


def _is_lead(text: str, start: int, end: int) -> bool:
    """Tell whether a card may begin at a place; behind a number and a comma only as a cell of a table."""
    return _LEAD.match(text, start) is not None and (not _COMMA.match(text, start) or text[end : end + 1] == ",")


def _windows(run: _Run) -> Iterator[_Window]:
    """Yield the neighbouring groups that are grouped as a card may be."""
    groups, gaps = run
    for first in range(len(groups)):
        count = 0
        for last in range(first, len(groups)):
            count += groups[last][1] - groups[last][0]
            if count > _LONGEST:
                break
            if count >= _SHORTEST:
                window = _Window(
                    groups[first][0],
                    groups[last][1],
                    tuple(end - start for start, end in groups[first : last + 1]),
                    frozenset(gaps[first:last]),
                )
                around = {*gaps[max(0, first - 1) : first], *gaps[last : last + 1]}
                if _is_grouped(window, is_whole=around.isdisjoint(_ORDINARY_GAPS)):
                    yield window


def _is_grouped(window: _Window, *, is_whole: bool) -> bool:
    """Tell whether groups are those of one number: dates and rows of numbers look like it only with odd gaps."""
    if not window.gaps:
        return True
    is_ordinary = window.gaps <= _ORDINARY_GAPS
    if window.sizes in _USUAL:
        return is_ordinary or len(window.gaps) == 1
    if not is_ordinary or len(window.gaps) > 1:
        return False
    return is_whole or (sum(window.sizes) in _LENGTHS and min(window.sizes) >= _SMALLEST_GROUP)


def _score(text: str, window: _Window) -> float:
    digits = "".join(filter(str.isdecimal, plain(text[window.start : window.end])))
    is_known = _PREFIX.match(digits) is not None
    if len(set(digits)) < 2 or not (is_known or window.is_similar):
        return 0.0
    is_valid = is_known and luhn(digits)
    if is_valid and (window.sizes in _USUAL or len(digits) in _LENGTHS):
        return 0.98
    named = near(text, window.start, window.end, _CARD_WORD, before=40, after=15)
    if not is_known:
        return 0.6 if named or not _ROUND_GROUPS.fullmatch(digits) else 0.0
    if is_valid:
        return 0.98 if named else 0.0
    return 0.7 if named or window.is_similar else 0.0
