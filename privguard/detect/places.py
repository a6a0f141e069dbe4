"""Street addresses and postcodes, as the common countries write them."""

import re
from collections.abc import Iterable, Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed, take
from privguard.detect.prepared import Leads, Prepared, match_at

_UP = "A-ZÀ-ÖØ-ÞŁŚŻŹĆŃĘĄÓČŠŽŘŇŤĎ"
_WORD = rf"[{_UP}][\w'\u2019.-]{{0,30}}"
_CITY = rf"{_WORD}(?:[ -]{_WORD}){{0,3}}"
_GB_CODE = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\w)"
_US_STATE = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|"
    "PA|PR|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|NSW|VIC|QLD|TAS|ACT|ON|QC|BC|AB|MB|SK|NS|NB"
)
_CODE = (
    rf"(?:{_GB_CODE}|(?:{_US_STATE})\.? \d{{4,5}}(?:-\d{{4}})?|[A-Z]\d[A-Z] \d[A-Z]\d|"
    r"\d{4} ?[A-Z]{2}(?!\w)|\d{5}(?:-\d{3,4})?)(?!\d)"
)
_EN_KIND = (
    "Street|St|Road|Rd|Avenue|Ave|Av|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Close|Crescent|Cres|Place|Pl|Square|Sq|"
    "Terrace|"
    "Way|Walk|Gardens|Gdns|Grove|Hill|Row|Mews|Parade|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Loop|Trail|Trl|Alley|Plaza|"
    "Quay|"
    "Wharf|Green|Rise|Vale|View|Heights|Park|Estate|Cottages|Yard|Esplanade|Turnpike|Pike|Broadway|Crossing|Xing|Run|"
    "Ridge|Gate|Marg|Nagar"
)
_EN_KIND_LEADS = Leads(_EN_KIND.replace("|", " "))
_UNIT = (
    r"(?:Flat|Apt\.?|Apartment|Unit|Suite|Ste\.?|Room|"
    r"Rm\.?|Floor|Bldg\.?|Block|House|Lot|Villa|H\.No\.?|Plot|Top|Tür|Stiege)"
)
_UNIT_START = lazy_pattern(r"[AFHBLPRSTUV](?<![\w.,/-].)")
_UNIT_LEADS = Leads("flat apartment apt unit")
_TAIL = (
    rf"(?:,? ?(?:{_UNIT}|#) ?\w{{1,6}}(?!\w))?(?:(?:,\s(?!\d){_CITY}){{0,3}}?,?\s{_CODE}|(?:,\s(?!\d){_CITY}){{0,2}})?"
)
_EN = lazy_pattern(
    rf"(?<![\w.,/-])(?:{_UNIT} ?[\w-]{{1,5}},? (?:{_WORD} (?:House|Mill|Court|Lodge|Building|Tower|Mansions), )?)?"
    rf"\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,5}}[A-Za-z]?)? (?:[NSEW]{{1,2}}\.? )?(?:{_WORD} "
    rf"){{1,4}}?(?:{_EN_KIND})(?!\w)(?! (?:{_EN_KIND})(?!\w))\.?(?: [NSEW]{{1,2}}(?!\w))?{_TAIL}"
)
_UNIT_ADDRESS = lazy_pattern(
    rf"(?<!\w)(?:Flat|Apartment|Apt\.?|Unit) \w{{1,5}}, (?:{_WORD} ){{0,3}}{_WORD}, ?(?:{_WORD} ){{0,3}}{_CODE}"
)
_DE_ENDINGS = tuple(
    f"{ending} "
    for ending in listed(
        "traße trasse tr. weg Weg asse latz llee ing damm fer chaussee steig pfad graben markt straat laan plein "
        "gracht kade dijk singel steeg gatan vägen gata vej gade veien katu tie"
    )
)
_LONGEST_DE_ENDING = max(map(len, _DE_ENDINGS))
_DE = lazy_pattern(
    rf"(?<!\w)(?:[{_UP}][\wäöüß.-]{{0,30}}(?: [{_UP}][\wäöüß.-]{{0,20}}|-){{0,2}}?)?"
    r"(?:[Ss]traße|[Ss]trasse|[Ss]tr\.|weg|[Gg]asse|[Pp]latz|[Aa]llee|[Rr]ing|damm|[Uu]fer|chaussee|steig|pfad|graben|"
    r"markt|Weg|"
    r"straat|laan|plein|gracht|kade|dijk|singel|steeg|gatan|vägen|gata|vej|gade|veien|katu|tie)"
    rf" \d{{1,4}}(?: ?[a-zA-Z](?!\w))?(?:[/-]\d{{1,4}}[a-z]?){{0,3}}(?!\w)(?:,?\s(?:[A-Z]{{1,2}}-)?\d{{4,5}}(?: "
    rf"[A-Z]{{2}}(?!\w))? {_CITY})?"
)
_DE_CODE = lazy_pattern(rf"(?<![\w.-])(?:D-|A-|CH-)\d{{4,5}} {_CITY}|(?:(?<=PLZ )|(?<=PLZ: ))\d{{4,5}}(?: {_CITY})?")
_FR_LEADS = Leads(
    "rue avenue av boulevard bd place chemin allée impasse quai route cours passage square ruelle faubourg villa "
    "résidence"
)
_FR = lazy_pattern(
    r"(?<![\w.,-])\d{1,4}(?: ?(?:bis|ter|quater)(?!\w))?,? (?:rue|avenue|av\.|boulevard|bd\.?|place|chemin|allée|"
    r"impasse|quai|route|cours|"
    r"passage|square|ruelle|faubourg|villa|résidence|Rue|Avenue|Boulevard|Place|Chemin|Allée|Impasse|Quai|Route)"
    rf"(?: (?:(?:des|de|du|les|la|le|aux|au|à|et|en|sous|sur)(?![\w'\u2019])|[ld]['\u2019]{_WORD}|{_WORD})){{1,6}}"
    rf"(?:(?:, [\w°èé ]{{1,20}})?,?\s\d{{5}} {_CITY})?"
)
_STREET_WORD = (
    rf"(?:(?:della|delle|del|dei|de|di|dos|das|do|da|las|los|la|el|e)(?!\w)|{_WORD}|[\u0410-ЯЄ\u0406ЇҐ][\w-]{{1,30}})"
)
_ROMANCE_LEADS = Leads(
    "c av ctra v r ul al os pl str ул вул пр",
    stems=listed(
        "calle avenida avda plaza pza paseo carrer camino via corso piazza largo vicolo strada contrada rua travessa "
        "praça estrada alameda ulica odos улица"
    ),
)
_ROMANCE = lazy_pattern(
    r"(?<!\w)(?:[Cc]alle|C/|[Aa]venida|Avda\.?|Av\.|[Pp]laza|Pza\.?|[Pp]aseo|[Cc]arrer|[Cc]arretera|Ctra\.|[Cc]amino|"
    r"[Vv]ia|[Vv]iale|V\.le|[Cc]orso|[Pp]iazza|"
    r"[Ll]argo|[Vv]icolo|[Ss]trada|C\.da|Contrada|[Rr]ua|R\.|[Tt]ravessa|[Pp]raça|[Ee]strada|[Aa]lameda|ul\.|al\.|"
    r"os\.|pl\.|[Uu]lica|Odos|str\.|Str\.|улица|ул\.|вул\.|пр\.)"
    rf" ?(?:{_STREET_WORD} ){{0,5}}{_STREET_WORD},? ?"
    rf"(?:n[.º°o]{{1,2}} ?|nr ?|д\. ?|№ ?)?"
    rf"\d{{1,4}}(?: ?[A-Za-z](?!\w))?(?:[/-]\d{{1,4}}\w?){{0,2}}(?!\w)(?:,? ?\d{{1,2}}[.º°ª]\w{{0,3}} "
    rf"?\w{{0,4}})?(?:, ?|\s?[\u2013-]\s?| )?(?:\d{{2}}-\d{{3}}(?: {_CITY})?|\d{{4}}-\d{{3}} {_CITY}|\d{{5}} {_CITY})?"
)
_TOWN = lazy_pattern(rf"\d{{3}} ?\d{{1,2}} [{_UP}]")
_ANY = lazy_pattern(
    rf"(?<!\w)(?:{_WORD} ){{1,3}}\d{{1,4}}(?: ?[a-zA-Z](?!\w))?(?:[/-]\d{{1,4}})?(?:, (?:\d\. OG|lgh|[Aa]pt\.?|Top|"
    rf"W\.)[ \w.]{{0,12}})?,? (?:[A-Z]{{1,2}}-)?"
    rf"(?:\d{{4}} [A-Z]{{2}}|\d{{3}} \d{{2}}|\d{{4,5}}) {_CITY}"
)
_GB_CODE_END = lazy_pattern(r"\d[A-Z]{2}(?!\w)")
_NAMED_HOUSE = lazy_pattern(
    rf"(?<!\w)(?:{_WORD} ){{0,3}}{_WORD}"
    rf"(?:, ?(?:\d{{1,4}} )?(?:{_WORD} ){{0,3}}{_WORD}){{0,2}},? {_GB_CODE}"
)
_BOX_LEADS = Leads("p po pobox postfach bp apartado casella postbus")
_BOX = lazy_pattern(
    rf"(?<!\w)(?:P\.? ?O\.? ?Box|Postfach|BP|Apartado|Casella Postale|Postbus) \d[\d "
    rf"-]{{1,12}}\d(?:,\s{_CITY})?(?:,?\s{_CODE})?"
)
_LONGEST_CODE = 4  # of the first half of a postcode
_GB_POSTCODE = lazy_pattern(r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]?) \d[ABD-HJLNP-UW-Z]{2}(?![\w-])")
_US_ZIP_END = lazy_pattern(r"[A-Z] \d{5}")
_US_ZIP = lazy_pattern(rf"(?<!\w){_WORD}(?: {_WORD}){{0,2}}, (?:{_US_STATE}) \d{{5}}(?:-\d{{4}})?(?!\w)")
_CA_POSTCODE = lazy_pattern(r"(?<![\w-])[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d(?![\w-])")
_WORD_START = lazy_pattern(r"\b\w")
_ROUTE = lazy_pattern(r"\d+ (?:Other |More |New |Great |Good |Best )")


