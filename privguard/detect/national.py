"""The pattern recognizers of Presidio, called directly: no engine, no language model, no network.

Each recognizer is listed with the least score a pattern of it needs, and with what must confirm a match. A checksum
that one number in ten passes by chance confirms nothing on its own: such numbers need a context word.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.presidio_names import kind_of

if TYPE_CHECKING:
    from presidio_analyzer import PatternRecognizer

# Structure and check digits together make a chance hit rarer than one in a thousand.
_SURE = [
    "DeSocialSecurityRecognizer",
    "EsNieRecognizer",
    "EsNifRecognizer",
    "FiPersonalIdentityCodeRecognizer",
    "InGstinRecognizer",
    "ItFiscalCodeRecognizer",
    "PlPeselRecognizer",
    "SePersonnummerRecognizer",
    "UkDrivingLicenceRecognizer",
    "UkNinoRecognizer",
    "UsMbiRecognizer",
    "UsSsnRecognizer",
    "ZaIdNumberRecognizer",
    "SgFinRecognizer",
    "CaSinRecognizer",
]
# A context word must stand near by. Of thirteen digits in a row, milliseconds since 1970 are the most frequent.
_WITH_CONTEXT = [
    "KrFrnRecognizer",
    "KrRrnRecognizer",
    "ThTninRecognizer",
    "AbaRoutingRecognizer",
    "AuAbnRecognizer",
    "AuAcnRecognizer",
    "AuMedicareRecognizer",
    "AuTfnRecognizer",
    "CaPostalCodeRecognizer",
    "DeBsnrRecognizer",
    "DeFuehrerscheinRecognizer",
    "DeHandelsregisterRecognizer",
    "DeHealthInsuranceRecognizer",
    "DeIdCardRecognizer",
    "DeKfzRecognizer",
    "DeLanrRecognizer",
    "DePassportRecognizer",
    "DePlzRecognizer",
    "DeTaxIdRecognizer",
    "DeTaxNumberRecognizer",
    "DeVatIdRecognizer",
    "EsPassportRecognizer",
    "InAadhaarRecognizer",
    "InPanRecognizer",
    "InPassportRecognizer",
    "InVehicleRegistrationRecognizer",
    "InVoterRecognizer",
    "ItDriverLicenseRecognizer",
    "ItIdentityCardRecognizer",
    "ItPassportRecognizer",
    "ItVatCodeRecognizer",
    "KrBrnRecognizer",
    "KrDriverLicenseRecognizer",
    "KrPassportRecognizer",
    "MedicalLicenseRecognizer",
    "NgNinRecognizer",
    "NgVehicleRegistrationRecognizer",
    "NhsRecognizer",
    "PhPassportRecognizer",
    "PhTinRecognizer",
    "PhUmidRecognizer",
    "SeOrganisationsnummerRecognizer",
    "SgUenRecognizer",
    "TrLicensePlateRecognizer",
    "TrNationalIdRecognizer",
    "UkPassportRecognizer",
    "UkPostcodeRecognizer",
    "UkVehicleRegistrationRecognizer",
    "UsBankRecognizer",
    "UsHealthInsuranceMemberIdRecognizer",
    "UsItinRecognizer",
    "UsLicenseRecognizer",
    "UsNpiRecognizer",
    "UsPassportRecognizer",
    "UsProviderTaxIdRecognizer",
    "ZaCompanyRegistrationRecognizer",
    "ZaDriverLicenseRecognizer",
    "ZaIncomeTaxNumberRecognizer",
    "ZaLicensePlateRecognizer",
    "ZaPassportRecognizer",
    "ZaTrafficRegisterNumberRecognizer",
    "ZaVatNumberRecognizer",
]
_LEAST_PATTERN = dict.fromkeys(
    (
        "CaSinRecognizer",
        "FiPersonalIdentityCodeRecognizer",
        "InPanRecognizer",
        "SePersonnummerRecognizer",
        "SgFinRecognizer",
        "UsMbiRecognizer",
        "UsSsnRecognizer",
    ),
    0.5,
)
_VAGUE = listed(
    "us u.s. united states usa id number no code card identification identity document mobile rate name address "
    "account "
    "personal business company license licence state south africa african german germany uk united kingdom india "
    "indian number# plate canada canadian permit national health car vehicle driver driving road mail post bank check "
    "save debit letter transfer"
)
_EXTRA_CONTEXT = {
    "US_BANK_NUMBER": ("account", "acct", "bank account"),
    "US_DRIVER_LICENSE": ("driver's license", "drivers license", "driver license", "driving licence", "dl"),
    "DE_KFZ": ("kennzeichen", "plate"),
    "UK_POSTCODE": ("postcode", "post code", "address"),
    "CA_POSTAL_CODE": ("postal code", "postcode"),
    "UK_VEHICLE_REGISTRATION": ("reg", "registration", "plate", "number plate"),
}
_WORD = re.compile(r"\w+")
_CHUNK = re.compile(
    r"(?:(?<=\s)|^|(?<=[(\[\"':=,;|<>]))(?:[A-Za-z]{1,5}[ -])?[A-Za-z0-9]{0,12}\d[A-Za-z0-9/.-]{0,24}(?:[ "
    r":][A-Za-z0-9/.-]{1,12}){0,6}"
)
_OUTER_BEFORE = re.compile(r"[\w+/@#]$|\w[-.]$")
_OUTER_AFTER = re.compile(r"[\w+/=@]|[-.]\w")
_BEFORE, _AFTER = 50, 25
_BLOCK = 1 << 14  # code points


class NationalFinder:
    """Run Presidio's national recognizers over the digit-bearing parts of a text."""

    def __init__(self) -> None:
        from presidio_analyzer import predefined_recognizers

        self._recognizers: list[tuple[PatternRecognizer, frozenset[str], re.Pattern[str] | None]] = []
        for name in (*_SURE, *_WITH_CONTEXT):
            recognizer = _build(getattr(predefined_recognizers, name), _LEAST_PATTERN.get(name, 0.0))
            terms = _terms(recognizer)
            leads = frozenset(_WORD.findall(term)[0] for term in terms if _WORD.search(term))
            self._recognizers.append((recognizer, leads, None if name in _SURE else _any_term(terms)))

    def __call__(self, text: str) -> Iterator[Span]:
        """Yield a span for each confirmed match."""
        folded = text.lower() if len(text.lower()) == len(text) else text
        present = set(_WORD.findall(folded)) if _CHUNK.search(text) else set()
        for condensed, places in _condense(text):
            for recognizer, leads, context in self._recognizers:
                if context is not None and leads.isdisjoint(present):
                    continue
                entity = recognizer.supported_entities[0]
                for found in recognizer.analyze(condensed, [entity], None):
                    start, end = _place(places, found.start), _place(places, found.end - 1) + 1
                    if end - start != found.end - found.start or not _stands_alone(text, start, end):
                        continue
                    if context is None or _is_near(folded, start, end, context):
                        score = max(found.score, 0.75 if context else 0.7)
                        yield Span(
                            start=start, end=end, kind=kind_of(entity), score=score, source=f"rules/{entity.lower()}"
                        )


