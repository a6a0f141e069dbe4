"""The normal form of a value, which its identity is derived from.

Two ways of writing one value should share a normal form; two values must never, since a reply would then get the
wrong one back. Where both cannot be had, the forms stay apart.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address

from privguard.core.entities import EntityType
from privguard.core.letters import INVISIBLE, plain, straight
from privguard.core.patterns import lazy_pattern
from privguard.replacements.ladders.ages import exact_age
from privguard.replacements.ladders.amounts import exact_amount
from privguard.replacements.ladders.date_readings import exact_date

_QUOTES = "\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u00ab\u00bb"
# Not `+ - # % & *`: they tell C from C++, and one blood group from the other.
_SURROUNDING = f"{_QUOTES}()[]{{}}<>,;:.!?…¡¿ "
_POSSESSIVE = lazy_pattern(r"'s$")
_NO_DIAL = lazy_pattern(r"[^0-9A-Z+]")
_NATIONAL_ZERO = lazy_pattern(r"(?<=\d)[\s.-]*\(0\)")
_UNSEEN = lazy_pattern(f"[{INVISIBLE}]+")
_GAP = r"\s.\-\u2010-\u2015\u2212"
_GROUPING = lazy_pattern(f"[{_GAP}]+")
_NUMBER_GROUPING = lazy_pattern(f"[{_GAP}/_\u00b7\u2022]+")
_HARDWARE_ADDRESS = lazy_pattern(r"[0-9A-F]{2}([:-])(?:[0-9A-F]{2}\1){4}[0-9A-F]{2}|(?:[0-9A-F]{4}\.){2}[0-9A-F]{4}")
_URL = lazy_pattern(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*:)(?://(?P<user>[^/?#@]*@)?(?P<host>[^/?#]*))?(?P<rest>.*)", re.DOTALL
)

_NUMBERS = (EntityType.FIN_ACCOUNT, EntityType.GOV_ID)
MEASURED = frozenset({EntityType.DATE, EntityType.AGE, EntityType.FINANCE, EntityType.MISC})
_LONGEST_MEASURE = 64  # code points; what is longer is a sentence


def normal_form(kind: EntityType, value: str) -> str:
    """Return the type-normalised value. Idempotent, and never empty unless the value is.

    Args:
        kind: the type; values of different types never share an identity.
        value: the value as it is written.
    """
    if kind is EntityType.SECRET:
        return value
    step = _step(kind)
    # Folding twice may differ from folding once in a few scripts; nothing here ever grows, so this ends.
    while (folded := step(value)) != value:
        value = folded
    return value


def _step(kind: EntityType) -> Callable[[str], str]:
    if kind in _NUMBERS:
        return _grouped("", _NUMBER_GROUPING)
    if kind in MEASURED:
        return partial(_measured, kind)
    return _BY_KIND.get(kind, _named)


def _fold(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", straight(plain(value))).casefold().split())


def _named(value: str) -> str:
    """Fold a name; drop the possessive and the punctuation around it."""
    folded = _fold(value)
    return _POSSESSIVE.sub("", folded.strip(_SURROUNDING)).strip(_SURROUNDING) or folded or value


def _measured(kind: EntityType, value: str) -> str:
    """Write what has several notations in one of them: 34 years old, aged thirty-four, 34."""
    seen = value if value.isascii() else _UNSEEN.sub("", value)
    if len(seen) <= _LONGEST_MEASURE and (exact := _exact(kind, seen)):
        return exact
    # No compatibility forms: 10² is not 102.
    return " ".join(unicodedata.normalize("NFC", seen).casefold().split()) or value


def _exact(kind: EntityType, value: str) -> str:
    match kind:
        case EntityType.AGE:
            return exact_age(value)
        case EntityType.DATE:
            return exact_date(value)
        case _:
            return exact_amount(value, money=kind is EntityType.FINANCE)


def _email(value: str) -> str:
    return _fold(value) or value


def _phone(value: str) -> str:
    """Keep digits, a leading plus, and letters, since 555-CALL and 555-HELP are two numbers."""
    written = _NATIONAL_ZERO.sub("", unicodedata.normalize("NFKC", plain(value))) if "+" in value else value
    upper = unicodedata.normalize("NFKC", written).upper()
    digits = "".join(str(unicodedata.decimal(letter, letter)) for letter in upper)
    dialled = _NO_DIAL.sub("", digits)
    plus = "+" if dialled.startswith("+") else ""
    dialled = dialled.replace("+", "")
    if not plus and dialled.startswith("00") and len(dialled) > 2:
        plus, dialled = "+", dialled[2:]
    return plus + dialled if dialled else _email(value)


def _grouped(joint: str, gap: re.Pattern[str] = _GROUPING) -> Callable[[str], str]:
    """Write an identifier in capitals, with `joint` in the place of what stands between its groups."""

    def step(value: str) -> str:
        upper = unicodedata.normalize("NFKC", plain(value)).upper()
        return gap.sub(joint, upper).strip("-") or _fold(value) or value

    return step


def _device(value: str) -> str:
    """Keep the separators of an address, which carry meaning: 1.23.4.5 is not 12.3.4.5."""
    upper = " ".join(unicodedata.normalize("NFKC", plain(value)).upper().split())
    if _HARDWARE_ADDRESS.fullmatch(upper):
        return re.sub(r"[:.\-]", "", upper)
    try:
        return ip_address(upper).compressed.upper()
    except ValueError:
        return upper or value


def _url(value: str) -> str:
    """Lower the scheme and the host; the rest of a link depends on case."""
    stripped = value.strip()
    match = _URL.fullmatch(stripped)
    if match is None:
        host, mark, rest = _host_first(stripped)
        return host.lower() + mark + rest or value
    scheme, user, host, rest = (match[group] or "" for group in ("scheme", "user", "host", "rest"))
    slashes = "//" if match["host"] is not None else ""
    return scheme.lower() + slashes + user + host.lower() + rest


def _host_first(link: str) -> tuple[str, str, str]:
    cut = min((at for at in map(link.find, "/?#") if at >= 0), default=len(link))
    return link[:cut], link[cut : cut + 1], link[cut + 1 :]


_BY_KIND: dict[EntityType, Callable[[str], str]] = {
    EntityType.EMAIL: _email,
    EntityType.PHONE: _phone,
    EntityType.RECORD_ID: _grouped("-", _NUMBER_GROUPING),
    EntityType.DEVICE_ID: _device,
    EntityType.URL: _url,
}
