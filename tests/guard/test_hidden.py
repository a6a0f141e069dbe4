from collections.abc import Callable

import pytest

from privguard.core.entities import EntityType
from privguard.guard import Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeDetector, FakeNeed

VALUES = {
    "Ada Roth": EntityType.PERSON,
    "203.0.113.7": EntityType.DEVICE_ID,
    "Zurich": EntityType.LOCATION,
    "34": EntityType.AGE,
    "Ada": EntityType.PERSON,
}
TEXT = "Ada Roth, 34, of Zurich, from 203.0.113.7. Ada."


@pytest.mark.parametrize(
    ("text", "hidden", "chosen"),
    [
        ("203.0.113.7", True, True),
        ("via 203.0.113.7:80", True, True),
        ("ADA  ROTH", True, True),
        ("tool_ada roth_x", True, True),
        ("get_zurich_weather", True, False),
        ("Ada", True, False),
        ("get_ada_value", True, False),
        ("Zurichberg", False, False),
        ("1203.0.113.70", False, False),
        ("34", False, False),
        ("gpt-5", False, False),
        ("", False, False),
    ],
)
def test_what_the_plan_hides_is_known_beside_the_content(
    make_guard: Callable[..., Guard], text: str, hidden: bool, chosen: bool
) -> None:
    with make_guard(detector=FakeDetector(VALUES)).begin(text_segments(TEXT), target="m") as exchange:
        assert exchange.hides(text) is hidden
        assert exchange.hides(text, chosen=True) is chosen
        assert "Ada" not in repr(exchange._life.hidden)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Zo\u00eb M\u00fcller", "zoe muller"),
        ("Zo\u00eb M\u00fcller", "Zoe\u0308 MU\u0308LLER"),
        ("Zo\u00eb M\u00fcller", "Zoe Mueller"),
        ("Zoe Mueller", "Zo\u00eb M\u00fcller"),
        ("\u0141ukasz Reik", "lukasz_x, Lukasz Reik"),
        ("Ada Roth", "\uff21\uff44\uff41\u3000\uff32\uff4f\uff54\uff48"),
        ("Ada Roth", "Ada Ro\u00ad\u200bth"),
        ("Stra\u00dfe 4", "STRASSE 4"),
        ("policy 4471", "policy \u0664\u0664\u0667\u0661"),
    ],
    ids=range(9),
)
def test_other_forms_of_a_hidden_value_are_known_as_well(
    make_guard: Callable[..., Guard], value: str, text: str
) -> None:
    guard = make_guard(detector=FakeDetector({value: EntityType.PERSON}))
    with guard.begin(text_segments(f"of {value}."), target="m") as exchange:
        assert exchange.hides(text)
    guard = make_guard(detector=FakeDetector({value: EntityType.ADDRESS}))
    with guard.begin(text_segments(f"of {value}."), target="m") as exchange:
        assert exchange.hides(text)
        assert not exchange.hides(text[:-1])


@pytest.mark.parametrize(
    ("value", "text", "hidden", "chosen"),
    [
        ("Ada Roth", "ada.roth", True, False),
        ("Ada Roth", "user=ada_roth;x", True, False),
        ("Ada Roth", "AdaRoth", True, False),
        ("Ada Roth", "get_ada-roth", True, False),
        ("Li Wei", "li-wei", True, False),
        ("030 901820", "030901820", True, True),
        ("030 901820", "030-901820", True, True),
        ("Ada Roth", "adarothmann", False, False),
        ("10 000", "10000", False, False),
        ("9 am", "9am", False, False),
    ],
    ids=range(10),
)
def test_a_hidden_value_is_known_with_its_words_joined_but_in_names_of_tools_numbers_alone(
    make_guard: Callable[..., Guard], value: str, text: str, hidden: bool, chosen: bool
) -> None:
    guard = make_guard(detector=FakeDetector({value: EntityType.PERSON}))
    with guard.begin(text_segments(f"of {value}."), target="m") as exchange:
        assert exchange.hides(text) is hidden
        assert exchange.hides(text, chosen=True) is chosen


