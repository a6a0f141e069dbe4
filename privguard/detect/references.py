"""Identity numbers and reference numbers, by the word that introduces them and the shape that follows."""

import re
import string
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed, words
from privguard.detect.prepared import Leads, Prepared, match_at
from privguard.detect.word_lists import read_lines

_GOV_WORDS = " ".join(read_lines("identity_leads"))
_RECORD_WORDS = " ".join(read_lines("record_leads"))
_GOV_LEADS = Leads(_GOV_WORDS)
_RECORD_LEADS = Leads(_RECORD_WORDS)
_LINK = (
    r"[\"'”]?\s?(?:(?:no|nos|nr|num|number|nummer|nº|n°|№|#|id|code|ref|key|reference|expired|ends?|ending|card|"
    r"details)\b\.?|n[.º°]|[№#])?"
    r"\.?\)?\s{0,2}(?:[:=]|->|\bis\b|\bwas\b|\bist\b|\best\b|\bes\b|\blautet\b|\bè\b|\bé\b|"
    r"\bto\b)?\s{0,2}(?:\bin\b\s)?[\"'“(<>]{0,2}"
)
_GOV = lazy_pattern(
    rf"{words(_GOV_WORDS)}{_LINK}(?P<v>(?=[A-Z0-9 ./-]{{0,12}}\d)(?:[A-Z]{{1,5}}[ -]?)?\d[A-Z0-9]*(?:[ "
    rf"./-]{{1,2}}\d[A-Z0-9]*){{0,6}}"
    r"(?:[ -]?[A-Z]\b)?(?:[ -]?[A-Z]{2}\b)?|(?=[A-Z]{0,8}\d)[A-Z0-9]{5,24}|[A-Z\u0391-\u03a9]{2,5}(?: "
    r"(?=[A-Z]{0,4}\d)[A-Z0-9]{2,8}){1,3})(?!\w)",
    re.IGNORECASE,
)
_RECORD = lazy_pattern(
    rf"{words(_RECORD_WORDS)}{_LINK}(?P<v>\d{{1,4}}(?: \d{{2,4}}){{2,4}}|(?-i:[A-Z]{{2,4}} \d{{4,10}}(?:-\d)?)|"
    rf"#?(?=[\w./-]{{0,24}}\d)[^\W_](?:[^\W_]|[-/._](?=[^\W_])){{2,34}}"
    r"(?: \d{2,6}){0,3})(?!\w)",
    re.IGNORECASE,
)
_HASH_NUMBER = lazy_pattern(r"(?P<v>#(?<![\w&/#]#)\d{5,12})(?!\w)")
_CAPITALS = f"{string.ascii_uppercase}{string.digits}-/"
_LONGEST_PREFIX = 21  # of `_SHAPED`, before the digits
_SHAPED = lazy_pattern(
    r"(?<![\w/.#=-])(?P<v>[a-z]{1,6}_(?=[A-Za-z]{0,20}\d)(?:\d{4,20}|[A-Za-z0-9]{8,40})|"
    r"[A-Z]{1,6}(?:[-/][A-Z0-9]{1,6}){0,2}[-/]\d{4,}(?:[-/][A-Z0-9]{1,10}){0,3}|[A-Z]{2,5}\d{2}[A-Z]\d{5})(?![\w/]|"
    r"[-.]\w)"
)
_STANDARD = lazy_pattern(
    r"(?:ISO|RFC|CVE|UTF|SHA|MD|ISBN|ISSN|IEEE|DIN|EN|COVID|SARS|GPT|HTTP|CWE|PEP|AES|RSA|IEC|EC|EU|NGC|ASTM|ANSI|TS|"
    r"GB|QA|Q|FY|TCP|UDP|KB)[-/]"
)
_WEAK_GOV = listed("id ni pan fin cc run tin medicare uid cf rg tc nis pis vat sin kra rfc cif nie passport")
_ANYTHINGS = listed("id uid run")  # whose these are, the sentence tells
_YEAR = lazy_pattern(r"(?:19|20)\d{2}(?:[-/.]\d{2,4}|s)?")
_DATE = lazy_pattern(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_QUANTITY = lazy_pattern(
    r"\s?(?:%|€|£|\$|euros?\b|EUR\b|USD\b|GBP\b|kg\b|ml\b|mg\b|km\b|people\b|items\b|pieces\b|units\b|:\d|[.,]\d)"
)


def find_references(view: Prepared) -> Iterator[Span]:
    """Find identity numbers and reference numbers."""
    if not view.numbers:
        return
    text = view.text
    for match in match_at(_GOV, text, _GOV_LEADS.starts(view)):
        span = _judge(text, match, EntityType.GOV_ID, least=6 if _word(match) in _WEAK_GOV else 4)
        if span:
            yield span
    for match in match_at(_RECORD, text, _RECORD_LEADS.starts(view)):
        span = _judge(text, match, EntityType.RECORD_ID, least=2)
        if span:
            yield span
    for match in _HASH_NUMBER.finditer(text):
        yield _span(match, EntityType.RECORD_ID, 0.5, "rules/number-sign")
    for match in match_at(_SHAPED, text, _shaped_starts(view)):
        if not _STANDARD.match(match["v"]):
            yield _span(match, EntityType.RECORD_ID, 0.5, "rules/reference-shape")


def _shaped_starts(view: Prepared) -> list[int]:
    """Return where codes begin, and capitals that a hyphen or a slash joins to at least four digits."""
    text = view.text
    starts = {start for start, _ in view.codes}
    for number, end in view.numbers:
        if end - number >= 4 and text[number - 1 : number] in {"-", "/"}:
            before = text[max(0, number - _LONGEST_PREFIX) : number]
            starts.add(number - len(before) + len(before.rstrip(_CAPITALS)))
    return sorted(starts)


def _judge(text: str, match: re.Match[str], kind: EntityType, *, least: int) -> Span | None:
    """Keep a value that looks like a number of somebody: not a year, a date, a quantity or an ordinary word."""
    value = match["v"]
    digits = sum(map(str.isdecimal, value))
    compact = value.isdecimal()
    code = value.isupper() and len(value) >= 5  # a booking code may hold a single digit
    if digits < (max(least, 4) if compact else 1 if code and least < 4 else least):
        return None
    if _YEAR.fullmatch(value) or _DATE.fullmatch(value) or _QUANTITY.match(text, match.end("v")):
        return None
    source = "rules/identity" if kind is EntityType.GOV_ID else "rules/reference"
    return _span(match, kind, 0.55 if _word(match) in _ANYTHINGS else 0.75, source)


def _word(match: re.Match[str]) -> str:
    return match.group()[: match.start("v") - match.start()].strip(" :.=#\"'").casefold()


def _span(match: re.Match[str], kind: EntityType, score: float, source: str) -> Span:
    start, end = match.span("v")
    return Span(start=start, end=end, kind=kind, score=score, source=source)
