import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.spellings import SpellingBook
from tests.growth import costs_in_proportion, seconds


def _found(value: str, kind: EntityType, text: str) -> list[str]:
    return [text[start:end] for start, end, _ in SpellingBook([(value, kind)]).find(text)]


@pytest.mark.parametrize(
    ("value", "kind", "text", "expected"),
    [
        ("7-AB-99201", EntityType.RECORD_ID, "7AB99201, 7 ab.99201", ["7AB99201", "7 ab.99201"]),
        ("7-AB-99201", EntityType.RECORD_ID, "7AB992011 x7AB99201 7-AB, 99201", []),
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "4111-1111-1111-1111", ["4111-1111-1111-1111"]),
        ("+1 202 555 0143", EntityType.PHONE, "+1 (202) 555-0143", ["1 (202) 555-0143"]),
        ("+1 202 555 0143", EntityType.PHONE, "0012025550143", ["0012025550143"]),
        ("00:00:5e:00:53:01", EntityType.DEVICE_ID, "00-00-5E-00-53-01", ["00-00-5E-00-53-01"]),
        ("203.0.113.7", EntityType.DEVICE_ID, "20301137", []),
        ("12345", EntityType.RECORD_ID, "1 2 3 4 5", []),
        ("4471", EntityType.RECORD_ID, "44-71", []),
        ("Ada Roth", EntityType.PERSON, "AdaRoth and ada_roth@x", ["AdaRoth", "ada_roth"]),
        ("Ada Roth", EntityType.PERSON, "AdaRothko AdaRoth7 Ada. Roth", ["AdaRoth"]),
        ("Ada Roth", EntityType.PERSON, "loadAdaRothData ADA_ROTH_2", ["AdaRoth", "ADA_ROTH"]),
        ("Sean OBrien", EntityType.PERSON, "sean.o\u2019brien", ["sean.o\u2019brien"]),
        ("Sean O\u02bcBrien", EntityType.PERSON, "sean_obrien SeanO'Brien", ["sean_obrien", "SeanO'Brien"]),
        ("Ada", EntityType.PERSON, "AdaInvoice ada_orders adapter Ada\u0301", ["Ada"]),
        ("Rose", EntityType.PERSON, "RoseInvoice rose_orders", []),
        ("Kernberg", EntityType.PERSON, "kernberg_2 KERNBERG_TOTAL kernbergstr", ["kernberg", "KERNBERG"]),
        ("Kernberg", EntityType.PERSON, "akernberg kernberga Kernbergs", ["akernberg", "kernberga", "Kernberg"]),
        ("Kernberg", EntityType.PERSON, "Akernberg Kernberga kern_berg xakernberg", []),
        ("McDonald", EntityType.PERSON, "McDonaldInvoice mcdonald_2", ["McDonald", "mcdonald"]),
        ("O'Brien", EntityType.PERSON, "OBrienOrders obrien", ["OBrien", "obrien"]),
        ("M\u00fcllerchen", EntityType.PERSON, "loadM\u00fcllerchenData", ["M\u00fcllerchen"]),
        ("type 2 diabetes", EntityType.HEALTH, "type_2_diabetes Type2Diabetes", ["type_2_diabetes", "Type2Diabetes"]),
        ("last week", EntityType.DATE, "last_week lastWeek", []),
        ("14 March 1987", EntityType.DATE, "14_march_1987", ["14_march_1987"]),
        ("a.roth@mail.example", EntityType.EMAIL, "get_a_roth_mail_example_row", ["a_roth_mail_example"]),
        ("a.roth@mail.example", EntityType.EMAIL, "#arothmailexample", ["arothmailexample"]),
        ("PX-4471-Q920", EntityType.RECORD_ID, "PX\u20144471\u2014Q920", ["PX\u20144471\u2014Q920"]),
        ("PX-4471-Q920", EntityType.RECORD_ID, "PX|4471|Q920, PX/4471/Q920", ["PX|4471|Q920", "PX/4471/Q920"]),
        ("PX-4471-Q920", EntityType.RECORD_ID, "PX \u2013 4471 \u2013 Q920", ["PX \u2013 4471 \u2013 Q920"]),
        ("PX-4471-Q920", EntityType.RECORD_ID, "x_PX_4471_Q920_y", ["PX_4471_Q920"]),
        ("akernberg", EntityType.USERNAME, "akernberg_home Akernberg2", ["akernberg", "Akernberg"]),
        ("Jo Li", EntityType.PERSON, "JoLi", []),
        ("Adaroth", EntityType.PERSON, "ada-roth", []),
        ("Zo\u00eb Roth", EntityType.PERSON, "zo\u00eb.roth", ["zo\u00eb.roth"]),
        ("ada.roth", EntityType.USERNAME, "adaroth", []),
        ("7-AB-99201", EntityType.RECORD_ID, "7\tAB\t99201, 7   AB---99201", ["7\tAB\t99201", "7   AB---99201"]),
        ("7-AB-99201", EntityType.RECORD_ID, "7-----AB-99201, 7\nAB\n99201", []),
        ("Kernberg", EntityType.PERSON, "TKERNBERG KERNBERGS", ["TKERNBERG", "KERNBERG"]),
        ("1 Elm Road, Kernham", EntityType.ADDRESS, "1 Elm Road\r\nKernham", ["1 Elm Road\r\nKernham"]),
        ("1 Elm Road, Kernham", EntityType.ADDRESS, "1 Elm Road | Kernham", ["1 Elm Road | Kernham"]),
        ("1 Elm Road, Kernham", EntityType.ADDRESS, "1 Elm Road and Kernham", []),
    ],
)  # fmt: skip
def test_a_value_is_found_in_its_other_spellings(value: str, kind: EntityType, text: str, expected: list[str]) -> None:
    assert _found(value, kind, text) == expected