PEOPLE = {
    "Tobias Kernberg": EntityType.PERSON,
    "Uwe Koch": EntityType.PERSON,
    "Clara Rose": EntityType.PERSON,
    "Eva Brief": EntityType.PERSON,
    "7-AB-99201": EntityType.RECORD_ID,
    "+49 170 9018203": EntityType.PHONE,
    "12345": EntityType.RECORD_ID,
}


@pytest.mark.parametrize(
    "text",
    [
        "kernberg",
        "Kernberg",
        "tobias",
        "tkernberg",
        "tobiask",
        "kernbergtobias",
        "KERNBERG2",
        "loadKernbergData",
        "user-kernberg/7",
        "Tobias%20Kernberg",
        "%4Bernberg",
        "T o b i a s",
        "koch",
        "ask koch about it",
        "uwe",
        "ukoch",
        "clara",
        "rose",
        "7AB99201",
        "01709018203",
        "id=12345",
    ],
    ids=range(21),
)
def test_no_word_of_a_hidden_name_and_no_spelling_of_a_value_may_stand_beside_the_content(
    make_guard: Callable[..., Guard], text: str
) -> None:
    guard = make_guard(detector=FakeDetector(PEOPLE))
    with guard.begin(text_segments("; ".join(PEOPLE)), target="m") as exchange:
        assert exchange.hides(text)


@pytest.mark.parametrize(
    "text",
    [
        "my rose garden",
        "brief",
        "kernbergdata",
        "call_a9UweX7kPq",
        "uweK",
        "1.2345",
        "9f7ab9920",
        "Claraboya",
        "gpt-5",
    ],
    ids=range(9),
)
def test_ordinary_words_and_what_only_holds_the_letters_of_a_name_may(
    make_guard: Callable[..., Guard], text: str
) -> None:
    guard = make_guard(detector=FakeDetector(PEOPLE))
    with guard.begin(text_segments("; ".join(PEOPLE)), target="m") as exchange:
        assert not exchange.hides(text)


def test_names_of_tools_and_models_may_hold_a_word_of_a_name(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(detector=FakeDetector(PEOPLE))
    with guard.begin(text_segments("; ".join(PEOPLE)), target="m") as exchange:
        assert not exchange.hides("look_up_kernberg", chosen=True)


def test_what_the_plan_retains_and_what_is_over_is_not_hidden(make_guard: Callable[..., Guard]) -> None:
    retaining = make_guard(detector=FakeDetector(VALUES), need=FakeNeed(b_redact=9.0, b_abstract=9.0))
    with retaining.begin(text_segments(TEXT), target="m") as exchange:
        assert not exchange.hides("Ada Roth")
    with make_guard(detector=FakeDetector(VALUES)).begin(text_segments(TEXT), target="m") as exchange:
        pass
    assert not exchange.hides("Ada Roth")


@pytest.mark.parametrize(
    ("value", "kind", "name", "hidden"),
    [
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "card_4111111111111111", True),
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "pay4111-1111-1111-1111x", True),
        ("+49 171 5550123", EntityType.PHONE, "call_491715550123", True),
        ("PN-4471-0382", EntityType.RECORD_ID, "PN44710382", True),
        ("ada.roth@mail.example", EntityType.EMAIL, "ada_roth_mail_example", True),
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "card_94111111111111111", False),
        ("4471-03", EntityType.RECORD_ID, "tool_447103", False),
        ("Ada Roth", EntityType.PERSON, "ada_roth", False),
    ],
    ids=range(8),
)
def test_the_name_of_a_tool_holds_no_number_and_no_address_that_is_hidden(
    make_guard: Callable[..., Guard], value: str, kind: EntityType, name: str, hidden: bool
) -> None:
    guard = make_guard(detector=FakeDetector({value: kind}))
    with guard.begin(text_segments(f"It is {value}."), target="m") as exchange:
        assert exchange.hides(name, chosen=True) is hidden
