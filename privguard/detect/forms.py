"""The forms under which a value is looked for besides its own: in plain letters, without accents, dialled at home."""

import unicodedata
from collections.abc import Iterator, Mapping

from privguard.core.entities import EntityType
from privguard.core.letters import APOSTROPHES, OPTIONAL_SIGNS, plain, plain_letter, replace_letters
from privguard.core.patterns import lazy_pattern
from privguard.detect.codes import without_codes, written_views
from privguard.detect.ordinary import is_common_part, is_telling
from privguard.detect.percent import decoded

MIN_LETTERS = 3
ESCAPING = lazy_pattern(rf"\\+(?=[{APOSTROPHES}])")  # in programs and queries: `O\'Brien`
_AS_WRITTEN = frozenset({EntityType.SECRET, EntityType.URL})
_YO = {"\u0451": "\u0435"}  # Cyrillic, which most write as an e
# Letters whose accent is a part of them.
_LETTERS = {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"} | _YO
_WRITTEN_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
# Arabic letters that are typed for others: with and without hamza, by a Persian keyboard.
_TYPED = {
    "\u0622": "\u0627",
    "\u0623": "\u0627",
    "\u0625": "\u0627",
    "\u0671": "\u0627",
    "\u06cc": "\u064a",
    "\u06a9": "\u0643",
}
_POINTED = lazy_pattern("[\u0590-\u05ff\u0600-\u06ff]")  # Hebrew and Arabic, whose vowels are signs that most leave out
_SIGN = lazy_pattern(f"[{OPTIONAL_SIGNS}]")
_GREEK = lazy_pattern("[\u0391-\u03c9]")  # whose accents capitals do without
# The last letter of a word in Arabic that many write as its likeness, where the word is no other one for that.
_LAST = {"\u0629": "\u0647", "\u0647": "\u0629", "\u0649": "\u064a", "\u064a": "\u0649"}
_LAST_LETTER = lazy_pattern(rf"(?<=[\u0621-\u064a]{{3}})[{''.join(_LAST)}](?![\u0621-\u064a])")
_ARTICLE, _TO_ARTICLE = "\u0627\u0644", "\u0644\u0644"  # `al-`, and how `to the` is written
# Pairs of letters of which the second stands for the first where a keyboard or an encoding has no other: commas and
# cedillas, a double accent and others, the two letters d with a stroke.
_PAIRS = "șşȘŞțţȚŢőõŐÕűûŰÛăãĂÃđðĐÐ"
_ALIKE = (
    str.maketrans(_PAIRS[::2], _PAIRS[1::2]),
    str.maketrans(_PAIRS[1::2], _PAIRS[::2]),
)
MIN_LEFT = 2  # letters and digits of a value of which others are lost
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


def is_pointed(text: str) -> bool:
    """Tell whether a text holds letters of a script whose vowels most writers leave out: Arabic, Hebrew."""
    return not text.isascii() and _POINTED.search(text) is not None


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
    written = [view.text for view in written_views(value)]
    for form in (value, decoded(value), without_codes(value), ESCAPING.sub("", value), *written):
        yield from (form, plain(form))
    if kind is EntityType.PHONE:
        yield from _national(value)
    if kind not in _AS_WRITTEN:
        for form in (value, *written):
            if not form.isascii():
                yield from _in_other_letters(unicodedata.normalize("NFC", plain(form)), kind)


def _in_other_letters(letters: str, kind: EntityType) -> Iterator[str]:
    """Yield a value without accents, with others, and as it is left where they are lost."""
    for form in (_replaced(letters, _LETTERS), _replaced(letters, _LETTERS | _WRITTEN_OUT)):
        if form != letters and _says_enough(form, kind):
            yield form
    yield from _typed_alike(letters)
    yield from _lost(letters)
    if _POINTED.search(letters):
        yield from _arabic(_replaced(letters, _LETTERS))


def _typed_alike(letters: str) -> Iterator[str]:
    """Yield a value as it is written with the likenesses of its letters that other keyboards and encodings have."""
    for forms in _ALIKE:
        form = letters.translate(forms)
        if form != letters:
            yield form


def _lost(letters: str) -> Iterator[str]:
    """Yield a value as it is left by programs that put a sign for each letter, or each byte, that they do not know."""
    left = sum(letter.isascii() and letter.isalnum() for letter in letters)
    for sign, least in (("\ufffd", MIN_LEFT), ("?", MIN_LETTERS)):
        for count in (_bytes_in, _one) if left >= least else ():
            form = "".join([letter if letter.isascii() else sign * count(letter) for letter in letters])
            # A question mark behind a word ends a question in most cases.
            if not form.endswith("?"):
                yield form


def _bytes_in(letter: str) -> int:
    return len(letter.encode("utf-8", "surrogatepass"))


def _one(_: str) -> int:
    return 1


def _arabic(letters: str) -> Iterator[str]:
    """Yield a value without signs as it is typed with likenesses of its last letters, and behind `to the`."""
    alike = _LAST_LETTER.sub(lambda match: _LAST[match[0]], letters)
    for form in (letters, alike):
        if form != letters:
            yield form
        if form.startswith(_ARTICLE) and len(form) > len(_ARTICLE) + 1:
            yield _TO_ARTICLE + form.removeprefix(_ARTICLE)


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
    """Return a letter without what a reader does without: of Latin and Greek; elsewhere accents make other letters."""
    if "\u0300" <= letter <= "\u036f" or _SIGN.match(letter):
        return ""
    if letter in _TYPED:
        return _TYPED[letter]
    bare = unicodedata.normalize("NFD", letter)[0]
    return bare if bare.isascii() or _GREEK.match(bare) else letter


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
