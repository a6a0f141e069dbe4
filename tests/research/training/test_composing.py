from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.composing import LONGEST_TEXT, Composer, join, plain
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.lexicon import languages, load_lexicon
from privguard.research.training.rendering import Piece, Rendered
from privguard.research.training.scene import Scene
from privguard.research.training.seeds import seeded


def test_joined_spans_stay_on_their_values() -> None:
    name = Rendered(text="Ada", spans=(Piece(start=0, end=3, label="PERSON"),))
    made = join((plain("hi"), name, name), " - ")
    assert made.text == "hi - Ada - Ada"
    assert [made.text[span.start : span.end] for span in made.spans] == ["Ada", "Ada"]


@given(seed=st.integers(0, 10_000), lang=st.sampled_from(languages()))
def test_texts_are_short_and_their_spans_disjoint(gazetteers: Gazetteers, seed: int, lang: str) -> None:
    rng, lexicon = seeded(seed), load_lexicon(lang)
    made = Composer(rng=rng, lexicon=lexicon, scene=Scene(rng=rng, lexicon=lexicon, gazetteers=gazetteers)).compose()
    assert 0 < len(made.text) <= LONGEST_TEXT
    last = 0
    for span in made.spans:
        assert last <= span.start < span.end <= len(made.text)
        last = span.end
