"""A value that was found once leaves nowhere in another form, and every form comes back as it was written."""

import re
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.letters import plain
from privguard.core.segments import Channel, Role, Segment
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, ListSink
from tests.guard.conftest import OPEN

VALUES = {
    "Tobias Hellmerich": EntityType.PERSON,
    "t.hellmerich@postal.example": EntityType.EMAIL,
    "PX-4471-Q920": EntityType.RECORD_ID,
    "DE89370400440532013000": EntityType.FIN_ACCOUNT,
    "diabetes": EntityType.HEALTH,
    "breast cancer": EntityType.HEALTH,
}
FOUND = "; ".join(VALUES)
TELLING = re.compile("hellmerich|tobias|4471|3704|diabetes|breast")
FORMS = [
    "fix/hellmerich-login",
    "HellmerichInvoice",
    "loadTobiasHellmerichData",
    "HELLMERICH_TOTAL",
    "Hellmerich2",
    "hellmerich, tobias",
    "Ｔｏｂｉａｓ Ｈｅｌｌｍｅｒｉｃｈ",
    "Hell\u00admerich",
    "H e l l m e r i c h",
    "T  o  b  i  a  s a n d",
    "P X - 4 4 7 1 - Q 9 2 0",
    "get_t_hellmerich_postal_example_row",
    "#thellmerichpostalexample",
    "ｔ．ｈｅｌｌｍｅｒｉｃｈ＠ｐｏｓｔａｌ．ｅｘａｍｐｌｅ",
    "PX\u20144471\u2014Q920",
    "PX|4471|Q920",
    "PX/4471/Q920",
    "DE٨٩ ٣٧٠٤ ٠٠٤٤ ٠٥٣٢ ٠١٣٠ ٠٠",
    "SELECT diabetes FROM t",
    "/data/diabetes/2",
    "DIABETES",
    "breast_cancer.csv",
    "hasBreastCancer",
]
SPELLED = [
    "Hell\u00admerich",
    "Hell\u200bmerich",
    "H e l l m e r i c h",
    "TobiasHellmerich",
    "hellmerich_2",
    "thellmerich",
]
GUARD = Guard(
    Parts(
        detector=FakeDetector(VALUES),
        need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
        abstractor=FakeAbstractor(),
        profiles=OPEN,
        sink=ListSink(),
        key=Key.from_text("correct horse battery staple"),
    )
)


def sent(*texts: str) -> list[str]:
    """Return what leaves, once it is certain that all of it comes back."""
    segments = [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts]
    exchange = GUARD.begin(segments, target="model-x")
    outgoing = [segment.text for segment in exchange.outgoing]
    assert [exchange.restore(text) for text in outgoing] == list(texts)
    return outgoing


def ids(texts: Sequence[str]) -> set[str]:
    return {found for text in texts for found in re.findall(r"\[PERSON_(\w+)[\]:]", text)}


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", plain(text)).lower()


@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_a_found_value_leaves_in_no_other_form(form: str) -> None:
    assert not TELLING.search(letters(sent(FOUND, form)[1]))


@given(
    st.lists(st.sampled_from([*FORMS, "plain words", "x_2", "é"]), max_size=6), st.sampled_from([" ", "\n", ", ", "\t"])
)
def test_forms_next_to_each_other_leave_and_come_back(forms: list[str], separator: str) -> None:
    assert not TELLING.search(letters(sent(FOUND, separator.join(forms))[1]))


@pytest.mark.parametrize(
    "form",
    SPELLED,
    ids=range(len(SPELLED)),
)
def test_every_form_of_a_name_has_one_placeholder(form: str) -> None:
    assert len(ids(sent("Tobias Hellmerich", form))) == 1


def test_words_that_are_names_as_well_stay_in_lower_case() -> None:
    guard = Guard(
        Parts(
            detector=FakeDetector({"Grace Hellmerich": EntityType.PERSON}),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=OPEN,
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )
    text = "grace period, getGraceValue, will mark"
    segments = [
        Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=each) for each in ("Grace Hellmerich", text)
    ]
    assert guard.begin(segments, target="model-x").outgoing[1].text == text


