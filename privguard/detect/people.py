"""Names of people where the wording gives them away: titles, introductions, salutations, fields.

No list of first names is used: prose is full of words that are names as well. Names in running text are the business
of a detector that reads context.
"""

import re
import string
from collections.abc import Iterable, Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.prepared import Leads, Prepared, match_at

_PARTICLE = (
    r"(?:von der|von dem|van der|van den|van de|de la|de las|de los|van 't|bin|bint|ibn|ben|abu|al|el|von|van|vom|zu|"
    r"zur|zum|af|av|"
    r"de|du|des|da|das|do|dos|di|del|della|dello|degli|la|le|den|der|ter|ten|y|e|i|op|st\.|san|O)"
)
_MARK = "'\u00b4\u02bc\u2018\u2019"  # an apostrophe; the backtick marks code
_CORE = rf"[^\W\d_a-zß-öø-ÿ][^\W\d_]{{0,40}}(?:[-{_MARK}\u2011.][^\W\d_]{{1,40}}){{0,4}}"
_INITIAL = r"[^\W\d_a-zß-öø-ÿ]\.(?:[- ]?[^\W\d_a-zß-öø-ÿ]\.){0,3}"
_AFFIX = rf"(?:[dlDL][{_MARK}]|[aA]l-|[eE]l-|[Mm]c|O[{_MARK}])?"
_PART = rf"(?:{_AFFIX}{_CORE}|{_INITIAL})"
_SUFFIX = r"(?:,? (?:Jr\.?|Sr\.?|II|III|IV)(?!\w))?"
_NAME = rf"{_PART}(?:[ \u00a0](?:(?:{_PARTICLE}) ){{0,2}}{_PART}){{0,4}}{_SUFFIX}"
_FULL_NAME = rf"{_PART}(?:[ \u00a0](?:(?:{_PARTICLE}) ){{0,2}}{_PART}){{1,4}}{_SUFFIX}"
_LED_NAME = rf"(?:(?:{_PARTICLE}) ){{0,2}}{_NAME}"

