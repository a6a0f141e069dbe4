"""Numbers that were found before the rules were our own, and more of other countries. All are invented."""

import pytest

from privguard.core.entities import EntityType
from privguard.detect.national import NationalFinder
from privguard.detect.national_rules import RULES
from privguard.detect.prepared import Prepared

# The kind of number, the word that introduces it ("" where it needs none), and examples.
_KNOWN = [
    ("de-social-security", "", "65150873A015"),
    ("es-nie", "", "Y1940767-H; X5527185D; Y0666867-L"),
    ("es-nif", "", "74710062J; 50908744-S"),
    ("fi-personal-identity-code", "", "131009-148J; 010223A643X"),
    ("in-gstin", "", "27AAPFU0939F1ZR; 27AAPFU0939F1Z6"),
    ("it-fiscal-code", "", "VRDGLI90H50F205L"),
    ("pl-pesel", "", "85071215715"),
    ("se-personnummer", "", "850712-2334; 8507124082; 19850712-3803"),
    ("uk-driving-licence", "", "MORGA657054SM9IJ; ROTH9801234A99XY"),
    ("uk-nino", "", "AB123456C; JG 10 37 59 A"),
    ("us-mbi", "", "1EG4-TE5-MK73"),
    ("us-ssn", "", "512-44-8391; 512 44 8391; 512.44.8391"),
    ("za-id-number", "", "8001019123082; 9202205736096"),
    ("sg-nric-fin", "", "S1234567A; T7712345D"),
    ("ca-sin", "", "727-910-416; 112 720 214"),
    ("kr-frn", "foreigner registration number", "900101-5246852; 9001015109558"),
    ("kr-rrn", "rrn", "900101-1163646; 9001011726669"),
    ("th-tnin", "thai national id", "1101675309555"),
    ("aba-routing-number", "routing", "020380483; 0210-7400-2"),
    ("au-abn", "abn", "51 867 574 034; 51422620940"),
    ("au-acn", "acn", "004 478 568; 004770441"),
    ("au-medicare", "medicare", "2123 45290 1; 2123456251"),
    ("au-tfn", "tfn", "123 403 989; 123404986"),
    ("ca-postal-code", "postal code", "K1A 0B1; K1A0B1"),
    ("de-bsnr", "bsnr", "021234568"),
    ("de-fuehrerschein", "Führerschein", "BE12345678X; BE123456781"),
    ("de-handelsregister", "Amtsgericht", "HRB 12345; HRA123"),
    ("de-health-insurance", "Krankenkasse", "A123453389"),
    ("de-id-card", "Personalausweis", "L01X00T44; T22000129"),
    ("de-lanr", "Hausarzt", "123450084"),
    ("de-passport", "Reisepass", "C01X00T41"),
    ("de-plz", "Ort", "50667; 01067"),
    ("de-tax-id", "Steuer-ID", "65929943438; 86095746674"),
    ("de-tax-number", "Finanzamt", "0281508153012; 181/815/08155; 21/815/08150"),
    ("de-vat-id", "USt-ID", "DE136695783; DE 136 695 974"),
    ("es-passport", "pasaporte", "AAA123456"),
    ("in-aadhaar", "aadhaar", "234567890124; 2345-6789-0124; 2345:6789:0124"),
    ("in-pan", "pan", "ABCPE1234F"),
    ("in-passport", "passport", "J8369854; J83 69854"),
    ("in-vehicle-registration", "registration", "KA01AB1234; DL3CAB1234; 22BH1234AA"),
    ("in-voter", "voter", "ABC1234567; XGX0000001"),
    ("it-driver-license", "patente", "RM1234567X; U1BCD1234X"),
    ("it-identity-card", "carta", "AA1234567; AA 1234567; 1234567AA; CA12345AA"),
    ("it-passport", "passaporto", "YA1234567"),
    ("it-vat-code", "partita iva", "12345678945; 1234567 8929"),
    ("kr-brn", "brn", "123-45-69415; 1234567800"),
    ("kr-driver-license", "운전면허", "11-12-345678-90; 111234567890"),
    ("kr-passport", "passport", "M123A4567; M12345678"),
    ("medical-license", "dea", "AB1234551"),
    ("ng-nin", "nin", "12345678757"),
    ("ng-vehicle-registration", "plate number", "ABC-123DE; ABC123DE; LSR 104AB"),
    ("uk-nhs", "nhs", "943 476 0836; 943-476-0658; 9434765544"),
    ("ph-passport", "passport", "P1234567A; EB1234567"),
    ("ph-tin", "tin", "123-456-757; 123-456-721-000; 123456721"),
    ("ph-umid", "umid", "0012-3456789-0; 001234567890"),
    ("se-organisationsnummer", "orgnr", "556016-9772; 5560162876"),
    ("sg-uen", "uen", "53123455W; 201212345K; T09LL0004C"),
    ("tr-license-plate", "plaka", "34 ABC 123; 34ABC12; 34-AB-1234"),
    ("tr-national-id", "tc kimlik", "10000000146; 12345678882"),
    ("uk-passport", "passport", "AB1234567"),
    ("uk-postcode", "postcode", "SW1A 1AA; M11AE; GIR 0AA"),
    ("uk-vehicle-registration", "registration", "BD51 SMR; BD51SMR; A123 BCD; ABC 123D"),
    ("us-bank-number", "account", "945456787654; 12345678"),
    ("us-health-insurance-member-id", "member", "XYZ123456789; W-1234567"),
    ("us-itin", "itin", "911-70-1234; 911701234; 911-701234; 91170-1234"),
    ("us-driver-license", "driver license", "H12234567; D1234567; 123456789; 12ABC34567; AB123456C"),
    ("us-npi", "npi", "1234567893; 1245 319 599"),
    ("us-passport", "passport", "912803456; A12803456"),
    ("us-provider-tax-id", "ein", "12-3456789"),
    ("za-company-registration", "company registration", "2011/123456/07; CK1999/123456"),
    ("za-driver-license", "driver's licence", "1234567890AB; 40420000123C"),
    ("za-income-tax-number", "income tax", "0123456789"),
    ("za-license-plate", "number plate", "AB12CDGP; BB 12 CC GP; ABC123GP; 123 ABC EC"),
    ("za-passport", "passport", "A12345678; M12345678"),
    ("za-traffic-register-number", "traffic register", "1234567890123"),
    ("za-vat-number", "vat number", "4123456789"),
]
# The text and the number in it. Its check digits are right.
_RIGHT = [
    ("numéro de sécurité sociale : 1 85 05 78 006 084 91", "1 85 05 78 006 084 91"),
    ("le 185057800608491 est", "185057800608491"),
    ("mijn BSN is 111222333.", "111222333"),
    ("from 85.07.30-033.28 on", "85.07.30-033.28"),
    ("from 15108695088 on", "15108695088"),
    ("from 756.9217.0769.85 on", "756.9217.0769.85"),
    ("from 390.533.447-05 on", "390.533.447-05"),
    ("CPF 39053344705", "39053344705"),
    ("from BOXW310820HNERXN09 on", "BOXW310820HNERXN09"),
    ("from 11010519491231002X on", "11010519491231002X"),
    ("我的身份证号是11010519491231002X。", "11010519491231002X"),
    ("マイナンバーは123456789018です", "123456789018"),
    ("TC Kimlik No: 10000000146", "10000000146"),
    ("SVNR 1237 010180", "1237 010180"),
    ("СНИЛС 112-233-445 95", "112-233-445 95"),
    ("ת.ז. 123456782", "123456782"),
    ("AMKA 01013099997", "01013099997"),
    ("TAJ: 111 111 110", "111 111 110"),
    ("adóazonosító jel 8071592153", "8071592153"),
    ("JMBG 0101006500006", "0101006500006"),
    ("matricule 1893120105732", "1893120105732"),
    ("身分證字號A123456789", "A123456789"),
    ("HKID A123456(3)", "A123456(3)"),
    ("cédula 1.234.567-2", "1.234.567-2"),
    ("کد ملی 0499370899", "0499370899"),
]
# The check digits are wrong, or there are none.
_BROKEN = [
    ("numéro de sécurité sociale 1 85 05 78 006 084 92", "1 85 05 78 006 084 92"),
    ("BSN 111222334", "111222334"),
    ("personnummer: 811218-9877", "811218-9877"),
    ("CPF: 390.533.447-06", "390.533.447-06"),
    ("codice fiscale RSSMRA85T10A562X", "RSSMRA85T10A562X"),
    ("Numer PESEL to 44051401358", "44051401358"),
    ("TC kimlik no 10000000147", "10000000147"),
    ("CURP BOXW310820HNERXN08", "BOXW310820HNERXN08"),
    ("RUT 12.345.678-9", "12.345.678-9"),
    ("身份证号：110105194912310021", "110105194912310021"),
    ("マイナンバー 1234 5678 9019", "1234 5678 9019"),
    ("주민등록번호는 900101-1234567입니다", "900101-1234567"),
    ("رقم الهوية ١٢٣٤٥٦٧٨٩٠", "١٢٣٤٥٦٧٨٩٠"),
    ("ת.ז. 123456789", "123456789"),
    ("cédula de ciudadanía 1.032.456.789", "1.032.456.789"),
]