@given(st.lists(st.from_regex(r"[A-Z0-9]{2,4}", fullmatch=True), min_size=2, max_size=5), st.data())
def test_any_separators_between_the_parts_are_seen_through(parts: list[str], data: st.DataObject) -> None:
    value = "-".join([*parts, "9071"])
    separators = data.draw(
        st.lists(st.sampled_from(["", " ", "-", ".", "/"]), min_size=len(parts), max_size=len(parts))
    )
    other = "".join(part + separator for part, separator in zip(parts, separators, strict=True)) + "9071"
    assert other in _found(value, EntityType.RECORD_ID, f"see {other}, please")


@given(st.text(alphabet="Aa9 -_.", max_size=40), st.integers(0, 2))
def test_an_id_never_stands_next_to_a_letter_or_a_digit(text: str, edge: int) -> None:
    text = "x" * (65536 - 20 + edge) + text
    for start, end, _ in SpellingBook([("9-9-9-9-9", EntityType.RECORD_ID)]).find(text):
        assert not text[start - 1 : start].isalnum()
        assert not text[end : end + 1].isalnum()


@given(st.text(alphabet="AaBb9_", max_size=30), st.integers(0, 40))
def test_where_a_long_text_is_cut_changes_no_mention_of_a_name(text: str, edge: int) -> None:
    book = SpellingBook([("Aaab Bbba", EntityType.PERSON), ("Abbbba", EntityType.PERSON)])
    text = f"{text} loadAaabBbba2 abbbba_x {text}"
    before = " " * (65536 - edge)
    alone = {(start + len(before), end + len(before), number) for start, end, number in book.find(text)}
    assert set(book.find(before + text)) == alone


def test_a_thousand_values_over_megabytes_take_linear_time() -> None:
    book = SpellingBook([(f"12025-55{number:04d}", EntityType.RECORD_ID) for number in range(1000)])
    text = "call 12025 550007 or 12025 or 1 2 0 2 5, then "
    assert len(list(book.find(text * 500))) >= 500
    assert costs_in_proportion(lambda size: seconds(lambda: list(book.find(text * size))), 625)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Ohler", "Wir sahen Ohlers Hund", ["Ohler"]),
        ("Ohler", "WIR SAHEN OHLERS HUND", ["OHLER"]),
        ("Ohler", "ohlers hund", []),
        ("Kernberg", "kernbergs hund", ["kernberg"]),
        ("Mark", "It has three Marks", []),
    ],
)
def test_a_genitive_s_is_no_part_of_a_short_name(name: str, text: str, found: list[str]) -> None:
    mentions = SpellingBook([(name, EntityType.PERSON)]).find(text)
    assert [text[start:end] for start, end, _ in dict.fromkeys(mentions)] == found
