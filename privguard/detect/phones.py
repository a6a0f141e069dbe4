"""Telephone numbers, read by `phonenumbers`: international ones first, national ones by shape or context."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed, words
from privguard.detect.prepared import Leads, Prepared, match_at

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

REGIONS = tuple(sorted(listed("AT AU BE BR CH DE DK ES FR GB IE IN IT KE NL NO PL PT SE TR US ZA")))

_CANDIDATE = lazy_pattern(
    r"(?<![\w#$€£.,/:=+-])(?:(?:\+|00)\s?)?\(?\d[\d()\u00a0\u202f ./-]{4,22}\d(?![\w%€£$]|[.,:]\d|[-/]\w)"
)
_ASSIGNED = lazy_pattern(r"(?<=[=:/])(?:\+|00)\d[\d() .-]{6,20}\d(?![\w])")
_LONGEST_LEAD = 3  # a plus, a space and a bracket
_CONTEXT = lazy_pattern(
    words(
        "tel tels telephone phone phones mobile mob cell cellphone landline fax call calls called ring rang text texts "
        "texted sms whatsapp dial reach hotline helpline contact number numbers numbered callback voicemail pager "
        "signal "
        "telefon telefonnummer handy handynummer mobil mobilnummer rufnummer anrufen rückruf festnetz durchwahl "
        "téléphone tél portable numéro appeler joindre teléfono telf móvil celular llamar llame número telefono "
        "cellulare numero chiamare telefoon telefoonnummer mobiel bellen nummer telefone telemóvel ligar ligue "
        "komórka tel_kom numer zadzwoń mobilnummer ringa puhelin gsm cep telefonu telefonum тел телефон телефону "
        "номер звонить звоните τηλ τηλέφωνο κινητό הטלפון טלפון هاتف جوال رقم الجوال फोन मोबाइल नंबर "
        "电话 手机 電話 携帯 "
        "전화 연락처 điện_thoại sđt đt namba simu hp hape"
    )
    .replace(r"(?<!\w)", "", 1)
    .removesuffix(r"(?!\w)"),
    re.IGNORECASE,
)
_NOT_CONTEXT = lazy_pattern(
    words(
        "order invoice ticket case ref reference account acct iban id ssn nhs passport policy claim vat tax isbn issn "
        "doi serial imei timestamp epoch ts build port pid size bytes nr konto sku part batch lot tracking parcel"
    )
    + r"[^\n]{0,6}$",
    re.IGNORECASE,
)
_DATE = lazy_pattern(
    r"\(?(?:\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d{2}|\d{1,2}[-./]\d{1,2}[-./]\d{2})"
    r"(?:[ T]\d{1,2}(?:[.:]\d{2})*)?(?:\s?[-/]\s?\d.*)?|(?:19|20)\d{2}\s?[-/]\s?(?:19|20)?\d{2}"
    r"|\d{1,2}[-./](?:19|20)\d{2}\s?[-/]\s?\d{1,2}[-./](?:19|20)\d{2}"
)
_ADDRESS = lazy_pattern(r"\d{1,3}(?:\.\d{1,3}){3}")
_NORTH_AMERICAN = lazy_pattern(r"(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}")
_TRUNK = lazy_pattern(r"\(?0[1-9]")
_SPOKEN_DIGITS = "zero oh one two three four five six seven eight nine double triple"
_SPOKEN_DIGIT = f"(?:{_SPOKEN_DIGITS.replace(' ', '|')})"
_SPOKEN_LEADS = Leads(_SPOKEN_DIGITS)
_SPOKEN = lazy_pattern(rf"(?<!\w){_SPOKEN_DIGIT}(?:[ -]{_SPOKEN_DIGIT}){{6,14}}(?!\w)", re.IGNORECASE)


class PhoneFinder:
    """Find telephone numbers."""

    def __init__(self, regions: Sequence[str] = REGIONS) -> None:
        """Take the regions in which a number without country code is tried, as ISO 3166-1 alpha-2 codes."""
        import phonenumbers

        self._lib = phonenumbers
        self._regions = tuple(regions)

    def __call__(self, view: Prepared) -> Iterator[Span]:
        """Yield a span for each number."""
        text = view.text
        starts = list(_starts(view))
        for pattern in (_CANDIDATE, _ASSIGNED):
            for match in match_at(pattern, text, starts):
                found = self._judge(text, match)
                if found:
                    start, end, score = found
                    yield Span(start=start, end=end, kind=EntityType.PHONE, score=score, source="rules/phone")
        for match in match_at(_SPOKEN, text, _SPOKEN_LEADS.starts(view)):
            yield Span(
                start=match.start(), end=match.end(), kind=EntityType.PHONE, score=0.6, source="rules/phone-spoken"
            )

    def _judge(self, text: str, match: re.Match[str]) -> tuple[int, int, float] | None:
        """Return the exact interval and the score of a candidate, or None."""
        start, end = match.span()
        raw = match.group()
        if raw.startswith("(") and ")" not in raw:
            raw, start = raw[1:], start + 1
        if _DATE.fullmatch(raw) or _ADDRESS.fullmatch(raw):
            return None
        digits = sum(map(str.isdecimal, raw))
        international = raw[0] == "+" or (raw.startswith("00") and digits >= 11)
        if international:
            return self._international(raw, start)
        if not 7 <= digits <= 15 or "  " in raw:
            return None
        before = text[max(0, start - 40) : start]
        if self._has_context(before):
            return (start, end, 0.85)
        if _NOT_CONTEXT.search(before):
            return None
        return (start, end, 0.6) if self._has_shape(raw, digits) else None

    @staticmethod
    def _has_context(before: str) -> bool:
        """Tell whether the last words before a number announce a telephone number."""
        found = [match.span() for match in _CONTEXT.finditer(before)]
        if not found:
            return False
        start, end = found[-1]
        gap = before[end:]
        return ("\n" not in gap or not gap.strip(" \t\r\n:")) and not _NOT_CONTEXT.search(before[start:])

    def _international(self, raw: str, start: int) -> tuple[int, int, float] | None:
        """Read a number with its country code; words and numbers that follow are cut off."""
        pieces = [piece.span() for piece in re.finditer(r"[^ /\u00a0\u202f]+", raw)]
        for _, end in reversed(pieces):
            value = raw[:end]
            count = sum(map(str.isdecimal, value))
            if not 7 <= count <= 17:
                continue
            number = self._parse(value, "US" if value[0] == "+" else "DE")
            if number and self._lib.is_possible_number(number):
                return (start, start + end, 0.95 if self._lib.is_valid_number(number) else 0.8)
        count = sum(map(str.isdecimal, raw))
        return (start, start + len(raw), 0.6) if raw[0] == "+" and 8 <= count <= 16 else None

    def _has_shape(self, raw: str, digits: int) -> bool:
        if _NORTH_AMERICAN.fullmatch(raw):
            return True
        separated = sum(1 for letter in raw if letter in " -()/.\u00a0\u202f")
        if not _TRUNK.match(raw) or not 9 <= digits <= 12 or ("." in raw and raw.count(".") < 3):
            return False
        return any(
            (number := self._parse(raw, region)) is not None
            and (self._lib.is_valid_number(number) if not separated else self._lib.is_possible_number(number))
            for region in self._regions
            if region != "US"
        )

    def _parse(self, raw: str, region: str) -> "PhoneNumber | None":
        try:
            return self._lib.parse(raw, region)
        except self._lib.NumberParseException:
            return None


def _starts(view: Prepared) -> Iterator[int]:
    """Yield where a number may begin: at each run of digits, or at a bracket or a plus shortly before it."""
    text = view.text
    last = 0
    for number, end in view.numbers:
        for start in range(max(last, number - _LONGEST_LEAD), number):
            if text[start] in "+(":
                yield start
        yield number
        last = end
