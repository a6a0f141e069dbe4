from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.lexicon import load_lexicon
from privguard.research.training.people import draw_person, email, link, login
from privguard.research.training.seeds import seeded


@given(seed=st.integers(0, 10_000), lang=st.sampled_from(("en", "de", "ja", "hu", "ar")))
def test_a_person_is_the_same_for_the_same_seed(gazetteers: Gazetteers, seed: int, lang: str) -> None:
    first, again = (draw_person(seeded(seed), load_lexicon(lang), gazetteers) for _ in range(2))
    assert first == again
    assert first.given in first.full
    assert first.surname in first.full


@given(seed=st.integers(0, 10_000))
def test_logins_links_and_addresses_are_single_words(gazetteers: Gazetteers, seed: int) -> None:
    rng = seeded(seed)
    person = draw_person(rng, load_lexicon("en"), gazetteers)
    assert all(not any(sign.isspace() for sign in make(person, rng)) for make in (login, email, link))
    assert email(person, rng).count("@") == 1
