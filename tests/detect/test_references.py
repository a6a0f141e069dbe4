import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared
from privguard.detect.references import find_references


def _found(text: str) -> list[tuple[str, EntityType]]:
    return [(text[span.start : span.end], span.kind) for span in merge(find_references(Prepared(text=text)), text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order no. C-55120", "C-55120"),
        ("ticket #31905", "#31905"),
        ("case number: QZ24P00711", "QZ24P00711"),
        ("policy KL-4711-220815,", "KL-4711-220815"),
        ("employee id E4711", "E4711"),
        ("MRN 00412077", "00412077"),
        ("Kundennummer: 4711-22", "4711-22"),
        ("Aktenzeichen 12/8035/25", "12/8035/25"),
        ("numéro de commande : 66031", "66031"),
        ("expediente 2023/207-914", "2023/207-914"),
        ("codice cliente AB12345", "AB12345"),
        ("ordernummer 551203", "551203"),
        ("número do pedido 66031", "66031"),
        ("Reservation QW7ERT", "QW7ERT"),
        ("see INC-558301", "INC-558301"),
        ("id evt_9AbCd3EfGh5J", "evt_9AbCd3EfGh5J"),
    ],
)
def test_reference_numbers_are_found(text: str, expected: str) -> None:
    assert _found(text) == [(expected, EntityType.RECORD_ID)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SSN 078-05-1120", "078-05-1120"),
        ("passport no. X1234567", "X1234567"),
        ("NI QQ 12 34 56 C", "QQ 12 34 56 C"),
        ("NHS 943 476 5919", "943 476 5919"),
        ("DNI 12345678Z", "12345678Z"),
        ("CPF 123.456.789-09", "123.456.789-09"),
        ("PESEL 44051401359", "44051401359"),
        ("BSN 123456782", "123456782"),
        ("Steuernummer: 133/815/08151", "133/815/08151"),
        ("numéro de sécurité sociale 1 85 05 78 006 084", "1 85 05 78 006 084"),
        ("codice fiscale: RSSMRA85T10A562S", "RSSMRA85T10A562S"),
    ],
)
def test_identity_numbers_are_found(text: str, expected: str) -> None:
    assert _found(text) == [(expected, EntityType.GOV_ID)]


@pytest.mark.parametrize(
    "text",
    [
        "in case 2024 is better",
        "order 12 pizzas for 7",
        "the case is closed",
        "invoice of 2023-11-09",
        "order 2,000 units",
        "UTF-8, ISO-8859-1, CVE-2024-12345, RFC-2616, COVID-19",
        "sha512-Ym2xQ0f1Zw== and s3, m2, EKS, C4",
        "build 6033391 at 08:51:06",
        "RFC 5737 and PEP 8",
        "ticket prices 2022/23",
        "issue #1063",
    ],
)
def test_prose_and_standards_are_no_references(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("id: 48215507", EntityType.RECORD_ID),
        ("station id 48215507", EntityType.RECORD_ID),
        ("national id 48215507", EntityType.GOV_ID),
        ("ID number: 48215507", EntityType.GOV_ID),
    ],
)
def test_whose_an_id_is_the_network_tells_where_no_word_does(text: str, kind: EntityType) -> None:
    start = text.index("4")
    network = Span(start=start, end=len(text), kind=EntityType.RECORD_ID, score=0.9, source=ENCODER)
    assert [span.kind for span in merge([*find_references(Prepared(text=text)), network], text)] == [kind]
