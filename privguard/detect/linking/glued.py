"""People by the letters of their names: `AdaRoth`, `ada_roth`, `A d a` and `aroth` are told by nothing else."""

from collections.abc import Iterator

from privguard.detect.linking.person_name import Name

_MIN_LETTERS = 4


class Letters:
    """The people of one request, by the letters of their names put together."""

    def __init__(self) -> None:
        self._numbers: dict[str, set[int]] = {}

    def note(self, number: int, name: Name) -> None:
        """Remember a person."""
        for letters in _spellings(name):
            numbers = self._numbers.setdefault(letters, set())
            if len(numbers) < 2:  # of more than one, none is told
                numbers.add(number)

    def find(self, name: Name) -> int | None:
        """Return the number of the only person whose name has these letters; of a family there is none."""
        if name.apart and name.rank != (0, 0):
            return None
        numbers = self._numbers.get(letters_of(name), ())
        return next(iter(numbers)) if len(numbers) == 1 else None


def letters_of(name: Name) -> str:
    """Return the letters of a mention, put together in the order in which they are read."""
    return "".join(filter(str.isalpha, name.identity))


def _spellings(name: Name) -> Iterator[str]:
    """Yield the whole name, either way round, its words, and initial and surname."""
    first, last = name.words[0], name.words[-1]
    letters = [letters_of(name), *name.words]
    if name.is_full:
        # A given name or a surname of two words: `Jean-Pierre` and `JeanPierre` for Jean Pierre Martin.
        letters += ("".join(name.words[:2]), "".join(name.words[-2:]))
        letters += ("".join(name.words), last + first, first + last, first[0] + last, last + first[0])
    for each in letters:
        word = "".join(filter(str.isalpha, each))
        if len(word) >= _MIN_LETTERS:
            yield word
