import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.spread import spread
from tests.growth import costs_in_proportion, seconds


def _segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


def _spread(value: str, kind: EntityType, *others: str) -> list[list[str]]:
    """Detect `value` in a first segment and return what is found in the others."""
    segments = [_segment(f"x {value} y"), *map(_segment, others)]
    seed = Span(start=2, end=2 + len(value), kind=kind, score=0.9, source="rules/a")
    rows = spread(segments, [(seed,), *((),) * len(others)])
    assert rows[0] == (seed,)
    return [[segment.text[span.start : span.end] for span in row] for segment, row in zip(segments, rows, strict=True)][
        1:
    ]


@pytest.mark.parametrize(
    ("value", "kind", "other", "expected"),
    [
        ("Ada Roth", EntityType.PERSON, "ADA ROTH, ada roth and Ada\nRoth's", ["ADA ROTH", "ada roth", "Ada\nRoth"]),
        ("Ada Roth", EntityType.PERSON, "Ms Roth met Ada; rothko did not", ["Roth", "Ada"]),
        ("Mark Kole", EntityType.PERSON, "Mark as done. Kole agrees", ["Kole"]),
        ("Lind", EntityType.PERSON, "LIND, lind_2 and Linden", ["LIND", "lind"]),
        ("Jo", EntityType.PERSON, "Jo says jo", []),
        ("hunTer2", EntityType.SECRET, "hunTer2 hunter2 xhunTer2", ["hunTer2"]),
        ("swordfish", EntityType.SECRET, "swordfish", ["swordfish"]),
        ("diabetes", EntityType.HEALTH, "t.diabetes; diabetes.csv; /data/diabetes/2", ["diabetes"] * 3),
        ("diabetes", EntityType.HEALTH, "DIABETES, diabetes_2, hasDiabetes", ["DIABETES", "diabetes", "Diabetes"]),
        ("gay", EntityType.SEXUALITY, "is_gay, Gay, gaylord", ["gay", "Gay"]),
        ("catholic", EntityType.BELIEF, "Catholic catholic_flag", ["Catholic", "catholic"]),
        ("probation", EntityType.LEGAL, "PROBATION", ["PROBATION"]),
        ("with", EntityType.HEALTH, "with or with", []),
        ("breast cancer", EntityType.HEALTH, "Breast Cancer, breast_cancer.csv", ["Breast Cancer", "breast_cancer"]),
        (
            "breast cancer",
            EntityType.HEALTH,
            "?q=breast%20cancer&r=breast+cancer",
            ["breast%20cancer", "breast+cancer"],
        ),
        ("senior nurse", EntityType.OCCUPATION, "SENIOR NURSE", ["SENIOR NURSE"]),
        ("nurse", EntityType.OCCUPATION, "act as a nurse", []),
        ("german", EntityType.ORIGIN, "translate to german", []),
        ("salary", EntityType.FINANCE, "the salary", []),
        ("berlin", EntityType.LOCATION, "berlin_office, Berlin", ["berlin", "Berlin"]),
        ("Reading", EntityType.LOCATION, "reading in Reading, isReading", ["Reading"]),
        ("google", EntityType.ORGANIZATION, "import google", []),
        ("yesterday", EntityType.DATE, "yesterday", []),
        ("340", EntityType.FINANCE, "340", []),
        ("4471", EntityType.RECORD_ID, "ticket 4471, 44711", ["4471"]),
        ("+44 20 7946 0018", EntityType.PHONE, "to +44 20 7946 0018.", ["+44 20 7946 0018"]),
        ("小范本", EntityType.PERSON, "找小范本。", ["小范本"]),
        ("7-AB-99201", EntityType.RECORD_ID, "7AB99201, 7 ab 99201 but not 17-AB-99201", ["7AB99201", "7 ab 99201"]),
        ("+1 202 555 0143", EntityType.PHONE, "12025550143 or 001 202 555 0143", ["12025550143", "001 202 555 0143"]),
        ("ada.roth@mail.example", EntityType.EMAIL, "ADA.ROTH%40mail.example", ["ADA.ROTH%40mail.example"]),
        (
            "Ada Roth",
            EntityType.PERSON,
            "AdaRoth Ada_Roth_2 ada-roth ada.roth",
            ["AdaRoth", "Ada_Roth", "ada-roth", "ada.roth"],
        ),
        ("Ada Roth", EntityType.PERSON, "?n=Ada%20Roth&m=Ada+Roth Adarothko", ["Ada%20Roth", "Ada+Roth"]),
        ("İstanbul Co", EntityType.ORGANIZATION, "i\u0307stanbul co", ["i\u0307stanbul co"]),
        ("14 March 1987", EntityType.DATE, "on 14 march 1987", ["14 march 1987"]),
    ],
)
def test_a_value_is_found_again(value: str, kind: EntityType, other: str, expected: list[str]) -> None:
    assert _spread(value, kind, other) == [expected]


