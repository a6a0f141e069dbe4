"""Find a name again as handles and short fields write it: `uwe`, `ukoch`, `koch-u`, `kochuwe`.

Headers, parameters, ids and metadata are no running text: a word there that stands in a name is that name, in lower
case as well. The words of a text are looked up one by one, so that the cost hangs on the text and not on the names.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations

from privguard.core.entities import EntityType
from privguard.core.letters import unaccented
from privguard.core.patterns import lazy_pattern
from privguard.detect.forms import forms_of, shown_forms
from privguard.detect.linking import titles
from privguard.detect.ordinary import is_function_word, is_name_too, is_ordinary

MIN_WORD = 3  # letters of a part of a name
MIN_GLUED = 4  # letters of one that an initial or a genitive s is glued to
_MAX_PARTS = 5  # of one name
_WORD = lazy_pattern(r"[^\W\d_]+")
_HUMP = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
_HANDLE = lazy_pattern(r"(?<![^\W_])[^\W\d_]+")  # digits may stand behind it: `ukoch42`
_NO_NAMES = titles.TITLES | titles.PARTICLES | titles.TRAILING


class HandleBook:
    """A fixed set of names to look for. What is found of one does not depend on the others."""

    def __init__(self, names: Sequence[str]) -> None:
        self._words: dict[str, list[int]] = {}
        self._alone: dict[str, list[int]] = {}  # ordinary words: each counts as the only word of a text
        for number, name in enumerate(names):
            for form in forms_of(name, EntityType.PERSON):
                words = [word for word in _WORD.findall(unaccented(form)) if word not in _NO_NAMES][:_MAX_PARTS]
                _add(self._words, _handles(words), number)
                _add(self._alone, filter(_is_name_alone, words), number)

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the name)` for each mention."""
        found = list(_HANDLE.finditer(text)) if self._words or self._alone else []
        alone = len(found) == 1
        for match in found:
            numbers: set[int] = set()
            for form in map(unaccented, shown_forms(match[0])):
                numbers.update(self._words.get(form, ()))
                numbers.update(self._alone.get(form, ()) if alone else ())
            for number in sorted(numbers):
                yield *match.span(), number
            yield from self._within(match)

    def _within(self, run: re.Match[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the mentions between the humps of a run of letters: `notesUkoch`, `askUKoch`."""
        edges = [run.start(), *[hump.start() for hump in _HUMP.finditer(run.string, *run.span())], run.end()]
        for start, end in pairwise(edges) if len(edges) > 2 else ():
            for form in map(unaccented, shown_forms(run.string[start:end])):
                for number in self._words.get(form, ()):
                    yield start, end, number


def _add(index: dict[str, list[int]], words: Iterator[str], number: int) -> None:
    for word in dict.fromkeys(words):
        numbers = index.setdefault(word, [])
        if number not in numbers[-1:]:
            numbers.append(number)


def _handles(words: Sequence[str]) -> Iterator[str]:
    """Yield how the words of a name are written without spaces: one alone, with initials of the others, two joined."""
    for at, word in enumerate(words):
        telling = not is_ordinary(word)
        if telling and len(word) >= MIN_WORD:
            yield word
        if len(word) >= MIN_GLUED:
            others = [other[0] for number, other in enumerate(words) if number != at]
            initials = [*others, *(first + second for first, second in pairwise(others))]
            glued = [f"{word}s"] * telling + [handle for each in initials for handle in (each + word, word + each)]
            yield from (handle for handle in glued if not is_ordinary(handle))
    for first, second in permutations([word for word in words if len(word) >= MIN_WORD], 2):
        yield first + second


def _is_name_alone(word: str) -> bool:
    return len(word) >= MIN_WORD and is_name_too(word) and not is_function_word(word)
