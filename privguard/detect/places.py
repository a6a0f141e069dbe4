"""Street addresses and postcodes, as the common countries write them."""

import re
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.found import take

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
_UNIT = (
    r"(?:Flat|Apt\.?|Apartment|Unit|Suite|Ste\.?|Room|"
    r"Rm\.?|Floor|Bldg\.?|Block|House|Lot|Villa|H\.No\.?|Plot|Top|Tür|Stiege)"
)
_TAIL = (
    rf"(?:,? ?(?:{_UNIT}|#) ?\w{{1,6}}(?!\w))?(?:(?:,\s(?!\d){_CITY}){{0,3}}?,?\s{_CODE}|(?:,\s(?!\d){_CITY}){{0,2}})?"
)
_EN = re.compile(
    rf"(?<![\w.,/-])(?:{_UNIT} ?[\w-]{{1,5}},? (?:{_WORD} (?:House|Mill|Court|Lodge|Building|Tower|Mansions), )?)?"
    rf"\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,5}}[A-Za-z]?)? (?:[NSEW]{{1,2}}\.? )?(?:{_WORD} "
    rf"){{1,4}}?(?:{_EN_KIND})(?!\w)(?! (?:{_EN_KIND})(?!\w))\.?(?: [NSEW]{{1,2}}(?!\w))?{_TAIL}"
)
_UNIT_ADDRESS = re.compile(
    rf"(?<!\w)(?:Flat|Apartment|Apt\.?|Unit) \w{{1,5}}, (?:{_WORD} ){{0,3}}{_WORD}, ?(?:{_WORD} ){{0,3}}{_CODE}"
)
_DE = re.compile(
    rf"(?<!\w)(?:[{_UP}][\wäöüß.-]{{0,30}}(?: [{_UP}][\wäöüß.-]{{0,20}}|-){{0,2}}?)?"
    r"(?:[Ss]traße|[Ss]trasse|[Ss]tr\.|weg|[Gg]asse|[Pp]latz|[Aa]llee|[Rr]ing|damm|[Uu]fer|chaussee|steig|pfad|graben|"
    r"markt|Weg|"
    r"straat|laan|plein|gracht|kade|dijk|singel|steeg|gatan|vägen|gata|vej|gade|veien|katu|tie)"
    rf" \d{{1,4}}(?: ?[a-zA-Z](?!\w))?(?:[/-]\d{{1,4}}[a-z]?){{0,3}}(?!\w)(?:,?\s(?:[A-Z]{{1,2}}-)?\d{{4,5}}(?: "
    rf"[A-Z]{{2}}(?!\w))? {_CITY})?"
)
_DE_CODE = re.compile(rf"(?<![\w.-])(?:D-|A-|CH-)\d{{4,5}} {_CITY}|(?:(?<=PLZ )|(?<=PLZ: ))\d{{4,5}}(?: {_CITY})?")
_FR = re.compile(
    r"(?<![\w.,-])\d{1,4}(?: ?(?:bis|ter|quater)(?!\w))?,? (?:rue|avenue|av\.|boulevard|bd\.?|place|chemin|allée|"
    r"impasse|quai|route|cours|"
    r"passage|square|ruelle|faubourg|villa|résidence|Rue|Avenue|Boulevard|Place|Chemin|Allée|Impasse|Quai|Route)"
    rf"(?: (?:(?:des|de|du|les|la|le|aux|au|à|et|en|sous|sur)(?![\w'\u2019])|[ld]['\u2019]{_WORD}|{_WORD})){{1,6}}"
    rf"(?:(?:, [\w°èé ]{{1,20}})?,?\s\d{{5}} {_CITY})?"
)
_STREET_WORD = (
    rf"(?:(?:della|delle|del|dei|de|di|dos|das|do|da|las|los|la|el|e)(?!\w)|{_WORD}|[\u0410-ЯЄ\u0406ЇҐ][\w-]{{1,30}})"
)
_ROMANCE = re.compile(
    r"(?<!\w)(?:[Cc]alle|C/|[Aa]venida|Avda\.?|Av\.|[Pp]laza|Pza\.?|[Pp]aseo|[Cc]arrer|[Cc]arretera|Ctra\.|[Cc]amino|"
    r"[Vv]ia|[Vv]iale|V\.le|[Cc]orso|[Pp]iazza|"
    r"[Ll]argo|[Vv]icolo|[Ss]trada|C\.da|Contrada|[Rr]ua|R\.|[Tt]ravessa|[Pp]raça|[Ee]strada|[Aa]lameda|ul\.|al\.|"
    r"os\.|pl\.|[Uu]lica|Odos|str\.|Str\.|улица|ул\.|вул\.|пр\.)"
    rf" ?(?:{_STREET_WORD} ){{0,5}}{_STREET_WORD},? ?"
    rf"(?:n[.º°o]{{1,2}} ?|nr ?|д\. ?|№ ?)?"
    rf"\d{{1,4}}(?: ?[A-Za-z](?!\w))?(?:[/-]\d{{1,4}}\w?){{0,2}}(?!\w)(?:,? ?\d{{1,2}}[.º°ª]\w{{0,3}} "
    rf"?\w{{0,4}})?(?:, ?|\s?[\u2013-]\s?| )?(?:\d{{2}}-\d{{3}}(?: {_CITY})?|\d{{4}}-\d{{3}} {_CITY}|\d{{5}} {_CITY})?"
)
_ANY = re.compile(
    rf"(?<!\w)(?:{_WORD} ){{1,3}}\d{{1,4}}(?: ?[a-zA-Z](?!\w))?(?:[/-]\d{{1,4}})?(?:, (?:\d\. OG|lgh|[Aa]pt\.?|Top|"
    rf"W\.)[ \w.]{{0,12}})?,? (?:[A-Z]{{1,2}}-)?"
    rf"(?:\d{{4}} [A-Z]{{2}}|\d{{3}} \d{{2}}|\d{{4,5}}) {_CITY}"
)
_NAMED_HOUSE = re.compile(
    rf"(?<!\w)(?:{_WORD} ){{0,3}}{_WORD}"
    rf"(?:, ?(?:\d{{1,4}} )?(?:{_WORD} ){{0,3}}{_WORD}){{0,2}},? {_GB_CODE}"
)
_BOX = re.compile(
    rf"(?<!\w)(?:P\.? ?O\.? ?Box|Postfach|BP|Apartado|Casella Postale|Postbus) \d[\d "
    rf"-]{{1,12}}\d(?:,\s{_CITY})?(?:,?\s{_CODE})?"
)
_GB_POSTCODE = re.compile(r"(?<![\w-])(?:[A-Z]{1,2}\d[A-Z\d]?) \d[ABD-HJLNP-UW-Z]{2}(?![\w-])")
_US_ZIP = re.compile(rf"(?<!\w){_WORD}(?: {_WORD}){{0,2}}, (?:{_US_STATE}) \d{{5}}(?:-\d{{4}})?(?!\w)")
_CA_POSTCODE = re.compile(r"(?<![\w-])[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d(?![\w-])")
_ROUTE = re.compile(r"\d+ (?:Other |More |New |Great |Good |Best )")


def find_addresses(text: str) -> Iterator[Span]:
    """Find street addresses, with town and postcode where they follow, and postcodes that stand alone."""
    if not any(map(str.isdecimal, text)):
        return
    for pattern in (_EN, _UNIT_ADDRESS, _DE, _DE_CODE, _FR, _ROMANCE, _ANY, _NAMED_HOUSE, _BOX):
        for span in take(text, pattern, EntityType.ADDRESS, 0.7, "rules/address"):
            if not _ROUTE.match(text, span.start):
                yield span
    for pattern in (_GB_POSTCODE, _US_ZIP, _CA_POSTCODE):
        yield from take(text, pattern, EntityType.ADDRESS, 0.65, "rules/postcode")
