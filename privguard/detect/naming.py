"""What a small language model gets wrong about names, put right by rules."""

import re

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.recasing import is_no_name

_PARTICLES = (
    r"(?:von der|von dem|van der|van den|van de|de la|de las|de los|"
    r"von|van|vom|zu|zur|de|du|des|da|das|dos|di|del|della|bin|bint|ibn|al|el|ter|ten|af)"
)
_MARK = "'\u00b4\u02bc\u2018\u2019"  # an apostrophe; the backtick marks code
_NAME = rf"[A-ZÀ-ÖØ-Þ][\w{_MARK}-]*"
_FULL_NAME = lazy_pattern(rf"{_NAME}(?: {_NAME}){{1,3}}")
_LEFT = lazy_pattern(rf"(?<!\w)(?:{_NAME} )?(?:{_PARTICLES} |(?:[A-Z]\. ?){{1,3}})$")
_RIGHT = lazy_pattern(
    rf"(?: (?:[A-Z]\. ){{0,2}}{_PARTICLES} {_NAME}|(?: [A-Z]\.){{1,2}} {_NAME})?(?:,? (?:Jr\.?|Sr\.?|III|II|IV)(?!\w))?"
)
_LEAD = lazy_pattern(
    r"(?i:dr|prof|professor|doctor|mr|mrs|ms|mx|miss|sir|dame|rev|herrn?|frau|monsieur|madame|mme|mlle|sr|sra|señora?|"
    r"signora?|"
    r"the|a|an|dear|hi|hello|hey|hallo|liebe|lieber|ich|bin|i|im|my|our|your|his|her|from|and|und|with|by|"
    r"to)\.?(?=\s)\s+"
)
_CODE = lazy_pattern(
    r"[_=<>{}\[\]\\/|@#$%^*~`]|::|\(\)|\.(?:py|js|ts|json|md|txt|csv|com|org|net|io|html?|ya?ml)\b|https?:|\w\("
)
_LETTERS = lazy_pattern(rf"[^\W\d_]+(?:[{_MARK}.-][^\W\d_]*)*")
_HAS_DIGIT = lazy_pattern(r"\d")
_DATE_WORDS = lazy_pattern(
    r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|christmas|easter|ramadan|eid|"
    r"diwali|hanukkah|thanksgiving|halloween|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
)
_DURATION = lazy_pattern(
    r"(?i)(?:about|around|over|under|almost|nearly|up to|at least|more than|less than|the|last|past|next|this|these|"
    r"those|every|each|a|an|few|several|couple|of|first|"
    r"second|third|early|late|later|earlier|ago|old|within|in|for|and|to|or|-|\u2013|\d+(?:[.,]\d+)?|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|"
    r"today|tonight|tomorrow|yesterday|now|daily|weekly|monthly|yearly|annual|annually|quarterly|morning|afternoon|"
    r"evening|night|noon|midnight|"
    r"seconds?|minutes?|hours?|days?|weeks?|weekends?|months?|years?|decades?|centur(?:y|ies)|quarters?|semesters?|"
    r"hrs?|mins?|yrs?|year-old|years-old|same|other|recent|entire|whole|\s|[,.:;()'\u2019]|s)+"
)
_WEEKDAYS = lazy_pattern(
    r"(?i)(?:(?:next|last|this|every|on|the|early|late)\s+)?(?:monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday)s?(?:\s+(?:morning|afternoon|evening|night))?"
)
_MONTHS = lazy_pattern(
    r"(?i)(?:(?:next|last|this|every|early|late|mid|the)[- ])?(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)"
)
_NOT_NAMES = listed(
    "bearer authorization cookie password passwords token tokens api apis url urls json xml html css sql http https "
    "rest graphql python java javascript typescript react node docker kubernetes linux windows "
    "ai ml llm llms nlp gpt chatgpt gpu cpu ram usb pdf csv faq todo tbd asap fyi eta etc id ids ok ceo cto cfo hr it "
    "pr qa ui ux kpi roi "
    "user users admin system assistant agent customer client team name subject date email phone address password "
    "token key error warning info debug "
    "grant mark bill rate hope faith grace joy will may april june august march submit done target targets proposal "
    "covid covid-19 "
    "section table figure chapter page step part note question answer option example summary introduction conclusion "
    "background "
    "thanks thank regards sincerely dear hello hi hey please sorry yes no true false null none congratulations god "
    "lol omg "
    "mom dad mum mommy daddy grandma grandpa grandmother grandfather auntie uncle aunt"
)
_LEGAL_FORM = lazy_pattern(
    r"(?:Inc|Ltd|LLC|GmbH|AG|SA|SE|PLC|plc|Corp|Co|Group|Bank|University|Hospital|School|College|Church|Foundation|"
    r"Institute)\b"
)


