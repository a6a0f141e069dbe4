from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.detect.named import SOURCE, find_listed, fold


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_listed(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Compare Dorothea Quandt and Rasmus Ferle.", ["Dorothea Quandt", "Rasmus Ferle"]),
        ("What did Malik van der Esch say to Anna-Lena Orlow?", ["Malik van der Esch", "Anna-Lena Orlow"]),
        ("Is Karin M. Osterby's firm bankrupt?", ["Karin M. Osterby"]),
        ("Who was Grace Maria Baker?", ["Grace Maria Baker"]),
        ("is dorothea quandt still alive?", ["dorothea quandt"]),
        ("WAS DOROTHEA QUANDT EVER CONVICTED?", ["DOROTHEA QUANDT"]),
        ("Lebt Jürgen Ölmütz noch?", ["Jürgen Ölmütz"]),
        ("Çiğdem Yalınkaya kimdir?", ["Çiğdem Yalınkaya"]),
        ("Kim jest Łucja Wężyk?", ["Łucja Wężyk"]),
        ("Ki az a Szabó Réka?", ["Szabó Réka"]),
        ("Đỗ Thanh Hà là ai?", ["Đỗ Thanh Hà"]),
        ("Жив ли ещё Аркадий Полозьев?", ["Аркадий Полозьев"]),
        ("Ποιος είναι ο Γιώργος Βλαχάκος;", ["Γιώργος Βλαχάκος"]),
        ("من هو طارق الشامي؟", ["طارق الشامي"]),
        ("מי זה איתן רוזן?", ["איתן רוזן"]),
        ("黒田実花は誰ですか?", ["黒田実花"]),
        ("荒木さんと 松本 健吾を比べて", ["荒木", "松本 健吾"]),
        ("黒田さくらは誰ですか?", ["黒田さくら"]),
        ("谁是郭志远?欧阳雨桐呢?", ["郭志远", "欧阳雨桐"]),
        ("최민지는 누구인가요?", ["최민지"]),
        ("क्या दीपिका राठौर अभी जीवित हैं?", ["दीपिका राठौर"]),
    ],
)
def test_a_listed_given_name_and_what_follows_is_a_person(text: str, names: list[str]) -> None:
    assert found(text) == names
    assert all((span.kind, span.source) == (EntityType.PERSON, SOURCE) for span in find_listed(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("well...Malik Draymoor", ["Malik Draymoor"]),
        ("_Malik Draymoor_, name=Karin Osterby1", ["Malik Draymoor", "Karin Osterby"]),
        ("Karin Osterby/Malik Draymoor+Rutger Velthoven", ["Karin Osterby", "Malik Draymoor", "Rutger Velthoven"]),
        (r"C:\Users\Karin Osterby\a.txt, /home/Malik Draymoor/x", ["Karin Osterby", "Malik Draymoor"]),
        ("Malik&nbsp;Draymoor, Malik%20Draymoor, Malik  Draymoor", ["Malik&nbsp;Draymoor", "Malik%20Draymoor"]),
        ("Is Min-seo Gwak at home?", ["Min-seo Gwak"]),
        ("谁是王小明?", ["王小明"]),
        ("张 志远是谁?", ["张 志远"]),
    ],
)
def test_a_name_counts_whatever_touches_it(text: str, names: list[str]) -> None:
    assert found(text)[: len(names)] == names


@pytest.mark.parametrize(
    "name",
    [
        "Ma\u200blik Dray\u00admoor",
        "Malik\u200b\u200bDraymoor",
        "Malik\u2028Draymoor",
        "Malik\u2009Draymoor",
        "Malik\u3000Draymoor",
        "\uff2d\uff41\uff4c\uff49\uff4b Draymoor",
        "\U0001d40c\U0001d41a\U0001d425\U0001d422\U0001d424 Draymoor",
        "Malik  Draymoor",
    ],
)
def test_a_name_counts_in_other_writings(name: str) -> None:
    assert found(f"Which century did {name} live in?") == [name]


def test_a_name_goes_on_behind_a_line_that_was_broken_for_its_length() -> None:
    before, behind = (
        "> It is said that the oldest known ballad is by one",
        "and that he wrote it before the second war.",
    )
    assert found(f"{before} Malik\n> Draymoor {behind}") == ["Malik\n> Draymoor"]
    assert found("I met Malik\nBremen was cold") == []
    assert found(f"{before} Malik\nBremen\nUlm") == []


@pytest.mark.parametrize(
    "text",
    [
        "Will the river rise in May?",
        "Mark all of them. Grant access to everybody.",
        "Anna is here, and so is Ben.",
        "Carmen GT500 and Rose B12",
        "Mark missing values with NaN, and rose petals too.",
        "The Brandenburg Gate stands in Berlin.",
        "高中数学老师的方法很好。",
        "이야기를 정리해 주세요.",
        "石川県と福島駅、松本城はどこですか?",
        "Le Monde und Die Zeit",
        "anna.quandt@firm.example, https://firm.example/Anna/Quandt, @Anna_Quandt, dorothea-quandt",
        "Wann kommt der nächste Zug nach Bern?",
    ],
)
def test_what_is_no_full_name_is_left_alone(text: str) -> None:
    assert found(text) == []


@given(st.text(alphabet="Anna Quandt-.'ß\u0130Лев\n", max_size=40))
def test_spans_are_disjoint_in_order_and_hug_their_names(text: str) -> None:
    spans = find_listed(text)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert all(text[span.start : span.end].strip() == text[span.start : span.end] != "" for span in spans)


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(word: str) -> None:
    assert fold(fold(word)) == fold(word)
