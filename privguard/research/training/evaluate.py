"""Scores on held-out records: whole-span recall, precision, flagged clean texts, and the AUC of need."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from privguard.encoder.decode import decode
from privguard.encoder.tokens import Tokens
from privguard.encoder.windows import split_windows
from privguard.research.training.batches import collate
from privguard.research.training.examples import build_group
from privguard.research.training.loop import need_output
from privguard.research.training.model import Net
from privguard.research.training.records import Record

FloatArray = NDArray[np.float32]
LENGTH, OVERLAP = 160, 32
HALF = 0.5


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
    """Run the encoder over every text."""
    net.eval()
    result = []
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for record in records:
            group = build_group(record, tokenize, length=LENGTH, overlap=OVERLAP)
            if not group.windows:
                continue
            batch = collate([(group, 1.0)], special)
            logits, _ = net.encoder(batch.ids, batch.shapes, batch.mask)
            row = 0
            for number, text in enumerate(record.texts):
                tokens = tokenize(text.text)
                kept = []
                for window in split_windows(len(tokens), length=LENGTH, overlap=OVERLAP):
                    shift = 1 - window.start
                    kept.append(logits[row, window.keep_start + shift : window.keep_end + shift].float())
                    row += 1
                if kept:
                    whole = torch.cat(kept)
                    result.append(
                        Scored(
                            record=record,
                            number=number,
                            tokens=tokens,
                            probabilities=whole[:, :-1].softmax(-1).numpy(),
                            begins=whole[:, -1].sigmoid().numpy(),
                        )
                    )
    return result


def detection_figures(scored: Sequence[Scored], threshold: float) -> dict[str, float]:
    """Return whole-span recall, precision by any overlap, and the share of texts without a span that are flagged."""
    found_all = whole = predicted = right = clean = flagged = 0
    for item in scored:
        text = item.record.texts[item.number]
        spans = decode(item.tokens, item.probabilities, item.begins, threshold)
        covered, gold = np.zeros(len(text.text), dtype=bool), np.zeros(len(text.text), dtype=bool)
        for start, end in zip(spans.starts, spans.ends, strict=True):
            covered[start:end] = True
        for label in text.labels:
            gold[label.start : label.end] = True
            white = np.array([letter.isspace() for letter in text.text[label.start : label.end]])
            whole += bool((covered[label.start : label.end] | white).all())
            found_all += 1
        predicted += len(spans.starts)
        right += sum(bool(gold[start:end].any()) for start, end in zip(spans.starts, spans.ends, strict=True))
        if not text.labels and len(item.record.texts) == 1:
            clean += 1
            flagged += bool(len(spans.starts))
    return {
        "recall": whole / max(1, found_all),
        "precision": right / max(1, predicted),
        "flagged": flagged / max(1, clean),
    }


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
    """Return the area under the ROC curve, ties counted half."""
    order = np.argsort(scores, kind="mergesort")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        ranks[same] = ranks[same].mean()
    positive = int(gold.sum())
    negative = len(gold) - positive
    if not positive or not negative:
        return float("nan")
    return float((ranks[gold].sum() - positive * (positive + 1) / 2) / (positive * negative))
