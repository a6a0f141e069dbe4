"""A smaller network learns from a larger one: its tag probabilities on every unit, and its needs, beside the labels.

The teacher also fills in the types that a source does not annotate, and labels what it finds in unlabelled prompts.
Student and teacher may cut words differently: the probabilities of a student's unit are the mean of those of the
teacher's tokens in it.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from privguard.encoder.decode import decode
from privguard.encoder.labels import OWNERS, TAGS
from privguard.encoder.tokens import Tokens
from privguard.research.training.batches import Batch, collate, pack, recase, split_parts
from privguard.research.training.evaluate import LENGTH, OVERLAP, Scored
from privguard.research.training.examples import IGNORE, Group, HalfArray, build_group
from privguard.research.training.loop import Extra, need_output
from privguard.research.training.loss import reach_logits
from privguard.research.training.model import NeedOutput, Net
from privguard.research.training.records import Label, Record

TEACHER_TRUST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtSource:
    """Groups of one source with soft targets, and how a round uses them."""

    groups: tuple[Group, ...] = field(repr=False)
    share: float = 1.0
    need_weight: float = 1.0


class TaughtStream:
    """Draw batches from groups that were built once."""

    def __init__(
        self, sources: Mapping[str, TaughtSource], special: tuple[int, int, int], *, budget: int = 4096, seed: int = 0
    ) -> None:
        self._sources = sources
        self._special = special
        self._budget = budget
        self._seed = seed

    def round(self, number: int) -> Iterator[Batch]:
        """Yield the batches of one round; the same number gives the same batches."""
        rng = random.Random(f"{self._seed}/{number}")  # noqa: S311 - reproducible, not secret
        drawn: list[tuple[Group, float]] = []
        for name in sorted(self._sources):
            source = self._sources[name]
            count = min(len(source.groups), round(source.share * len(source.groups)))
            drawn.extend((recase(group, rng), source.need_weight) for group in rng.sample(source.groups, count))
        for chosen in pack([group for group, _ in drawn], self._budget, rng):
            yield collate([drawn[place] for place in chosen], self._special)


def taught_groups(
    scored: Iterable[Scored], tokenize: Callable[[str], Tokens], *, length: int, overlap: int
) -> Iterator[Group]:
    """Turn texts that a teacher has read into groups for a student with another tokenizer."""
    for items in _by_record(scored):
        record = items[0].record
        texts = {item.number: item for item in items}
        soft = [
            _onto(tokenize(text.text), texts[number]) if number in texts else np.zeros((0, 0), dtype=np.float16)
            for number, text in enumerate(record.texts)
        ]
        yield from split_parts(build_group(record, tokenize, length=length, overlap=overlap, soft=soft))


def _by_record(scored: Iterable[Scored]) -> Iterator[Sequence[Scored]]:
    items: list[Scored] = []
    for item in scored:
        if items and items[0].record is not item.record:
            yield items
            items = []
        items.append(item)
    if items:
        yield items


def _onto(units: Tokens, item: Scored) -> HalfArray:
    """Average the teacher's token probabilities over the student's units."""
    first = np.searchsorted(item.tokens.ends, units.starts, side="right")
    last = np.maximum(np.searchsorted(item.tokens.starts, units.ends, side="left"), first + 1)
    whole = np.concatenate([item.probabilities, item.begins[:, None]], axis=1)
    total = np.concatenate([np.zeros((1, whole.shape[1])), np.cumsum(whole, axis=0, dtype=np.float64)])
    last = np.minimum(last, len(whole))
    first = np.minimum(first, last - 1)
    means = (total[last] - total[first]) / (last - first)[:, None]
    # A unit opens a span where its first token does.
    means[:, -1] = item.begins[first]
    return np.asarray(np.clip(means, 0, 1), dtype=np.float16)


def label_found(scored: Iterable[Scored], threshold: float, read: Callable[[Record], Record]) -> Iterator[Scored]:
    """Give unlabelled texts that a teacher has read what it finds in them as their labels.

    Args:
        scored: the texts of a record one after the other.
        threshold: of detection, 0 to 1.
        read: adds the teacher's needs to a record: see `with_needs`.
    """
    for items in _by_record(scored):
        found = {item.number: _found(item, threshold) for item in items}
        record = items[0].record
        texts = tuple(replace(text, labels=found.get(number, ())) for number, text in enumerate(record.texts))
        labelled = read(replace(record, texts=texts))
        yield from (replace(item, record=labelled) for item in items)


def _found(item: Scored, threshold: float) -> tuple[Label, ...]:
    spans = decode(item.tokens, item.probabilities, item.begins, threshold)
    return tuple(
        Label(start=int(start), end=int(end), kind=TAGS[int(tag)].value)
        for start, end, tag in zip(spans.starts, spans.ends, spans.tags, strict=True)
    )


def with_needs(
    net: Net,
    record: Record,
    tokenize: Callable[[str], Tokens],
    special: tuple[int, int, int],
    trust: float = TEACHER_TRUST,
) -> Record:
    """Return a record whose labels have the teacher's need and owner, mixed with those of annotators.

    Args:
        net: the teacher.
        record: labelled texts.
        tokenize: the teacher's tokenizer.
        special: ids of the opening, closing and padding tokens.
        trust: share of the teacher where a label has been annotated, 0 to 1; elsewhere it alone speaks.
    """
    group = build_group(record, tokenize, length=LENGTH, overlap=OVERLAP)
    if not group.spans or not group.instruction:
        return record
    asked = tuple(
        replace(span, reach=span.reach or (0.0,) * 4, owner=span.owner or (0.0,) * len(OWNERS)) for span in group.spans
    )
    batch = collate([(replace(group, spans=asked), 1.0)], special)
    net.eval()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        _, features = net.encoder(batch.ids, batch.shapes, batch.mask)
        output = need_output(net, batch, features)
        reach = reach_logits(output, net.need.thresholds()).float().sigmoid().tolist()
        owner = output.owner.float().softmax(-1).tolist()
    read = {
        span.place: (_mixed(span.reach, told, trust), _mixed(span.owner, owned, trust))
        for span, told, owned in zip(group.spans, reach, owner, strict=True)
    }
    texts = []
    for number, text in enumerate(record.texts):
        labels = [
            replace(label, reach=read[number, index][0], owner=read[number, index][1])
            if (number, index) in read
            else label
            for index, label in enumerate(text.labels)
        ]
        texts.append(replace(text, labels=tuple(labels)))
    return replace(record, texts=tuple(texts))


def _mixed(annotated: Sequence[float] | None, told: Sequence[float], trust: float) -> tuple[float, ...]:
    if annotated is None:
        return tuple(told)
    return tuple(trust * new + (1 - trust) * old for old, new in zip(annotated, told, strict=True))


def soft_tag_loss(weight: float) -> Extra:
    """Return the distillation loss: cross-entropy against the teacher's probabilities, mean over units."""

    def loss(batch: Batch, logits: Tensor, needs: NeedOutput | None) -> Tensor:  # noqa: ARG001 - one signature for all
        if not batch.soft.shape[-1]:
            return logits.new_zeros(())
        content = batch.tags != IGNORE
        soft = batch.soft[content]
        ours = logits[content].float()
        tags = soft[:, :-1] / soft[:, :-1].sum(-1, keepdim=True).clamp(min=1e-6)
        each = -(tags * ours[:, :-1].log_softmax(-1)).sum(-1)
        inside = 1 - tags[:, 0]
        begins = F.binary_cross_entropy_with_logits(ours[:, -1], soft[:, -1].clamp(0, 1), reduction="none")
        return weight * (each.mean() + 0.3 * (begins * inside).sum() / inside.sum().clamp(min=1))

    return loss


def shrink_words(teacher: Net, student: Net) -> None:
    """Start the student's word table from the teacher's, projected onto its main directions."""
    table = teacher.encoder.words.weight.detach()
    width = student.spec.hidden
    with torch.no_grad():
        if width == table.shape[1]:
            student.encoder.words.weight.copy_(table)
        else:
            centred = table - table.mean(0)
            _, vectors = torch.linalg.eigh(centred.T @ centred)
            projected = centred @ vectors[:, -width:]
            student.encoder.words.weight.copy_(projected * (table.std() / projected.std()))
        student.encoder.words.weight[0] = 0
