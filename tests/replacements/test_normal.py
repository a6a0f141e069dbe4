import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.replacements.normal import normal_form

KINDS = st.sampled_from(EntityType)
TEXTS = st.one_of(st.text(), st.text(alphabet="aAbB0127+-–.:/@()[]'’s \t\u00df\u0130²½·ﬁ", max_size=20))


@given(KINDS, TEXTS)
def test_a_normal_form_is_its_own_normal_form(kind: EntityType, value: str) -> None:
    once = normal_form(kind, value)
    assert normal_form(kind, once) == once


@given(KINDS, TEXTS.filter(bool))
def test_a_value_never_loses_its_identity(kind: EntityType, value: str) -> None:
    assert normal_form(kind, value)


@given(TEXTS)
def test_a_secret_stays_as_it_is(value: str) -> None:
    assert normal_form(EntityType.SECRET, value) == value


@given(st.text(alphabet="abcXYZ 09", min_size=1).filter(str.strip))
def test_case_and_space_never_split_a_name(name: str) -> None:
    for kind in (EntityType.PERSON, EntityType.LOCATION, EntityType.ORGANIZATION, EntityType.DATE):
        assert normal_form(kind, f" {name.upper()}\n") == normal_form(kind, name)


SAME = [
    (EntityType.EMAIL, "Ada@Roth.example", "ada@roth.EXAMPLE"),
    (EntityType.PHONE, "+49 (0)30 123-456", "0049 30 123456"),
    (EntityType.PHONE, "(555) 010-0199", "555.010.0199"),
    (EntityType.PHONE, "\uff0b\uff14\uff19 30", "+49 30"),
    (EntityType.PHONE, "\u0665\u0665\u0665 0100", "555 0100"),
    (EntityType.FIN_ACCOUNT, "DE89 3704 0044 0532 0130 00", "de89370400440532013000"),
    (EntityType.FIN_ACCOUNT, "4111 1111 1111 1111", "4111-1111-1111-1111"),
    (EntityType.FIN_ACCOUNT, "4111 1111 1111 1111", "\u0664\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 1111 1111"),
    (EntityType.FIN_ACCOUNT, "DE89 3704", "\uff24\uff25\uff18\uff19\uff13\uff17\uff10\uff14"),
    (EntityType.FIN_ACCOUNT, "4111 1111 1111 1111", "4111_1111_1111_1111"),
    (EntityType.FIN_ACCOUNT, "4111 1111 1111 1111", "4111 / 1111 / 1111 / 1111"),
    (EntityType.FIN_ACCOUNT, "4111\u200b1111\u00b711111111", "4111 1111 1111 1111"),
    (EntityType.GOV_ID, "219_09_9999", "219/09/9999"),
    (EntityType.DATE, "14\u00ad March\u200b 1987", "1987-03-14"),
    (EntityType.FINANCE, "$1,\u200b200.50", "$1,200.50"),
    (EntityType.HEALTH, "dia\u00adbetes", "Diabetes"),
    (EntityType.GOV_ID, "078-05-1120", "078 05 1120"),
    (EntityType.GOV_ID, "12.345.678\u20115", "123456785"),
    (EntityType.RECORD_ID, "7-AB-99201", "7 ab 99201"),
    (EntityType.RECORD_ID, "7-AB-99201", "7/AB_99201"),
    (EntityType.DEVICE_ID, "00:1b:44:11:3a:b7", "00-1B-44-11-3A-B7"),
    (EntityType.DEVICE_ID, "2001:DB8::1", "2001:db8:0:0:0:0:0:1"),
    (EntityType.PERSON, "REIK'S", "Reik"),
    (EntityType.PERSON, "\u201cAda  Roth\u2019s\u201d,", "ada roth"),
    (EntityType.PERSON, "Jose\u0301", "JOSÉ"),
    (EntityType.ORGANIZATION, "Kole & Co.", "kole & co"),
    (EntityType.LOCATION, "St. John\u2019s Wood", "st. john's wood"),
    (EntityType.URL, "HTTPS://Ada@Roth.EXAMPLE/Path?Q=A", "https://Ada@roth.example/Path?Q=A"),
    (EntityType.URL, "WWW.Roth.example/A", "www.roth.example/A"),
    (EntityType.DATE, "14  March\n1987", "14 march 1987"),
    (EntityType.DATE, "14 March 1987", "1987-03-14"),
    (EntityType.DATE, "Saturday, 14. März 1987", "14/03/87"),
    (EntityType.DATE, "14.3.", "March 14th"),
    (EntityType.DATE, "March 1987", "03/1987"),
    (EntityType.AGE, "34", "34 years old"),
    (EntityType.AGE, "thirty-four years old", "aged 34"),
    (EntityType.AGE, "34yo", "34 Jahre alt"),
    (EntityType.AGE, "18 months", "18 months old"),
    (EntityType.FINANCE, "$300", "300.00 USD"),
    (EntityType.FINANCE, "1.5k euros", "1,500 €"),
    (EntityType.FINANCE, "($300)", "-300 dollars"),
    (EntityType.MISC, "5%", "5 percent"),
]