CUSTOMER = "Tobias Hellmerich"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("fix/hellmerich-login", ["hellmerich"]),
        ("HellmerichInvoice hellmerich_orders", ["Hellmerich", "hellmerich"]),
        ("load_hellmerich get_t_hellmerich", ["hellmerich", "hellmerich"]),
        ("loadTobiasHellmerichData", ["TobiasHellmerich"]),
        ("HELLMERICH_TOTAL Hellmerich2", ["HELLMERICH", "Hellmerich"]),
        ("run step two with hellmerich as is", ["hellmerich"]),
        ('"hellmerich, tobias"', ["hellmerich", "tobias"]),
        ("/home/thellmerich", ["thellmerich"]),
        ("hellmerichstrasse", []),
        ("Ｔｏｂｉａｓ Ｈｅｌｌｍｅｒｉｃｈ", ["Ｔｏｂｉａｓ Ｈｅｌｌｍｅｒｉｃｈ"]),
        ("Hell\u00admerich, Hell\u200bmerich", ["Hell\u00admerich", "Hell\u200bmerich"]),
        ("Hellmerich\u200bagreed", ["Hellmerich"]),
        ("H e l l m e r i c h said", ["H e l l m e r i c h"]),
        ("T.o.b.i.a.s", ["T.o.b.i.a.s"]),
    ],
)
def test_a_name_is_found_again_in_any_form(other: str, expected: list[str]) -> None:
    assert _spread(CUSTOMER, EntityType.PERSON, other) == [expected]


@pytest.mark.parametrize("given", ["Grace", "Rose", "Will", "Mark", "Max", "Adam"])
def test_a_given_name_that_is_a_word_is_not_found_in_lower_case_or_in_identifiers(given: str) -> None:
    word = given.lower()
    assert _spread(f"{given} Hellmerich", EntityType.PERSON, f"{word} {word}_2 get{given}Value") == [[]]


@pytest.mark.parametrize(
    ("value", "kind", "other"),
    [
        ("DE89370400440532013000", EntityType.FIN_ACCOUNT, "ＤＥ８９３７０４００４４０５３２０１３０００"),
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "٤١١١ ١١١١ ١١١١ ١١١١"),
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "४१११-११११-११११-११११"),
        ("4111 1111 1111 1111", EntityType.FIN_ACCOUNT, "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"),
        ("+44 20 7946 0018", EntityType.PHONE, "+٤٤ ٢٠ ٧٩٤٦ ٠٠١٨"),
        ("４４７１", EntityType.RECORD_ID, "4471"),
        ("PX-4471-Q920", EntityType.RECORD_ID, "P X 4 4 7 1 Q 9 2 0"),
        ("t.hellmerich@postal.example", EntityType.EMAIL, "ｔ．ｈｅｌｌｍｅｒｉｃｈ＠ｐｏｓｔａｌ．ｅｘａｍｐｌｅ"),
        ("t.hellmerich@postal.example", EntityType.EMAIL, "t_hellmerich@postal_example"),
        ("hunTer2", EntityType.SECRET, "hun\u200bTer2"),
    ],
)
def test_other_forms_of_letters_and_digits_are_covered_whole(value: str, kind: EntityType, other: str) -> None:
    ((found,),) = _spread(value, kind, f"see {other}, please")
    assert found.lstrip("+") == other.lstrip("+")