def tidy(span: Span, text: str) -> Span | None:
    """Move the edges of a name to where it starts and ends; None where nothing is left."""
    start, end = span.start, span.end
    newline = text.find("\n", start, end)
    if newline >= 0:
        end = newline
    while start < end and not (text[start].isalnum() or text[start] in "(€$"):
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in ".)"):
        end -= 1
    possessive = re.compile(rf"[{_MARK}][sS]?$").search(text, start, end)
    end = possessive.start() if possessive else end
    if span.kind in {EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION}:
        lead = _LEAD.match(text, start, end)
        while lead and (span.kind is EntityType.PERSON or lead.group().strip().lower() in {"the", "a", "an"}):
            start = lead.end()
            lead = _LEAD.match(text, start, end)
    if span.kind is EntityType.PERSON and start < end:
        left = _LEFT.search(text, max(0, start - 40), start)
        if left and not is_no_name(text[left.start() : start].split(maxsplit=1)[0].lower().rstrip(".")):
            start = left.start()
        right = _RIGHT.match(text, end)
        end = right.end() if right else end
    if start >= end:
        return None
    return span.resized(start, end)


def is_plausible(span: Span, text: str) -> bool:
    """Tell whether a span may be what the model says: no code, no number, no ordinary word."""
    value = text[span.start : span.end]
    if span.kind is EntityType.DATE:
        return _is_telling_date(value)
    whole_name = span.kind is EntityType.PERSON and _FULL_NAME.fullmatch(value) is not None
    glued = not whole_name and _is_glued(text, span.start, span.end)
    if not 2 <= len(value) <= 80 or _CODE.search(value) or glued:
        return False
    words = value.split()
    plain = [word.strip(".,'").lower() for word in words]
    if not any(map(str.isalpha, value)) or all(word in _NOT_NAMES or is_no_name(word) for word in plain):
        return False
    short_acronym = value.isupper() and len(words) == 1 and len(value) <= 4
    if span.kind is EntityType.PERSON:
        return not short_acronym and _is_person(value, words, plain, recased=span.source.endswith("recased"))
    if span.kind is EntityType.ORIGIN:
        return value[0].isupper()
    has_number = len(words) == 1 and _HAS_DIGIT.search(value) is not None
    return not short_acronym and not has_number and any(word[0].isupper() for word in words)


def _is_glued(text: str, start: int, end: int) -> bool:
    """Tell whether a span is a part of something that is no prose: a path, a call, an assignment."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return (before != "" and before in "_=/\\@#$<{`") or (after != "" and after in "_=/\\@({`")


def _is_person(value: str, words: list[str], plain: list[str], *, recased: bool) -> bool:
    if _HAS_DIGIT.search(value) or len(words) > 6 or _LEGAL_FORM.search(value):
        return False
    if recased:
        letters = all(_LETTERS.fullmatch(word) for word in words)
        return letters and 2 <= len(words) <= 3 and not any(map(is_no_name, plain)) and _NOT_NAMES.isdisjoint(plain)
    if len(words) > 1 and plain[0] in _NOT_NAMES and plain[1] in _NOT_NAMES:
        return False
    return any(word[0].isupper() for word in words)


def _is_telling_date(value: str) -> bool:
    """Tell whether a date names a day or a month with a year; numeric dates are the business of the rules."""
    if _DURATION.fullmatch(value) or _WEEKDAYS.fullmatch(value) or _MONTHS.fullmatch(value):
        return False
    return bool(_DATE_WORDS.search(value)) and not _CODE.search(value)
