"""Full dates in many notations, and ages."""

import re
from collections.abc import Iterable, Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import any_of, take
from privguard.detect.prepared import Leads, Prepared, match_at

_MONTHS = (
    # From English to Norwegian.
    "january february march april may june july august september october november december "
    "januar februar märz mai juni juli oktober dezember jänner feber "
    "janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre "
    "januari februari maart april mei augustus "
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro "
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia "
    "maj juni augusti januari marts desember "
    # From Turkish to Hindi; Slavic and Greek months in the genitive, as dates have them.
    "ocak şubat mart nisan may\u0131s haziran temmuz ağustos eylül ekim kas\u0131m aral\u0131k "
    "ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie "
    "ledna února března dubna května června července srpna října listopadu prosince "
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
    "marraskuuta joulukuuta januari februari maret mei juni juli agustus oktober desember "
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря "
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня "
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου "
    "δεκεμβρίου "
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر "
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर"
)
_SHORT = (
    "jan feb mar apr jun jul aug sep sept oct nov dec mär okt dez janv févr fevr avr juil déc ene abr dic giu "
    "lug ott maa mrt fev dez sty lut kwi wrz paź"
)
_MONTH = rf"(?:{any_of(_MONTHS)}(?!\w)|{any_of(_SHORT)}(?!\w)\.?)"
_MONTH_LEADS = Leads(_MONTHS, _SHORT)
_MONTH_WORD = lazy_pattern(_MONTH, re.IGNORECASE)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:1[89]\d{2}|20\d{2})"
_NUMBER = r"(?:1[0-2]|0?[1-9])"
_TIME = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?!\w))?"
_OF = r"(?:\s(?:de|di|of|del|van))?"
_NUMERIC = lazy_pattern(
    rf"(?<![\w.,/-]){_YEAR}-(?:1[0-2]|0[1-9])-(?:3[01]|[12]\d|0[1-9])(?!\d){_TIME}(?![\w-])"
    rf"|(?<![\w./-]){_YEAR}(?P<a>[/.]){_NUMBER}(?P=a){_DAY}(?!\w|[./-]\w)"
    rf"|(?<![\w./-])(?:{_DAY}(?P<b>[/.-]){_NUMBER}|{_NUMBER}(?P<c>[/.-]){_DAY})(?:(?P=b)|(?P=c))(?:{_YEAR}|"
    rf"\d{{2}})(?!\w|[./-]\w|[+~][a-z])"
    rf"|(?<![\w./-]){_DAY}\. ?{_NUMBER}\. ?{_YEAR}(?!\w)"
)
_VERSION = lazy_pattern(r"(?:\bv|version|release|ver\.?|python|==|>=)\s?$", re.IGNORECASE)
# The version of the language that access policies are written in.
_POLICY = lazy_pattern(r"\"Version\"\s?:\s?\"(?:2012|2008)-10-17\"")
_POLICY_KEY = 14  # code points before the date
# The number of an item or a clause, and how its sentence begins.
_ITEM = lazy_pattern(
    r"(?:(?:^|\n)\s{0,8}|(?i:clause|section|article|paragraph|point|item|step|rule) )\d{1,2}\. May(?= [a-z])"
)
_ITEM_WORD = 12  # code points before the number
_WEEKDAY = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|"
    r"samstag|sonntag|"
    r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
)
_WEEKDAY_LEADS = Leads(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues tueday wed wednes wedday thu thurs thuday "
    "fri sat satur satday sun montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi "
    "vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo"
)
_CLOCK = r"(?:,? (?:at |um |à |a las )?\d{1,2}[:h.]\d{2}(?![\d.]))?"
_NAMED = lazy_pattern(
    rf"(?<![\w.,/-])(?:{_WEEKDAY}\.?,? (?:the |den |le )?)?(?:(?:{_DAY}(?:st|nd|rd|th|"
    rf"\.)?\s?[\u2013-]\s?)?{_DAY}(?:st|nd|rd|th|er|º|ª|\.)?(?:\s(?:of|de|di|den)(?!\w))?[ \u00a0-]?{_MONTH}(?:,?"
    rf"{_OF}[ \u00a0-](?:{_YEAR}|'\d{{2}}|\u2019\d{{2}})(?!\d))?"
    rf"|{_MONTH}[ \u00a0-](?:the\s)?{_DAY}(?:st|nd|rd|th)?(?![\d:%]|[.,]\d)(?:,?[ \u00a0-]{_YEAR}(?!\d))?"
    rf"|{_MONTH},?{_OF}[ \u00a0-]{_YEAR}(?!\d)){_CLOCK}(?![\w])",
    re.IGNORECASE,
)
_GLUED = lazy_pattern(rf"\d{{1,2}}(?:st|nd|rd|th|er|º|ª)?{_MONTH}", re.IGNORECASE)
_LOG = lazy_pattern(
    rf"(?<!\w){_DAY}/(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/{_YEAR}(?::\d{{2}}){{0,3}}(?: "
    rf"[+-]\d{{4}})?(?!\w)"
)
_DAY_MONTH_LEADS = Leads("am vom bis seit ab den zum le el il até op dia")
_DAY_MONTH = lazy_pattern(
    rf"(?<!\w)(?:(?:am|vom|bis|seit|ab|den|zum)\s(?P<v>{_DAY}\.{_NUMBER}\.)|(?:le|el|il|até|op|"
    rf"dia)\s(?P<w>{_DAY}/{_NUMBER}))(?![\w/])",
    re.IGNORECASE,
)
_EAST_ASIAN_MARK = lazy_pattern(r"[年년月월]")
_EAST_ASIAN = lazy_pattern(
    r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일号號])?|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일号號]"
    r"|(?:昭和|平成|令和|大正)\s?(?:\d{1,2}|元)\s?年(?:\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?)?"
)
_BORN_LEADS = Leads(
    "dob d date born birth birthdate birthday geb geboren geburtsdatum né née nacido nacida fecha nato nata data ur "
    "född"
)
_BORN = lazy_pattern(
    r"(?<!\w)(?:dob|d\.o\.b\.|date of birth|born(?: on| in)?|birth ?date|birthday|geb\.?|geboren(?: am)?|geburtsdatum|"
    r"né(?:e)? le|date de naissance|nacid[oa] el|fecha de nacimiento|nat[oa] il|data di nascita|geboren op|"
    r"data de nascimento|ur\.|född)[\"']?\s{0,2}[:=]?\s{0,2}[\"']?(?P<v>\d{8}|\d{6}|\d{1,2}[ .\-/]\d{1,2}[ "
    r".\-/]\d{2,4}|(?:19|20)\d{2})(?![\w/.-]*\d)",
    re.IGNORECASE,
)

