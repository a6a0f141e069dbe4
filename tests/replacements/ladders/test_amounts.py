import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.replacements.ladders.amounts import amount_rungs, is_amount_rung
from privguard.replacements.ladders.naming import names

NUMBERS = st.integers(0, 10**15 - 1)
FORMS = ("{:,}", "{}", "-{:,}", "({:,})", "${:,}", "{:,} EUR", "€{:,}.00", "{:,}%", "CHF {:,}", "{} percent")
SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def phrases(value: str, *, money: bool = True) -> list[str]:
    return [rung.phrase for rung in amount_rungs(value, money=money)]


@given(NUMBERS, st.sampled_from(FORMS))
def test_every_number_has_rungs_that_are_recognised_and_do_not_name_it(number: int, form: str) -> None:
    value = form.format(number)
    rungs = amount_rungs(value)
    assert rungs
    assert all(is_amount_rung(rung.phrase) and not names(rung.phrase, value) for rung in rungs)
    populations = [rung.population or 0 for rung in rungs]
    assert populations == sorted(populations)


@given(st.integers(1000, 10**15 - 1))
def test_a_range_holds_the_number(number: int) -> None:
    for phrase in phrases(str(number)):
        span, scale = phrase.split()
        low, high = (int(edge) * SCALE[scale] for edge in span.split("–"))
        assert low <= number < high


@given(NUMBERS)
def test_separators_do_not_change_the_range(number: int) -> None:
    plain = phrases(str(number))
    for mark in (",", " ", "'", "\N{NO-BREAK SPACE}", "\N{RIGHT SINGLE QUOTATION MARK}"):
        assert phrases(f"{number:,}".replace(",", mark)) == plain
    assert phrases(f"{number:,}".replace(",", ".") + ",00") == plain
    assert phrases(f"{number:,}.00") == plain


@given(st.text(alphabet="0123456789.,' $€-()%kmMb", max_size=24))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(is_amount_rung(rung.phrase) for rung in amount_rungs(text))


@given(NUMBERS, st.text(alphabet="XQZ@:[]\né", min_size=1), st.integers(0, 20))
def test_a_rung_with_anything_put_into_it_is_none(number: int, more: str, place: int) -> None:
    for phrase in phrases(f"${number}"):
        assert not is_amount_rung(phrase[:place] + more + phrase[place:])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("83,250", "80–90 thousand"),
        ("$83,250", "80–90 thousand dollars"),
        ("83.250,00 €", "80–90 thousand euros"),
        ("83.250", "80–90 thousand"),
        ("83'250 CHF", "80–90 thousand francs"),
        ("83 250 kr", "80–90 thousand kronor"),
        ("1.2 million", "1–2 million"),
        ("$1.2M", "1–2 million dollars"),
        ("€ 1,5 Mio.", "1–2 million euros"),
        ("£3bn", "3–4 billion pounds"),
        ("₹ 5 lakh", "500–600 thousand rupees"),
        ("1,20,000 rupees", "100–200 thousand rupees"),
        ("52k per year", "50–60 thousand"),
        ("US$ 12,000", "10–20 thousand dollars"),
        ("EUR 3.000 brutto", "3–4 thousand euros"),
        ("$50/hour", "fifty to sixty dollars"),
        ("12%", "ten to twenty percent"),
        ("12,5 Prozent", "ten to twenty percent"),
        ("0.5%", "zero to ten percent"),
        ("80", "eighty to ninety"),
        ("999", "nine hundred to a thousand"),
        ("-83,250", "80–90 thousand below zero"),
        ("\N{MINUS SIGN}5", "zero to ten below zero"),
        ("($83,250)", "80–90 thousand dollars below zero"),
        ("$-5", "zero to ten dollars below zero"),
    ],
)
def test_an_amount_becomes_a_rounded_range_with_its_unit(value: str, expected: str) -> None:
    assert phrases(value)[0] == expected


@pytest.mark.parametrize(
    "value",
    [
        *("$", "abc", "50-60k", "$5 €", "0,125", "1,2,3", "12 34", "1.234,5,6", "(5", "5)", "9" * 16, "1e9", "hunter2"),
        *("", "five", "$5 and $6", "12,345,6"),
    ],
)
def test_what_is_no_single_number_is_not_read(value: str) -> None:
    assert phrases(value) == []


def test_a_dot_before_three_digits_is_read_only_where_it_must_be_money() -> None:
    assert phrases("83.250", money=False) == []
    assert phrases("12.5%", money=False)[0] == "ten to twenty percent"
    assert phrases("83.250%", money=False) == []
    assert phrases("€ 83.250", money=False)[0] == "80–90 thousand euros"


def test_the_ladder_widens_and_can_leave_the_unit_out() -> None:
    assert phrases("$83,250") == [
        "80–90 thousand dollars",
        "80–90 thousand",
        "10–100 thousand dollars",
        "10–100 thousand",
    ]


def test_the_population_counts_whole_units() -> None:
    assert [rung.population for rung in amount_rungs("83,250")] == [10_000, 90_000]


@pytest.mark.parametrize("phrase", ["80–91 thousand", "80-90 thousand", "80–90 thousand kisses", "ten to thirty", "83"])
def test_a_phrase_outside_the_grammar_is_no_rung(phrase: str) -> None:
    assert not is_amount_rung(phrase)