_TITLE = lazy_pattern(
    r"(?<![\w.])(?:(?:Dr|Prof|Mr|Mrs|Ms|Mx|Miss|Messrs|Sir|Dame|Rev|Fr|Capt|Sgt|Lt|Col|Gen|Maj|Hon|Judge|Justice|Nurse|"
    r"Doctor|Professor|Officer|Detective|Inspector|Constable|PC|DC|DS|Cllr|Councillor|Pastor|Rabbi|Imam|Sister|Father|"
    r"Herrn?|Frau|Fräulein|Hr|Fr|Monsieur|Madame|Mademoiselle|Mme|Mlle|Me|Maître|Sra|Srta|Señora?|Don|Doña|"
    r"Signora?|Sig\.ra|Sig|Dott\.ssa|Dott|Avv|Ing|Dhr|Mevr|Mevrouw|Meneer|Senhora?|Dra|Pan|Pani|Bay|Bayan|господин|"
    r"госпожа)\.?"
    r"[ \u00a0](?:med\.|jur\.|phil\.|rer\. nat\.|Dr\.?|Prof\.?|Ing\.)?[ ]?){1,3}"
    rf"(?P<v>{_LED_NAME})"
)
_TITLE_LEADS = Leads(
    "dr prof mr mrs ms mx miss messrs sir dame rev fr capt sgt lt col gen maj hon judge justice nurse doctor professor "
    "officer detective inspector constable pc dc ds cllr councillor pastor rabbi imam sister father herr herrn frau "
    "fräulein hr monsieur madame mademoiselle mme mlle me maître sra srta señor señora don doña signor signora sig "
    "dott avv ing dhr mevr mevrouw meneer senhor senhora dra pan pani bay bayan господин госпожа"
)
_SR = lazy_pattern(rf"(?<!\w)Sr\. (?P<v>{_LED_NAME})")
_INTRODUCED = lazy_pattern(
    r"(?<!\w)(?i:my name(?:['\u2019]s| is)|name['\u2019]s|i am called|call me|this is|i['\u2019]m|i am|im|ich bin|ich "
    r"heiße|ich heisse|mein name ist|je m['\u2019]appelle|"
    r"je suis|mon nom est|me llamo|mi nombre es|soy|mi chiamo|sono|ik heet|ik ben|mijn naam is|meu nome é|chamo-me|"
    r"sou|nazywam się|"
    r"jag heter|mitt namn är|jeg hedder|jeg heter|benim ad\u0131m|ad\u0131m|меня зовут|мене звати)[ :,]{1,2}"
    rf"(?P<v>{_LED_NAME})(?!\w)"
)
_INTRODUCED_LEADS = Leads(
    "my name names i im call this ich mein je mon me mi soy sono ik mijn meu chamo sou nazywam jag mitt jeg benim "
    "ad\u0131m меня мене"
)
_CONFIDENT = lazy_pattern(
    r"(?i:my name|name['\u2019]s|called|call me|heiße|heisse|mein name|m['\u2019]appelle|mon nom|me llamo|mi nombre|"
    r"mi chiamo|heet|naam|meu nome|"
    r"chamo|nazywam|heter|namn|hedder|ad\u0131m|зовут|звати)"
)
_SALUTATION = lazy_pattern(
    r"(?:^|(?<=\n)|(?<=[\"“]))[ \t>]*(?:Dear|Hi|Hello|Hey|Hallo|Liebe[rs]?|Lieber|Sehr geehrte[r]?|Guten (?:Tag|"
    r"Morgen)|Bonjour|Cher|Chère|Salut|"
    r"Hola|Estimad[oa]|Querid[oa]|Caro|Cara|Gentile|Ciao|Beste|Geachte|Olá|Prezad[oa]|Car[oa]|Cześć|Hej|Kära|Kære|"
    r"Kjære|Say\u0131n|Merhaba|Уважаем(?:ый|ая)|Привет) "
    rf"(?P<v>{_LED_NAME})(?=[ ]?[,:!\n]|$)"
)
_SALUTATION_LEADS = Leads(
    "dear hi hello hey hallo liebe lieber liebes sehr guten bonjour cher chère salut hola estimado estimada querido "
    "querida caro cara gentile ciao beste geachte olá prezado prezada cześć hej kära kære kjære say\u0131n merhaba "
    "уважаемый уважаемая привет"
)
_SIGNED = lazy_pattern(
    r"(?<!\w)(?i:(?:best|kind|warm|kindest)? ?regards|best wishes|best|cheers|sincerely(?: yours)?|yours(?: "
    r"(?:sincerely|faithfully|truly))?|thanks(?: again)?|"
    r"thank you|many thanks|love|mit freundlichen grüßen|viele grüße|liebe grüße|beste grüße|lg|vg|mfg|cordialement|"
    r"bien à vous|"
    r"saludos(?: cordiales)?|un saludo|atentamente|cordiali saluti|distinti saluti|met vriendelijke groet(?:en)?|"
    r"groeten|"
    r"atenciosamente|cumprimentos|abraços|pozdrawiam|med vänliga hälsningar|mvh|vennlig hilsen|hilsen|"
    r"sayg\u0131lar\u0131mla|"
    r"\u0441 уважением)"
    rf"[,.!]?[ \t]*\r?\n(?:[ \t]*\r?\n)?[ \t]*(?P<v>{_NAME})[ \t]*(?=\r?\n|$|[,(])"
)
_SIGNED_LEADS = Leads(
    "regards best kind warm kindest bestregards kindregards warmregards kindestregards cheers sincerely yours thanks "
    "thank many love mit viele liebe beste lg vg mfg cordialement bien saludos un atentamente cordiali distinti met "
    "groeten atenciosamente cumprimentos abraços pozdrawiam med mvh vennlig hilsen sayg\u0131lar\u0131mla \u0441"
)
_SIGNED_INLINE = lazy_pattern(
    rf"(?<!\w)(?i:best regards|kind regards|regards|cheers|sincerely|thanks),? (?:[-\u2013—] "
    rf"?)?(?P<v>{_FULL_NAME})(?=[ \t]*(?:\r?\n|$|[.,]))"
)
_FROM = lazy_pattern(
    rf"(?:^|\n)(?:From|To|Cc|Bcc|Von|An|De|À|Para|Da|Van|Aan):[ \t]*\"?(?P<v>{_LED_NAME})\"?(?=[ \t]*(?:<|\r?\n|$|;|,|"
    rf"\())"
)
_FROM_LEADS = Leads("from to cc bcc von an de à para da van aan")
_ADDRESS_START = lazy_pattern(r"(?<=\w)\"? ?<[\w.+-]{1,64}@")
_BEFORE_ADDRESS = lazy_pattern(rf"(?<!\w)(?P<v>{_FULL_NAME})$")
_FIELD = lazy_pattern(
    r"(?<!\w)[\"'*_]{0,3}(?i:(?:full|first|last|sur|given|family|middle|maiden|birth|legal|patient|client|customer|"
    r"employee|student|contact|"
    r"account|card|tenant|applicant|guest|passenger)?[ _-]?name|patient(?:in)?|client|customer|employee|student|"
    r"tenant|applicant|claimant|respondent|"
    r"witness|attendees?|author|contact|buyer|seller|spouse|guardian|next of kin|emergency contact|reporter|assignee|"
    r"signed|"
    r"vorname|nachname|kunde|kundin|mieter(?:in)?|ansprechpartner(?:in)?|nom|prénom|nombre|apellidos?|cognome|nome|"
    r"naam|voornaam|achternaam|apelido|sobrenome|"
    r"imię|nazwisko|имя|фамилия|фио)[\"'*_]{0,3}[ \t]{0,3}[:=][ \t]{0,3}[\"'*_]{0,3}"
    rf"(?P<v>{_LED_NAME})(?=[\"'*_ \t]*(?:$|[\r\n,;|)(.<}}\]\u2013—-]))"
)
_FIELD_LEADS = Leads(
    "full_name first_name last_name sur_name given_name family_name middle_name maiden_name birth_name legal_name "
    "patient_name client_name customer_name employee_name student_name contact_name account_name card_name tenant_name "
    "applicant_name guest_name passenger_name name patient patientin client customer employee student tenant applicant "
    "claimant respondent witness attendee attendees author contact buyer seller spouse guardian next emergency "
    "reporter assignee signed vorname nachname kunde kundin mieter mieterin ansprechpartner "
    "ansprechpartnerin nom prénom nombre apellido apellidos "
    "cognome nome naam voornaam achternaam apelido sobrenome imię nazwisko имя фамилия фио"
)
_INITIALED = lazy_pattern(
    rf"(?P<v>[A-Z](?<![\w.][A-Z])\. ?(?:[A-Z]\. ?){{0,2}}(?:(?:{_PARTICLE}) "
    rf"){{0,2}}[A-Z][a-zà-ÿ]{{2,}}(?:-[A-Z][a-zà-ÿ]+)?{_SUFFIX})(?!\w)"
)
_MIDDLE = lazy_pattern(
    rf"(?P<v>[A-Z](?<!\w[A-Z])[a-zà-ÿ]+ (?:[A-Z]\. ?){{1,2}}(?:(?:{_PARTICLE}) "
    rf"){{0,2}}[A-Z][a-zà-ÿ{_MARK}-]{{2,}}{_SUFFIX})(?!\w)"
)
_GENERATION = lazy_pattern(
    rf"(?<!\w)(?P<v>[A-Z][\w{_MARK}-]{{1,40}}(?: [A-Z][\w{_MARK}.-]{{0,40}}){{1,3}},? (?:Jr\.?|Sr\.?|III)(?!\w))"
)
_PARTICLED = lazy_pattern(
    r"(?P<v>[A-Z](?<!\w[A-Z])[a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)? (?:von der|von|van der|van den|van|de la|de los|dos|bin|ibn|"
    r"bint|al-|zu) ?[A-Z][a-zà-ÿ]+(?:-[A-Z][a-zà-ÿ]+)?)(?!\w)"
)
_PARTICLES = (" von", " van", " de la", " de los", " dos", " bin", " ibn", " bint", " al-", " zu")
_GENERATIONS = ("Jr", "Sr", "III")

