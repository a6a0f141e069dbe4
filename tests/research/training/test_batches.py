import pytest

pytest.importorskip("torch")

from collections import Counter
from dataclasses import fields, replace

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.encoder.tokens import CLASSES, INITIAL, LOWER, MIXED, SINGLE, UPPER
from privguard.research.training.batches import (
    Batch,
    BatchStream,
    Source,
    collate,
    hide,
    pack,
    recase,
    split_parts,
)
from privguard.research.training.examples import IGNORE, Group, TokenWindow, build_group, scope_mask
from privguard.research.training.seeds import seeded
from tests.research.training import tiny

CASED = (LOWER, INITIAL, UPPER, SINGLE, MIXED)
TOKENIZE = tiny.tokenizer()
SPECIAL = tiny.special(TOKENIZE)


def same(left: Batch, right: Batch) -> bool:
    return all(torch.equal(getattr(left, field.name), getattr(right, field.name)) for field in fields(Batch))


def group_of(number: int, *, length: int = 96) -> Group:
    return build_group(tiny.record(number), TOKENIZE, length=length, overlap=2)


def window_of(length: int) -> TokenWindow:
    row = np.zeros(length, dtype=np.int64)
    return TokenWindow(ids=row[:, None] + 1, shapes=row, tags=row, begins=row - 100)


def groups_of(sizes: list[list[int]]) -> list[Group]:
    return [
        Group(source="btc", windows=tuple(window_of(length) for length in lengths), spans=(), instruction=())
        for lengths in sizes
    ]


def test_the_same_seed_and_round_give_the_same_batches_and_another_round_others() -> None:
    first, again = list(tiny.stream(seed=5).round(2)), list(tiny.stream(seed=5).round(2))
    assert len(first) == len(again) > 1
    assert all(same(left, right) for left, right in zip(first, again, strict=True))
    for other in (tiny.stream(seed=5).round(3), tiny.stream(seed=6).round(2)):
        assert not all(left.ids.equal(right.ids) for left, right in zip(first, other, strict=False))


def test_a_round_shows_each_record_once_at_share_one_and_no_batch_is_over_its_budget() -> None:
    batches = list(tiny.stream(24, budget=256).round(0))
    assert all(batch.mask.numel() <= 256 for batch in batches)
    shown = Counter(
        tuple(row[mask][1:-1, 0].tolist()) for batch in batches for row, mask in zip(batch.ids, batch.mask, strict=True)
    )
    assert shown == Counter(tuple(TOKENIZE(r.texts[0].text).ids[:, 0].tolist()) for r in tiny.records(24))
    assert sum(len(batch.span_window) for batch in batches) == 48


@pytest.mark.parametrize(("share", "count"), [(0.5, 6), (1.0, 12), (2.25, 27)])
def test_a_share_says_how_much_of_a_source_is_shown(share: float, count: int) -> None:
    stream = BatchStream({"a": Source(records=tiny.records(12), share=share)}, TOKENIZE, SPECIAL)
    assert sum(len(batch.ids) for batch in stream.round(0)) == count


def test_records_are_changed_before_they_are_cut() -> None:
    changed = tiny.record(77)
    stream = BatchStream(
        {"a": Source(records=tiny.records(3), change=lambda _record, _rng: changed)}, TOKENIZE, SPECIAL
    )
    (batch,) = stream.round(0)
    assert len({tuple(row[:, 0].tolist()) for row in batch.ids}) == 1


@settings(max_examples=60)
@given(
    sizes=st.lists(st.lists(st.integers(1, 40), min_size=1, max_size=3), min_size=1, max_size=12),
    budget=st.integers(20, 200),
)
def test_packing_loses_nothing_and_only_a_lone_group_may_exceed_the_budget(sizes: list[list[int]], budget: int) -> None:
    batches = pack(groups_of(sizes), budget, seeded(1))
    assert sorted(number for batch in batches for number in batch) == list(range(len(sizes)))
    for batch in batches:
        windows = [length for number in batch for length in sizes[number]]
        assert len(batch) == 1 or len(windows) * (max(windows) + 2) <= budget


