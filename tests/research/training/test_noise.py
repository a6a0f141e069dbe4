from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from privguard.research.training import noise
from privguard.research.training.edits import Augmented, LabelledSpan
from privguard.research.training.seeds import seeded

LABELS = st.sampled_from(("PERSON", "EMAIL", "DATE", "SECRET", "ADDRESS"))


@st.composite
def labelled_texts(draw: st.DrawFn) -> tuple[str, tuple[LabelledSpan, ...]]:
    text = draw(st.text(st.sampled_from("aAzéßİñ .,\n9日ब्"), min_size=1, max_size=60))
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return text, tuple(
        LabelledSpan(start=start, end=end, label=draw(LABELS), index=number)
        for number, (start, end) in enumerate(pairs)
    )


def check_aligned(before: Sequence[LabelledSpan], after: Augmented) -> None:
    text, spans = after
    assert [(span.label, span.index) for span in spans] == [(span.label, span.index) for span in before]
    last = 0
    for span in spans:
        assert last <= span.start < span.end <= len(text)
        last = span.end


@given(labelled_texts(), st.integers(0, 99))
def test_spans_stay_disjoint_in_order_and_in_range(drawn: tuple[str, tuple[LabelledSpan, ...]], seed: int) -> None:
    for change in (noise.lower_case, noise.upper_case, noise.drop_accents, noise.drop_punctuation, noise.join_lines):
        check_aligned(drawn[1], change(*drawn))
    check_aligned(drawn[1], noise.add_typos(*drawn, seeded(seed), rate=0.5))
    check_aligned(drawn[1], noise.split_lines(*drawn, seeded(seed), rate=0.5))


@given(labelled_texts(), st.integers(0, 99))
def test_the_values_of_keys_and_numbers_have_no_typing_errors(
    drawn: tuple[str, tuple[LabelledSpan, ...]], seed: int
) -> None:
    text, spans = noise.add_typos(*drawn, seeded(seed), rate=0.9)
    for old, new in zip(drawn[1], spans, strict=True):
        if old.label in noise.EXACT:
            assert text[new.start : new.end] == drawn[0][old.start : old.end]


def test_digits_of_another_script_stay_off_keys() -> None:
    text = "٣ 12 a1"
    span = LabelledSpan(start=5, end=7, label="SECRET", index=0)
    assert noise.native_digits(text, (span,), "٠")[0] == "٣ ١٢ a1"


def test_case_accents_punctuation_and_lines_change_as_named() -> None:
    span = LabelledSpan(start=0, end=5, label="PERSON", index=0)
    text = "Zoë K. ist da, ja?\nGut"
    assert noise.lower_case(text, (span,))[0] == "zoë k. ist da, ja?\ngut"
    assert noise.upper_case(text, (span,))[0] == "ZOË K. IST DA, JA?\nGUT"
    assert noise.drop_accents(text, (span,))[0] == "Zoe K. ist da, ja?\nGut"
    assert noise.drop_punctuation(text, (span,))[0] == "Zoë K ist da ja\nGut"
    assert noise.join_lines(text, (span,))[0] == "Zoë K. ist da, ja? Gut"
    assert noise.split_lines(text, (span,), seeded(1), rate=1.0)[0] == "Zoë K.\nist\nda,\nja?\nGut"
