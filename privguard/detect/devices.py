"""IP and MAC addresses, vehicles, handsets, serial numbers."""

import re
from collections.abc import Iterator
from ipaddress import ip_address

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import luhn, near, take, words
from privguard.detect.prepared import Leads, Prepared, match_at

_IPV4 = lazy_pattern(r"(?<![\w.-])(?P<v>(?:\d{1,3}\.){3}\d{1,3})(?:/\d{1,2})?(?![\w-]|\.\d)")
_IPV6 = lazy_pattern(r"(?<![\w:.])[0-9A-Fa-f:]{3,39}(?:\d{1,3}(?:\.\d{1,3}){3})?(?:%\w{1,15})?(?:/\d{1,3})?(?![\w:])")
_VERSION = lazy_pattern(
    r"(?:version|release|build|firmware|v|ver\.?|update|==|>=|<=|~=|chrome/|safari/)\s?$", re.IGNORECASE
)
_COLONS = lazy_pattern(r":[0-9A-Fa-f]{0,4}:")  # neighbours within an address
_HEX = "0123456789abcdefABCDEF:"
_LONGEST_IPV6 = 42
_MAC_MIDDLE = lazy_pattern(r"[:.-](?:(?<=[:-])[0-9A-Fa-f]{2}[:-][0-9A-Fa-f]{2}[:-]|(?<=\.)[0-9A-Fa-f]{4}\.)")
_MAC = lazy_pattern(
    r"(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}|"
    r"[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2})(?![\w:-])"
)
_VIN = lazy_pattern(r"(?<![\w-])(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-HJ-NPR-Z0-9]{17}(?![\w-])")
_VIN_WORD = lazy_pattern(
    words("vin chassis fin fahrgestellnummer fahrzeug_identnummer châssis bastidor telaio vehicle car frame_number"),
    re.IGNORECASE,
)
_VIN_VALUES = dict(
    zip("0123456789ABCDEFGHJKLMNPRSTUVWXYZ", [*range(10), *range(1, 9), *range(1, 6), 7, 9, *range(2, 10)], strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_IMEI = lazy_pattern(
    r"(?<![\w.-])(?:\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d{1,2}|\d{2}([._/])\d{6}\1\d{6}\1\d{1,2}"
    r"|\d{6}([ ._/-])\d{2}\2\d{6}\2\d{1,2})(?![\w-]|\.\d)"
)
_IMEI_STARTS = frozenset({2, 6, 8, 14, 15, 16})  # digits before the first separator
_IMEI_WORD = lazy_pattern(words("imei imeis handset meid"), re.IGNORECASE)
_SERIAL_LEADS = Leads(
    "serial serialno serialnumber serialnum s seriennummer device_id geräte-id geräteid imsi iccid udid idfa gaid "
    "android_id chassis host hostname numéro número"
)
_SERIAL = lazy_pattern(
    r"(?<!\w)(?:serial(?: ?(?:no|number|num))?|s/n|seriennummer|device[ _-]?id|geräte-?id|imsi|iccid|udid|idfa|gaid|"
    r"android[ _]id|chassis(?: no)?|host(?:name)?|numéro de série|número de serie)\b[\"']?\.?\s{0,2}(?:[:=#]|is|"
    r"ist)?\s{0,2}[\"']?"
    r"(?P<v>(?=[\w.-]*\d)[A-Za-z0-9](?:[A-Za-z0-9]|[-._](?=[A-Za-z0-9])){4,40})",
    re.IGNORECASE,
)
_PLATE_WORD = (
    r"(?:(?:licen[cs]e |number )?plates?|rego?|reg\.?(?: no\.?| number)?|registration(?: mark| number| no\.?)?|"
    r"(?:kfz-?)?kennzeichen|immatricul\w{1,4}|plaque|matr[ií]cula|targa|kenteken|placa|rejestrac\w{1,4}|"
    r"numer rejestracyjny|regnr|plaka(?:s\u0131)?|госномер)"
)
_PLATE_LEADS = Leads(
    "licence license number plate plates reg rego registration kfz kfzkennzeichen kennzeichen plaque matricula "
    "matrícula targa kenteken placa numer regnr plaka plakasi госномер",
    stems=("immatricul", "rejestrac"),
)
_PLATE = lazy_pattern(
    rf"(?<!\w)(?i:{_PLATE_WORD})(?!\w)[\"']?\s{{0,2}}(?:[:=#]|(?i:is|was|ist|est|nr\.?|no\.?|number|"
    rf"lautet))?\s{{0,2}}[\"'(]?"
    r"(?P<v>(?=[A-ZÄÖÜ0-9 -]{0,11}\d)(?=[A-ZÄÖÜ0-9 -]{0,11}[A-ZÄÖÜ])[A-ZÄÖÜ0-9]{1,8}(?:[ "
    r"-][A-ZÄÖÜ0-9]{1,5}){0,3})(?!\w)"
)
_GB_PLATE = lazy_pattern(r"(?<![\w-])[A-HJ-PR-Y]{2}(?:0[1-9]|[1-7]\d) [A-HJ-PR-Z]{3}(?![\w-])")


def find_devices(view: Prepared) -> Iterator[Span]:
    """Find addresses and numbers of machines, vehicles and handsets."""
    text = view.text
    if view.numbers:
        yield from _addresses(view)
        yield from _vehicles(view)
        for match in match_at(_IMEI, text, (start for start, end in view.numbers if end - start in _IMEI_STARTS)):
            digits = "".join(filter(str.isdecimal, match.group()))
            named = near(text, *match.span(), _IMEI_WORD, before=40, after=0)
            checked = luhn(digits[:15])
            if (named and len(digits) >= 15) or (checked and len(digits) == 15 and digits[:2] in {"35", "86", "01"}):
                yield _span(match, 0.95 if checked else 0.8, "rules/imei")
        serials = match_at(_SERIAL, text, _SERIAL_LEADS.starts(view))
        yield from take(serials, EntityType.DEVICE_ID, 0.7, "rules/serial")
    for match in _MAC.finditer(text) if _MAC_MIDDLE.search(text) else ():
        if not _is_empty_mac(match.group()):
            yield _span(match, 0.9, "rules/mac")


def _addresses(view: Prepared) -> Iterator[Span]:
    text = view.text
    for match in match_at(_IPV4, text, (start for start, end in view.numbers if text[end : end + 1] == ".")):
        if not _VERSION.search(text, max(0, match.start() - 10), match.start()) and _is_telling(match["v"]):
            yield Span(
                start=match.start("v"), end=match.end("v"), kind=EntityType.DEVICE_ID, score=0.95, source="rules/ip"
            )
    for match in match_at(_IPV6, text, _ipv6_starts(text)):
        value = match.group().split("/")[0]
        if value.count(":") >= 2 and len(value) >= 6 and any(map(str.isdecimal, value)) and _is_telling(value):
            yield _span(match, 0.95, "rules/ip")


def _ipv6_starts(text: str) -> Iterator[int]:
    """Yield where the hexadecimal letters and colons around two colons of an address begin."""
    for colons in _COLONS.finditer(text):
        before = text[max(0, colons.start() - _LONGEST_IPV6) : colons.start()]
        yield colons.start() - len(before) + len(before.rstrip(_HEX))


def _is_telling(value: str) -> bool:
    try:
        address = ip_address(value)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or value.startswith("255."))


def _is_empty_mac(value: str) -> bool:
    return len({letter for letter in value.lower() if letter.isalnum()}) == 1


def _vehicles(view: Prepared) -> Iterator[Span]:
    text = view.text
    for match in match_at(_VIN, text, (start for start, code in view.codes if len(code) == len(_VIN_WEIGHTS))):
        value = match.group()
        checked = (
            value[8]
            == "0123456789X"[
                sum(_VIN_VALUES[letter] * weight for letter, weight in zip(value, _VIN_WEIGHTS, strict=True)) % 11
            ]
        )
        if checked or near(text, *match.span(), _VIN_WORD):
            yield _span(match, 0.95 if checked else 0.9, "rules/vin")
    plates = match_at(_PLATE, text, _PLATE_LEADS.starts(view))
    yield from take(plates, EntityType.DEVICE_ID, 0.75, "rules/plate")
    plates = match_at(_GB_PLATE, text, (start for start, code in view.codes if len(code) == 4))
    yield from take(plates, EntityType.DEVICE_ID, 0.6, "rules/plate")


def _span(match: re.Match[str], score: float, source: str) -> Span:
    return Span(start=match.start(), end=match.end(), kind=EntityType.DEVICE_ID, score=score, source=source)
