"""What the name of a column, a field, an attribute or an element tells of the values under it."""

from collections.abc import Iterable, Mapping, Sequence

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed
from privguard.detect.keyed import introduction, names_person

_LONGEST_KEY, _LONGEST_VALUE = 60, 200  # code points
_SCORE = 0.8
_MOST_WORDS = 4  # of a key that are read: the last ones
_PIECE = lazy_pattern(r"[^\W\d_]+")
_HUMP = lazy_pattern(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Keys as one word, in small letters.
_WORDS: Mapping[EntityType, frozenset[str]] = {
    EntityType.SECRET: listed(
        "password passwd passwort pwd passphrase passcode kennwort contraseña contrasena senha motdepasse mdp hasło "
        "haslo wachtwoord lösenord apikey secretkey accesskey accesstoken authtoken refreshtoken apitoken privatekey "
        "clientsecret pin cvv cvc securityanswer secretanswer challengeanswer recoveryanswer"
    ),
    EntityType.GOV_ID: listed(
        "ssn socialsecuritynumber socialsecurity socialsecurityno nin nino nationalid nationalidnumber passport "
        "passportno passportnumber passportnr reisepass reisepassnummer taxid taxnumber steuerid steuernummer bsn "
        "nhsnumber nhsno dni nif personnummer cpf curp pesel codicefiscale svnr sozialversicherungsnummer aadhaar "
        "driverlicense driverslicense driverlicensenumber driverslicensenumber drivinglicence idcardnumber "
        "ausweisnummer personalausweisnummer"
    ),
    EntityType.FIN_ACCOUNT: listed(
        "iban bban accountnumber accountno accountnr acctno acctnumber bankaccount kontonummer kontonr creditcard "
        "creditcardnumber cardnumber cardno ccnumber ccnum kreditkarte kreditkartennummer numerodecuenta"
    ),
    EntityType.PHONE: listed(
        "phone phonenumber phoneno telephone telephonenumber tel telefon telefonnummer telefono teléfono téléphone "
        "mobile mobilenumber mobileno mobilephone mobil mobilnummer cell cellphone handy handynummer fax faxnumber "
        "whatsapp telefoonnummer contactnumber"
    ),
    EntityType.EMAIL: listed("email emailaddress mail mailaddress correo courriel"),
    EntityType.ADDRESS: listed(
        "streetaddress homeaddress mailingaddress postaladdress billingaddress shippingaddress addressline address "
        "street streetname straße strasse anschrift adresse dirección direccion domicilio indirizzo adres endereço"
    ),
    EntityType.DATE: listed(
        "dob dateofbirth birthdate birthday geburtsdatum geburtstag datedenaissance fechadenacimiento "
        "fechanacimiento datadinascita geboortedatum datanascimento"
    ),
    EntityType.USERNAME: listed("username login loginname user screenname benutzername benutzer usuario utilisateur"),
    EntityType.PERSON: listed("fname lname givenname familyname middlename maidenname surname"),
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words}
# The name of anything, and of somebody beside what only people have.
_FOREIGN_NAME = listed("nom nombre nome naam imię isim")
_ANY_NAME = _FOREIGN_NAME | {"name"}
_PEOPLES = frozenset(
    (EntityType.PERSON, EntityType.DATE, EntityType.GOV_ID, EntityType.EMAIL, EntityType.SECRET, EntityType.USERNAME)
)
# What stands where there is no value, or for one.
_NO_VALUE = listed(
    "null nil none na n a unknown unbekannt inconnu desconocido string str text varchar char value values example "
    "required optional true false yes no undefined empty missing any default placeholder your enter here hidden "
    "redacted masked self this request field column test system admin root guest anonymous user users name names"
)
_FORMS = {
    EntityType.PERSON: lazy_pattern(
        r"(?!.*[^\W\d_]{2}\.[^\W\d_])[^\W\d_]"
        r"(?:[^\W\d_]|(?:\.|,)? (?=[^\W\d_])|(?:[.'\u2019\u00b4`-]|'')(?=[^\W\d_]))*\.?"
    ),
    EntityType.USERNAME: lazy_pattern(r"(?=[^@]*[^\W\d_])[\w.+@-]{3,64}"),
    EntityType.SECRET: lazy_pattern(r"[^\s<{$/]\S*"),
    EntityType.DATE: lazy_pattern(r"(?=(?:\D*\d){2})[\w ./,-]{4,30}"),
    EntityType.PHONE: lazy_pattern(r"[\d +()./\u2013-]+(?:\s?(?:ext\.?|x|-)\s?\d{1,5})?"),
    EntityType.GOV_ID: lazy_pattern(r"(?=(?:\D*\d){4})[\w ./-]{5,40}"),
    EntityType.FIN_ACCOUNT: lazy_pattern(r"(?=(?:\D*\d){4})[\w ./*\u2022-]{5,40}"),
    EntityType.ADDRESS: lazy_pattern(r"(?=\D*\d)(?=\S+\s\S)(?=.*[^\W\d_]{2})[^@<>{}=]{5,120}"),
    EntityType.EMAIL: lazy_pattern(r"[^\s@]+@[^\s@]+"),
}
_MOST_NAMES = 5  # words
_LEAST_DIGITS = 6  # of a telephone number
_GAP = lazy_pattern(r"[/_]")
_DIGIT = lazy_pattern(r"\d")


def kind_of(key: str) -> EntityType | None:
    """Return the type of the values under a key; None where it tells nothing, or of things as well."""
    if not 0 < len(key) <= _LONGEST_KEY:
        return None
    words = [word.lower() for piece in _PIECE.findall(key) for word in _HUMP.split(piece)][-_MOST_WORDS:]
    for first in range(len(words)):
        kind = _KINDS.get("".join(words[first:]))
        if kind is not None:
            return kind
    if not words or (len(words) == 1 and words[0] in _ANY_NAME):
        return None
    return EntityType.PERSON if _FOREIGN_NAME.isdisjoint(words[:-1]) and names_person(introduction(key)) else None


def kinds_of(keys: Iterable[str]) -> Sequence[EntityType | None]:
    """Return the types of the values under the keys of one row, where `name` may be told by its neighbours."""
    given = [key.strip(" \t\r\n\"'`*_[]") for key in keys]
    kinds = [kind_of(key) for key in given]
    if _PEOPLES.isdisjoint(kinds):
        return kinds
    return [EntityType.PERSON if key.lower() in _ANY_NAME else kind for key, kind in zip(given, kinds, strict=True)]


def read_value(text: str, start: int, end: int, kind: EntityType | None) -> Span | None:
    """Return the span of a value of a type at `[start, end)`, without white space and quotes; None where it is none."""
    if kind is None or end - start > 2 * _LONGEST_VALUE:
        return None
    while start < end and text[start] in " \t\r\n\"'`*%":
        start += 1
    while start < end and text[end - 1] in " \t\r\n\"'`*%":
        end -= 1
    value = text[start:end]
    if not 1 < len(value) <= _LONGEST_VALUE or not _can_be(value, kind):
        return None
    return Span(start=start, end=end, kind=kind, score=_SCORE, source="rules/key")


def _can_be(value: str, kind: EntityType) -> bool:
    """Tell whether a value has a form that its type can have, and is no word that stands for one."""
    words = [word.strip(".,:<>[](){}") for word in _GAP.sub(" ", value.lower()).split()]
    if _NO_VALUE.issuperset(words) or _is_label(words, value, kind):
        return False
    match kind:
        case EntityType.PERSON:
            fits = len(words) <= _MOST_NAMES and len(value) <= _LONGEST_KEY
        case EntityType.SECRET:
            fits = len(value) >= (3 if value.isdecimal() else 4)
        case EntityType.PHONE:
            fits = len(_DIGIT.findall(value)) >= _LEAST_DIGITS
        case _:
            fits = True
    return fits and _FORMS[kind].fullmatch(value) is not None


def _is_label(words: Sequence[str], value: str, kind: EntityType) -> bool:
    """Tell whether a value is the key in another language or the label of a form: `{"lastName": "Nachname"}`."""
    other = _KINDS.get("".join(words))
    # Street and Handy are surnames.
    return other is kind or (other is not None and kind is not EntityType.PERSON) or names_person(introduction(value))
