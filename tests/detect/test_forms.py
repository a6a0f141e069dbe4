import pytest

from privguard.core.entities import EntityType
from privguard.detect.forms import forms_of


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("Ada Roth", EntityType.PERSON, []),
        ("José Núñez", EntityType.PERSON, ["Jose Nunez"]),
        ("Jürgen MÜLLER", EntityType.PERSON, ["Jurgen MULLER", "Juergen MUeLLER"]),
        ("Mu\u0308ller", EntityType.PERSON, ["Muller", "Mueller"]),
        ("Łódź", EntityType.LOCATION, ["Lodz"]),
        ("Χρήστος", EntityType.PERSON, []),
        ("Lü", EntityType.PERSON, ["Lue"]),
        ("Däy", EntityType.PERSON, ["Daey"]),
        ("pässword", EntityType.SECRET, []),
        ("ada%40roth.example", EntityType.EMAIL, ["ada@roth.example"]),
        ("+49 170 1234567", EntityType.PHONE, ["0170 1234567", "+49 0170 1234567"]),
        ("0049 170 1234567", EntityType.PHONE, ["0170 1234567", "+49 0170 1234567"]),
        ("+1 202 555 0143", EntityType.PHONE, ["(202) 555-0143"]),
        ("0170 1234567", EntityType.PHONE, []),
        ("+999", EntityType.PHONE, []),
    ],
    ids=range(15),
)
def test_a_value_is_looked_for_in_its_other_forms(value: str, kind: EntityType, expected: list[str]) -> None:
    assert [form for form in forms_of(value, kind)[1:] if form.isascii() and "?" not in form] == expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("Kößler", EntityType.PERSON, ["K\ufffd\ufffdler", "K\ufffd\ufffd\ufffd\ufffdler", "K??ler", "K????ler"]),
        ("José Peñalver", EntityType.PERSON, ["Jos\ufffd Pe\ufffdalver", "Jos? Pe?alver"]),
        ("Zoë", EntityType.PERSON, ["Zo\ufffd", "Zo\ufffd\ufffd"]),
        ("O\u2019Brien", EntityType.PERSON, ["O\ufffdBrien", "O?Brien", "O???Brien"]),
        ("Ștefan Țîrlea", EntityType.PERSON, ["Ştefan Ţîrlea"]),
        ("Ştefan Ţîrlea", EntityType.PERSON, ["Ștefan Țîrlea"]),
        ("Erdős", EntityType.PERSON, ["Erdõs"]),
        ("KÃ¶ÃŸler", EntityType.PERSON, ["Kößler", "Koessler"]),
        ("Pe=C3=B1alver", EntityType.PERSON, ["Peñalver"]),
        (r"Pe\~nalver", EntityType.PERSON, ["Peñalver"]),
    ],
    ids=range(10),
)
def test_a_value_is_looked_for_as_programs_garble_it(value: str, kind: EntityType, expected: list[str]) -> None:
    assert set(expected) <= {*forms_of(value, kind)}


@pytest.mark.parametrize(
    ("value", "kind"),
    [("Zoë", EntityType.PERSON), ("Мария", EntityType.PERSON), ("pässword", EntityType.SECRET)],
    ids=range(3),
)
def test_what_is_lost_of_a_value_leaves_no_form_that_says_too_little(value: str, kind: EntityType) -> None:
    assert not any("?" in form for form in forms_of(value, kind))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("فاطِمة", ["فاطمة", "فاطمه"]),
        ("أحمد علي", ["احمد علي"]),
        ("مصطفى", ["مصطفي"]),
        ("الحسن", ["للحسن"]),
        ("דָּוִד", ["דוד"]),
        ("דוד", []),
        ("یاسر", ["ياسر"]),
        ("عمر", []),
    ],
    ids=range(8),
)
def test_a_value_is_looked_for_without_the_signs_that_most_leave_out(value: str, expected: list[str]) -> None:
    assert list(forms_of(value, EntityType.PERSON)[1:]) == expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("Γιώργος Ελύτης", EntityType.PERSON, ["Γιωργος Ελυτης"]),
        ("Μαΐρη Ἀλεξίου", EntityType.PERSON, ["Μαιρη Αλεξιου"]),
        ("Δη\u0301μου", EntityType.PERSON, ["Δημου"]),
        ("Αθήνα", EntityType.LOCATION, ["Αθηνα"]),
        ("Αθηνα", EntityType.LOCATION, []),
        ("κωδικός", EntityType.SECRET, []),
        ("Семён КОРОЛЁВ", EntityType.PERSON, ["Семен КОРОЛЕВ"]),
        ("Андрей Їжак", EntityType.PERSON, []),
    ],
    ids=range(8),
)
def test_greek_and_cyrillic_values_are_looked_for_without_the_accents_that_most_leave_out(
    value: str, kind: EntityType, expected: list[str]
) -> None:
    assert list(forms_of(value, kind)[1:]) == expected
