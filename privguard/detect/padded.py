"""Find a value of Chinese, Japanese or Korean letters again with other white space in it or none: `山田 太郎`.

Between surname and given name some write a space, others none or a dot, and forms pad short names to the width of
longer ones. These scripts know no words to stop at (Korean does on the left), so the shorter the value, the more has
to speak for it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.detect.linking.east_asian import COMPOUND_SURNAMES, HONORIFIC
from privguard.detect.mapped import Mapped

MIN_LETTERS = 2
MIN_LOOSE = 3  # letters of a value that may have white space anywhere
MIN_WORDS = 4  # letters of a value in Hangul that may
_AS_WRITTEN = frozenset({EntityType.SECRET, EntityType.URL})
_HANGUL = "\uac00-\ud7a3"
_WIDE = f"\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uf900-\ufaff{_HANGUL}\U00020000-\U0003ffff"
_DOTS = "\u00b7\u2022\u2027\u30fb\uff0e\uff1d\uff65"  # between the words of a foreign name
_LETTER = lazy_pattern(f"[{_WIDE}]")
_IS_HANGUL = lazy_pattern(f"[{_HANGUL}]")
_GAP = lazy_pattern(rf"(?<=[{_WIDE}])(?:[{_DOTS}]|[^\S\r\n]{{1,4}}|[^\S\r\n]?\r?\n[^\S\r\n]?)(?=[{_WIDE}])")
# What is written right behind a Korean name as one word with it.
_PARTICLE = lazy_pattern(
    f"(?:은|는|이|가|을|를|와|과|의|도|만|께|에게|한테|께서|이다|입니다|라고|이라고|랑|이랑)(?![{_HANGUL}])"
)


class _Value(NamedTuple):
    """What is looked for."""

    letters: str
    number: int
    kind: EntityType


class PaddedBook:
    """A fixed set of values to look for. What is found of one does not depend on the others."""

    def __init__(self, values: Sequence[tuple[str, EntityType]]) -> None:
        """Take in the values of these scripts; the others are left out."""
        self._values: list[_Value] = []
        for number, (value, kind) in enumerate(values):
            letters = "" if value.isascii() or kind in _AS_WRITTEN else _GAP.sub("", value.strip())
            if len(letters) >= MIN_LETTERS and all(map(_LETTER.match, letters)):
                self._values.append(_Value(letters, number, kind))

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield `(start, end, number of the value)` for each mention. Cost: linear in the text, for each value."""
        if not self._values or text.isascii() or not _LETTER.search(text):
            return
        gaps = [place for gap in _GAP.finditer(text) for place in range(*gap.span())]
        tight = Mapped.of(text, [(place, "") for place in gaps]) if gaps else Mapped(text)
        for value in self._values:
            at = tight.text.find(value.letters)
            while at >= 0:
                start, end = tight.back_from(at, at + len(value.letters))
                if end - start == len(value.letters) or _may_be(value, text, start, end):
                    yield start, end, value.number
                at = tight.text.find(value.letters, at + 1)


def _may_be(value: _Value, text: str, start: int, end: int) -> bool:
    """Tell whether letters with white space among them are a mention."""
    pieces = tuple(map(len, _GAP.split(text[start:end])))
    korean = _IS_HANGUL.match(value.letters) is not None
    before = text[start - 1 : start]
    if korean and _IS_HANGUL.match(before):
        return False
    if len(value.letters) < MIN_LOOSE:
        return not _LETTER.match(before) and _ends_name(text, end)
    if not korean or len(pieces) == len(value.letters) or len(value.letters) >= MIN_WORDS:
        return True
    return pieces[0] == (2 if value.letters[:2] in COMPOUND_SURNAMES else 1)


def _ends_name(text: str, end: int) -> bool:
    """Tell whether a name may end here: nothing follows that could make it another word."""
    return not _LETTER.match(text, end) or any(each.match(text, end) for each in (HONORIFIC, _PARTICLE))