@given(seed=st.integers(0, 300))
@settings(max_examples=60)
def test_recasing_keeps_everything_but_the_case(seed: int) -> None:
    group = group_of(seed)
    changed = recase(group, seeded(seed))
    assert replace(changed, windows=group.windows) == group
    for before, after in zip(group.windows, changed.windows, strict=True):
        assert np.array_equal(before.ids, after.ids)
        assert np.array_equal(before.tags, after.tags)
        assert np.array_equal(before.shapes // CLASSES, after.shapes // CLASSES)
        cased = np.isin(before.shapes % CLASSES, CASED)
        assert np.array_equal(before.shapes[~cased], after.shapes[~cased])
        assert np.isin(after.shapes[cased] % CLASSES, CASED).all()


def test_some_records_lose_their_case_and_some_are_in_capitals() -> None:
    group = group_of(1)
    kinds: Counter[int] = Counter()
    for seed in range(300):
        shapes = recase(group, seeded(seed)).windows[0].shapes
        kinds[0 if np.array_equal(shapes, group.windows[0].shapes) else int(shapes[0] % CLASSES)] += 1
    assert set(kinds) == {0, LOWER, UPPER}
    assert 0.6 < kinds[0] / 300 < 0.9
    assert kinds[LOWER] > kinds[UPPER] > 0


def test_records_with_needs_stay_whole_and_others_fall_into_windows() -> None:
    group = group_of(1, length=6)
    assert len(group.windows) > 1
    assert list(split_parts(group)) == [group]
    bare = replace(group, spans=())
    parts = list(split_parts(bare))
    assert tuple(window for part in parts for window in part.windows) == bare.windows
    assert all(len(part.windows) == 1 and not part.instruction for part in parts)


def test_a_batch_holds_each_window_between_its_special_tokens() -> None:
    groups = [group_of(1, length=6), group_of(2)]
    batch = collate([(group, 1.0) for group in groups], SPECIAL)
    windows = [window for group in groups for window in group.windows]
    assert len(batch.ids) == len(windows)
    for row, window in enumerate(windows):
        end = len(window.ids) + 1
        assert (int(batch.ids[row, 0, 0]), int(batch.ids[row, end, 0])) == SPECIAL[:2]
        assert batch.ids[row, 1:end].numpy().tolist() == window.ids.tolist()
        assert batch.tags[row, 1:end].tolist() == window.tags.tolist()
        assert int(batch.mask[row].sum()) == end + 1
        assert batch.mask[row, : end + 1].all()
        assert (batch.ids[row, end + 1 :, 0] == SPECIAL[2]).all()
        assert (batch.tags[row, end:] == IGNORE).all()
        assert int(batch.tags[row, 0]) == IGNORE
    assert np.array_equal(batch.scopes[0].numpy(), scope_mask("authored"))


def test_spans_and_instructions_point_at_the_same_tokens_as_in_their_groups() -> None:
    groups = [group_of(1, length=6), group_of(2), group_of(3, length=8)]
    batch = collate([(group, 2.5) for group in groups], SPECIAL)
    flat = batch.ids.flatten(0, 1)[:, 0]
    row = 0
    for number, group in enumerate(groups):
        for span in group.spans:
            ids = batch.ids[batch.span_window[row], batch.span_tokens[row, 0] : batch.span_tokens[row, 1], 0]
            assert ids.tolist() == group.windows[span.window].ids[span.start : span.end, 0].tolist()
            assert int(batch.span_group[row]) == number
            assert float(batch.reach_weight[row]) == 2.5
            assert batch.reach[row].tolist() == list(span.reach or ())
            row += 1
        found = flat[batch.instruction[number][batch.instruction_mask[number]]]
        assert found.tolist() == [int(group.windows[window].ids[token, 0]) for window, token in group.instruction]
    assert row == len(batch.span_window)


def test_a_batch_without_spans_has_empty_targets_of_the_right_width() -> None:
    bare = replace(group_of(1), spans=(), instruction=())
    batch = collate([(bare, 1.0)], SPECIAL)
    assert (batch.span_tokens.shape, batch.reach.shape, batch.owner.shape) == ((0, 2), (0, 4), (0, 5))
    assert not batch.instruction_mask.any()
    assert batch.soft.shape[-1] == 0


@pytest.mark.parametrize("pieces", [1, 4])
def test_hiding_covers_words_and_nothing_else(pieces: int) -> None:
    tokenize = tiny.tokenizer(pieces)
    group = build_group(tiny.record(1), tokenize, length=96, overlap=2)
    hidden = hide(group, 7, seeded(1), share=0.5)
    for before, after in zip(group.windows, hidden.windows, strict=True):
        covered = (after.ids[:, 0] == 7) & (after.ids != before.ids).any(1)
        assert 0 < covered.sum() < len(before.ids)
        assert np.array_equal(after.ids[~covered], before.ids[~covered])
        assert (after.ids[covered, 1:] == 0).all()
        for kept in ("shapes", "tags", "begins"):
            assert np.array_equal(getattr(after, kept), getattr(before, kept))
    assert hidden.spans == group.spans


def test_a_stream_hides_words_where_it_is_told_to() -> None:
    plain = list(tiny.stream(seed=5).round(0))
    stream = BatchStream({"authored": Source(records=tiny.records(24))}, TOKENIZE, SPECIAL, hiding=7, budget=512)
    assert not any((batch.ids[..., 0] == 7).any() for batch in plain)
    assert any((batch.ids[..., 0] == 7).any() for batch in stream.round(0))
