"""A term of the caller, and whether it stands where its letters stand."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from privguard.core.letters import bare_letters
from privguard.core.patterns import lazy_pattern
from privguard.detect.bare import Reading, separators
from privguard.detect.phrases import is_unspaced

MIN_INNER = 4  # letters of a term that is found within words
_MIN_DIGITS = 6  # of a number that may be written in groups
_MAX_GAP = 40  # separators between two words of a term
_MANY = 48  # terms, from which on one pass over all places costs less than one search for each
_RARE = 64  # letters of a text for each place, from which on it costs less to go from place to place
# What may stand within any word: marks of markup, and what ends a line within one.
_WITHIN = lazy_pattern(r"[*~`]{0,8}|[-\u2010=]\r?\n[ \t]*")
_MIN_CUT = 6  # letters of a term that is found with anything within its words: fewer make up other words too often
# What may stand there: neither the end of a sentence nor what sets two words apart in one.
_CUT = lazy_pattern(r"(?:(?![.\u2026]\s)[^,;:!?()\[\]{}]){1,8}")
_GROUPING = lazy_pattern(r"[ \u00a0\u2009\u202f./_\u2010-\u2015-]")
_FULL_STOPS = ".,;:!?"  # an abbreviation is found without its last one
_PLURAL = frozenset({"s", "es"})
_LETTER = lazy_pattern(r"[^\W\d_]+")


class Term(NamedTuple):
    """What is looked for: the letters and digits of a term, and where separators may stand among them."""

    key: str
    starts: frozenset[int]  # where in the key its words begin, but for the first
    lengths: tuple[int, int]  # of the first and the last word
    digits: bool  # whether the term is one long number
    inner: bool  # whether it is found within words, too
    before: str  # the signs that belong to a short term: `.net`, `c++`
    after: str
    joined: str  # the letters of a short term with signs between them, as they are written

    def __repr__(self) -> str:
        return f"Term(length {len(self.key)})"

    @classmethod
    def of(cls, written: str) -> "Term":
        """Read a term."""
        stripped = written.strip()
        reading = Reading(stripped)
        key = reading.letters
        starts = [at for at in range(1, len(key)) if reading.gap(at) or _turns(reading, at)]
        inner = len(key) >= MIN_INNER or is_unspaced(stripped)
        is_signed = any(reading.gap(at) for at in starts) and not any(map(str.isdigit, key))
        shown = [place for place, letter in enumerate(stripped) if bare_letters(letter)] or [0]
        return cls(
            key=key,
            starts=frozenset(starts),
            lengths=(starts[0], len(key) - starts[-1]) if starts else (len(key), len(key)),
            digits=not starts and key.isdecimal() and len(key) >= _MIN_DIGITS,
            inner=inner,
            before="" if inner else separators(stripped[: shown[0]]),
            after="" if inner else separators(stripped[shown[-1] + 1 :]).rstrip(_FULL_STOPS),
            joined=_letters_of(stripped) if is_signed and not inner else "",
        )

    def stands(self, reading: Reading, at: int) -> bool:
        """Tell whether the term stands where its letters begin at the number `at`."""
        end = at + len(self.key)
        if not self.inner:
            return self._is_alone(reading, at)
        if reading.ways.is_run(at, end):
            return True
        gaps = [reading.gap(at + number) for number in range(1, len(self.key))]
        if not any(gaps):
            return True
        if self._fits(gaps):
            # Where separators stand between, a short word at the edge would fit too many others: `re[new art]icle`.
            return (self.lengths[0] >= MIN_INNER or _opens(reading, at)) and (
                self.lengths[1] >= MIN_INNER or _closes(reading, end)
            )
        if self._is_cut(gaps):
            return _opens(reading, at) and _closes(reading, end)
        return self._is_spaced(gaps) and _is_free(reading, at, end)

    def _fits(self, gaps: Sequence[str]) -> bool:
        """Tell whether separators stand between the words of the term alone."""
        for number, gap in enumerate(gaps, start=1):
            if not gap or (number in self.starts and len(gap) <= _MAX_GAP) or _WITHIN.fullmatch(gap):
                continue
            if not (self.digits and _GROUPING.fullmatch(gap)):
                return False
        return True

    def _is_cut(self, gaps: Sequence[str]) -> bool:
        """Tell whether a few separators at a time stand between letters of the term: `King-fisher`, `King fisher`."""
        if len(self.key) < _MIN_CUT or self.key.isdecimal():
            return False
        return all(
            not gap or (number in self.starts and len(gap) <= _MAX_GAP) or _WITHIN.fullmatch(gap) or _CUT.fullmatch(gap)
            for number, gap in enumerate(gaps, start=1)
        )

    def _is_spaced(self, gaps: Sequence[str]) -> bool:
        """Tell whether every letter stands by itself, all with the same sign between: `h.e.r.o.n`."""
        within = {gap for number, gap in enumerate(gaps, start=1) if number not in self.starts}
        return len(within) == 1 and len(next(iter(within))) == 1 and all(len(gap) <= _MAX_GAP and gap for gap in gaps)

    def _is_alone(self, reading: Reading, at: int) -> bool:
        """Tell whether a short term is a whole word with its own signs around it."""
        end = at + len(self.key)
        if not _is_free(reading, at, end):
            return False
        if not reading.gap(at).endswith(self.before) or not reading.gap(end).startswith(self.after):
            return False
        gaps = [reading.gap(at + number) for number in range(1, len(self.key))]
        if self.joined and not any(gaps):  # `US` is `U.S.`, and `us` is not; no word is `k2`
            return _letters_of(reading.text[reading.ways.start(at) : reading.ways.end(end - 1)]) == self.joined
        return self._fits(gaps)


class TermBook:
    """A fixed set of terms to look for. What is found of one does not depend on the others."""

    def __init__(self, written: Iterable[str]) -> None:
        """Read the terms; those without a letter or a digit are looked for as they are."""
        self._literal: list[tuple[str, int]] = []
        self._by_key: dict[str, list[tuple[Term, int]]] = {}
        for number, each in enumerate(written):
            term = Term.of(each)
            if term.key:
                self._by_key.setdefault(term.key, []).append((term, number))
            elif each.strip():
                self._literal.append((each.strip(), number))
        long = [key for key in self._by_key if len(key) >= MIN_INNER]
        self._by_beginning: dict[str, list[str]] = {}
        if len(long) > _MANY:
            for key in long:
                self._by_beginning.setdefault(key[:MIN_INNER], []).append(key)
            long = []
        self._searched = [*long, *(key for key in self._by_key if len(key) < MIN_INNER)]

    def find(self, reading: Reading) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the term)` for each place where one stands."""
        for literal, number in self._literal if reading.codes is None else ():
            for at in _places(reading.text, literal):
                yield at, at + len(literal), number
        for key, places in self._sought(reading.letters):
            yield from self._standing(reading, key, places)

    def _sought(self, letters: str) -> Iterator[tuple[str, Sequence[int] | None]]:
        """Yield what to look for, and the places where it may begin; None where that is every place."""
        yield from ((key, None) for key in self._searched)
        beginnings: dict[str, list[int]] = {}
        if self._by_beginning:
            for at in range(len(letters)):
                beginning = letters[at : at + MIN_INNER]
                if beginning in self._by_beginning:
                    beginnings.setdefault(beginning, []).append(at)
        for beginning, places in beginnings.items():
            known = places if len(places) * _RARE < len(letters) else None
            yield from ((key, known) for key in self._by_beginning[beginning])

    def _standing(self, reading: Reading, key: str, places: Sequence[int] | None) -> Iterator[tuple[int, int, int]]:
        """Yield where the terms of a key stand; of a place that overlaps the one before, no whole term is left."""
        letters, terms = reading.letters, self._by_key[key]
        reach = dict.fromkeys([number for _, number in terms], 0)
        at = _next(letters, key, 0, places)
        while at >= 0:
            for term, number in terms:
                if at >= reach[number] and term.stands(reading, at):
                    reach[number] = at + len(key)
                    yield *_interval(reading, at, term), number
            at = _next(letters, key, max(at + 1, min(reach.values())), places)


