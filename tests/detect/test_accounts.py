import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.accounts import find_accounts, find_ibans
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared
from tests.growth import grows_in_proportion

IBANS = (
    "DE89 3704 0044 0532 0130 00",
    "DE89370400440532013000",
    "DE89-3704-0044-0532-0130-00",
    "GB82 WEST 1234 5698 7654 32",
    "NO93 8601 1117 947",
    "MT84MALT011000012345MTLCAST001S",
    "FR14 2004 1010 0505 0001 3M02 606",
)


def _found(text: str, kind: EntityType) -> list[str]:
    return [
        text[span.start : span.end] for span in merge(find_accounts(Prepared(text=text)), text) if span.kind is kind
    ]


@pytest.mark.parametrize("iban", IBANS)
@given(
    before=st.sampled_from(["", "IBAN ", "to account ", "(", "x: ", "17 "]),
    after=st.sampled_from(["", " failed", " 2 days", " 12345", ".", ", BIC", "\n99", " AB12", ")"]),
)
def test_neighbours_never_change_an_iban(iban: str, before: str, after: str) -> None:
    text = before + iban + after
    assert [text[span.start : span.end] for span in find_ibans(Prepared(text=text))] == [iban]
    assert iban in _found(text, EntityType.FIN_ACCOUNT)


@pytest.mark.parametrize("gap", ["_", "/", ".", "  ", " - ", " / "], ids=range(6))
@pytest.mark.parametrize("iban", [iban for iban in IBANS if " " in iban])
def test_ibans_are_found_with_any_sign_between_their_groups(iban: str, gap: str) -> None:
    value = iban.replace(" ", gap)
    text = f"to {value} from DE89 3704"
    assert [text[span.start : span.end] for span in find_ibans(Prepared(text=text))] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "DE88_3704_0044_0532_0130_00",
        "DE88/3704/0044/0532/0130/00",
        "de12_2024_11_12_2025_01_02_33_44",
        "be12/3456/7890/1234",
        "path no93/8601/1117/948",
    ],
    ids=range(5),
)
def test_with_odd_signs_between_their_groups_the_check_digits_decide(text: str) -> None:
    assert list(find_ibans(Prepared(text=text))) == []


def test_an_iban_with_a_typing_error_is_found_as_well() -> None:
    assert _found("IBAN DE88 3704 0044 0532 0130 00", EntityType.FIN_ACCOUNT) == ["DE88 3704 0044 0532 0130 00"]


@pytest.mark.parametrize("text", ["XY12 3456 7890 1234 5678", "DE12 is a short code", "IN2024 report 2024 2025 2026"])
def test_other_codes_are_no_iban(text: str) -> None:
    assert list(find_ibans(Prepared(text=text))) == []


def test_a_card_is_found_before_further_digits() -> None:
    assert "4111 1111 1111 1111" in _found("card 4111 1111 1111 1111 123 09/27", EntityType.FIN_ACCOUNT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wallet bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq ok", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
        ("to 0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886E0F7030069857D2E4169EE7"),
        ("account number 12345678", "12345678"),
        ("Kontonummer: 532013000", "532013000"),
        ("a/c 11-22-33 55667788", "11-22-33 55667788"),
        ("Visa ending 4711", "4711"),
        ("BIC: COBADEFFXXX", "COBADEFFXXX"),
    ],
)
def test_accounts_are_found_by_form_or_word(text: str, expected: str) -> None:
    assert expected in _found(text, EntityType.FIN_ACCOUNT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I owe $2,715.50 now", "$2,715.50"),
        ("costs € 310 and", "€ 310"),
        ("7 204,15 zł", "7 204,15 zł"),
        ("CHF 1'200.-", "CHF 1'200"),
        ("NOK 17 million", "NOK 17 million"),
        ("£950k", "£950k"),
        ("12.000 Euro", None),
        ("1.200 euros", "1.200 euros"),
        ("₹27,300", "₹27,300"),
    ],
)
def test_amounts_are_found(text: str, expected: str | None) -> None:
    assert _found(text, EntityType.FINANCE) == ([expected] if expected else _found(text, EntityType.FINANCE))


@pytest.mark.parametrize("text", ["echo $1 $2", "$x = 5;", "100%", "12 apples", "USD", "costs money", "PHP 8.3 says"])
def test_other_numbers_are_no_amounts(text: str) -> None:
    assert _found(text, EntityType.FINANCE) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IBAN: DE88 3704 0044 0532 0130", "DE88 3704 0044 0532 0130"),
        ("iban QX12 3456 7890 1234 5678 please", "QX12 3456 7890 1234 5678"),
        ("1234 5678 9012 3456", "1234 5678 9012 3456"),
        ("pay with 9999-8888-7777-6666.", "9999-8888-7777-6666"),
        ("card 2019 2020 2021 2022", "2019 2020 2021 2022"),
        ("4111 11\u2022\u2022 \u2022\u2022\u2022\u2022 1111", "4111 11\u2022\u2022 \u2022\u2022\u2022\u2022 1111"),
        ("4111 11** **** 1111", "4111 11** **** 1111"),
        ("20-00-00 55779911", "20-00-00 55779911"),
    ],
)
def test_numbers_with_a_specific_form_are_found_without_a_checksum(text: str, expected: str) -> None:
    (span,) = [span for span in merge(find_accounts(Prepared(text=text)), text) if span.kind is EntityType.FIN_ACCOUNT]
    assert text[span.start : span.end] == expected
    assert span.score < 0.9


@pytest.mark.parametrize("text", ["2019 2020 2021 2022", "1000 2000 3000 4000", "1234567890123456"])
def test_years_round_numbers_and_bare_digits_are_no_accounts(text: str) -> None:
    assert _found(text, EntityType.FIN_ACCOUNT) == []


def test_an_iban_does_not_hide_the_one_behind_it() -> None:
    text = "DE89370400440532013000 and then NO93 8601 1117 947"
    assert _found(text, EntityType.FIN_ACCOUNT) == ["DE89370400440532013000", "NO93 8601 1117 947"]


@pytest.mark.long
@pytest.mark.parametrize("unit", ["123 ", "1 ", "123.", "123'", "12 123 ", "$123 ", "EUR 123 "], ids=range(7))
def test_groups_of_digits_take_linear_time(unit: str) -> None:
    assert grows_in_proportion(lambda text: list(find_accounts(Prepared(text=text))), unit)
