import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.padded import PaddedBook
from tests.growth import costs_in_proportion, seconds

PERSON = EntityType.PERSON


def _found(value: str, text: str, kind: EntityType = PERSON) -> list[str]:
    return [text[start:end] for start, end, _ in PaddedBook([(value, kind)]).find(text)]


PAIRS = [
    ("山田太郎", "山田 太郎"),
    ("山田太郎", "山田\u3000太郎"),
    ("山田太郎", "山田\n太郎"),
    ("山田太郎", "山 田 太 郎"),
    ("王小明", "王 小明"),
    ("王芳", "王\u3000芳"),
    ("王芳", "王\u3000\u3000芳"),
    ("欧阳娜娜", "欧阳 娜娜"),
    ("김민수", "김 민수"),
    ("김민수", "김 민 수"),
    ("남궁민수", "남궁 민수"),
    ("이준", "이 준"),
    ("ジョン・スミス", "ジョン\uff1dスミス"),
    ("佐々木ケン", "佐々木 ケン"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=range(len(PAIRS)))
@pytest.mark.parametrize("around", ["{}", "an {}, x", "1. {} 様"], ids=range(3))
def test_a_value_is_found_with_other_white_space_in_either_direction(one: str, other: str, around: str) -> None:
    assert _found(one, around.format(other)) == [other]
    assert _found(other, around.format(one)) == [one]
    assert _found(other, around.format(other)) == [other]


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("山田太郎", "昨日山田 太郎さんが来た", ["山田 太郎"]),
        ("김민수", "어제 김 민수가", ["김 민수"]),
        ("이준", "이 준은, 이 준 씨", ["이 준", "이 준"]),
        ("이준", "이 준비", []),
        ("김민수", "오김 민수, 김민 수", []),
        ("王芳", "国王 芳草, 王 芳草", []),
        ("王芳", "王 芳女士", ["王 芳"]),
        ("山田太郎", "山田、太郎", []),
        ("山田太郎", "山田\n\n太郎", []),
        ("山田Taro", "山田 Taro", []),
        ("Ada Roth", "AdaRoth", []),
    ],
    ids=range(11),
)
def test_the_shorter_a_value_the_more_has_to_speak_for_it(value: str, text: str, expected: list[str]) -> None:
    assert _found(value, text) == expected


def test_a_secret_recurs_as_it_is() -> None:
    assert _found("山田太郎", "山田 太郎", EntityType.SECRET) == []


VALUES = ["山田太郎", "王芳", "김민수", "田太", "김민"]


@given(
    st.lists(st.sampled_from([*VALUES, *"山田太郎王芳김민수이", " ", "\u3000", "\n", "x", "、"]), max_size=12).map(
        "".join
    )
)
def test_what_is_found_of_one_value_does_not_depend_on_the_others(text: str) -> None:
    together = set(PaddedBook([(value, PERSON) for value in VALUES]).find(text))
    alone = {
        (start, end, number)
        for number, value in enumerate(VALUES)
        for start, end, _ in PaddedBook([(value, PERSON)]).find(text)
    }
    assert together == alone
    assert all("".join(text[start:end].split()) == VALUES[number] for start, end, number in together)


def test_megabytes_take_linear_time() -> None:
    book = PaddedBook([("山田太郎", PERSON), ("김민수", PERSON)])
    text = "昨日 山田 太郎 さんが 東京 へ 行きました。"
    assert len(list(book.find(text * 1_000))) == 1_000
    assert costs_in_proportion(lambda size: seconds(lambda: list(book.find(text * size))), 2_500)