def _build(recognizer: "type[PatternRecognizer]", least: float) -> "PatternRecognizer":
    if not least:
        return recognizer()
    return recognizer(patterns=[pattern for pattern in recognizer.PATTERNS if pattern.score >= least])


def _terms(recognizer: "PatternRecognizer") -> set[str]:
    terms = {term.lower() for term in recognizer.context or ()} - _VAGUE
    terms.update(_EXTRA_CONTEXT.get(recognizer.supported_entities[0], ()))
    return terms


def _any_term(terms: set[str]) -> re.Pattern[str]:
    longest_first = sorted(terms, key=lambda term: (-len(term), term))
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")


def _condense(text: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the parts of a text that hold digits, one a line, and where each of them came from, a block at a time.

    Presidio passes over a pattern that takes longer than a minute, with no more than a warning in its log. Blocks of
    bounded size, with lines of bounded length, take milliseconds: no pattern is ever passed over.
    """
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    length = 0
    for match in _CHUNK.finditer(text):
        places.append((length, match.start()))
        parts.append(match.group())
        length += match.end() - match.start() + 1
        if length >= _BLOCK:
            yield "\n".join(parts), places
            parts, places, length = [], [], 0
    if parts:
        yield "\n".join(parts), places


def _place(places: list[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(places) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if places[middle][0] <= offset:
            low = middle
        else:
            high = middle - 1
    return places[low][1] + offset - places[low][0]


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not _OUTER_BEFORE.search(text, max(0, start - 2), start) and not _OUTER_AFTER.match(text, end)


def _is_near(folded: str, start: int, end: int, context: re.Pattern[str]) -> bool:
    return bool(context.search(folded, max(0, start - _BEFORE), start) or context.search(folded, end, end + _AFTER))