@pytest.mark.parametrize(("kind", "one", "other"), SAME, ids=range(len(SAME)))
def test_two_ways_of_writing_one_value_share_a_normal_form(kind: EntityType, one: str, other: str) -> None:
    assert normal_form(kind, one) == normal_form(kind, other)


DIFFERENT = [
    (EntityType.SECRET, "hunter2", "Hunter2"),
    (EntityType.PHONE, "555-CALL", "555-HELP"),
    (EntityType.PHONE, "+49 30", "49 30"),
    (EntityType.PHONE, "555 0100 x1", "555 0100 x2"),
    (EntityType.RECORD_ID, "INV-1-23", "INV-12-3"),
    (EntityType.RECORD_ID, "INV/1/23", "INV/12/3"),
    (EntityType.DEVICE_ID, "192.0.2.11", "192.0.21.1"),
    (EntityType.DEVICE_ID, "2001:db8::12", "2001:db8::1:2"),
    (EntityType.DEVICE_ID, "198.51.100.1", "198.51.100.10"),
    (EntityType.HEALTH, "HIV+", "HIV-"),
    (EntityType.HEALTH, "O+", "O-"),
    (EntityType.EDUCATION, "C++", "C#"),
    (EntityType.USERNAME, "_ada", "ada"),
    (EntityType.URL, "https://roth.example/A", "https://roth.example/a"),
    (EntityType.URL, "https://Ada@roth.example", "https://ada@roth.example"),
    (EntityType.MISC, "10²", "102"),
    (EntityType.FINANCE, "-5", "5"),
    (EntityType.FINANCE, "-$5", "$5"),
    (EntityType.FINANCE, "$5", "5"),
    (EntityType.FINANCE, "$300 per month", "$300"),
    (EntityType.FINANCE, "300 kr", "300 SEK"),
    (EntityType.FINANCE, "$0.125", "$125"),
    (EntityType.MISC, "300 dollars", "$300"),
    (EntityType.AGE, "18 months", "1"),
    (EntityType.AGE, "mid-thirties", "34"),
    (EntityType.DATE, "14 March", "14.03.45"),
    (EntityType.DATE, "04/05/1987", "1987-04-05"),
    (EntityType.DATE, "2011-12", "2011"),
    (EntityType.DATE, "since 1987", "1987"),
    (EntityType.DATE, "1987-03-14 10:22", "1987-03-14"),
    (EntityType.PERSON, "Ada Roth", "Ada R"),
]


@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT, ids=range(len(DIFFERENT)))
def test_two_values_never_share_a_normal_form(kind: EntityType, one: str, other: str) -> None:
    assert normal_form(kind, one) != normal_form(kind, other)


@given(
    st.sampled_from((EntityType.AGE, EntityType.DATE, EntityType.FINANCE, EntityType.MISC)),
    st.lists(
        st.sampled_from(
            [
                "34",
                "3",
                "1987",
                "'87",
                "300",
                "1.5",
                "march",
                "may ",
                "of ",
                "years",
                "months",
                "old",
                "thirty",
                "-four",
                "$",
                "€",
                "%",
                "k",
                " ",
                "-",
                "/",
                ".",
                ",",
                "(",
                ")",
                " per month",
                "kr",
                "am ",
                "since ",
            ]
        ),
        max_size=7,
    ).map("".join),
)
def test_a_notation_is_read_once_and_for_all(kind: EntityType, value: str) -> None:
    once = normal_form(kind, value)
    assert normal_form(kind, once) == once


@pytest.mark.parametrize("kind", EntityType)
@pytest.mark.parametrize("value", [" ", "\n", "...", "'s", "---", "+", "00", "://", "\ud800", "\u0301"], ids=range(10))
def test_odd_values_keep_an_identity(kind: EntityType, value: str) -> None:
    once = normal_form(kind, value)
    assert once
    assert normal_form(kind, once) == once
