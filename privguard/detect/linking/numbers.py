"""Link the notations of one number: a telephone number with its country code and as it is dialled at home."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import Form
from privguard.detect.linking.surfaces import Surface

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

MIN_DIALLED = 7  # digits of a number that may be dialled without its country code
MIN_DIGITS = 7  # of a reference that is known without the signs between its parts; fewer where it has a letter
_MIN_MIXED = 3  # digits of one that has
_INTERNATIONAL = lazy_pattern(r"\+\d+")
_MAY_HAVE_TRUNK = lazy_pattern(r"\+\d{1,3}0")
_PARTS = lazy_pattern(r"[^\W_]+")


class NumberForms:
    """The numbers of one type in one request.

    A number may be written with less than it has: without country code, without signs. Such a writing is the number
    that has all of it, where there is but one. Cost: linear in the number of different mentions.
    """

    def __init__(self, kind: EntityType, normal: Callable[[str], str]) -> None:
        """Take the type, and what makes one text of all writings that say the same."""
        self._is_dialled = kind is EntityType.PHONE
        self._normal = normal
        self._known: dict[str, str] = {}
        self._short: dict[str, frozenset[str]] = {}  # of a full writing: those that say less
        self._waiting: list[str] = []  # the full ones of which these are not worked out, while nobody writes less
        self._is_waiting = True
        self._numbers: dict[str, int] = {}
        self._count = 0
        self._full: dict[int, str] = {}  # the full writing of a number
        self._claims: dict[str, set[str]] = {}  # by short writing: the full ones that it may stand for

    def link(self, batch: Sequence[Surface]) -> tuple[int, ...]:
        """Return the number of the entity that each mention is of, counted from 0 in order of discovery."""
        written = [self.identity_of(surface) for surface in batch]
        fresh = [each for each in dict.fromkeys(written) if each not in self._numbers]
        full = [each for each in fresh if self._is_full(each)]
        self._waiting += full
        if len(full) < len(fresh) or not self._is_waiting:
            self._claim()
        for each in full:
            self._place(each, self._alone(each))
        for each in fresh:
            if each not in self._numbers:
                claims = self._claims.get(each, ())
                self._place(each, self._numbers[next(iter(claims))] if len(claims) == 1 else None)
        return tuple([self._numbers[each] for each in written])

    def identity_of(self, surface: Surface) -> str:
        """Return what the id of a number first known by this mention is derived from."""
        normal = self._known.get(surface.text)
        if normal is None:
            normal = self._normal(surface.text)
            self._known[surface.text] = normal = _with_code(normal) if self._is_dialled else normal
        return normal

    def fullness(self, surface: Surface) -> tuple[bool, ...]:
        """Return whether a mention is a full writing; of equals the first one is as good as any."""
        return (self._is_full(self.identity_of(surface)),)

    def form_of(self, surface: Surface, plain: Surface) -> Form:  # noqa: ARG002 - one form for all
        """Return how a mention differs from the one that the plain placeholder stands for."""
        return Form.SPELLING

    def _is_full(self, normal: str) -> bool:
        return _INTERNATIONAL.fullmatch(normal) is not None if self._is_dialled else _joined(normal) not in {"", normal}

    def _claim(self) -> None:
        """Work out what the full writings may be written as."""
        self._is_waiting = False
        for each in self._waiting:
            short = frozenset(_dialled(each)) if self._is_dialled else frozenset({_joined(each)})
            self._short[each] = short - {each}
            for less in self._short[each]:
                self._claims.setdefault(less, set()).add(each)
        self._waiting.clear()

    def _alone(self, full: str) -> int | None:
        """Return the number of a short writing that was mentioned before and can be this full one alone."""
        found = {
            number
            for short in self._short.get(full, ())
            if (number := self._numbers.get(short)) is not None
            and number not in self._full
            and len(self._claims[short]) == 1
        }
        return found.pop() if len(found) == 1 else None

    def _place(self, normal: str, number: int | None) -> None:
        if number is None:
            number, self._count = self._count, self._count + 1
        self._numbers[normal] = number
        if self._is_full(normal):
            self._full[number] = normal


def _with_code(normal: str) -> str:
    """Return an international number without the digit that is dialled before it at home: +49 0170 is +49 170."""
    if not _MAY_HAVE_TRUNK.match(normal):
        return normal
    from phonenumbers import PhoneNumberFormat, format_number

    number = _international(normal)
    return format_number(number, PhoneNumberFormat.E164) if number is not None else normal


def _dialled(normal: str) -> Iterator[str]:
    """Yield how an international number is dialled at home, and how it is written without its plus."""
    from phonenumbers import PhoneNumberFormat, format_number

    number = _international(normal)
    if number is None:
        return
    yield normal[1:]
    national = format_number(number, PhoneNumberFormat.NATIONAL)
    for digits in ("".join(filter(str.isdecimal, national)), str(number.national_number)):
        if len(digits) >= MIN_DIALLED:
            yield digits


def _international(normal: str) -> "PhoneNumber | None":
    from phonenumbers import NumberParseException, parse

    try:
        return parse(normal) if _INTERNATIONAL.fullmatch(normal) else None
    except NumberParseException:
        return None


def _joined(normal: str) -> str:
    """Return a reference without the signs between its parts, "" where that would say too little."""
    joined = "".join(_PARTS.findall(normal))
    digits = sum(map(str.isdecimal, joined))
    return joined if digits >= (MIN_DIGITS if joined.isdecimal() else _MIN_MIXED) else ""
