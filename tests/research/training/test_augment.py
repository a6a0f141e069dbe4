from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training.augment import LabelledSpan, augment
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.seeds import seeded

TEXT = "Ada Roth (41) from Ostau,\nmail ada.roth@kole.example, has the gout since 3 May."
VALUES = {
    "Ada Roth": "PERSON",
    "41": "AGE",
    "Ostau": "LOCATION",
    "ada.roth@kole.example": "EMAIL",
    "gout": "HEALTH",
    "3 May": "DATE",
}
SPANS = tuple(
    LabelledSpan(start=TEXT.index(value), end=TEXT.index(value) + len(value), label=label, index=number)
    for number, (value, label) in enumerate(VALUES.items())
)


@given(st.integers(0, 10_000))
def test_spans_keep_number_order_and_labels(gazetteers: Gazetteers, seed: int) -> None:
    text, spans = augment(TEXT, SPANS, seeded(seed), gazetteers)
    assert [(span.label, span.index) for span in spans] == [(span.label, span.index) for span in SPANS]
    last = 0
    for span in spans:
        assert last <= span.start < span.end <= len(text)
        last = span.end


@given(st.integers(0, 10_000))
def test_the_same_seed_gives_the_same_variant(gazetteers: Gazetteers, seed: int) -> None:
    first, again = (augment(TEXT, SPANS, seeded(seed), gazetteers) for _ in range(2))
    assert first == again


def test_variants_differ_and_some_are_in_lower_case(gazetteers: Gazetteers) -> None:
    made = [augment(TEXT, SPANS, seeded(seed), gazetteers)[0] for seed in range(200)]
    assert len(set(made)) > 100
    assert 0.08 < sum(text.islower() for text in made) / len(made) < 0.25
