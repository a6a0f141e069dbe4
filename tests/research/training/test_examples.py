from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.encoder.instruction import HEAD, TAIL
from privguard.encoder.labels import TAG_COUNT, TAG_OF
from privguard.encoder.tokens import TextTokenizer
from privguard.encoder.windows import split_windows
from privguard.research.training.examples import (
    ANY_TAG,
    IGNORE,
    UNKNOWN_TAG,
    Group,
    SpanTarget,
    build_group,
    scope_mask,
)
from privguard.research.training.records import Label, LabelledText, Record
from privguard.research.training.scopes import SCOPES, UNLABELLED, UNTYPED, scope_of

TOKENIZER = Path(__file__).parents[2] / "encoder" / "model" / "tokenizer.json"
LENGTH, OVERLAP = 6, 2
WORDS = st.sampled_from(["Ada", "Roth", "12345", "the", "Graz", "zq", "ü", "漢字", "👋", "\n", ", ", " ", " my "])


@pytest.fixture(scope="module", params=[1, 4], ids=["pieces", "units"])
def tokenize(request: pytest.FixtureRequest) -> TextTokenizer:
    return TextTokenizer(TOKENIZER, request.param)


def record_of(*texts: LabelledText, source: str = "authored") -> Record:
    return Record(id="1", source=source, lang="en", texts=texts)


def build(record: Record, tokenize: TextTokenizer) -> Group:
    return build_group(record, tokenize, length=LENGTH, overlap=OVERLAP)


def spans_of(group: Group, number: int = 0) -> SpanTarget:
    return group.spans[number]


@st.composite
def labelled_texts(draw: st.DrawFn) -> LabelledText:
    words = draw(st.lists(WORDS, min_size=1, max_size=12))
    text = "".join(words)
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    kinds = [*EntityType, UNTYPED]
    labels = [
        Label(start=start, end=end, kind=str(draw(st.sampled_from(kinds))), reach=(1.0, 0.5, 0.0, 0.0))
        for start, end in zip(borders[::2], borders[1::2], strict=False)
    ]
    return LabelledText(text=text, labels=tuple(labels))


@settings(max_examples=50)
@given(text=labelled_texts())
def test_each_labelled_code_point_that_a_token_holds_is_in_the_tags_of_every_window_of_it(
    tokenize: TextTokenizer, text: LabelledText
) -> None:
    tokens = tokenize(text.text)
    group = build(record_of(text), tokenize)
    expected: dict[int, set[int]] = {place: {0} for place in range(len(tokens))}
    for place in range(len(tokens)):
        touching = {
            ANY_TAG if label.kind == UNTYPED else TAG_OF[EntityType(label.kind)]
            for label in text.labels
            if tokens.starts[place] < label.end and label.start < tokens.ends[place]
        }
        expected[place] = touching or {0}
    windows = split_windows(len(tokens), length=LENGTH, overlap=OVERLAP)
    assert {place for window in windows for place in range(window.start, window.end)} == set(range(len(tokens)))
    for window, cut in zip(group.windows, windows, strict=True):
        assert np.array_equal(window.ids, tokens.ids[cut.start : cut.end])
        assert all(int(tag) in expected[cut.start + row] for row, tag in enumerate(window.tags))


@settings(max_examples=50)
@given(text=labelled_texts())
def test_each_span_that_holds_a_token_is_a_target_once_and_begins_once(
    tokenize: TextTokenizer, text: LabelledText
) -> None:
    tokens = tokenize(text.text)
    group = build(record_of(text), tokenize)
    held = [
        label
        for label in text.labels
        if any(start < label.end and label.start < end for start, end in zip(tokens.starts, tokens.ends, strict=True))
    ]
    assert len(group.spans) == len(held)
    for span, label in zip(group.spans, held, strict=True):
        window = group.windows[span.window]
        assert 0 <= span.start < span.end <= len(window.ids)
        assert span.tag == (0 if label.kind == UNTYPED else TAG_OF[EntityType(label.kind)])
        assert span.own
    for window in group.windows:
        assert ((window.begins == IGNORE) == (window.tags == 0)).all()