def test_a_part_of_a_name_with_a_soft_hyphen_is_found_without_it() -> None:
    assert _spread("Tobias Hell\u00admerich", EntityType.PERSON, "Hellmerich") == [["Hellmerich"]]


@pytest.mark.parametrize("sign", "'`\u00b4\u02bc\u2018\u2019\u2032\uff07", ids=range(8))
@pytest.mark.parametrize("other", "'\u02bc\u2019", ids=range(3))
def test_a_name_is_found_again_with_another_sign_for_its_apostrophe(sign: str, other: str) -> None:
    name = f"O{sign}Brien-Smith"
    text = f"O{other}Brien-Smith; o{other}brien_smith; O{other}Brien; Smith{other}s"
    expected = [f"O{other}Brien-Smith", f"o{other}brien_smith", f"O{other}Brien", "Smith"]
    assert _spread(name, EntityType.PERSON, text) == [expected]
    assert _spread(f"Sean {name}", EntityType.PERSON, text) == [expected]


@pytest.mark.parametrize(
    ("value", "kind", "other", "expected"),
    [
        ("Dara O'Brien", EntityType.PERSON, r"WHERE name = 'O\'Brien'", [r"O\'Brien"]),
        ("Dara O'Brien", EntityType.PERSON, r"'Dara O\'Brien', O\\'BRIEN", [r"Dara O\'Brien", r"O\\'BRIEN"]),
        ("Dara O\u2019Brien", EntityType.PERSON, r"('D. O\'Brien\'s')", [r"O\'Brien"]),
        ("Ines D'Arc", EntityType.PERSON, r"'D\'Arc'", [r"D\'Arc"]),
        (r"Dara O\'Brien", EntityType.PERSON, "Dara O'Brien", ["Dara O'Brien"]),
        ("hun'Ter2", EntityType.SECRET, r"'hun\'Ter2' and hun\Ter2", [r"hun\'Ter2"]),
        ("Dara O'Brien", EntityType.PERSON, r"'Zoë \' said', O\'Brienne", []),
    ],
    ids=range(7),
)
def test_a_name_is_found_again_with_its_apostrophe_behind_a_backslash(
    value: str, kind: EntityType, other: str, expected: list[str]
) -> None:
    assert _spread(value, kind, other) == [expected]


@pytest.mark.parametrize(
    ("value", "other", "expected"),
    [
        ("فاطِمة", "فاطمة, فَاطِمَة, فاطمه", ["فاطمة", "فَاطِمَة", "فاطمه"]),
        ("فاطمة", "فاطِمةُ لفاطمة ولِفاطمة فاطـــمة", ["فاطِمةُ", "فاطمة", "فاطمة", "فاطـــمة"]),
        ("أحمد علي", "احمد علي, لعلي, على", ["احمد علي", "علي"]),
        ("مصطفى الحسن", "مصطفي, للحسن, بالحسن", ["مصطفي", "للحسن", "الحسن"]),
        ("דוד כהן", "דָּוִד כֹּהֵן, לדוד, ודוד כהן, דוד\u05beכהן", ["דָּוִד כֹּהֵן", "דוד", "דוד כהן", "דוד\u05beכהן"]),
        ("דָּוִד כֹּהֵן", "דוד כהן, לכהן", ["דוד כהן", "כהן"]),
        ("山田太郎", "昨日山田 太郎さんが", ["山田 太郎"]),
        ("山田\u3000太郎", "昨日山田太郎さんが", ["山田太郎"]),
        ("김민수", "어제 김 민수가", ["김 민수"]),
    ],
    ids=range(9),
)
def test_a_name_is_found_again_as_its_script_writes_it(value: str, other: str, expected: list[str]) -> None:
    assert _spread(value, EntityType.PERSON, other) == [expected]


