"""What the shipped models are trained on: the sources, their shares of a round, what is held out, and their hashes."""

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from privguard.encoder.labels import OWNERS
from privguard.research.training.augment import LabelledSpan, augment
from privguard.research.training.batches import Source
from privguard.research.training.folder import (
    AUTHORED,
    CORPORA,
    NEED,
    PROMPTS,
    SPANS,
    check_folder,
    check_generated,
)
from privguard.research.training.gazetteers import Gazetteers, load_gazetteers
from privguard.research.training.records import (
    Label,
    LabelledText,
    Record,
    load_authored,
    load_need,
    load_prompts,
    load_questions,
    load_spans,
)
from privguard.research.training.scopes import QUESTIONS, UNLABELLED
from privguard.research.training.swapping import Swaps
from privguard.research.training.written import SOURCE as WRITTEN
from privguard.research.training.written import load_written, written_files

AUTHORED_HELD_OUT = 0.1
NEED_HELD_OUT = 0.25  # the folds that the benchmark scores
NEED_WEIGHT = 3.0  # real prompts are few beside the authored ones
GENERATED_A_ROUND = 1800  # records

SWAPPED = ("authored", WRITTEN)  # sources whose records come with other values
KEPT = "KEPT"  # the label of a value that no swap knows
PUBLIC, NOBODY = OWNERS.index("public"), OWNERS.index("none")
HALF = 0.5

# Long narrow sources would drown the others: the share of each that one round shows.
SHARES = {
    "btc": 0.1,
    "ctxanon": 0.15,
    "lifebench": 0.05,
    "meddocan": 0.15,
    "nlu": 0.05,
    "presidio_generated_large": 0.12,
    "questions": 0.4,
    "sec": 0.05,
    "sgd": 0.04,
    "tab": 0.2,
    "uner_ewt": 0.15,
    "wikigold": 0.15,
    "wnut17": 0.2,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """All labelled records, split once by a hash of their texts."""

    train: dict[str, tuple[Record, ...]] = field(repr=False)
    held_out: dict[str, tuple[Record, ...]] = field(repr=False)
    hashes: dict[str, str]


def load_corpus(
    data: Path, generated: Path | None = None, written: Path | None = None, *, authored: bool = True
) -> Corpus:
    """Read every source.

    Args:
        data: the folder of the sources.
        generated: generated examples, if any.
        written: the folder of prompts written for training, if any.
        authored: False leaves the authored prompts out of training: an ablation.

    Raises:
        ConfigError: a file is missing.
    """
    check_folder(data, CORPORA)
    if generated is not None:
        check_generated(generated)
    train: dict[str, tuple[Record, ...]] = {}
    held_out: dict[str, tuple[Record, ...]] = {}
    train["authored"], held_out["authored"] = _split(list(load_authored(data / AUTHORED)), AUTHORED_HELD_OUT)
    for source, name in NEED.items():
        train[source], held_out[source] = _split(list(load_need(data / name, source)), NEED_HELD_OUT)
    by_source: dict[str, list[Record]] = {}
    for record in load_spans(data / SPANS):
        by_source.setdefault(record.source, []).append(record)
    train |= {source: tuple(records) for source, records in by_source.items()}
    if generated is not None:
        train["generated"] = tuple(load_spans(generated))
    if written is not None:
        train[WRITTEN] = tuple(load_written(written))
    train[QUESTIONS] = tuple(load_questions(data / PROMPTS))
    if not authored:
        del train["authored"]
    hashes = {name: _sha256(data / name) for name in CORPORA}
    if generated is not None:
        hashes["generated"] = _sha256(generated)
    if written is not None:
        hashes |= {f"{WRITTEN}/{path.name}": _sha256(path) for path in written_files(written)}
    return Corpus(train=train, held_out=held_out, hashes=hashes)


def mixture(corpus: Corpus, data: Path) -> dict[str, Source]:
    """Return the sources of a round; authored and written prompts come with other names and numbers each time."""
    gazetteers = load_gazetteers(data)
    result = {}
    for source, records in corpus.train.items():
        share = SHARES.get(source, 1.0)
        if source == "generated":
            share = min(1.0, GENERATED_A_ROUND / max(1, len(records)))
        result[source] = Source(
            records=records,
            share=share,
            need_weight=NEED_WEIGHT if source in NEED else 1.0,
            change=swapper(gazetteers) if source in SWAPPED else None,
        )
    return result


def swapper(gazetteers: Gazetteers, often: float = 0.7) -> Callable[[Record, random.Random], Record]:
    """Return a change that gives a record other values in the place of its own, `often` of the time."""

    def change(record: Record, rng: random.Random) -> Record:
        if rng.random() >= often:
            return record
        swaps = Swaps(rng, gazetteers)
        return replace(record, texts=tuple(_augmented(text, rng, gazetteers, swaps) for text in record.texts))

    return change


def _augmented(text: LabelledText, rng: random.Random, gazetteers: Gazetteers, swaps: Swaps) -> LabelledText:
    # What is public stays: a made-up name is nobody's in a question on history.
    spans = [
        LabelledSpan(start=label.start, end=label.end, label=KEPT if _is_public(label) else label.kind, index=number)
        for number, label in enumerate(text.labels)
    ]
    changed, moved = augment(text.text, spans, rng, gazetteers, swaps)
    labels = tuple(replace(text.labels[span.index], start=span.start, end=span.end) for span in moved)
    return replace(text, text=changed, labels=labels)


def _is_public(label: Label) -> bool:
    return label.owner is not None and label.owner[PUBLIC] + label.owner[NOBODY] >= HALF


def _split(records: Sequence[Record], share: float) -> tuple[tuple[Record, ...], tuple[Record, ...]]:
    return (
        tuple(record for record in records if record.fold >= share),
        tuple(record for record in records if record.fold < share),
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


STUDENT_SPANS = 2.0  # rounds of the partly labelled sources that a student sees different records of
SWAPPED_COPIES = 1


def student_records(corpus: Corpus, data: Path, seed: int) -> dict[str, list[Record]]:
    """Return what a teacher reads to its student: labelled records, swapped copies, unlabelled prompts."""
    rng = random.Random(seed)  # noqa: S311 - reproducible, not secret
    change = swapper(load_gazetteers(data), often=1.0)
    result: dict[str, list[Record]] = {}
    for source, records in corpus.train.items():
        share = min(1.0, STUDENT_SPANS * SHARES[source]) if source in SHARES else 1.0
        chosen = rng.sample(records, round(share * len(records)))
        if source in SWAPPED:
            chosen += [change(record, rng) for _ in range(SWAPPED_COPIES) for record in records]
        result[source] = chosen
    result[UNLABELLED] = list(load_prompts(data / PROMPTS))
    return result
