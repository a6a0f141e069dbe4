"""Whom a sentence tells apart: titles and names are marked by brackets, which are taken out."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.detect.linking import PersonForms, Surface
from tests.growth import costs_in_proportion, seconds

SURNAMES = st.sampled_from(["Brandt", "Hall", "Osei", "Kern", "Lindqvist", "García"])
GIVEN = st.sampled_from(["Mia", "Kevin", "Grace", "Tobias", "Ana"])
TITLES = st.sampled_from(["Dr.", "Officer", "Judge", "Prof.", "Attorney"])
ACTS = st.sampled_from(["treated", "was seen by", "is suing", "and", "gave a book to", "'s patient"])


def mentions(marked: str, sentence: int = 0) -> list[Surface]:
    """Return the mentions of a text, in which each stands in square brackets, all of one sentence."""
    text, places, taken = "", [], 0
    for match in re.finditer(r"\[([^]]*)\]", marked):
        text += marked[taken : match.start()]
        places.append((len(text), len(text) + len(match[1])))
        text += match[1]
        taken = match.end()
    text += marked[taken:]
    return [Surface.of(text, start, end, sentence) for start, end in places]


def linked(*sentences: str) -> list[int]:
    """Return the number of the person that each mention is of."""
    batch = [each for number, marked in enumerate(sentences) for each in mentions(marked, number)]
    numbers = PersonForms().link(batch)
    order = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    return [order[number] for number in numbers]


@pytest.mark.parametrize(
    "marked",
    [
        "[Dr. Brandt] treated [Mia Brandt].",
        "Dr. [Brandt] treated [Mia Brandt].",
        "[Officer Hall] arrested [Kevin Hall].",
        "[Kevin Hall] was arrested by Officer [Hall].",
        "[Judge Kern] sentenced in his court [Tobias Kern].",
        "[Dr. Brandt] is treating [Mia Brandt].",
        "[Dr. Brandt] and [Mia Brandt] met.",
        "[Mia Brandt], [Tom Roth] and Dr. [Brandt] met.",
        "[Mia Brandt], [Tom Roth], and [Dr. Brandt] met.",
        "[Mia Brandt] and her doctor [Dr. Brandt] met.",
        "[Mia Brandt]'s doctor [Dr. Brandt]",
        "[Frau Brandt] und [Mia Brandt] kamen.",
        "[Dr. Brandt] behandelt die Patientin [Mia Brandt].",
        "a letter from [Dr. Brandt] to [Mia Brandt]",
        "Der Brief von [Dr. Brandt] an [Mia Brandt]",
        "[Ms. Mia Brandt] saw [Dr. Brandt].",
        "[Mary Ann Roth] and [Mary Roth]",
        "[M. Roth] & [Mary Roth]",
        "[Mary Ann Roth] sued [Mary Roth].",
        "[Ana López] y [Ana María García López]",
    ],
)
def test_two_whom_a_sentence_tells_apart_are_two(marked: str) -> None:
    found = linked(marked)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "marked",
    [
        "[Mia Brandt], our [Dr. Brandt], came.",
        "[Mia Brandt] ([Dr. Brandt]) came.",
        "[Mia Brandt] is [Dr. Brandt].",
        "[Mia Brandt] is known to us as [Dr. Brandt].",
        "[Mia Brandt] said that Dr. [Brandt] is her name.",
        "[Dr. Mia Brandt] told us about Dr. [Brandt].",
        "[Mary Ann Roth], formerly [Mary Roth]",
        "from [Mary Roth] to [Mary Ann Roth]",
        "[Mary Roth] or [Mary Ann Roth]",
        "[Mary Roth] signs as [M. Roth].",
        "[Roth] and [Ada Roth]",
        "[Mia Brandt], and [Dr. Brandt] is her name",
        "[Mia Brandt] came and [Dr. Brandt] was in time.",
        "[Ada Roth] called and [Roth] did not wait.",
        "[Mary Roth], [M. Roth]",
        "[Mary Roth] [Mary Ann Roth]",
    ],
)
def test_one_who_is_named_twice_in_a_sentence_is_one(marked: str) -> None:
    assert set(linked(marked)) == {0}


def test_what_one_sentence_tells_apart_is_two_in_the_whole_message() -> None:
    assert linked("[Dr. Brandt] treated [Mia Brandt].", "Write to [Dr. Brandt].", "[Mia Brandt] left.") == [0, 1, 0, 1]
    assert linked("[Dr. Lena Okafor] called.", "[Okafor] said that [Dr. Okafor] is late.") == [0, 0, 0]


def test_three_of_one_surname_are_three() -> None:
    assert linked("Attorney [Osei] represents [Grace Osei] against Judge [Osei].") == [0, 1, 2]
    assert linked("[Mary Ann Roth] and [Ann Roth] and [Mary Roth] are cousins.") == [0, 1, 2]


def test_a_bare_surname_is_given_to_neither_of_two() -> None:
    assert linked("[Dr. Brandt] treated [Mia Brandt].", "[Brandt] left.")[2] == 2


def test_what_has_left_stays_where_a_later_message_tells_two_apart() -> None:
    forms = PersonForms()
    assert forms.link(mentions("[Dr. Brandt] called for [Mia Brandt], that is for herself.")) == (0, 0)
    assert forms.link(mentions("[Dr. Brandt] treated [Mia Brandt].", 1))[1] == 0
    assert forms.link(mentions("[Dr. Brandt]", 2)) != (0,)


@given(title=TITLES, surname=SURNAMES, given=GIVEN, act=ACTS, turned=st.booleans())
def test_subject_and_object_never_share_a_number(title: str, surname: str, given: str, act: str, turned: bool) -> None:
    pair = [f"{title} [{surname}]", f"[{given} {surname}]"]
    first, second = reversed(pair) if turned else pair
    one, other = PersonForms().link(mentions(f"{first} {act} {second}.".replace(" '", "'")))
    assert one != other


@given(title=TITLES, surname=SURNAMES, given=GIVEN)
def test_in_two_sentences_they_are_one(title: str, surname: str, given: str) -> None:
    one, other = mentions(f"[{given} {surname}] came.", 0), mentions(f"{title} [{surname}] was late.", 1)
    assert PersonForms().link([*one, *other]) == (0, 0)


def test_a_long_list_costs_no_more_per_name_than_a_short_one() -> None:
    def cost(count: int) -> float:
        batch = mentions(" and ".join(f"[Mary{'abcdefgh'[number % 8]} Roth]" for number in range(count)))
        return seconds(lambda: PersonForms().link(batch))

    assert costs_in_proportion(cost, 500, least_s=0.002)