def _found(finder: NationalFinder, text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for span in finder(Prepared(text=text)):
        value = text[span.start : span.end]
        found[value] = max(span.score, found.get(value, 0.0))
    return found


@pytest.fixture(scope="module")
def finder() -> NationalFinder:
    return NationalFinder()


@pytest.mark.parametrize(("term", "values"), [row[1:] for row in _KNOWN], ids=[row[0] for row in _KNOWN])
def test_what_was_found_once_is_found(finder: NationalFinder, term: str, values: str) -> None:
    for value in values.split("; "):
        assert _found(finder, f"{term or 'from'} {value} on").get(value, 0.0) >= 0.7


@pytest.mark.parametrize("number", range(len(_RIGHT)))
def test_right_check_digits_make_a_number_certain(finder: NationalFinder, number: int) -> None:
    text, value = _RIGHT[number]
    assert _found(finder, text).get(value, 0.0) >= 0.9


@pytest.mark.parametrize("number", range(len(_BROKEN)))
def test_a_word_before_it_makes_up_for_wrong_check_digits(finder: NationalFinder, number: int) -> None:
    text, value = _BROKEN[number]
    assert _found(finder, text).get(value) == 0.75


@pytest.mark.parametrize(
    "text",
    [
        "from 1 85 05 78 006 084 92 on",
        "from 390.533.447-06 on",
        "from 15108695089 on",
        "111222333",
        "ts 1701112034123 and 1667470478, 20260702153042",
        "We run 12345678 tests and 1.234.567-8 jobs",
        "sin 100 000 000 de pesos",
        "provider 2025550143",
        "routing 123456789",
        "NIF 501964843, telefone 912345678",
    ],
)
def test_neither_chance_nor_a_neighbour_makes_a_number(finder: NationalFinder, text: str) -> None:
    assert set(_found(finder, text)) <= {"501964843"}


def test_each_rule_says_something_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.terms or rule.sure
        assert rule.forms or rule.sure
        assert not (rule.strict and not rule.check)
    assert {rule.kind for rule in RULES} == {
        EntityType.GOV_ID, EntityType.RECORD_ID, EntityType.FIN_ACCOUNT, EntityType.DEVICE_ID, EntityType.ADDRESS,
    }  # fmt: skip
