from hypothesis import given
from hypothesis import strategies as st

from privguard.core.letters import folded
from privguard.detect.mapped import Mapped, mapped_fold, reformed

TEXTS = st.text(st.sampled_from("aiIİı\u0307\ufb01ßŉΣéE\u0301Ａ 1.`\u2019\u1fef\u0623") | st.characters(), max_size=30)


@given(TEXTS)
def test_the_mapped_fold_is_the_fold(text: str) -> None:
    assert mapped_fold(text).text == folded(text)


@given(TEXTS)
def test_every_folded_offset_leads_back_into_the_text(text: str) -> None:
    fold = mapped_fold(text)
    back = [fold.back(place) for place in range(len(fold.text))]
    assert back == sorted(back)
    assert set(back) <= set(range(len(text)))


@given(TEXTS, st.data())
def test_every_interval_comes_from_letters_that_become_it(text: str, data: st.DataObject) -> None:
    fold = mapped_fold(text)
    if fold.text:
        start = data.draw(st.integers(0, len(fold.text) - 1))
        end = data.draw(st.integers(start + 1, len(fold.text)))
        first, last = fold.back_from(start, end)
        assert 0 <= first < last <= len(text)
        assert fold.text[start:end] in folded(text[:last])


def test_forms_are_put_in_the_place_of_letters() -> None:
    seen = reformed("x\u00e4-\u00df\u00ady", {"\u00e4": "ae", "\u00df": "s", "\u00ad": ""})
    assert seen.text == "xae-sy"
    assert [seen.back(at) for at in range(len(seen.text))] == [0, 1, 1, 2, 3, 5]
    assert seen.back_from(1, 2) == seen.back_from(1, 3) == (1, 2)


def test_what_is_not_changed_leads_to_itself() -> None:
    assert Mapped("ab").back_from(0, 2) == (0, 2)


def test_nothing_of_a_text_is_shown() -> None:
    assert "oth" not in repr(mapped_fold("Roth\u00e9"))
