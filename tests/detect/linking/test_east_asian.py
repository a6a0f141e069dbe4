import pytest

from privguard.detect.linking.east_asian import is_part, without_honorific


@pytest.mark.parametrize(
    ("written", "behind", "name", "gender"),
    [
        ("田中さん", "", "田中", ""),
        ("王女士", "", "王", "f"),
        ("王", "先生", "王", "m"),
        ("김민수 씨", "", "김민수", ""),
        ("김지양", "", "김지양", ""),
        ("さん", "", "さん", ""),
    ],
)
def test_the_honorific_goes_and_tells_the_sex(written: str, behind: str, name: str, gender: str) -> None:
    assert without_honorific(written, behind) == (name, gender)


@pytest.mark.parametrize(
    ("short", "long"),
    [("田中", "田中太郎"), ("王", "王伟"), ("민수", "김민수"), ("若溪", "郁若溪"), ("欧阳", "欧阳明")],
)
def test_a_surname_and_a_given_name_are_parts(short: str, long: str) -> None:
    assert is_part(short, long)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("欧", "欧阳明"),
        ("伟", "王伟"),
        ("中太", "田中太郎"),
        ("李", "王伟"),
        ("王芳", "王芳芳"),
        ("王伟", "李王伟"),
        ("김민", "김민수"),
    ],
)
def test_anything_else_is_not(short: str, long: str) -> None:
    assert not is_part(short, long)