_AGE_NUMBER = r"(?:1[01]\d|[1-9]?\d)"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_ONES = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_NUMERALS = (
    "twenty thirty forty fifty sixty seventy eighty ninety one two three four five six seven eight nine ten eleven "
    "twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_SPELLED = (
    rf"(?:{_TENS}(?:[- ]{_ONES})?|{_ONES}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    r"nineteen)"
)
_LONGEST_AGE = 3  # digits
_LONGEST_SPELLED = 32  # from the first letter of the number to the word `old`
_WORD_START = lazy_pattern(r"\b\w")
_EAST_ASIAN_AGE = lazy_pattern(r"[歳岁歲살才]")
_AGE = lazy_pattern(
    rf"(?<![\w.,-])(?:{_AGE_NUMBER}(?:½)?|{_SPELLED})[- ]?(?:years?|yrs?\.?|months?|weeks?)[- ]old(?!\w)"
    rf"|(?<![\w.,-]){_AGE_NUMBER} ?(?:y/?o|yo|yrs? old)(?!\w)"
    rf"|(?<![\w.,-]){_AGE_NUMBER}[- ](?:Jahre|Monate) alt(?!\w)|(?<![\w.,-]){_AGE_NUMBER}[- ]?[Jj]ährig\w{{0,2}}(?!\w)"
    rf"|(?<![\w.,-]){_AGE_NUMBER} (?:jaar oud|år gammal|år gammel|lat(?!\w)|años(?= de edad)|anos de idade|"
    rf"yaş\u0131nda|"
    rf"лет|років|годика|ετών|vuotta|vuotias)"
    rf"|{_AGE_NUMBER}\s?(?:歳|岁|歲|살|才)",
    re.IGNORECASE,
)
_AGE_FIELD_WORDS = "aged age ages alter âge âgé âgée edad età leeftijd idade wiek ålder at im возраст"
_AGE_FIELD_LEADS = Leads(
    _AGE_FIELD_WORDS, *(f"{word}{number}" for word in _AGE_FIELD_WORDS.split() for number in _NUMERALS.split())
)
_AGE_FIELD = lazy_pattern(
    rf"(?<!\w)(?:aged|age of|age|ages|alter|âgée? de|edad|età|leeftijd|idade|wiek|ålder|at the age of|im alter von|"
    rf"возраст)[\"']?"
    rf"\s{{0,2}}[:=]?\s{{0,2}}[\"']?(?P<v>{_AGE_NUMBER}|{_SPELLED})(?!\w|[.,:%]\d|-\d)",
    re.IGNORECASE,
)
_AGE_SAID_LEADS = Leads(
    "i im he hes she shes who just turned turning turns ich er sie ik now soy tengo j jai il elle ho ha tenho tem "
    "mam ma"
)
_AGE_SAID = lazy_pattern(
    rf"(?<!\w)(?:I['\u2019]?m|I am|he['\u2019]?s|she['\u2019]?s|he is|she is|who is|just turned|turned|turning|turns|"
    rf"ich bin|er ist|sie ist|ik ben|"
    rf"now|soy|tengo|j['\u2019]ai|il a|elle a|ho|ha|tenho|tem|mam|ma)\s(?:now |about |only )?(?P<v>(?:{_AGE_NUMBER}|"
    rf"{_SPELLED})(?: (?:ans|años|anni|anos|lat|jaar|Jahre))?)"
    r"(?=\s*[,;!?)/\n]|\.(?!\d)|$|\s(?:and|und|et|y|e|with|from|now|but|so|male|female|years|m|f)\b)(?!\s*(?:%|/\d))",
    re.IGNORECASE,
)
_AGE_BRACKET = lazy_pattern(
    rf" \((?<=[^\W\d_] \()(?P<v>(?:aged? )?{_AGE_NUMBER}(?: ?(?:ans|Jahre|años|anni|jaar|J\.|yo|y))?)(?=[),;])"
)
_AGE_APPOSED = lazy_pattern(
    r", (?<=[^\W\d_], )(?P<v>(?:aged? |about |c\. ?)?[1-9]\d)(?=[,;)]|\.(?:\s|$)| (?:years|yrs)\b)"
)
_AGE_OF_LEADS = Leads(
    "son daughter wife husband mother father mum mom dad brother sister partner kid child baby nan aunt uncle "
    "cousin friend"
)
_AGE_OF = lazy_pattern(
    r"(?<!\w)(?:son|daughter|wife|husband|mother|father|mum|mom|dad|brother|sister|partner|kid|child|baby|nan|aunt|"
    r"uncle|cousin|friend)(?: [A-Z]\w+)? is (?P<v>[1-9]\d?)(?=[,.;]| and| who| but)"
)
_NOT_BEFORE_AGE = lazy_pattern(
    r"(?:figure|fig|table|chapter|section|page|step|part|item|no|nr|number|question|equation|eq|version|article|"
    r"option|level|grade|year|class|room|flat|platform|line|note|ref|python|total|count|n|abschnitt|seite|kapitel)$",
    re.IGNORECASE,
)