def find_addresses(view: Prepared) -> Iterator[Span]:
    """Find street addresses, with town and postcode where they follow, and postcodes that stand alone."""
    if not view.numbers:
        return
    text = view.text
    for matches in _addresses(view):
        for span in take(matches, EntityType.ADDRESS, 0.7, "rules/address"):
            if not _ROUTE.match(text, span.start):
                yield span
    for matches in _postcodes(view):
        yield from take(matches, EntityType.ADDRESS, 0.65, "rules/postcode")


def _addresses(view: Prepared) -> Iterator[Iterator[re.Match[str]]]:
    """Yield candidates by each of the rules that can have any."""
    text = view.text
    numbers = [start for start, _ in view.numbers]
    if any(text[start].isupper() for start in _EN_KIND_LEADS.starts(view)):
        yield match_at(_EN, text, sorted({*numbers, *(unit.start() for unit in _UNIT_START.finditer(text))}))
    yield match_at(_UNIT_ADDRESS, text, _UNIT_LEADS.starts(view))
    streets = [start for start in numbers if text.endswith(_DE_ENDINGS, max(0, start - _LONGEST_DE_ENDING), start)]
    yield match_at(_DE, text, _words_before(text, streets, reach=100))
    yield match_at(_DE_CODE, text, _de_code_starts(view))
    if _FR_LEADS.starts(view):
        yield match_at(_FR, text, numbers)
    yield match_at(_ROMANCE, text, _ROMANCE_LEADS.starts(view))
    yield match_at(_ANY, text, _words_before(text, _starts(_TOWN, text), reach=160))
    yield match_at(_NAMED_HOUSE, text, _words_before(text, _starts(_GB_CODE_END, text), reach=480))
    yield match_at(_BOX, text, _BOX_LEADS.starts(view))


def _postcodes(view: Prepared) -> Iterator[Iterator[re.Match[str]]]:
    text = view.text
    codes = [start for start, code in view.codes if len(code) <= _LONGEST_CODE]
    yield match_at(_GB_POSTCODE, text, codes)
    yield match_at(_US_ZIP, text, _words_before(text, _starts(_US_ZIP_END, text), reach=120))
    yield match_at(_CA_POSTCODE, text, codes)


def _starts(pattern: re.Pattern[str], text: str) -> list[int]:
    return [match.start() for match in pattern.finditer(text)]


def _words_before(text: str, places: Iterable[int], *, reach: int) -> Iterator[int]:
    """Yield where the words begin that stand up to `reach` code points before any of the ascending places."""
    done = 0
    for place in places:
        for word in _WORD_START.finditer(text, max(done, place - reach), place):
            yield word.start()
        done = max(done, place)


def _de_code_starts(view: Prepared) -> Iterator[int]:
    last = 0
    for start, end in view.numbers:
        if end - start >= 4:
            if view.text[start - 1 : start] == "-":
                yield from range(max(last, start - 3), start - 1)
            yield start
        last = end
