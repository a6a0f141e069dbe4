from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.research.training.edits import LabelledSpan
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.seeds import seeded
from privguard.research.training.swapping import Swaps, swap_entities

VALUES = (
    "Ada Roth",
    "Roth",
    "41",
    "ada@roth.example",
    "3 May 2021",
    "Ostau",
    "AB-1234",
    "Kole & Sons",
    "gout",
    "日本",
    "é",
    "-",
)
LABELS = st.sampled_from(sorted(EntityType.__members__))
PARTS = st.lists(
    st.tuples(st.sampled_from(("", " ", "\n", ": x ", "to the ")), st.sampled_from(VALUES), LABELS), max_size=8
)


def labelled(parts: list[tuple[str, str, str]]) -> tuple[str, tuple[LabelledSpan, ...]]:
    text, spans = "", []
    for number, (before, value, label) in enumerate(parts):
        text += before
        spans.append(LabelledSpan(start=len(text), end=len(text) + len(value), label=label, index=number))
        text += value
    return text + ".", tuple(spans)


@given(PARTS, st.integers(0, 999))
def test_only_the_values_change(gazetteers: Gazetteers, parts: list[tuple[str, str, str]], seed: int) -> None:
    text, spans = labelled(parts)
    new, moved = swap_entities(text, spans, seeded(seed), gazetteers)
    assert [(span.label, span.index) for span in moved] == [(span.label, span.index) for span in spans]
    assert all(span.start < span.end for span in moved)
    borders = [0, *(place for span in spans for place in (span.start, span.end)), len(text)]
    shifted = [0, *(place for span in moved for place in (span.start, span.end)), len(new)]
    outside = [text[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]
    assert [new[a:b] for a, b in zip(shifted[::2], shifted[1::2], strict=True)] == outside


@given(PARTS, st.integers(0, 999))
def test_the_same_seed_gives_the_same_text(
    gazetteers: Gazetteers, parts: list[tuple[str, str, str]], seed: int
) -> None:
    drawn = labelled(parts)
    first, again = (swap_entities(*drawn, seeded(seed), gazetteers) for _ in range(2))
    assert first == again


@given(PARTS, st.integers(0, 999))
def test_the_same_value_gets_the_same_new_value(
    gazetteers: Gazetteers, parts: list[tuple[str, str, str]], seed: int
) -> None:
    text, spans = labelled(parts)
    new, moved = swap_entities(text, spans, seeded(seed), gazetteers)
    seen: dict[tuple[str, str], str] = {}
    for old, span in zip(spans, moved, strict=True):
        value = new[span.start : span.end]
        assert seen.setdefault((old.label, text[old.start : old.end]), value) == value


def test_only_the_wanted_labels_change(gazetteers: Gazetteers) -> None:
    text, spans = labelled([("", "Ada Roth", "PERSON"), (" ", "AB-1234", "RECORD_ID")])
    new, moved = swap_entities(text, spans, seeded(4), gazetteers, labels=("RECORD_ID",))
    assert new.startswith("Ada Roth ")
    assert new[moved[1].start : moved[1].end] != "AB-1234"


def test_people_keep_their_new_names_over_the_texts_of_a_conversation(gazetteers: Gazetteers) -> None:
    swaps = Swaps(seeded(9), gazetteers)
    first, _ = swaps.swap(*labelled([("", "Enzo Stenfalk", "PERSON")]))
    later, _ = swaps.swap(*labelled([("hi ", "Enzo", "PERSON")]))
    assert later == f"hi {first.split(' ', maxsplit=1)[0]}."