def leaving(value: str, kind: EntityType, *texts: str) -> list[str]:
    """Return what leaves of further texts, once one value was found and it is certain that all comes back."""
    guard = Guard(
        Parts(
            detector=FakeDetector({value: kind}),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=OPEN,
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )
    written = [f"of {value} here", *texts]
    segments = [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text) for text in written]
    exchange = guard.begin(segments, target="model-x")
    outgoing = [segment.text for segment in exchange.outgoing]
    assert [exchange.restore(text) for text in outgoing] == written
    return outgoing[1:]


ENCODED = [
    ("p@ss/w\u00f6rd+1", EntityType.SECRET, "DSN u:p%40ss%2Fw%C3%B6rd%2B1@h", "ss%2F"),
    ("xK9-pass!7", EntityType.SECRET, "k=xK9-pass%217", "xK9"),
    ("hunter2 two", EntityType.SECRET, "hunter%202%20two hunter2%20two", "hunter2"),
    ("hunter2 two", EntityType.SECRET, "q=hunter2+two%21", "hunter2"),
    ("Kernberg", EntityType.PERSON, "%4Bernberg", "ernberg"),
    ("Kernberg", EntityType.PERSON, "x%20Kernberg%20y", "Kernberg"),
    ("7-AB-99201", EntityType.RECORD_ID, "7%2DAB%2D99201", "99201"),
    ("ada.roth@kern.org", EntityType.EMAIL, "ada%2Eroth%40kern%2Eorg", "kern"),
    ("ada.roth@kern.org", EntityType.EMAIL, "ada.roth%2540kern.org", "kern"),
    ("ada.roth@kern.org", EntityType.EMAIL, "ada%252Eroth%252540kern.org", "kern"),
    ("Ada Kernberg", EntityType.PERSON, "?n=%EF%BC%A1da%20Kernberg", "Kernberg"),
    ("Zo\u00eb Kernberg", EntityType.PERSON, "?n=Zo%EB+Kernberg", "Kernberg"),
]


@pytest.mark.parametrize(("value", "kind", "text", "rest"), ENCODED, ids=range(len(ENCODED)))
def test_a_found_value_does_not_leave_percent_encoded(value: str, kind: EntityType, text: str, rest: str) -> None:
    assert rest not in leaving(value, kind, text)[0]


