"""The stream of batches: rounds over a mixture of sources, each round determined by the seed and its number."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from privguard.encoder.tokens import CLASSES, INITIAL, LOWER, MIXED, SINGLE, UPPER, Tokens
from privguard.research.training.examples import IGNORE, Group, build_group, scope_mask
from privguard.research.training.records import Record

LENGTHS = (96, 128, 160, 224)  # content tokens per window; one is drawn for each record and round
OVERLAP = 32
HIDDEN = 0.08  # share of tokens whose word the network does not see
LOWER_CASED = 0.15  # share of records whose case is taken away, and half as many in capitals

Change = Callable[[Record, random.Random], Record]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Records of one source and the share of them that a round shows."""

    records: tuple[Record, ...] = field(repr=False)
    share: float = 1.0  # may exceed 1: then records repeat
    need_weight: float = 1.0
    change: Change | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Padded windows with their targets. `B` windows of `T` tokens (special ones included), `S` spans, `J` tokens."""

    ids: Tensor  # (B, T, pieces)
    shapes: Tensor  # (B, T)
    mask: Tensor  # (B, T) bool
    tags: Tensor  # (B, T), IGNORE outside of content
    begins: Tensor  # (B, T)
    scopes: Tensor  # (B, TAG_COUNT)
    soft: Tensor  # (B, T, TAG_COUNT + 1) probabilities of a teacher, (B, T, 0) without one
    span_window: Tensor  # (S,)
    span_tokens: Tensor  # (S, 2) half-open
    span_tags: Tensor  # (S,)
    span_own: Tensor  # (S,) 1 where the span stands in the instruction message
    reach: Tensor  # (S, 4)
    owner: Tensor  # (S, owners)
    reach_weight: Tensor  # (S,)
    owner_weight: Tensor  # (S,)
    span_group: Tensor  # (S,) index of the instruction
    instruction: Tensor  # (groups, J) flat positions into (B * T)
    instruction_mask: Tensor  # (groups, J)


class BatchStream:
    """Draw batches of about `budget` tokens."""

    def __init__(
        self,
        sources: Mapping[str, Source],
        tokenize: Callable[[str], Tokens],
        special: tuple[int, int, int],
        *,
        hiding: int | None = None,
        budget: int = 4096,
        seed: int = 0,
    ) -> None:
        """Take the sources.

        Args:
            sources: by name.
            tokenize: the tokenizer of the model.
            special: ids of the opening, closing and padding tokens.
            hiding: id of the token that stands for a hidden word; None hides none.
            budget: tokens per batch, padding included.
            seed: of everything random here.
        """
        self._sources = sources
        self._tokenize = tokenize
        self._special = special
        self._hiding = hiding
        self._budget = budget
        self._seed = seed

    def round(self, number: int) -> Iterator[Batch]:
        """Yield the batches of one round."""
        rng = random.Random(f"{self._seed}/{number}")  # noqa: S311 - reproducible, not secret
        groups: list[tuple[Group, float]] = []
        for name in sorted(self._sources):
            source = self._sources[name]
            for record in _draw(source, rng):
                changed = source.change(record, rng) if source.change else record
                group = build_group(changed, self._tokenize, length=rng.choice(LENGTHS), overlap=OVERLAP)
                group = recase(group, rng)
                if self._hiding is not None:
                    group = hide(group, self._hiding, rng)
                groups.extend((part, source.need_weight) for part in split_parts(group))
        for chosen in pack([group for group, _ in groups], self._budget, rng):
            yield collate([groups[number] for number in chosen], self._special)


def _draw(source: Source, rng: random.Random) -> Iterator[Record]:
    whole, rest = divmod(source.share, 1.0)
    for _ in range(int(whole)):
        yield from source.records
    if rest:
        yield from rng.sample(source.records, round(rest * len(source.records)))


def split_parts(group: Group) -> Iterator[Group]:
    """Split a group without need targets into its windows."""
    if any(span.reach or span.owner for span in group.spans):
        yield group
        return
    for window in group.windows:
        if len(window.ids):
            yield Group(source=group.source, windows=(window,), spans=(), instruction=())


def recase(group: Group, rng: random.Random) -> Group:
    """Take the case away: the vocabulary has none, so that the shapes are all that changes."""
    draw = rng.random()
    if draw >= LOWER_CASED * 1.5:
        return group
    to = LOWER if draw < LOWER_CASED else UPPER
    windows = []
    for window in group.windows:
        classes = window.shapes % CLASSES
        cased = np.isin(classes, (LOWER, INITIAL, UPPER, SINGLE, MIXED))
        shapes = np.where(cased, window.shapes - classes + to, window.shapes)
        if to == UPPER:
            lone = cased & np.isin(classes, (SINGLE,))
            shapes = np.where(lone, window.shapes, shapes)
        windows.append(replace(window, shapes=shapes))
    return replace(group, windows=tuple(windows))


def hide(group: Group, hiding: int, rng: random.Random, share: float = HIDDEN) -> Group:
    """Hide the words of some tokens behind one id: what stands around them and their shapes must tell."""
    chance = np.random.default_rng(rng.getrandbits(64))
    windows = []
    for window in group.windows:
        chosen = chance.random(len(window.ids)) < share
        ids = window.ids.copy()
        ids[chosen] = 0
        ids[chosen, 0] = hiding
        windows.append(replace(window, ids=ids))
    return replace(group, windows=tuple(windows))


def pack(groups: Sequence[Group], budget: int, rng: random.Random) -> list[list[int]]:
    """Put groups of like window length together, up to `budget` padded tokens a batch, in random order."""
    longest = [max((len(window.ids) for window in group.windows), default=0) + 2 for group in groups]
    order = sorted(range(len(groups)), key=lambda number: (longest[number], rng.random()))
    batches: list[list[int]] = [[]]
    windows = 0
    for number in order:
        count = len(groups[number].windows)
        if batches[-1] and (windows + count) * longest[number] > budget:
            batches.append([])
            windows = 0
        batches[-1].append(number)
        windows += count
    rng.shuffle(batches)
    return batches


def collate(groups: Sequence[tuple[Group, float]], special: tuple[int, int, int]) -> Batch:
    """Pad groups into one batch; token positions move by one for the opening token."""
    opening, closing, padding = special
    windows = [window for group, _ in groups for window in group.windows]
    length = max(len(window.ids) for window in windows) + 2
    size = (len(windows), length)
    ids = np.zeros((*size, windows[0].ids.shape[1]), dtype=np.int64)
    ids[:, :, 0] = padding
    shapes = np.zeros(size, dtype=np.int64)
    mask = np.zeros(size, dtype=bool)
    tags, begins = np.full(size, IGNORE, dtype=np.int64), np.full(size, IGNORE, dtype=np.int64)
    for row, window in enumerate(windows):
        end = len(window.ids) + 1
        ids[row, 0, 0], ids[row, end, 0] = opening, closing
        mask[row, : end + 1] = True
        for target, values in (
            (ids, window.ids),
            (shapes, window.shapes),
            (tags, window.tags),
            (begins, window.begins),
        ):
            target[row, 1:end] = values
    soft = np.zeros((*size, 0 if windows[0].soft is None else windows[0].soft.shape[1]), dtype=np.float32)
    for row, window in enumerate(windows):
        if window.soft is not None:
            soft[row, 1 : len(window.soft) + 1] = window.soft
    scopes = np.stack([scope_mask(group.source) for group, _ in groups for _ in group.windows])
    return Batch(
        **{
            name: torch.from_numpy(array)
            for name, array in {
                "ids": ids,
                "shapes": shapes,
                "mask": mask,
                "tags": tags,
                "begins": begins,
                "scopes": scopes,
                "soft": soft,
                **_span_arrays(groups),
                **_instruction_arrays(groups, length),
            }.items()
        }
    )


def _span_arrays(groups: Sequence[tuple[Group, float]]) -> dict[str, NDArray[Any]]:
    rows: list[tuple[object, ...]] = []
    offset = 0
    for number, (group, weight) in enumerate(groups):
        for span in group.spans:
            if not (span.reach or span.owner):
                continue
            rows.append(
                (
                    offset + span.window,
                    (span.start + 1, span.end + 1),
                    span.tag,
                    float(span.own),
                    span.reach or (0.0,) * 4,
                    span.owner or (0.0,) * 5,
                    weight if span.reach else 0.0,
                    weight if span.owner else 0.0,
                    number,
                )
            )
        offset += len(group.windows)
    names = ("window", "tokens", "tags", "own", "reach", "owner", "reach_weight", "owner_weight", "group")
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    whole = {"window", "tokens", "tags", "group"}
    widths = {"tokens": 2, "reach": 4, "owner": 5}
    result = {}
    for name, column in zip(names, columns, strict=True):
        array = np.array(column, dtype=np.int64 if name in whole else np.float32)
        key = name if name in {"reach", "owner", "reach_weight", "owner_weight"} else f"span_{name}"
        result[key] = array.reshape(-1, widths[name]) if name in widths else array
    return result


def _instruction_arrays(groups: Sequence[tuple[Group, float]], length: int) -> dict[str, NDArray[Any]]:
    most = max((len(group.instruction) for group, _ in groups), default=0) or 1
    places = np.zeros((len(groups), most), dtype=np.int64)
    mask = np.zeros((len(groups), most), dtype=bool)
    offset = 0
    for number, (group, _) in enumerate(groups):
        flat = [(offset + window) * length + token + 1 for window, token in group.instruction]
        places[number, : len(flat)] = flat
        mask[number, : len(flat)] = True
        offset += len(group.windows)
    return {"instruction": places, "instruction_mask": mask}
