"""Scores on held-out records: whole-span recall, precision, flagged clean texts, and the AUC of need."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from privguard.encoder.decode import decode
from privguard.encoder.labels import TAG_COUNT
from privguard.encoder.tokens import Tokens
from privguard.encoder.windows import Window, split_windows
from privguard.research.need_table import auc as area_under_curve
from privguard.research.training.batches import collate
from privguard.research.training.examples import Group, TokenWindow, build_group
from privguard.research.training.loop import need_output
from privguard.research.training.model import Net
from privguard.research.training.records import Record
from privguard.research.training.scopes import UNLABELLED

FloatArray = NDArray[np.float32]
LENGTH, OVERLAP = 160, 32
HALF = 0.5
BATCH_TOKENS = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One text with its tag probabilities."""

    record: Record
    number: int  # index of the text in the record
    tokens: Tokens = field(repr=False)
    probabilities: FloatArray = field(repr=False)
    begins: FloatArray = field(repr=False)


def score_texts(
    net: Net, records: Iterable[Record], tokenize: Callable[[str], Tokens], special: tuple[int, int, int]
) -> list[Scored]:
    """Run the encoder over every text, windows of like length together; the order of the texts is kept."""
    net.eval()
    texts: list[tuple[Record, int, Tokens]] = []
    jobs: list[tuple[int, Window]] = []
    for record in records:
        for number, text in enumerate(record.texts):
            tokens = tokenize(text.text)
            windows = split_windows(len(tokens), length=LENGTH, overlap=OVERLAP)
            jobs.extend((len(texts), window) for window in windows)
            if windows:
                texts.append((record, number, tokens))
    outputs = [np.zeros((len(tokens), TAG_COUNT + 1), dtype=np.float32) for _, _, tokens in texts]
    for chosen in _batched(jobs):
        logits = _logits(net, [(texts[number][2], window) for number, window in chosen], special)
        for row, (number, window) in enumerate(chosen):
            shift = 1 - window.start
            outputs[number][window.keep_start : window.keep_end] = logits[
                row, window.keep_start + shift : window.keep_end + shift
            ]
    return [
        Scored(
            record=record,
            number=number,
            tokens=tokens,
            probabilities=torch.from_numpy(output[:, :-1]).softmax(-1).numpy(),
            begins=torch.from_numpy(output[:, -1]).sigmoid().numpy(),
        )
        for (record, number, tokens), output in zip(texts, outputs, strict=True)
    ]


def _batched(jobs: Sequence[tuple[int, Window]]) -> Iterator[list[tuple[int, Window]]]:
    batch: list[tuple[int, Window]] = []
    for job in sorted(jobs, key=lambda job: (job[1].end - job[1].start, job[0], job[1].start)):
        if batch and (len(batch) + 1) * (job[1].end - job[1].start + 2) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch


def _logits(net: Net, windows: Sequence[tuple[Tokens, Window]], special: tuple[int, int, int]) -> NDArray[np.float32]:
    parts = [
        TokenWindow(
            ids=tokens.ids[window.start : window.end],
            shapes=tokens.shapes[window.start : window.end],
            tags=np.zeros(window.end - window.start, dtype=np.int64),
            begins=np.zeros(window.end - window.start, dtype=np.int64),
        )
        for tokens, window in windows
    ]
    batch = collate([(Group(source=UNLABELLED, windows=tuple(parts), spans=(), instruction=()), 1.0)], special)
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        logits, _ = net.encoder(batch.ids, batch.shapes, batch.mask)
    return np.asarray(logits.float().numpy())


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionCounts:
    """What was found in texts, counted."""

    gold: int
    whole: int  # gold spans of which every character is covered
    predicted: int
    right: int  # predicted spans that overlap a gold one
    clean: int  # texts without a span, conversations left out
    flagged: int

    def figures(self) -> dict[str, float]:
        """Return whole-span recall, precision by any overlap, and the flagged share of texts without a span."""
        return {
            "recall": self.whole / max(1, self.gold),
            "precision": self.right / max(1, self.predicted),
            "flagged": self.flagged / max(1, self.clean),
        }


def detection_counts(scored: Sequence[Scored], threshold: float | FloatArray) -> DetectionCounts:
    """Count what is found at a threshold, one for all types or one for each."""
    gold = whole = predicted = right = clean = flagged = 0
    for item in scored:
        text = item.record.texts[item.number]
        spans = decode(item.tokens, item.probabilities, item.begins, threshold)
        covered, marked = np.zeros(len(text.text), dtype=bool), np.zeros(len(text.text), dtype=bool)
        for start, end in zip(spans.starts, spans.ends, strict=True):
            covered[start:end] = True
        for label in text.labels:
            marked[label.start : label.end] = True
            white = np.array([letter.isspace() for letter in text.text[label.start : label.end]])
            whole += bool((covered[label.start : label.end] | white).all())
            gold += 1
        predicted += len(spans.starts)
        right += sum(bool(marked[start:end].any()) for start, end in zip(spans.starts, spans.ends, strict=True))
        if not text.labels and len(item.record.texts) == 1:
            clean += 1
            flagged += bool(len(spans.starts))
    return DetectionCounts(gold=gold, whole=whole, predicted=predicted, right=right, clean=clean, flagged=flagged)


def detection_figures(scored: Sequence[Scored], threshold: float | FloatArray) -> dict[str, float]:
    """Return whole-span recall, precision by any overlap, and the share of texts without a span that are flagged."""
    return detection_counts(scored, threshold).figures()


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedScores:
    """Difficulties and labels of gold spans, in logits, `(n,)` each but `reach` `(n, 4)`."""

    b_redact: FloatArray = field(repr=False)
    b_abstract: FloatArray = field(repr=False)
    reach: FloatArray = field(repr=False)

    @property
    def needed(self) -> NDArray[np.bool_]:
        """Tell for which spans at least half of the annotations say need >= 2."""
        return np.asarray(self.reach[:, 1] >= HALF)


def need_scores(
    net: Net, records: Iterable[Record], tokenize: Callable[[str], Tokens], special: tuple[int, int, int]
) -> NeedScores:
    """Score the gold spans of records against their instructions."""
    net.eval()
    rows: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for record in records:
            group = build_group(record, tokenize, length=LENGTH, overlap=OVERLAP)
            if not any(span.reach for span in group.spans) or not group.instruction:
                continue
            batch = collate([(group, 1.0)], special)
            _, features = net.encoder(batch.ids, batch.shapes, batch.mask)
            output = need_output(net, batch, features)
            rows.append((output.b_redact.float().numpy(), output.b_abstract.float().numpy(), batch.reach.numpy()))
    if not rows:
        empty = np.zeros(0, dtype=np.float32)
        return NeedScores(b_redact=empty, b_abstract=empty, reach=np.zeros((0, 4), dtype=np.float32))
    redact, abstract, reach = (np.concatenate(column) for column in zip(*rows, strict=True))
    return NeedScores(b_redact=redact, b_abstract=abstract, reach=reach)


def auc(scores: NDArray[np.floating], gold: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve, ties counted half; NaN where one of the classes is absent."""
    found = area_under_curve(scores.astype(np.float64), gold)
    return float("nan") if found is None else found
