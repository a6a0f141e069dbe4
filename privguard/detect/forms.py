"""The forms under which a value is looked for besides its own: in plain letters, without accents, dialled at home."""

import unicodedata
from collections.abc import Iterator, Mapping

from privguard.core.entities import EntityType
from privguard.core.letters import plain, plain_letter, replace_letters
from privguard.detect.ordinary import is_common_part, is_telling
from privguard.detect.percent import decoded

MIN_LETTERS = 3
_AS_WRITTEN = frozenset({EntityType.SECRET, EntityType.URL})
# Letters whose accent is a part of them.
_LETTERS = {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
_WRITTEN_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
_HAS_TWO_FORMS = frozenset("".join(_WRITTEN_OUT) + "".join(_WRITTEN_OUT).upper())


def forms_of(value: str, kind: EntityType) -> tuple[str, ...]:
    """Return what a value of a type is looked for as, the value itself first."""
    return tuple(dict.fromkeys((value, *_others(value, kind))))


def shown_forms(text: str) -> tuple[str, ...]:
    """Return a text as it is written, in plain letters and without accents, as far as these differ."""
    if text.isascii():
        return (text,)
    return tuple(
        dict.fromkeys((text, plain(text), *(replace_letters(text, each) for each in letters_without_accents(text))))
    )


def letters_without_accents(text: str) -> Iterator[Mapping[str, str]]:
    """Yield what the letters of a text are written as without accents, and what with `ae` for `ä` as well."""
    if text.isascii():
        return
    for forms in (_LETTERS, _LETTERS | _WRITTEN_OUT):
        known = {letter: _replaced(plain_letter(letter), forms) for letter in set(text) if not letter.isascii()}
        changed = {letter: form for letter, form in known.items() if form != letter and not letter.isspace()}
        if changed:
            yield changed
        if not known.keys() & _HAS_TWO_FORMS:
            return


def _others(value: str, kind: EntityType) -> Iterator[str]:
    for form in (value, decoded(value)):
        yield from (form, plain(form))
    if kind is EntityType.PHONE:
        yield from _national(value)
    if kind not in _AS_WRITTEN and not value.isascii():
        letters = unicodedata.normalize("NFC", plain(value))
        for form in (_replaced(letters, _LETTERS), _replaced(letters, _LETTERS | _WRITTEN_OUT)):
            if form != letters and _says_enough(form, kind):
                yield form


def _replaced(text: str, forms: dict[str, str]) -> str:
    """Put its form in the place of each letter in either case, and take the accents off the others."""
    pieces = []
    for letter in text:
        lower = letter.lower()
        form = forms.get(lower)
        if form is None:
            form = letter if letter.isascii() else _bare(letter)
        elif lower != letter:
            form = form.capitalize()
        pieces.append(form)
    return "".join(pieces)


def _bare(letter: str) -> str:
    """Return a Latin letter without its accents; those of other scripts are letters of their own."""
    if "\u0300" <= letter <= "\u036f":
        return ""
    bare = unicodedata.normalize("NFD", letter)[0]
    return bare if bare.isascii() else letter


def _says_enough(form: str, kind: EntityType) -> bool:
    """Tell whether a form without accents is still a mention rather than another word."""
    if len(form) < MIN_LETTERS or is_common_part(form):
        return False
    return not (form.isalpha() and form.islower()) or is_telling(form, kind)


def _national(value: str) -> Iterator[str]:
    """Yield an international number as it is dialled within its country, and with the trunk digit behind the code."""
    from phonenumbers import NumberParseException, PhoneNumberFormat, format_number, parse

    if not value.startswith(("+", "00")):
        return
    try:
        number = parse(f"+{value.removeprefix('+').removeprefix('00')}")
    except NumberParseException:
        return
    national = format_number(number, PhoneNumberFormat.NATIONAL)
    yield national
    if national.lstrip("(").startswith("0"):
        yield f"+{number.country_code} {national}"
