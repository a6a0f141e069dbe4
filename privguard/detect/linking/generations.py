"""Which one of a family is meant: senior, the younger, III. It stands behind the name, in the mention or after it."""

import re
from typing import NamedTuple

from privguard.core.patterns import lazy_pattern
from privguard.detect.found import listed

# A word may be a noun as well ("senior engineer") and, alone behind a given name, a surname; a sign is neither.
_PLAIN = {
    "sr": "senior sénior elder père padre",
    "jr": "junior júnior fils hijo figlio filho",
    "neto": "neto",
}
_SIGNS = {
    "sr": r"sr\b\.?|snr\b\.?|sen\.|the elder|d(?:er|ie|em|en|es) (?:ä|ae)lteren?|d\. ?(?:ä|ae)\.|l['\u2019]aînée?"
    r"|l['\u2019]ancien|le père|el viejo|el mayor|il vecchio|de oude(?:re)?",
    "jr": r"jr\b\.?|jnr\b\.?|jun\.|the younger|d(?:er|ie|em|en|es) j(?:ü|ue)ngeren?|d\. ?j\.|le jeune|le cadet|le fils"
    r"|el joven|el menor|el hijo|il giovane|de jonge(?:re)?",
    "ii": "(?-i:II)",
    "iii": "(?-i:III)",
    "iv": "(?-i:IV)",
}
WORDS = listed(f"{' '.join(_PLAIN.values())} younger ii iii iv jr sr jnr snr")
_WORD = "|".join(f"(?P<word_{code}>{'|'.join(words.split())})" for code, words in _PLAIN.items())
_SIGN = "|".join(f"(?P<sign_{code}>{signs})" for code, signs in _SIGNS.items())
_END = r"(?![^\W_])"
# "Juan Roth hijo de Ana" is somebody's son, "el mayor de" somebody's eldest.
_OF = r"(?!\s+(?:de|del|da|do|di|du|von|van|of)\b|\s+d['\u2019])"
# Behind a comma a word begins something else: "Ada Roth, senior at college".
_EITHER = rf"(?:\s+(?:{_WORD}|{_SIGN})|,\s*(?:{_SIGN.replace('P<sign', 'P<listed')}))"
_AFTER = lazy_pattern(rf"{_EITHER}{_END}{_OF}", re.IGNORECASE)
_WITHIN = lazy_pattern(rf"{_EITHER.replace('?-i:', '?:')}\s*$", re.IGNORECASE)
_CAPITAL = lazy_pattern(r"\s+[^\W\d_]")


class Parted(NamedTuple):
    """A name without the word of its generation, and which one that is."""

    name: str
    generation: str


def generation_after(after: str) -> str:
    """Return the generation that the text right behind a name tells, "" where it tells none."""
    match = _AFTER.match(after) if after else None
    if match is None:
        return ""
    kind, _, code = (match.lastgroup or "").partition("_")
    following = _CAPITAL.match(after, match.end())
    # "Senior Engineer", "Junior High"; "Ada Roth, Sr. Kole" names a second one.
    doubtful = (kind == "word" and match[0].strip()[0].isupper()) or (kind == "listed" and code == "sr")
    return "" if doubtful and following is not None and following[0][-1].isupper() else code


def part_generation(written: str) -> Parted:
    """Part a mention into the name and the generation at its end."""
    match = _WITHIN.search(written)
    if match is None or not (name := written[: match.start()].strip()):
        return Parted(written, "")
    kind, _, code = (match.lastgroup or "").partition("_")
    if kind == "word" and " " not in name and match[0].strip()[0].isupper():
        return Parted(written, "")  # Ada Senior has a surname
    return Parted(name, code)
