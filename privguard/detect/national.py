"""The pattern recognizers of Presidio, called directly: no engine, no language model, no network.

`national_rules` lists them, with what must confirm a match of each.
"""

import re
import string
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from privguard.core.spans import Span
from privguard.detect.national_rules import EXTRA_CONTEXT, LEAST_PATTERN, SURE, VAGUE, WITH_CONTEXT
from privguard.detect.prepared import Prepared, fold
from privguard.detect.presidio_names import kind_of

if TYPE_CHECKING:
    from presidio_analyzer import PatternRecognizer

_WORD = re.compile(r"\w+")
_FOREIGN_DIGIT = re.compile(r"[^\x00-\x7f]")  # the only ones beyond ASCII in a chunk
_SHAPE = str.maketrans(dict.fromkeys(string.digits, "0") | dict.fromkeys(string.ascii_letters, "A"))
_LONGEST_LEAD = 18  # code points of a chunk before its first digit
_CHUNK = re.compile(
    r"(?:(?<=\s)|^|(?<=[(\[\"':=,;|<>]))(?:[A-Za-z]{1,5}[ -])?[A-Za-z0-9]{0,12}\d[A-Za-z0-9/.-]{0,24}(?:[ "
    r":][A-Za-z0-9/.-]{1,12}){0,6}"
)
_OUTER_BEFORE = re.compile(r"[\w+/@#]$|\w[-.]$")
_OUTER_AFTER = re.compile(r"[\w+/=@]|[-.]\w")
_BEFORE, _AFTER = 50, 25
_BLOCK = 1 << 14  # code points


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A recognizer and what its matches need beside their form."""

    recognizer: "PatternRecognizer"
    entity: str
    sign: re.Pattern[str]  # of a sure one: of what it matches; otherwise: of the words that must stand near by
    least: float  # score


class NationalFinder:
    """Run Presidio's national recognizers over the digit-bearing parts of a text."""

    def __init__(self) -> None:
        from presidio_analyzer import predefined_recognizers

        self._sure: list[_Rule] = []
        self._named: list[_Rule] = []
        self._leads: dict[str, list[int]] = {}
        for name in (*SURE, *WITH_CONTEXT):
            recognizer = _build(getattr(predefined_recognizers, name), LEAST_PATTERN.get(name, 0.0))
            entity = recognizer.supported_entities[0]
            if name in SURE:
                self._sure.append(_Rule(recognizer=recognizer, entity=entity, sign=re.compile(SURE[name]), least=0.7))
                continue
            terms = _terms(recognizer)
            for lead in {_WORD.findall(fold(term))[0] for term in terms if _WORD.search(term)}:
                self._leads.setdefault(lead, []).append(len(self._named))
            self._named.append(_Rule(recognizer=recognizer, entity=entity, sign=_any_term(terms), least=0.75))

    def __call__(self, view: Prepared) -> Iterator[Span]:
        """Yield a span for each confirmed match."""
        chunks = list(_find_chunks(view))
        if not chunks:
            return
        for condensed, places in _condense(view.text, chunks):
            shape = _FOREIGN_DIGIT.sub("0", condensed).translate(_SHAPE)
            for rule in self._sure:
                if rule.sign.search(shape):
                    yield from _apply(rule, condensed, places, view.text)
        lowered = view.text.lower()
        folded = lowered if len(lowered) == len(view.text) else view.text
        for number, near in self._introduced(view, chunks).items():
            rule = self._named[number]
            for condensed, places in _condense(view.text, _with_neighbours(near, chunks)):
                for span in _apply(rule, condensed, places, view.text):
                    if _is_near(folded, span.start, span.end, rule.sign):
                        yield span

    def _introduced(self, view: Prepared, chunks: Sequence[tuple[int, int]]) -> dict[int, set[int]]:
        """Return the chunks near which the first word of its context stands, by the number of the recognizer."""
        starts = [start - _BEFORE for start, _ in chunks]
        found: dict[int, set[int]] = {}
        for lead in view.tokens.keys() & self._leads.keys():
            near: set[int] = set()
            for place in view.tokens[lead]:
                number = bisect_right(starts, place) - 1
                while number >= 0 and place < chunks[number][1] + _AFTER:
                    near.add(number)
                    number -= 1
            for rule in self._leads[lead] if near else ():
                found.setdefault(rule, set()).update(near)
        return found