def _next(letters: str, key: str, start: int, places: Sequence[int] | None) -> int:
    """Return the first of the places from `start` on at which a key stands, -1 where there is none."""
    if places is None:
        return letters.find(key, start)
    for number in range(bisect_left(places, start), len(places)):
        if letters.startswith(key, places[number]):
            return places[number]
    return -1


def _letters_of(text: str) -> str:
    return "".join([letter for letter in text if bare_letters(letter)])


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _interval(reading: Reading, at: int, term: Term) -> tuple[int, int]:
    start, end = reading.ways.start(at), reading.ways.end(at + len(term.key) - 1)
    if term.before and reading.text.endswith(term.before, 0, start):
        start -= len(term.before)
    if term.after and reading.text.startswith(term.after, end):
        end += len(term.after)
    return start, end


def _is_free(reading: Reading, at: int, end: int) -> bool:
    """Tell whether the letters from `at` to `end` are a word of their own."""
    return all(
        place in {0, len(reading.letters)}
        or reading.gap(place)
        or is_unspaced(_before(reading, place))
        or is_unspaced(_behind(reading, place))
        for place in (at, end)
    )


def _opens(reading: Reading, at: int) -> bool:
    """Tell whether a word, or a part of an identifier, begins at the letter `at`."""
    return at == 0 or bool(reading.gap(at)) or _changes(reading, at)


def _closes(reading: Reading, end: int) -> bool:
    """Tell whether a word, or a part of an identifier, ends before the letter `end`; its plural does as well."""
    if end == len(reading.letters) or reading.gap(end) or _changes(reading, end):
        return True
    rest = _LETTER.match(reading.text, reading.ways.start(end))
    return rest is not None and rest[0].lower() in _PLURAL


def _changes(reading: Reading, at: int) -> bool:
    """Tell whether the letter `at` begins another word than the one before belongs to."""
    return _turns(reading, at) or is_unspaced(_before(reading, at)) or is_unspaced(_behind(reading, at))


def _turns(reading: Reading, at: int) -> bool:
    """Tell whether a part of an identifier begins at the letter `at`: `fooBar`, `HTTPServer`, `foo2`."""
    before, behind = _before(reading, at), _behind(reading, at)
    if before.isalpha() != behind.isalpha():
        return True
    end = reading.ways.end(at)
    after = reading.text[end : end + 1]
    return behind.isupper() and (before.islower() or (before.isupper() and after.islower()))


def _before(reading: Reading, at: int) -> str:
    return reading.text[reading.ways.end(at - 1) - 1]


def _behind(reading: Reading, at: int) -> str:
    return reading.text[reading.ways.start(at)]