_NOT_A_NAME = listed(
    "a an the and or but if so as at by for from in into of on to with not no yes ok okay all any both each every "
    "you your "
    "i we he she it they this that these those there here what who when where why how please thanks thank hello hi "
    "dear "
    "team everyone folks sir madam sirs customer support sales service user admin assistant agent system manager "
    "none null true false unknown n/a na tbd string int integer float number text value name date id email phone "
    "required optional "
    "sorry happy glad sure fine ready done back home available currently just also really very still trying looking "
    "working writing using getting going having doing feeling afraid aware able unable new old good great interested "
    "english german french spanish italian dutch portuguese american british canadian australian indian chinese "
    "japanese muslim christian jewish catholic hindu buddhist european "
    "senior junior lead chief head vice president director engineer doctor nurse teacher lawyer student developer "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september "
    "october november december king queen prince god lord jesus ceo cto cfo hr it api ai llm gpt chatgpt python java "
    "subject re fwd note todo fixme warning error info debug llc ltd inc gmbh corp company university hospital bank "
    "street road "
    "herren damen kolleginnen kollegen team zusammen alle tous toutes todos todas tutti allen ein eine kein nicht "
    "hier der die das "
    "un une le la les el los las una il lo gli em um uma een het de "
    "test example sample demo foo bar lorem ipsum")  # fmt: skip


