"""National numbers: identity cards, insurance and tax numbers, driving licences, plates.

`national_rules` lists them. A number is found by its form and right check digits where that is rare enough, and by its
form alone where a word that introduces it stands near by: people mistype and invent numbers.
"""

import re
import string
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from privguard.core.letters import plain
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import any_of
from privguard.detect.national_checks import has_right_digits
from privguard.detect.national_forms import IS_UNSPACED, UNSPACED, WORD_LETTER, Needs, Rule, has_unspaced
from privguard.detect.national_rules import RULES
from privguard.detect.prepared import Prepared

_CHECKED, _NAMED, _FORM_ONLY = 0.95, 0.75, 0.7
_BEFORE, _AFTER = 50, 25  # code points around a number in which a term introduces it
_LONGEST = 40  # code points of a number
_RUN = lazy_pattern(r"[A-Za-z\d]{1,24}")
_SHAPE = str.maketrans(dict.fromkeys(string.digits, "0") | dict.fromkeys(string.ascii_letters, "A"))
_LONGEST_LEAD = 8  # letters directly before the first digit
_LONGEST_WORD = 5  # letters before a space or a hyphen before that
_OUTER_BEFORE = {
    unspaced: lazy_pattern(rf"{letter}$|[+/@#]$|\w[-.]$") for unspaced, letter in WORD_LETTER.items()
}  # by whether the text holds letters of scripts that do not set words apart

_Interval = tuple[int, int]  # half-open, in code points


class NationalFinder:
    """Find the numbers that the rules describe."""

    def __init__(self, rules: Sequence[Rule] = RULES) -> None:
        self._rules = rules
        self._heads: dict[str, list[int]] = {}
        self._leads: dict[str, list[int]] = {}
        self._unspaced: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            for head in rule.heads:
                self._heads.setdefault(head, []).append(number)
            for lead in rule.leads:
                self._leads.setdefault(lead, []).append(number)
            for term in rule.unspaced_terms:
                self._unspaced.setdefault(term, []).append(number)
        self._any_unspaced = lazy_pattern(any_of(*self._unspaced)) if self._unspaced else None

    def __call__(self, view: Prepared) -> Iterator[Span]:
        """Yield a span for each number."""
        if not view.numbers:
            return
        unspaced = has_unspaced(view.text)
        starts = _find_starts(view, _OUTER_BEFORE[unspaced])
        if not starts:
            return
        terms = self._find_terms(view, unspaced=unspaced)
        done: set[tuple[int, int]] = set()
        for start, number in sorted(_introduced(terms, starts)):
            rule = self._rules[number]
            match = rule.introduced[unspaced].match(view.text, start)
            if match and _is_near(terms[number], *match.span()):
                done.add((start, number))
                forgiven = not rule.check or (not rule.strict and _is_next(view.text, terms[number], start))
                yield from _judge(rule, match, _NAMED if forgiven else 0.0)
        for start, number in self._by_head(view, starts):
            rule = self._rules[number]
            match = rule.alone[unspaced].match(view.text, start) if (start, number) not in done else None
            if match:
                yield from _judge(rule, match, _FORM_ONLY if rule.needs is Needs.FORM else 0.0)

    def _by_head(self, view: Prepared, starts: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield where a number may begin that needs no word, and the rule, by the shape of the first run."""
        for start in starts:
            run = _RUN.match(view.text, start)
            if run:
                for number in self._heads.get(plain(run[0]).translate(_SHAPE), ()):
                    yield start, number

    def _find_terms(self, view: Prepared, *, unspaced: bool) -> dict[int, list[_Interval]]:
        """Return where terms stand, in order, by the number of their rule."""
        found: dict[int, list[_Interval]] = {}
        words = view.words
        for lead in words.keys() & self._leads.keys():
            for place in words[lead]:
                for number in self._leads[lead]:
                    match = self._rules[number].introduction.match(view.folded, place)
                    if match:
                        found.setdefault(number, []).append(match.span())
        if self._any_unspaced and unspaced:
            for match in self._any_unspaced.finditer(view.folded):
                for number in self._unspaced[match[0]]:
                    found.setdefault(number, []).append(match.span())
        for places in found.values():
            places.sort()
        return found


@cache
def national_finder() -> NationalFinder:
    """Return the finder of all rules, which holds no text: one serves all detectors."""
    return NationalFinder()


def _find_starts(view: Prepared, before_number: re.Pattern[str]) -> list[int]:
    """Return where a number can begin: at digits, at the letters before them, or at up to two words before those."""
    text = view.text
    starts: set[int] = set()
    for digits, _ in view.numbers:
        start = _word_start(text, digits, _LONGEST_LEAD)
        words = 2
        while start >= 0:
            if not start or text[start - 1] == " " or not before_number.search(text, max(0, start - 2), start):
                starts.add(start)
            before = start - 1
            start = -1
            if words and before > 0 and text[before] in " -":
                words -= 1
                word = _word_start(text, before, _LONGEST_WORD)
                start = word if word < before else -1
    return sorted(starts)


def _word_start(text: str, end: int, longest: int) -> int:
    """Return where the letters before `end` begin; -1 where there are too many."""
    start = end
    while start and (letter := text[start - 1]).isalpha() and (letter < UNSPACED[0] or not IS_UNSPACED.match(letter)):
        start -= 1
        if end - start > longest:
            return -1
    return start


def _introduced(terms: dict[int, list[_Interval]], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where a number may begin near a term, and the rule."""
    for number, places in terms.items():
        done = 0
        for start, end in places:
            low = max(done, bisect_left(starts, start - _LONGEST - _AFTER))
            done = max(low, bisect_left(starts, end + _BEFORE + 1))
            for at in starts[low:done]:
                yield at, number


def _is_near(terms: Sequence[_Interval], start: int, end: int) -> bool:
    """Tell whether a term stands before or after a number, near enough."""
    for place in range(bisect_left(terms, (start - _BEFORE, 0)), len(terms)):
        term_start, term_end = terms[place]
        if term_start > end + _AFTER:
            return False
        if term_end <= start or (term_start >= end and term_end <= end + _AFTER):
            return True
    return False


def _is_next(text: str, terms: Sequence[_Interval], start: int) -> bool:
    """Tell whether a number is the first after a term: the next one may be a telephone number."""
    place = bisect_left(terms, (start, 0)) - 1
    return place >= 0 and not any(map(str.isdecimal, text[terms[place][1] : start]))


def _judge(rule: Rule, match: re.Match[str], otherwise: float) -> Iterator[Span]:
    """Yield a span: certain where the check digits are right, and with the other score where they are not."""
    score = _CHECKED if rule.check and has_right_digits(rule.check, match[0]) else otherwise
    if score:
        start, end = match.span()
        yield Span(start=start, end=end, kind=rule.kind, score=score, source=f"rules/national-{rule.name}")
