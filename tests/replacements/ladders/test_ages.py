import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.ages import age_rungs, is_age_rung


def phrases(value: str) -> list[str]:
    return [rung.phrase for rung in age_rungs(value)]


@given(st.integers(0, 125), st.sampled_from(["{}", "aged {}", "{} years old", "{}-year-old", "{} yo", "{} Jahre alt"]))
def test_every_age_has_rungs_that_are_recognised_and_do_not_begin_with_it(age: int, form: str) -> None:
    rungs = age_rungs(form.format(age))
    assert rungs
    assert all(is_age_rung(rung.phrase) for rung in rungs)
    assert str(age) not in rungs[0].phrase


@given(st.integers(0, 125))
def test_the_last_rung_tells_adults_from_minors(age: int) -> None:
    assert phrases(str(age))[-1] == ("adult" if age >= 18 else "minor")


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(is_age_rung(rung.phrase) for rung in age_rungs(text))


@given(st.integers(0, 125), st.text(alphabet="XQZ@:[]\né", min_size=1), st.integers(0, 20))
def test_a_rung_with_anything_put_into_it_is_none(age: int, more: str, place: int) -> None:
    for phrase in phrases(f"aged {age}"):
        assert not is_age_rung(phrase[:place] + more + phrase[place:])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("34", ["mid-thirties", "30–39", "adult"]),
        ("34 years old", ["in their mid-thirties", "30–39", "adult"]),
        ("age: 30", ["in their early thirties", "30–39", "adult"]),
        ("a 39 year old", ["in their late thirties", "30–39", "adult"]),
        ("thirty-four", ["in their mid-thirties", "30–39", "adult"]),
        ("34 ans", ["in their mid-thirties", "30–39", "adult"]),
        ("34 años", ["in their mid-thirties", "30–39", "adult"]),
        ("34jährige", ["in their mid-thirties", "30–39", "adult"]),
        ("85", ["eighties", "80–89", "adult"]),
        ("90", ["ninety or older", "adult"]),
        ("104", ["ninety or older", "adult"]),
        ("18 months old", ["a toddler", "minor"]),
        ("6 weeks", ["an infant", "minor"]),
        ("5", ["a preschool child", "minor"]),
        ("twelve", ["a school-age child", "minor"]),
        ("17", ["a teenager", "minor"]),
        ("19", ["a teenager", "adult"]),
        ("in her late thirties", ["adult"]),
        ("130", []),
        ("30-35", []),
        ("thirty-twelve", []),
        ("my password is hunter2", []),
    ],
)
def test_an_age_becomes_its_part_of_a_decade_then_the_decade_then_a_stage_of_life(
    value: str, expected: list[str]
) -> None:
    assert phrases(value) == expected


def test_the_population_counts_years() -> None:
    assert [rung.population for rung in age_rungs("34")] == [3, 10, None]
    assert [rung.population for rung in age_rungs("15")] == [7, 18]


@pytest.mark.parametrize("phrase", ["30–38", "mid-nineties", "in her mid-thirties", "Adult", "34", "adult "])
def test_a_phrase_outside_the_grammar_is_no_rung(phrase: str) -> None:
    assert not is_age_rung(phrase)