def find_people(view: Prepared) -> Iterator[Span]:
    """Find names that a title, an introduction, a salutation, a field or their own form marks as such."""
    yield from find_announced(view)
    for matches, score in _formed(view):
        yield from _judged(matches, score)
    for match in match_at(_INTRODUCED, view.text, _INTRODUCED_LEADS.starts(view)):
        # "I am X Y" is a name where two capitalised words follow; one alone may be a nationality or a mood.
        lead = match.group().lower()
        if not _CONFIDENT.search(lead) and (len(match["v"].split()) > 1 or lead.startswith(("ich bin", "this is"))):
            yield from _judged((match,), 0.65)


def find_announced(view: Prepared) -> Iterator[Span]:
    """Find the names alone that the words around them announce beyond doubt."""
    for matches, score in _announced(view):
        yield from _judged(matches, score)


def _announced(view: Prepared) -> Iterator[tuple[Iterable[re.Match[str]], float]]:
    """Yield candidates with their score, by each of the rules that can have any."""
    text = view.text
    titles = (start for start in _TITLE_LEADS.starts(view) if text[start] not in string.ascii_lowercase)
    yield match_at(_TITLE, text, titles), 0.85
    if "Sr. " in text:
        yield _SR.finditer(text), 0.7
    yield match_at(_SALUTATION, text, _behind_blanks(text, _SALUTATION_LEADS.starts(view))), 0.75
    yield match_at(_SIGNED, text, signed := _SIGNED_LEADS.starts(view)), 0.75
    yield match_at(_SIGNED_INLINE, text, signed), 0.7
    lines = (max(0, start - 1) for start in _FROM_LEADS.starts(view) if text[start - 1 : start] in {"", "\n"})
    yield match_at(_FROM, text, lines), 0.75
    yield match_at(_FIELD, text, _FIELD_LEADS.starts(view)), 0.8
    if "<" in text and "@" in text:
        yield _before_addresses(text), 0.85
    introduced = match_at(_INTRODUCED, text, _INTRODUCED_LEADS.starts(view))
    yield (match for match in introduced if _CONFIDENT.search(match.group())), 0.8


def _formed(view: Prepared) -> Iterator[tuple[Iterable[re.Match[str]], float]]:
    """Yield candidates that have the form of a name, with their score."""
    text = view.text
    yield _INITIALED.finditer(text), 0.7
    yield _MIDDLE.finditer(text), 0.75
    if any(mark in text for mark in _GENERATIONS):
        yield _GENERATION.finditer(text), 0.75
    if any(particle in text for particle in _PARTICLES):
        yield _PARTICLED.finditer(text), 0.7


def _behind_blanks(text: str, starts: Iterable[int]) -> Iterator[int]:
    """Yield where the blanks and quotation marks of a line begin that stand before each start."""
    for start in starts:
        blank = start
        while blank and text[blank - 1] in " \t>":
            blank -= 1
        yield blank


def _before_addresses(text: str) -> Iterator[re.Match[str]]:
    for address in _ADDRESS_START.finditer(text):
        name = _BEFORE_ADDRESS.search(text, max(0, address.start() - 80), address.start())
        if name:
            yield name


def _judged(matches: Iterable[re.Match[str]], score: float) -> Iterator[Span]:
    for match in matches:
        span = _judge(match, score)
        if span:
            yield span


def _judge(match: re.Match[str], score: float) -> Span | None:
    start = match.start("v")
    value = match["v"]
    while value:
        first = value.split(None, 1)[0]
        last = value.rsplit(None, 1)[-1]
        if last.strip(".,").casefold() in _NOT_A_NAME and last != first:
            value = value[: -len(last)].rstrip()
            continue
        break
    words = value.split()
    if not words or any(word.strip(".,").casefold() in _NOT_A_NAME for word in words[:1]):
        return None
    if all(word.isupper() and len(word) <= 4 for word in words) and "." not in value and len(words) == 1:
        return None
    if len(value) < 2:
        return None
    return Span(start=start, end=start + len(value), kind=EntityType.PERSON, score=score, source="rules/person")
