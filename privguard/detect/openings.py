"""Tell a name from an ordinary word that a detector took for one since it begins a sentence: `Translate`."""

from collections.abc import Sequence

from privguard.core.patterns import lazy_pattern
from privguard.core.remembered import remembered
from privguard.core.spans import Span
from privguard.detect.ordinary import may_be_word

_ANY_WORD = lazy_pattern(r"(?<!\w)[^\W\d_]+(?!\w)")
_OPENING_REACH = 4
_OPENING = lazy_pattern(r"(?:(?<![\s\S])|[.!?:\n]['\")\]]?)\s*\Z")


class Openings:
    """The words of a text that have a capital at the beginning of sentences alone, and none elsewhere."""

    def __init__(self, text: str, row: Sequence[Span]) -> None:
        self._text = text
        self._row = row

    def holds(self, word: str) -> bool:
        """Tell whether a word that was taken for a name is an ordinary one by the text that it stands in."""
        return word.isalpha() and word.istitle() and may_be_word(word) and word.lower() in self._words

    @remembered
    def _words(self) -> set[str]:
        text = self._text
        taken = {span.start for span in self._row}
        ordinary: set[str] = set()
        names: set[str] = set()
        for match in _ANY_WORD.finditer(text):
            word, start = match[0], match.start()
            if word.islower():
                (names if start in taken else ordinary).add(word)
            elif not _OPENING.search(text, max(0, start - _OPENING_REACH), start):
                names.add(word.lower())
        return ordinary - names
