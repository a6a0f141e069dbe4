"""Score found spans against annotated ones.

Recall: an annotated span counts as found where every character of it that is not white space is covered, by one span
or several. Precision: a found span counts as right where it shares a character with any annotated one; only sources
that annotate everything are asked. Within scope: the types that the source annotates, plus masks without a type.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from benchmarks.corpora import Item, Text
from benchmarks.intervals import Share
from privguard.core.entities import Category, EntityType
from privguard.research.training.scopes import SCOPES, UNTYPED

FULL = frozenset({"authored", "tab", "meddocan"})  # sources whose texts are annotated in full
LOOSE = "MISC"  # the one type that has no sharp border
_IDENTIFYING = frozenset(kind.value for kind in EntityType if kind.category in {Category.DIRECT, Category.SECRET})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One span that a system found."""

    start: int
    end: int
    label: str
    score: float = 1.0
    kept: bool = False  # found, and left as it is by the plan


Rows = tuple[tuple[Found, ...], ...]  # one row per text of an item


@dataclass(slots=True)
class Tally:
    """Hits and trials by key."""

    hits: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    trials: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, key: str, hit: bool, weight: int = 1) -> None:
        """Count one trial."""
        self.add_many(key, weight * hit, weight)

    def add_many(self, key: str, hits: int, trials: int) -> None:
        """Count several trials."""
        self.hits[key] += hits
        self.trials[key] += trials

    def share(self, key: str) -> Share:
        """Return the share of one key."""
        return Share(hits=self.hits.get(key, 0), n=self.trials.get(key, 0))

    @property
    def total(self) -> Share:
        """Return the share over all keys."""
        return Share(hits=sum(self.hits.values()), n=sum(self.trials.values()))

    def by_size(self) -> Iterator[tuple[str, Share]]:
        """Return the shares, the largest first."""
        for key in sorted(self.trials, key=lambda key: (-self.trials[key], key)):
            yield key, self.share(key)


@dataclass(slots=True)
class Scores:
    """Everything that is counted over one set."""

    every: Tally = field(default_factory=Tally)  # recall by type, all annotated spans
    scoped: Tally = field(default_factory=Tally)  # recall by type, within the scope of the source
    language: Tally = field(default_factory=Tally)  # recall, within scope
    source: Tally = field(default_factory=Tally)  # recall, within scope
    characters: Tally = field(default_factory=Tally)  # of all annotated spans
    precision: Tally = field(default_factory=Tally)  # by predicted type
    clean: Tally = field(default_factory=Tally)  # flagged texts: "empty" without a span, "public" nobody's spans alone
    altered: Tally = field(default_factory=Tally)  # likewise, those in which the plan takes something away
    texts: int = 0
    unanswered: int = 0  # requests or texts that the system refused or failed at: they count as nothing found

    @property
    def identifying(self) -> Share:
        """Return the recall of direct identifiers and secrets."""
        return _sum(self.scoped, lambda label: label in _IDENTIFYING)

    @property
    def sharp(self) -> Share:
        """Return the recall of all types but MISC, within scope."""
        return _sum(self.scoped, lambda label: label != LOOSE)

    @property
    def sharp_precision(self) -> Share:
        """Return the precision of all found spans that are not called MISC."""
        return _sum(self.precision, lambda label: label != LOOSE)


def score(results: Iterable[tuple[Item, Rows]], scopes: Mapping[str, frozenset[EntityType]] = SCOPES) -> Scores:
    """Count over all texts of all items."""
    scores = Scores()
    for item, rows in results:
        for text, found in zip(item.texts, rows, strict=True):
            scores.texts += 1
            _count_recall(scores, item, text, found, scopes)
            if item.source in FULL:
                _count_precision(scores, text, found)
            _count_clean(scores, item, text, found)
    return scores


def cover(length: int, spans: Iterable[Found]) -> bytearray:
    """Return a mark for each covered character."""
    covered = bytearray(length)
    for span in spans:
        covered[span.start : span.end] = b"\1" * (min(span.end, length) - span.start)
    return covered


def _count_recall(
    scores: Scores, item: Item, text: Text, found: Iterable[Found], scopes: Mapping[str, frozenset[EntityType]]
) -> None:
    covered = cover(len(text.text), found)
    scope = scopes[item.source]
    for span in text.gold:
        places = [place for place in range(span.start, span.end) if not text.text[place].isspace()]
        seen = sum(covered[place] for place in places)
        hit = seen == len(places)
        scores.every.add(span.label, hit)
        scores.characters.add_many(item.source, seen, len(places))
        if span.label == UNTYPED or span.label in scope:
            scores.scoped.add(span.label, hit)
            scores.language.add(item.lang, hit)
            scores.source.add(item.source, hit)


def _count_precision(scores: Scores, text: Text, found: Iterable[Found]) -> None:
    gold = bytearray(len(text.text))
    for span in text.gold:
        gold[span.start : span.end] = b"\1" * (span.end - span.start)
    for one in found:
        scores.precision.add(one.label, any(gold[one.start : one.end]))


def _count_clean(scores: Scores, item: Item, text: Text, found: tuple[Found, ...]) -> None:
    """Count texts in which nobody's privacy is at stake; messages are left out, their conversation says more."""
    if item.conversation or any(span.private for span in text.gold):
        return
    keys = ["public" if text.gold else "empty"] if item.source in FULL else []
    keys += [] if text.gold else ["empty, any source"]
    for key in keys:
        scores.clean.add(key, bool(found))
        scores.altered.add(key, any(not span.kept for span in found))


def _sum(tally: Tally, wanted: Callable[[str], bool]) -> Share:
    chosen = [share for key, share in tally.by_size() if wanted(key)]
    return Share(hits=sum(share.hits for share in chosen), n=sum(share.n for share in chosen))
