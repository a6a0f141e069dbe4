"""The grammar of what R reads: a placeholder as it was written, and the ways in which models mangle it.

It is a grammar of what is *seen* (`restore.seen`), where all brackets, underscores and letters are plain. There are two
ways to begin. In a bracket that closes (`SQUARE`), nearly everything around the id may be otherwise: the brackets tell
that a placeholder is meant. Outside of one (`ANCHOR`), the type and its underscore must stand, since everything else
may be an identifier. `restore.unfinished` knows what at the end of a chunk may still become one.
"""

import re

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import ALPHABET, MAX_HINT, MAX_ID, MIN_ID

# Code points of the text from the first one of a form to the last one that decides it. No form is longer: it bounds
# what a stream holds back.
MAX_FORM = 400
WORD = "0-9A-Za-z_"  # what an identifier is made of

MAX_ESCAPES = 8  # a markdown escape inside JSON, three levels deep
WHITE = " \t\u00a0\u2000-\u200a\u202f\u205f\u3000"
_SPACE = rf"(?:[{WHITE}\r\n]|\\{{1,8}}[nrt])"
SPACES = f"{_SPACE}{{0,4}}"
# A line break with what stands at the ends of lines: a table's rule, the marks of quotes, comments and lists.
_BREAK = r"(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n|<br ?/?>)"
_NEXT_LINE = rf"[{WHITE}]{{0,4}}\|?[{WHITE}]{{0,4}}{_BREAK}[{WHITE}]{{0,16}}(?:(?:[>|*#+-]|//)[{WHITE}]{{0,4}}){{0,3}}"
_GAP = f"(?:{SPACES}|{_NEXT_LINE})"
ESCAPES = rf"\\{{0,{MAX_ESCAPES}}}"
_UNDERSCORE = rf"{ESCAPES}_"
DASHES = "\\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_MARKS = r"(\*{0,3})"  # emphasis
APOSTROPHES = "'\u2019\u02bc\u2018\u00b4"

# Letters and vowel signs of any script; signs, digits and emoji are none.
LETTERS = (
    "A-Za-z\u00aa\u00b5\u00ba\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3040-\ud7ff\uf900-\ufdff\ufe70-\ufefc"
    "\U00010000-\U0001cfff\U00020000-\U0003ffff"
)
_CODE = r"\\{1,8}u(?!00[0-7])[0-9a-fA-F]{4}"  # a letter in JSON
LETTER = f"(?:[{LETTERS}]|{_CODE})"
_WORDS = rf"{LETTER}{{1,24}}(?:(?:[ -]|{_UNDERSCORE}){LETTER}{{1,24}}){{0,2}}"
# An id, which has a digit, and the s of a plural behind it.
_ID = rf"(?=[A-Za-z]*[0-9])([0-9A-Za-z]{{{MIN_ID},{MAX_ID + 1}}})(?![{WORD}])"
# Behind a hyphen or a colon, where a word of the model's own may stand as well: Hungarian, Finnish, Swedish.
_ENDINGS = (
    "nak|nek|val|vel|ban|ben|ból|ből|tól|től|hoz|hez|höz|nál|nél|ról|ről|ra|re|ba|be|ért|ig|ként|ot|et|öt|at|"
    "tta|ttä|ssa|ssä|sta|stä|lla|llä|lta|ltä|lle|ksi|een|hin|ta|tä|na|nä|en|in|a|ä|é|s|n|t|k"
)
_ENDING = rf"((?:[{APOSTROPHES}]{LETTER}{{0,8}}|-?(?=[^\x00-\x7f]|\\){LETTER}{{1,8}}|[:-](?:{_ENDINGS}))?)"
_HINT = rf"([^\[\]\r\n]{{0,{MAX_HINT + 2}}}?)"


def _type_name(kind: EntityType, between: str) -> str:
    # A plain first letter lets the engine skip a type at the cost of a look.
    first, *others = kind.value.split("_")
    return f"[{first[0]}{first[0].lower()}](?ai:{first[1:]})" + "".join(f"{between}(?ai:{word})" for word in others)


def _types(between: str) -> str:
    return "|".join(_type_name(kind, between) for kind in sorted(EntityType, key=lambda kind: -len(kind.value)))


