"""Look for many values in one text after the other, at a cost that hangs on what stands there.

A value can stand in a text only if its letters and digits, put together, stand in those of the text. So nearly all
values are ruled out, for most texts all of them, before anything is looked for word by word.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from privguard.core.entities import EntityType
from privguard.core.letters import OPTIONAL_SIGNS, bare_letters, folded
from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered
from privguard.core.spans import Span
from privguard.detect.codes import code_views
from privguard.detect.covered import Covered
from privguard.detect.forms import forms_of, is_pointed, letters_without_accents, shown_forms
from privguard.detect.grams import GramIndex
from privguard.detect.handles import HandleBook
from privguard.detect.ordinary import is_telling
from privguard.detect.padded import PaddedBook
from privguard.detect.phrases import PhraseBook
from privguard.detect.prefixed import PrefixBook
from privguard.detect.spaced import SpacedBook
from privguard.detect.spellings import SpellingBook
from privguard.detect.views import views_of, views_undoubled, views_unescaped, views_without_accents

_MANY = 1 << 20  # values times code points, from which on an index costs less than looking for one value at a time
_LONG = 8  # letters of a text for each value, from which on it costs less to look at all values
_SECRET = EntityType.SECRET
_NO_LETTER = lazy_pattern(r"[\W_]+")
_SIGNS_BEHIND = lazy_pattern(f"[{OPTIONAL_SIGNS}]*")  # the vowel of a last letter
_BLANK = "\0"  # no letter, and no separator between the parts of a value


class Carried(NamedTuple):
    """A value that is looked for, and what its mentions are like."""

    text: str
    seed: Span
    kinds: tuple[tuple[int, EntityType], ...] = ()  # its type, from which message on; () where it never was another

    def kind_in(self, turn: int) -> EntityType:
        """Return its type as far as a message and those before it tell; of messages before all that do, the first."""
        known = [kind for since, kind in self.kinds if since <= turn]
        return known[-1] if known else self.kinds[0][1] if self.kinds else self.seed.kind

    @property
    def since(self) -> int:
        """Return the number of the message that brought it first."""
        return self.kinds[0][0] if self.kinds else 0

    def __repr__(self) -> str:
        return f"Carried({self.seed.kind}, length {len(self.text)})"


class Hit(NamedTuple):
    """Where a value stands, under the key of its offer."""

    key: bytes
    start: int
    end: int


class Scanner:
    """Look for a fixed set of values."""

    def __init__(self, carried: Mapping[bytes, Carried]) -> None:
        self._carried = carried
        self._keys = tuple(carried)
        self._bare = [
            tuple([_Bare.of(form) for form in forms_of(each.text, each.seed.kind)]) for each in carried.values()
        ]
        self._books: dict[tuple[bytes, ...], _Books] = {}

    def find(self, text: str, row: Sequence[Span], *, beside: bool = False) -> list[Hit]:
        """Return every mention that does not lie within one of the spans of `row`.

        Args:
            text: where to look.
            row: what was found there already.
            beside: whether the text stands beside the conversation, where names are written as handles.
        """
        keys = self._candidates(text, row)
        found = self._find_handles(text) if beside else []
        if not keys and not found:
            return []
        covered = Covered(row)
        if keys:
            blanked = _blanked(text, row)
            found += [
                *self._find_seen(text, keys),
                *(self._books_of(keys).find(blanked) if blanked is not None else ()),
            ]
        for code in code_views(text) if keys else ():
            found += [Hit(key, *code.back(start, end)) for key, start, end in self._find_seen(code.text, keys)]
        return [hit for hit in dict.fromkeys(found) if not covered.holds(hit.start, hit.end)]

    def _find_handles(self, text: str) -> list[Hit]:
        people, book = self._handles
        return [Hit(people[number], start, end) for start, end, number in book.find(text)]

    @remembered
    def _handles(self) -> tuple[Sequence[bytes], HandleBook]:
        """Return the keys of the names, and what finds them as handles."""
        people = [key for key, each in self._carried.items() if each.seed.kind is EntityType.PERSON]
        return people, HandleBook([self._carried[key].text for key in people])

    def _find_seen(self, text: str, keys: tuple[bytes, ...]) -> Iterator[Hit]:
        """Yield every mention in a text and in what its reader sees; some come twice."""
        yield from self._books_of(keys).find(text)
        # A value with accents is looked for without them as well, so that its text needs no other view. Vowel signs
        # may stand in both, each time others.
        without = () if text.isascii() else tuple([key for key in keys if key in self._unaccented])
        slashed = tuple([key for key in keys if "\\" in self._carried[key].text]) if "\\\\" in text else ()
        looks = ((keys, views_of), (keys, views_unescaped), (without, views_without_accents))
        for wanted, views in (*looks, (slashed, views_undoubled)):
            for seen in views(text) if wanted else ():
                for key, start, end in self._books_of(wanted).find(seen.text):
                    first, last = seen.back_from(start, end)
                    yield Hit(key, first, _SIGNS_BEHIND.match(text, last).end())  # type: ignore[union-attr]  # always

    @remembered
    def _unaccented(self) -> frozenset[bytes]:
        """Return the keys of the values whose mentions may have accents that they lack."""
        return frozenset(key for key, each in self._carried.items() if _may_lack_accents(each.text))

    def _books_of(self, keys: tuple[bytes, ...]) -> "_Books":
        books = self._books.get(keys)
        if books is None:
            books = self._books[keys] = _Books([(key, self._carried[key]) for key in keys])
        return books

    def _candidates(self, text: str, row: Sequence[Span]) -> tuple[bytes, ...]:
        """Return the values that may have a mention that no span of `row` covers."""
        codes = [each.text for each in code_views(text)]
        bares = tuple([bare for each in (text, *codes) for bare in _bare_forms(each)])
        texts = {form for bare in bares for form in (bare.folded, bare.runs)}
        lowered = text.lower()
        aligned = len(lowered) == len(text)  # the dotted capital I alone grows
        numbers = self._possible(texts)
        if len(numbers) * len(text) > _MANY:
            return tuple([self._keys[number] for number in numbers])
        covered: Covered | None = None
        found: list[bytes] = []
        for number in numbers:
            key, values = self._keys[number], self._bare[number]
            value = values[0]
            if not any(form.stands_in(bare) for form in values for bare in bares):
                continue
            if aligned and not codes and len(values) == 1 and value.is_ascii and value.folded:
                covered = covered or Covered(row)
                count = covered.count(lowered, self._carried[key].text.lower())
                if all(_count(form, value.folded) == count for form in texts):
                    continue
            found.append(key)
        return tuple(found)

    def _possible(self, texts: Iterable[str]) -> Sequence[int]:
        """Return the numbers of all values, or of those that may stand in the texts where these are told faster."""
        if sum(map(len, texts)) > _LONG * len(self._keys):
            return range(len(self._keys))
        return self._grams.possible(texts)

    @remembered
    def _grams(self) -> GramIndex:
        return GramIndex([[form for bare in bares for form in (bare.folded, bare.runs)] for bares in self._bare])


class _Bare(NamedTuple):
    """The letters and digits of a text, in both forms in which texts are compared."""

    folded: str  # decomposed
    runs: str  # as it is written
    is_ascii: bool  # whether the text is: then both are the same

    def __repr__(self) -> str:
        return f"_Bare(length {len(self.folded)})"

    @classmethod
    def of(cls, text: str) -> "_Bare":
        """Leave out of a text what is no letter and no digit."""
        if text.isascii():
            bare = bare_letters(text)
            return cls(bare, bare, is_ascii=True)
        return cls(_NO_LETTER.sub("", folded(text)), _NO_LETTER.sub("", text).casefold(), is_ascii=False)

    def stands_in(self, text: "_Bare") -> bool:
        """Tell whether a value of these letters may stand in a text of those."""
        return self.folded in text.folded or (not text.is_ascii and self.runs in text.runs)


def _bare_forms(text: str) -> tuple[_Bare, ...]:
    """Return the letters and digits of a text, and those that they stand for where these are others."""
    return tuple([_Bare.of(form) for form in shown_forms(text)])


def _count(text: str, part: str) -> int:
    """Return at how many places `part` begins in `text`."""
    count = 0
    at = text.find(part)
    while at >= 0:
        count += 1
        at = text.find(part, at + 1)
    return count


class _Book(Protocol):
    """Values that are looked for by their number."""

    def find(self, text: str) -> Iterator[tuple[int, int, int]]: ...


class _Books:
    """Values to look for, by how they are compared."""

    def __init__(self, carried: Sequence[tuple[bytes, Carried]]) -> None:
        self._all = [
            (key, form, each.seed.kind) for key, each in carried for form in forms_of(each.text, each.seed.kind)
        ]
        self._secrets = _Phrases([each for each in self._all if each[2] is _SECRET], exact=True)
        self._others = [each for each in self._all if each[2] is not _SECRET]
        self._values = _Phrases(self._others)
        others = [(text, kind) for _, text, kind in self._others]
        self._wordings: tuple[_Book, ...] = (SpellingBook(others), PrefixBook(others), PaddedBook(others))
        self._spaced = SpacedBook([(text, kind) for _, text, kind in self._all])

    def find(self, text: str) -> Iterator[Hit]:
        """Yield every mention; some come twice."""
        yield from self._secrets.find(text)
        yield from self._values.find(text)
        for book in self._wordings:
            for start, end, number in book.find(text):
                yield Hit(self._others[number][0], start, end)
        for start, end, number in self._spaced.find(text):
            yield Hit(self._all[number][0], start, end)
        if "+" in text:
            yield from self._in_queries.find(text)

    @remembered
    def _in_queries(self) -> "_Phrases":
        return _Phrases([(key, form, kind) for key, text, kind in self._others for form in _with_plus_signs(text)])


class _Phrases:
    """Phrases with their keys and types."""

    def __init__(self, phrases: Sequence[tuple[bytes, str, EntityType]], *, exact: bool = False) -> None:
        self._phrases = phrases
        self._book = PhraseBook([text for _, text, _ in phrases], exact=exact) if phrases else None

    def find(self, text: str) -> Iterator[Hit]:
        """Yield every mention."""
        for start, end, number in self._book.find(text) if self._book else ():
            key, phrase, kind = self._phrases[number]
            if _is_mention(text[start], phrase, kind):
                yield Hit(key, start, end)


def _may_lack_accents(value: str) -> bool:
    return is_pointed(value) or not any(letters_without_accents(value))


def _with_plus_signs(value: str) -> Iterator[str]:
    """Yield how a value is written in a query whose spaces are plus signs, where that differs."""
    written = "+".join(value.split(" "))
    if written != value:
        yield written


def _is_mention(first: str, value: str, kind: EntityType) -> bool:
    """Tell a name from the word that it also is, by its first letter: `Rose` is not mentioned by `rose`."""
    if value.isalpha() and value[0].isupper():
        return first.isupper() or is_telling(value, kind)
    return True


def _blanked(text: str, row: Iterable[Span]) -> str | None:
    """Return the text without its spans, None where none of them ends within a word.

    Once a span is replaced, what is left of the word that it cuts stands there as a word of its own.
    """
    pieces: list[str] = []
    done = 0
    cut = False
    for span in sorted(row, key=lambda span: span.start):
        cut = cut or _is_cut(text, span.start) or _is_cut(text, span.end)
        if span.end > done:
            start = max(done, span.start)
            pieces += (text[done:start], _BLANK * (span.end - start))
            done = span.end
    return "".join((*pieces, text[done:])) if cut else None


def _is_cut(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place].isalnum() and text[place - 1].isalnum()