@pytest.mark.parametrize(
    ("value", "kind", "other", "expected"),
    [
        (
            "Γιώργος Παπαδόπουλος",
            EntityType.PERSON,
            "ΓΙΩΡΓΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ; Γιωργος; παπαδοπουλος; παπαδοπουλοσ_2; ΓΙΏΡΓΟΣ",
            ["ΓΙΩΡΓΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ", "Γιωργος", "παπαδοπουλος", "παπαδοπουλοσ", "ΓΙΏΡΓΟΣ"],
        ),
        ("ΓΙΩΡΓΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ", EntityType.PERSON, "του Γιώργος Παπαδόπουλος", ["Γιώργος Παπαδόπουλος"]),
        ("Θεσσαλονίκη", EntityType.LOCATION, "ΘΕΣΣΑΛΟΝΙΚΗ, θεσσαλονικη", ["ΘΕΣΣΑΛΟΝΙΚΗ", "θεσσαλονικη"]),
        ("Οδός Ερμού 12, Αθήνα", EntityType.ADDRESS, "ΟΔΟΣ ΕΡΜΟΥ 12, ΑΘΗΝΑ", ["ΟΔΟΣ ΕΡΜΟΥ 12, ΑΘΗΝΑ"]),
        ("διαβήτης", EntityType.HEALTH, "ΔΙΑΒΗΤΗΣ", ["ΔΙΑΒΗΤΗΣ"]),
        ("Семён Королёв", EntityType.PERSON, "Семен Королев; КОРОЛЕВ, СЕМЁН", ["Семен Королев", "КОРОЛЕВ", "СЕМЁН"]),
        ("Семен Королев", EntityType.PERSON, "Семён Королёв, КОРОЛЁВ", ["Семён Королёв", "КОРОЛЁВ"]),
        ("Орёл", EntityType.LOCATION, "ОРЕЛ, Орел", ["ОРЕЛ", "Орел"]),
        ("Сергей", EntityType.PERSON, "Сергеи", []),
    ],
    ids=range(9),
)
def test_a_greek_or_cyrillic_value_is_found_with_and_without_its_accents(
    value: str, kind: EntityType, other: str, expected: list[str]
) -> None:
    assert _spread(value, kind, other) == [expected]


def test_what_is_covered_already_is_not_added_again() -> None:
    segment = _segment("Ada Roth and Ada Roth")
    row = tuple(
        Span(start=start, end=start + 8, kind=EntityType.PERSON, score=0.9, source="rules/a") for start in (0, 13)
    )
    assert spread([segment], [row]) == (row,)


def test_two_secrets_that_differ_in_letter_case_are_kept_apart() -> None:
    segment = _segment("KeY9 kEy9 KeY9 kEy9")
    row = tuple(
        Span(start=start, end=start + 4, kind=EntityType.SECRET, score=0.9, source="secrets/a") for start in (0, 5)
    )
    assert {(span.start, span.end) for span in spread([segment], [row])[0]} == {(0, 4), (5, 9), (10, 14), (15, 19)}


def test_a_thousand_values_over_megabytes_take_linear_time() -> None:
    names = [f"Ada{number:04d}x Kole{number:04d}y" for number in range(1000)]
    head = _segment("; ".join(names))
    row = []
    for name in names:
        start = head.text.index(name)
        row.append(Span(start=start, end=start + len(name), kind=EntityType.PERSON, score=0.9, source="rules/a"))

    def cost(size: int) -> float:
        body = _segment("Nothing in particular, then Ada0007x Kole0007y again. " * size)
        found: list[Span] = []
        spent_s = seconds(lambda: found.extend(spread([head, body], [row, ()])[1]))
        assert len(found) >= size
        return spent_s

    assert costs_in_proportion(cost, 2_500)
