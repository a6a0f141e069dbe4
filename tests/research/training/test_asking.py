import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.asking import Asker, blend, load_asks, load_slugs, pod, slug
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.known import known_names
from privguard.research.training.lexicon import languages, load_lexicon
from privguard.research.training.rendering import Rendered
from privguard.research.training.seeds import seeded

# What these ask, another set of questions measures: no model may have learnt them by heart.
MEASURED = (
    "Who was {a}?",
    "Is {a} still alive?",
    "Which party does {a} belong to?",
    "Tell me everything you know about",
)
KNOWN = {name for names in known_names().values() for name in (*names.full, *names.short)}


def asked(gazetteers: Gazetteers, lang: str, seed: int) -> Rendered:
    return Asker(rng=seeded(seed), lexicon=load_lexicon(lang), gazetteers=gazetteers).ask()


@pytest.mark.parametrize("lang", languages())
def test_every_language_asks_in_a_dozen_ways_or_more(lang: str) -> None:
    asks = load_asks(lang)
    assert len(asks.asks) >= 16
    assert all((asks.roles, asks.starts, asks.talks))
    lines = (*asks.asks, *asks.tasks)
    assert all(set(re.findall(r"\{(.*?)\}", line)) <= {"a", "b", "c", "s", "r"} for line in lines)


@given(seed=st.integers(0, 100_000), lang=st.sampled_from(languages()))
def test_a_question_is_whole_and_the_same_for_the_same_seed(gazetteers: Gazetteers, seed: int, lang: str) -> None:
    made = asked(gazetteers, lang, seed)
    assert made == asked(gazetteers, lang, seed)
    assert not re.search(r"\[\[[a-zA-Z]|\{[abcsrwp]\}", made.text)


@given(seed=st.integers(0, 100_000), lang=st.sampled_from(languages()))
def test_people_of_public_life_carry_no_label_and_invented_ones_do(
    gazetteers: Gazetteers, seed: int, lang: str
) -> None:
    made = asked(gazetteers, lang, seed)
    assert not {made.text[span.start : span.end] for span in made.spans} & KNOWN


def test_an_invented_person_never_has_the_name_of_a_known_one_by_chance(gazetteers: Gazetteers) -> None:
    made = asked(gazetteers, "uk", 2176)  # the first draw is somebody's name
    assert not {made.text[span.start : span.end] for span in made.spans} & KNOWN


def test_both_kinds_of_people_and_of_slugs_occur(gazetteers: Gazetteers) -> None:
    texts = [asked(gazetteers, "en", seed) for seed in range(400)]
    labels = [{span.label for span in made.spans} for made in texts]
    assert 0.3 < sum("PERSON" in found for found in labels) / 400 < 0.75
    assert set().union(*labels) > {"PERSON", "SECRET"}
    assert 0.01 < sum("SECRET" in found for found in labels) / 400 < 0.12
    assert 0.2 < sum(not found for found in labels) / 400 < 0.6
    assert any(not made.spans and re.search(r"\b[a-z]+-[a-z]+-[a-z]+", made.text) for made in texts)


def test_what_a_task_names_is_invented_and_not_needed(gazetteers: Gazetteers) -> None:
    for seed in range(300):
        asker = Asker(rng=seeded(seed), lexicon=load_lexicon("en"), gazetteers=gazetteers)
        made = asker.ask()
        assert asker.needed or "PERSON" in {span.label for span in made.spans}


def test_the_questions_that_measure_are_not_among_those_that_teach() -> None:
    assert not [line for line in load_asks("en").asks if line.startswith(MEASURED)]


@given(seed=st.integers(0, 100_000))
def test_slugs_and_pods_are_words_joined_by_hyphens(seed: int) -> None:
    assert re.fullmatch(r"[a-z]+(?:-[a-z]+){1,5}(?:-\d{1,2})?", slug(seeded(seed)))
    assert re.fullmatch(r"[a-z]+(?:-[a-z]+){1,5}(?:-\d{1,2})?-[a-z2-9]{8,10}-[a-z2-9]{5}", pod(seeded(seed)))


def test_passphrases_are_asked_for_as_such_and_nothing_else_is_labelled() -> None:
    slugs = load_slugs()
    assert all("[[passphrase]]" in line for line in slugs.secrets)
    assert not any("[[" in line for line in slugs.asks)
    assert len(set(slugs.words)) == len(slugs.words) > 300


@pytest.mark.parametrize(
    ("one", "other", "made"),
    [
        ("Lindenau", "Bergmann", "Lindmann"),
        ("Roth", "Vale", "Role"),
        ("Kim", "Vale", "Kim"),
        ("Roth", "Βλάχος", "Roth"),
    ],
)
def test_a_surname_is_made_of_two(one: str, other: str, made: str) -> None:
    assert blend(one, other) == made
