import pytest

from privguard.core.entities import EntityType
from privguard.detect.national import NationalFinder
from privguard.detect.prepared import Prepared


@pytest.fixture(scope="module")
def finder() -> NationalFinder:
    return NationalFinder()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("078-05-1120 is not", None),
        ("from 219-09-9999 on", "219-09-9999"),
        ("12345678Z", "12345678Z"),
        ("X1234567L", "X1234567L"),
        ("44051401359", "44051401359"),
        ("131052-308T", "131052-308T"),
        ("811218-9876", "811218-9876"),
        ("AB 12 34 56 C", "AB 12 34 56 C"),
        ("RSSMRA85T10A562S", "RSSMRA85T10A562S"),
        ("2234567890123", None),
        ("Aadhaar 2345 6789 0124", "2345 6789 0124"),
        ("nhs number 943 476 5919", "943 476 5919"),
        ("passport A24681357", "A24681357"),
        ("SSN 219_09_9999", "219_09_9999"),
        ("nhs number 943_476_5919", "943_476_5919"),
        ("PESEL 44051401359_2", None),
    ],
)
def test_national_numbers(finder: NationalFinder, text: str, expected: str | None) -> None:
    found = {text[span.start : span.end] for span in finder(Prepared(text=text))}
    assert found == ({expected} if expected else set())


@pytest.mark.parametrize(
    "text",
    [
        "sha512-Ym2xQ0f1Zw== and s3, m2, EKS, C4",
        "build 6033391 at 08:51:06",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "ts=1667470478 loss=0.237115",
        "943 476 5919",
        "A24681357",
        "123456789",
        "id=abc-12345678Z-def",
        "12 apples and 7 pears",
        "219_09_9999",
        "int(943_476_591)",
        "table_219_09_9999",
        "2024/11/12 and 1/2/3",
        "",
    ],
)
def test_without_a_checksum_or_context_there_is_nothing(finder: NationalFinder, text: str) -> None:
    assert list(finder(Prepared(text=text))) == []


def test_offsets_hold_far_into_a_text_with_emoji(finder: NationalFinder) -> None:
    text = "😀 12 words 7 more " * 50 + "12345678Z"
    (span,) = finder(Prepared(text=text))
    assert text[span.start : span.end] == "12345678Z"
    assert span.kind is EntityType.GOV_ID


def test_every_number_of_a_long_text_is_found(finder: NationalFinder) -> None:
    text = "from 219-09-9999 on, " * 5_000
    assert [text[span.start : span.end] for span in finder(Prepared(text=text))].count("219-09-9999") >= 5_000