def find_dates(view: Prepared) -> Iterator[Span]:
    """Find dates with at least two of day, month and year, and birth years; a bare year is none."""
    if not view.numbers:
        return
    text = view.text
    numbers = [start for start, _ in view.numbers]
    for match in match_at(_NUMERIC, text, numbers):
        low = max(0, match.start() - _POLICY_KEY)
        if not _VERSION.search(text, max(0, match.start() - 10), match.start()) and not _POLICY.search(
            text, low, match.end() + 1
        ):
            yield _span(*match.span(), EntityType.DATE, 0.8, "rules/date")
    for match in match_at(_DAY_MONTH, text, _DAY_MONTH_LEADS.starts(view)):
        yield _span(*match.span("v" if match["v"] else "w"), EntityType.DATE, 0.7, "rules/date")
    months = _MONTH_LEADS.starts(view)
    if months or any(_GLUED.match(code) for _, code in view.codes):
        starts = sorted({*numbers, *months, *_WEEKDAY_LEADS.starts(view)})
        yield from _dates(match for match in match_at(_NAMED, text, starts) if not _is_item(text, match))
    yield from _dates(match_at(_LOG, text, (start for start, end in view.numbers if text[end : end + 1] == "/")))
    if not text.isascii() and _EAST_ASIAN_MARK.search(text):
        yield from _dates(_EAST_ASIAN.finditer(text))
    yield from _dates(match_at(_BORN, text, _BORN_LEADS.starts(view)))


