import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.atoms import atoms_of, split_atoms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loadAdaRothData2", ["load", "Ada", "Roth", "Data", "2"]),
        ("ADA_ROTH x.HTTPServer", ["ADA", "ROTH", "x", "HTTP", "Server"]),
        ("McDonald O'Brien", ["Mc", "Donald", "O", "Brien"]),
        ("ladeMüllerÄußerung ÄRZTEListe", ["lade", "Müller", "Äußerung", "ÄRZTE", "Liste"]),
        ("范小", ["范小"]),
        ("", []),
    ],
)
def test_identifiers_are_cut_at_underscores_digits_and_humps(text: str, expected: list[str]) -> None:
    assert atoms_of(text) == expected


@given(st.text(alphabet="aAbBäÄ9_ -ſ٤²ǅ", max_size=30))
def test_every_letter_and_digit_belongs_to_exactly_one_atom(text: str) -> None:
    parts = split_atoms(text)
    assert "".join(parts) == text
    assert all(part.isalnum() for part in parts[1::2])
    assert not any(letter.isalnum() for part in parts[0::2] for letter in part)