_TYPES = _types(f"{SPACES}{_UNDERSCORE}{SPACES}")
_LOOSE_TYPES = _types(f"{SPACES}(?:{_UNDERSCORE}|[{DASHES}])?{SPACES}")
_OWN = rf"({_LOOSE_TYPES}){_GAP}(?:(?:{_UNDERSCORE}){{1,2}}|[{DASHES}:])?{_GAP}"
# Where nothing separates them, the script does: the letter before the id is none of ASCII.
_OTHER = rf"({_WORDS}){_GAP}(?:(?:{_UNDERSCORE}){{1,2}}|[{DASHES}])?{_GAP}(?:(?<![0-9A-Za-z])|(?<=\\u[0-9a-fA-F]{{4}}))"
# A bracket that may be a placeholder's: as we write it (1), or with a digit in it. That is soon looked for.
SQUARE = lazy_pattern(
    rf"\[(?:([A-Z]+(?:_[A-Z]+)?_[{ALPHABET}]{{{MIN_ID},{MAX_ID}}})\]"
    rf"|(?=[^\[\]0-9]{{1,{MAX_FORM}}}[0-9][^\[\]]{{0,{MAX_FORM}}}\]))"
)
# What stands in a bracket up to the id. 1: emphasis, 2: one of our types, or 3: another word, 4: id.
BEGUN = lazy_pattern(rf"\[{SPACES}{_MARKS}(?:{_OWN}|{_OTHER}){_ID}")
# What stands behind the id. 1: an ending, 2: emphasis, 3: hint, 4: the closing bracket.
ENDED = lazy_pattern(rf"{_ENDING}{_MARKS}{_GAP}(?:[:\uff1a]{_HINT})?({ESCAPES}\])")

# With the underscore as its literal first letter the search runs at the speed of memchr, some 20 times faster.
ANCHOR = lazy_pattern(rf"_{SPACES}{_ID}")
# A name does not go on here: behind no letter of one, or behind the code of something else.
BOUNDARY = rf"(?:(?<![{WORD}])|(?<=\\[nrt])|(?<=\\u(?!00[3-7])[0-9a-fA-F]{{4}}))"
LEFT = lazy_pattern(rf"(?:(\[){SPACES}|{BOUNDARY})({_TYPES}){SPACES}{ESCAPES}\Z")
SPACED = lazy_pattern(_SPACE)
LEFT_WINDOW = 160  # code points: longer than what `LEFT` matches
# Behind an id in a bracket that closes nowhere near: the bracket is a list's, not the placeholder's.
LISTED = lazy_pattern(rf"[{WHITE}]{{0,4}}[,;:|/&\uff0c\uff1b\uff1a\u3001]")
LONE_CLOSE = lazy_pattern(rf"{ESCAPES}\]")
ESCAPED = lazy_pattern(r"\\[_\[\]*]")

# More of an id, cut off by a space: it is never read in part.
PIECE = lazy_pattern(rf"[\s{DASHES}]{{1,4}}([0-9A-Za-z]{{1,{MAX_ID}}})(?![{WORD}])")

# A pair around a bare placeholder in which templates and tags are written; behind these letters it is code.
BRACES_LEFT = lazy_pattern(r"(?<![0-9A-Za-z_\\$#%@)\]}=.&])(?<!= )(?<!\) )(?<!=> )(\{{1,3})" + SPACES + r"\Z")
BRACES_RIGHT = lazy_pattern(SPACES + r"(\}{1,3})")
LONGEST_PAIR = 48  # code points on either side
ANGLE_LEFT = lazy_pattern(r"(?<![0-9A-Za-z_\\<)\]])<")

# A link whose text is the placeholder has its brackets: where else would they be?
_DESTINATIONS = ("http:", "https:", "<http:", "<https:", "mailto:", "tel:", "www.", "[url_")
LINK = lazy_pattern(rf"(?i:\((?:{'|'.join(map(re.escape, _DESTINATIONS))}))")
BEFORE_LINK = lazy_pattern(
    rf"\[[A-Z]+(?:_[A-Z]+)?_([{ALPHABET}]{{{MIN_ID},{MAX_ID}}})(?:: [^\[\]]{{1,{MAX_HINT}}})?\](?={LINK.pattern})"
)
LINK_STARTS = frozenset(f"({each}"[:length] for each in _DESTINATIONS for length in range(len(each) + 1))
LONGEST_LINK = 1 + max(map(len, _DESTINATIONS))