def test_offsets_of_a_span_point_at_its_tokens(tokenize: TextTokenizer) -> None:
    text = LabelledText(text="my name is Ada Roth", labels=(Label(start=11, end=19, kind="PERSON"),))
    group = build(record_of(text), tokenize)
    span = spans_of(group)
    window = group.windows[span.window]
    assert np.array_equal(window.ids[span.start : span.end], tokenize("my name is Ada Roth").ids[-2:])
    assert window.tags.tolist() == [0, 0, 0, *[TAG_OF[EntityType.PERSON]] * 2]
    assert window.begins.tolist() == [IGNORE, IGNORE, IGNORE, 1, 0]


def test_a_label_that_holds_no_token_is_left_out(tokenize: TextTokenizer) -> None:
    text = LabelledText(text="Ada   Roth", labels=(Label(start=4, end=5, kind="PERSON"),))
    assert not build(record_of(text), tokenize).spans


def test_only_spans_of_the_instruction_message_are_its_own(tokenize: TextTokenizer) -> None:
    label = Label(start=0, end=3, kind="PERSON")
    roles = ("user", "assistant", "user", "assistant")
    texts = [LabelledText(text="Ada is in Graz", labels=(label,), role=role) for role in roles]
    assert [span.own for span in build(record_of(*texts), tokenize).spans] == [False, False, True, False]


def test_instruction_tokens_are_the_head_and_the_tail_of_the_last_user_message(tokenize: TextTokenizer) -> None:
    long = " ".join(f"{'my' if number % 3 else 'the'} name" for number in range(120))
    first, last = LabelledText(text="translate", labels=()), LabelledText(text=long, labels=())
    group = build(record_of(first, last, LabelledText(text="Graz", labels=(), role="assistant")), tokenize)
    tokens = tokenize(long)
    expected = np.concatenate([tokens.ids[:HEAD], tokens.ids[-TAIL:]])
    found = [group.windows[window].ids[token] for window, token in group.instruction]
    assert len(group.instruction) == len(set(group.instruction)) == HEAD + TAIL
    assert np.array_equal(found, expected)
    assert all(0 < window < len(group.windows) - 1 for window, _ in group.instruction)


def test_a_record_without_any_token_has_no_window(tokenize: TextTokenizer) -> None:
    group = build(record_of(LabelledText(text="  \n", labels=())), tokenize)
    assert (group.windows, group.spans, group.instruction, group.size) == ((), (), (), 0)


def test_what_nobody_looked_at_is_unknown_rather_than_outside(tokenize: TextTokenizer) -> None:
    record = record_of(LabelledText(text="my name is Ada", labels=()), source=UNLABELLED)
    (window,) = build(record, tokenize).windows
    assert (window.tags == UNKNOWN_TAG).all()
    (window,) = build(replace(record, source="btc"), tokenize).windows
    assert (window.tags == 0).all()


def test_soft_targets_are_cut_with_their_tokens(tokenize: TextTokenizer) -> None:
    text = " ".join(["my name is Ada in Graz"] * 6)
    tokens = tokenize(text)
    soft = np.repeat(np.arange(len(tokens), dtype=np.float16)[:, None], TAG_COUNT + 1, axis=1)
    record = record_of(LabelledText(text=text, labels=()))
    group = build_group(record, tokenize, length=LENGTH, overlap=OVERLAP, soft=[soft])
    assert len(group.windows) > 1
    for window in group.windows:
        assert window.soft is not None
        places = window.soft[:, 0].astype(int)
        assert np.array_equal(tokens.ids[places], window.ids)
        assert np.array_equal(tokens.shapes[places], window.shapes)


@pytest.mark.parametrize("source", sorted(SCOPES))
def test_the_mask_of_a_source_holds_outside_and_what_it_labels(source: str) -> None:
    mask = scope_mask(source)
    assert mask.shape == (TAG_COUNT,)
    assert set(np.flatnonzero(mask)) == {0} | {TAG_OF[kind] for kind in scope_of(source)}
