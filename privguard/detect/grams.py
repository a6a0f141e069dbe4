"""Which of many values may stand in a text: at a cost that hangs on the text, not on the number of the values."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

_LENGTH = 4  # code points of a gram; shorter values are their own


class GramIndex:
    """A fixed set of values, each by the part of it that the fewest others hold.

    Of many values that begin alike, or end alike, hardly one is looked at for nothing.
    """

    def __init__(self, values: Sequence[Iterable[str]]) -> None:
        """Index the values.

        Args:
            values: the forms of each; a value stands in a text if one of them does.
        """
        forms = [tuple(dict.fromkeys(each)) for each in values]
        counts = Counter(gram for each in forms for form in each for gram in set(_grams(form, _LENGTH)))
        self._numbers: dict[str, list[int]] = {}
        for number, each in enumerate(forms):
            for form in each:
                rarest = min(_grams(form, _LENGTH), key=counts.__getitem__)
                self._numbers.setdefault(rarest, []).append(number)
        self._lengths = frozenset(map(len, self._numbers))

    def possible(self, texts: Iterable[str]) -> list[int]:
        """Return, in ascending order, the numbers of the values that may stand in one of the texts: no other does."""
        held = {gram for text in texts for length in self._lengths for gram in _grams(text, length)}
        return sorted({number for gram in held & self._numbers.keys() for number in self._numbers[gram]})


def _grams(text: str, length: int) -> Iterator[str]:
    """Yield the parts of a text that have a length, the text itself where it is shorter."""
    return (text[at : at + length] for at in range(max(1, len(text) - length + 1)))