_INDEX = lazy_pattern(r"[0-9A-Za-z_)]\[")
_UNICODE = lazy_pattern(r"\\{1,8}u([0-9a-fA-F]{4})")
_BETWEEN_WORDS = lazy_pattern(rf"[\s_{DASHES}]+")
_CLOSING = lazy_pattern(r"[\[\]\r\n]")
_FAR = MAX_HINT + 4


def closes(text: str, start: int) -> tuple[int, int]:
    """Look for the bracket that closes one which is open at `start`, in the same line and not far behind.

    Returns:
        Where it stands, -1 where there is none; and up to where the text decides that: its length where more of it
        may decide otherwise.
    """
    depth = 0
    for mark in _CLOSING.finditer(text, start, start + _FAR):
        if mark[0] == "]" and depth == 0:
            return mark.start(), mark.end()
        if mark[0] in "\r\n":
            return -1, mark.end()
        depth += 1 if mark[0] == "[" else -1
    return -1, min(start + _FAR, len(text))


def is_indexed(text: str, start: int) -> bool:
    """Tell whether a bracket stands directly behind a name: `rows[…]`."""
    return start > 0 and _INDEX.match(text, start - 1) is not None


def is_longer_id(text: str, end: int) -> bool:
    """Tell whether a capital or a digit of another script goes on behind an id: it may be a look-alike's part."""
    letter = text[end : end + 1]
    code = _UNICODE.match(text, end) if letter == "\\" else None
    letter = chr(int(code[1], 16)) if code else letter
    return not letter.isascii() and (letter.isupper() or letter.isdecimal())


_NOT_LETTERS = lazy_pattern(r"[^A-Za-z]+")
_KIND_BY_LETTERS = {kind.value.replace("_", ""): kind for kind in EntityType}
_ANY_TYPE = lazy_pattern(f"(?=({_types(f'[ {DASHES}_]?')}))")
_MIN_GLUED = 4  # letters of a type that is known behind a letter of the same case: `image` holds no age
# Alphabets whose letters look alike. Words of other scripts have Latin letters among their own: `ID番号`.
_LATIN = lazy_pattern("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_ALPHABETS = (_LATIN, lazy_pattern("[\u0370-\u03ff\u1f00-\u1fff]"), lazy_pattern("[\u0400-\u052f\u1c80-\u1c8f]"))


def kind_of(type_name: str) -> EntityType | None:
    """Return the type that a tolerantly written type name names, in the plural as well; None where it names none."""
    letters = _NOT_LETTERS.sub("", re.sub(r"\\+[nrt]", "", type_name)).upper()
    return _KIND_BY_LETTERS.get(letters) or _KIND_BY_LETTERS.get(letters.removesuffix("S"))


def names_type(words: str) -> bool:
    """Tell whether one of our type names is among the words: then they are a name of somebody's own.

    By itself (`MY_PERSON`), at a change of letter case (`xPERSON`, `PersonId`), or behind a single letter (`XPERSON`).
    Elsewhere in a word it is the word of another language: `PERSONNE`, `Kontaktperson`.
    """
    shown = _decoded(words)
    return any(
        _begins_apart(shown, *hit.span(1)) and _ends_apart(shown, hit.end(1)) for hit in _ANY_TYPE.finditer(shown)
    )


def mixes_alphabets(words: str) -> bool:
    """Tell whether one of the words has letters of several alphabets that look alike: it is none of any language."""
    if words.isascii() and "\\" not in words:
        return False
    return any(
        sum(alphabet.search(word) is not None for alphabet in _ALPHABETS) > 1
        for word in _BETWEEN_WORDS.split(_decoded(words))
    )


def _decoded(words: str) -> str:
    """Return words without the codes and the backslashes of JSON."""
    return _UNICODE.sub(lambda code: chr(int(code[1], 16)), words).replace("\\", "")


def _begins_apart(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start]
    if not _goes_on(before) or (before.islower() and text[start].isupper()):
        return True
    return end - start >= _MIN_GLUED and not _goes_on(text[start - 2 : start - 1])


def _ends_apart(text: str, end: int) -> bool:
    behind = text[end : end + 1]
    return not _goes_on(behind) or behind.isupper() is not text[end - 1].isupper()


def _goes_on(letter: str) -> bool:
    return letter.isascii() and letter.isalpha()