def _with_neighbours(near: Iterable[int], chunks: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the numbered chunks in order, with all that stand only one character from them: a match may cross that."""
    done = -1
    for number in sorted(near):
        first = last = max(number, done + 1)
        while first - 1 > done and chunks[first][0] - chunks[first - 1][1] == 1:
            first -= 1
        while last + 1 < len(chunks) and chunks[last + 1][0] - chunks[last][1] == 1:
            last += 1
        if number > done:
            yield from chunks[first : last + 1]
            done = last


def _apply(rule: _Rule, condensed: str, places: Sequence[tuple[int, int]], text: str) -> Iterator[Span]:
    for found in rule.recognizer.analyze(condensed, [rule.entity], None):
        start, end = _place(places, found.start), _place(places, found.end - 1) + 1
        if end - start == found.end - found.start and _stands_alone(text, start, end):
            score = max(found.score, rule.least)
            source = f"rules/{rule.entity.lower()}"
            yield Span(start=start, end=end, kind=kind_of(rule.entity), score=score, source=source)


def _find_chunks(view: Prepared) -> Iterator[tuple[int, int]]:
    """Yield the parts that hold digits.

    One can begin at a number, at the letters before it, or at a short word before those.
    """
    text = view.text
    end = 0
    for number, _ in view.numbers:
        if number < end:
            continue
        low = max(end, number - _LONGEST_LEAD)
        before = text[low:number].rstrip(string.ascii_letters)
        starts = [low + len(before)]
        if before[-1:] in {" ", "-"}:
            starts.insert(0, low + len(before[:-1].rstrip(string.ascii_letters)))
        for start in starts:
            match = _CHUNK.match(text, start)
            if match:
                end = match.end()
                yield match.span()
                break


def _build(recognizer: "type[PatternRecognizer]", least: float) -> "PatternRecognizer":
    if not least:
        return recognizer()
    return recognizer(patterns=[pattern for pattern in recognizer.PATTERNS if pattern.score >= least])


def _terms(recognizer: "PatternRecognizer") -> set[str]:
    terms = {term.lower() for term in recognizer.context or ()} - VAGUE
    terms.update(EXTRA_CONTEXT.get(recognizer.supported_entities[0], ()))
    return terms


def _any_term(terms: set[str]) -> re.Pattern[str]:
    longest_first = sorted(terms, key=lambda term: (-len(term), term))
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")


def _condense(text: str, chunks: Iterable[tuple[int, int]]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the chunks, one a line, and where each of them came from, a block at a time.

    Presidio passes over a pattern that takes longer than a minute, with no more than a warning in its log. Blocks of
    bounded size, with lines of bounded length, take milliseconds: no pattern is ever passed over.
    """
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    length = 0
    for start, end in chunks:
        places.append((length, start))
        parts.append(text[start:end])
        length += end - start + 1
        if length >= _BLOCK:
            yield "\n".join(parts), places
            parts, places, length = [], [], 0
    if parts:
        yield "\n".join(parts), places


def _place(places: Sequence[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(places) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if places[middle][0] <= offset:
            low = middle
        else:
            high = middle - 1
    return places[low][1] + offset - places[low][0]


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not _OUTER_BEFORE.search(text, max(0, start - 2), start) and not _OUTER_AFTER.match(text, end)


def _is_near(folded: str, start: int, end: int, context: re.Pattern[str]) -> bool:
    return bool(context.search(folded, max(0, start - _BEFORE), start) or context.search(folded, end, end + _AFTER))