OTHERWISE = [
    ("Mrs Anna-Lena Kernberg-Voss", EntityType.PERSON, "Frau Voss, Lena, Anna, Kernberg, voss_file"),
    ("Kernberg-Voss", EntityType.PERSON, "Frau Voss, KERNBERG"),
    ("Jos\u00e9 N\u00fa\u00f1ez", EntityType.PERSON, "Jose Nunez, JOSE NUNEZ, jose_nunez_cv.pdf, Nunez, getNunez"),
    ("J\u00fcrgen M\u00fcller", EntityType.PERSON, "Juergen Mueller, Jurgen Muller, juergen.mueller, JMUELLER_2"),
    ("Jose Nunez", EntityType.PERSON, "Jos\u00e9 N\u00fa\u00f1ez, N\u00da\u00d1EZ, Nu\u0301n\u0303ez"),
    ("Juergen Mueller", EntityType.PERSON, "J\u00fcrgen M\u00fcller, M\u00dcLLER"),
    ("Z\u00fcrich", EntityType.LOCATION, "Zurich, zuerich, ZURICH"),
    ("7-AB-99201", EntityType.RECORD_ID, "7\tAB\t99201; 7   AB   99201; 7---AB---99201; 7 - AB - 99201; 7\t-\tAB99201"),
    ("+49 170 1234567", EntityType.PHONE, "0170 1234567, 01701234567, +49 (0)170 1234567, 0049-170-1234567"),
    ("+1 202 555 0143", EntityType.PHONE, "(202) 555-0143, 202.555.0143"),
    ("Tobias Kernberg", EntityType.PERSON, "TKERNBERG, KERNBERGT, tkernberg"),
    ("12 Elm Street, 90210 Heronville", EntityType.ADDRESS, "12 Elm Street\n90210 Heronville"),
    ("12 Elm Street, 90210 Heronville", EntityType.ADDRESS, "12 Elm Street | 90210 Heronville; x"),
    ("12 Elm Street, 90210 Heronville", EntityType.ADDRESS, "12 Elm Street;90210 Heronville"),
    ("12 Elm Street, 90210 Heronville", EntityType.ADDRESS, "12 Elm Street / 90210 HERONVILLE"),
    ("12 Elm Street\n90210 Heronville", EntityType.ADDRESS, "12 Elm Street, 90210 Heronville"),
]
GARBLED = [
    (
        "Jürgen Kößler",
        'KÃ¶ÃŸler, JÃ¼rgen KÃ¶ÃŸler, KÃƒÂ¶ÃƒÅ¸ler, K\ufffd\ufffdler, K??ler, K\\"o\\ss ler, K\\"o{\\ss}ler',
    ),
    ("José Peñalver", "JosÃ© PeÃ±alver; Jos\ufffd Pe\ufffdalver, Pe?alver, Jos? Pe?alver"),
    ("José Peñalver", "Pe=C3=B1alver Jos=E9_x Pe=\nñalver Pe=C3=\r\n=B1alver"),
    ("José Peñalver", "=?utf-8?Q?Jos=C3=A9_Pe=C3=B1alver?= =?iso-8859-1?Q?Jos=E9_Pe=F1alver?="),
    ("José Peñalver", "From: =?utf-8?B?Sm9zw6kgUGXDsWFsdmVy?= =?UTF-8?B?Sm9zw6kg?=\r\n =?UTF-8?B?UGXDsWFsdmVy?="),
    ("José Peñalver", r"Jos\'e Pe\~nalver, Jos{\'e}, Jos\'{e}, {\sc Pe\~{n}alver}"),
    ("Ștefan Țîrlea", "Ştefan Ţîrlea; Ţîrlea, ŢÎRLEA"),
    ("Ştefan Ţîrlea", "Ștefan Țîrlea; Țîrlea"),
    ("Erdős", "Erdõs, ERDÕS"),
    ("Мария Козлова", "РњР°СЂРёСЏ РљРѕР·Р»РѕРІР°"),
    ("Sinéad O’Connell", "O\u00e2\u20ac\u2122Connell, O?Connell, O\ufffdConnell"),
    ("Ada Kernberg", "=?utf-8?B?QWRhIEtlcm5iZXJn?=, =?utf-8?Q?Ada_Kernberg?="),
]
REST = re.compile(r"ler\b|alver|Jos|rgen|Sm9z|tefan|rlea|Erd|ERD|RLEA|Рњ|Рљ|Connell|QWRh|Kernberg")


@pytest.mark.parametrize(("value", "text"), GARBLED, ids=range(len(GARBLED)))
def test_a_person_who_was_found_does_not_leave_in_the_codes_of_mail_and_tex_or_garbled(value: str, text: str) -> None:
    assert not REST.search(leaving(value, EntityType.PERSON, text)[0])


TOLD = re.compile(
    "voss|lena|anna|kernberg|nunez|jose|jurgen|juergen|muller|mueller|zurich|zuerich|99201|1234567|0143|heron"
)


def bare(text: str) -> str:
    return letters(re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", re.sub(r"\[[A-Z]+_\w+\]", "", text))))


@pytest.mark.parametrize(("value", "kind", "text"), OTHERWISE, ids=range(len(OTHERWISE)))
def test_a_found_value_does_not_leave_in_parts_or_other_letters_and_signs(
    value: str, kind: EntityType, text: str
) -> None:
    assert not TOLD.search(bare(leaving(value, kind, text)[0]))


PEOPLE = {"Uwe Koch": EntityType.PERSON, "Luis Carta": EntityType.PERSON, "Eva Brief": EntityType.PERSON}


@pytest.mark.parametrize("kind", [EntityType.HEALTH, EntityType.LOCATION])
def test_a_request_stays_readable_where_words_are_spelled_like_what_was_found(kind: EntityType) -> None:
    guard = Guard(
        Parts(
            detector=FakeDetector(PEOPLE | {"Stress": kind, "12345": EntityType.RECORD_ID}),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=OPEN,
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )
    text = "koch das Wasser; escribe una carta; a brief summary, brief_id; stress test of 12,345 people"
    segments = [
        Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=each)
        for each in ("; ".join((*PEOPLE, "Stress", "12345")), text)
    ]
    assert guard.begin(segments, target="model-x").outgoing[1].text == text