def _is_item(text: str, match: re.Match[str]) -> bool:
    """Tell whether this is a numbered sentence: `4. May the board refuse?`."""
    if not match.group().endswith(". May"):
        return False
    item = _ITEM.search(text, max(0, match.start() - _ITEM_WORD), match.end() + 2)
    return item is not None and item.end() == match.end()


def _dates(matches: Iterable[re.Match[str]]) -> Iterator[Span]:
    return take(matches, EntityType.DATE, 0.75, "rules/date")


def find_ages(view: Prepared) -> Iterator[Span]:
    """Find ages."""
    text = view.text
    yield from take(_spoken_ages(view), EntityType.AGE, 0.85, "rules/age")
    for pattern, starts, score in (
        (_AGE_FIELD, _AGE_FIELD_LEADS.starts(view), 0.8),
        (_AGE_SAID, _AGE_SAID_LEADS.starts(view), 0.7),
    ):
        yield from take(match_at(pattern, text, starts), EntityType.AGE, score, "rules/age")
    if view.numbers:
        yield from _apposed_ages(view)
        yield from _bracketed_ages(text)


def _spoken_ages(view: Prepared) -> Iterable[re.Match[str]]:
    text = view.text
    if not text.isascii() and _EAST_ASIAN_AGE.search(text):
        return _AGE.finditer(text)
    starts = {start for start, end in view.numbers if end - start <= _LONGEST_AGE}
    for old in view.words.get("old", ()):
        starts.update(word.start() for word in _WORD_START.finditer(text, max(0, old - _LONGEST_SPELLED), old))
    return match_at(_AGE, text, sorted(starts))


def _bracketed_ages(text: str) -> Iterator[Span]:
    for match in _AGE_BRACKET.finditer(text):
        word = re.search(r"[^\W\d_]+$", text[max(0, match.start() - 30) : match.start()])
        if word and word.group()[0].isupper() and not _NOT_BEFORE_AGE.fullmatch(word.group()):
            yield _span(*match.span("v"), EntityType.AGE, 0.6, "rules/age")


def _apposed_ages(view: Prepared) -> Iterator[Span]:
    for match in match_at(_AGE_OF, view.text, _AGE_OF_LEADS.starts(view)):
        yield _span(*match.span("v"), EntityType.AGE, 0.65, "rules/age")
    for match in _AGE_APPOSED.finditer(view.text):
        name = re.search(
            r"(?:^|[\s(\"“])([^\W\d_][\w'\u2019-]+)(?: [^\W\d_][\w'\u2019-]+)?$",
            view.text[max(0, match.start() - 50) : match.start()],
        )
        words = name.group().strip(' ("“\n').split() if name else []
        capitalised = words and words[-1][0].isupper() and not _NOT_BEFORE_AGE.fullmatch(words[-1])
        if capitalised and not _MONTH_WORD.fullmatch(words[-1]):
            yield _span(*match.span("v"), EntityType.AGE, 0.55, "rules/age-apposed")


def _span(start: int, end: int, kind: EntityType, score: float, source: str) -> Span:
    return Span(start=start, end=end, kind=kind, score=score, source=source)
