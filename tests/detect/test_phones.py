import pytest

from privguard.detect.phones import PhoneFinder
from privguard.detect.prepared import Prepared


@pytest.fixture(scope="module")
def finder() -> PhoneFinder:
    return PhoneFinder()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on +44 20 7946 0018.", "+44 20 7946 0018"),
        ("0044 20 7946 0018", "0044 20 7946 0018"),
        ("+49 (0)30 901820-123", "+49 (0)30 901820-123"),
        ("ring 07700 900123", "07700 900123"),
        ("(406) 555-0171", "(406) 555-0171"),
        ("406-555-0171", "406-555-0171"),
        ("406.555.0171", "406.555.0171"),
        ("Tel. 030 901820", "030 901820"),
        ("Handynummer: 0151 23456789", "0151 23456789"),
        ("tél. 01 99 00 12 34", "01 99 00 12 34"),
        ("call 555-0164 today", "555-0164"),
        ("phone=+442079460018&x", "+442079460018"),
        ("+44 20 7946 0018 5 rooms", "+44 20 7946 0018"),
        ("four oh six five five five oh one seven one", "four oh six five five five oh one seven one"),
    ],
)
def test_numbers_are_found_exactly(finder: PhoneFinder, text: str, expected: str) -> None:
    assert [text[span.start : span.end] for span in finder(Prepared(text=text))] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "ts=1667470478 loss=0.237115",
        "1667470478",
        "2026-07-02,17,ok",
        "02.07.2026 and 2026/07/02",
        "build 6033391 at 08:51:06",
        "203.0.113.201",
        "3.14159265358979",
        "sha 0123456789abcdef",
        "order 0123456789",
        "from 2019-2024",
        "03/2022 - 11/2024",
        "01.2023-12.2023",
        "from 09/2020 / 10/2021 on",
        "12,000 words",
        "pages 100-200",
        "",
    ],
)
def test_other_numbers_are_no_phones(finder: PhoneFinder, text: str) -> None:
    assert list(finder(Prepared(text=text))) == []


def test_the_regions_decide_on_bare_national_numbers() -> None:
    text = "0201 234 5678"
    assert [span.end for span in PhoneFinder(["DE"])(Prepared(text=text))] == [len(text)]
    assert list(PhoneFinder(["US"])(Prepared(text=text))) == []
