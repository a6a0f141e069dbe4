"""What the shipped models are trained on: the sources, their shares of a round, what is held out, and their hashes."""

import hashlib
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from privguard.core.errors import ConfigError
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
    has_lists,
    parts_of,
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
from privguard.research.training.scopes import ASKED, QUESTIONS, UNLABELLED
from privguard.research.training.swapping import Swaps
from privguard.research.training.written import SOURCE as WRITTEN
from privguard.research.training.written import load_written, written_files

AUTHORED_HELD_OUT = 0.1
NEED_HELD_OUT = 0.25  # the folds that the benchmark scores
NEED_WEIGHT = 3.0  # real prompts are few beside the authored ones
A_ROUND = {"generated": 1800, ASKED: 4000}  # records of what may be generated at will

JUDGED = ("authored", WRITTEN)  # sources that what is held out of is labelled in full: the first that is there counts
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

    @property
    def judged(self) -> tuple[Record, ...]:
        """Return the held-out records whose spans are all labelled: detection is scored and calibrated on them."""
        return next((self.held_out[source] for source in JUDGED if self.held_out.get(source)), ())


def load_corpus(
    data: Path,
    generated: Path | None = None,
    written: Path | None = None,
    *,
    authored: bool = True,
    complete: bool = True,
) -> Corpus:
    """Read every source.

    Args:
        data: the folder of the sources.
        generated: generated examples, if any.
        written: the folder of prompts written for training, if any.
        authored: False leaves the authored prompts out of training: an ablation.
        complete: whether every corpus must be there. Else what is there is read, and where there are no authored
            prompts, a tenth of the written ones is held out in their place.

    Raises:
        ConfigError: a file is missing; or not all must be there, and nothing is left to train on or to hold out.
    """
    if complete:
        check_folder(data, CORPORA)
    there = parts_of(data, CORPORA)
    if generated is not None:
        check_generated(generated)
    train, held_out = _corpora(data, there)
    if generated is not None:
        train |= _by_source(generated)
    if written is not None:
        train[WRITTEN] = tuple(load_written(written))
        if "authored" not in held_out:
            train[WRITTEN], held_out[WRITTEN] = _split(train[WRITTEN], AUTHORED_HELD_OUT)
    train[QUESTIONS] = tuple(load_questions(data / PROMPTS))
    if not authored:
        train.pop("authored", None)
    _check_records(train, held_out)
    hashes = {name: _sha256(data / name) for name in there}
    if generated is not None:
        hashes["generated"] = _sha256(generated)
    if written is not None:
        hashes |= {f"{WRITTEN}/{path.name}": _sha256(path) for path in written_files(written)}
    return Corpus(train=train, held_out=held_out, hashes=hashes)


def _corpora(data: Path, there: Collection[str]) -> tuple[dict[str, tuple[Record, ...]], dict[str, tuple[Record, ...]]]:
    """Read those of the corpora that are there: what is trained on, and what is held out."""
    train: dict[str, tuple[Record, ...]] = {}
    held_out: dict[str, tuple[Record, ...]] = {}
    if AUTHORED in there:
        train["authored"], held_out["authored"] = _split(list(load_authored(data / AUTHORED)), AUTHORED_HELD_OUT)
    for source, name in NEED.items():
        if name in there:
            train[source], held_out[source] = _split(list(load_need(data / name, source)), NEED_HELD_OUT)
    if SPANS in there:
        train |= _by_source(data / SPANS)
    return train, held_out


def _by_source(path: Path) -> dict[str, tuple[Record, ...]]:
    found: dict[str, list[Record]] = {}
    for record in load_spans(path):
        found.setdefault(record.source, []).append(record)
    return {source: tuple(records) for source, records in found.items()}


def _check_records(train: Mapping[str, Sequence[Record]], held_out: Mapping[str, Sequence[Record]]) -> None:
    """Refuse a corpus that nothing can be learnt from, or that nothing can be scored with."""
    if not any(train.values()):
        raise ConfigError(
            "there is nothing to train on: give a corpus in the folder of --data, --written or --generated; "
            "docs/training.md says in which form"
        )
    if not any(held_out.get(source) for source in JUDGED):
        raise ConfigError(
            f"nothing is held out to score the model with: a tenth of {AUTHORED} is, or without it a tenth of the "
            "prompts of --written; give the one, or more of the other"
        )


def mixture(corpus: Corpus, data: Path, *, complete: bool = True) -> dict[str, Source]:
    """Return the sources of a round; authored and written prompts come with other names and numbers each time.

    Where not everything must be there, they come as they are in a folder without lists.
    """
    change = swapper(load_gazetteers(data)) if complete or has_lists(data) else None
    result = {}
    for source, records in corpus.train.items():
        share = SHARES.get(source, 1.0)
        if source in A_ROUND:
            share = min(1.0, A_ROUND[source] / max(1, len(records)))
        result[source] = Source(
            records=records,
            share=share,
            need_weight=NEED_WEIGHT if source in NEED else 1.0,
            change=change if source in SWAPPED else None,
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


def student_records(corpus: Corpus, data: Path, seed: int, *, complete: bool = True) -> dict[str, list[Record]]:
    """Return what a teacher reads to its student: labelled records, swapped copies, unlabelled prompts."""
    rng = random.Random(seed)  # noqa: S311 - reproducible, not secret
    change = swapper(load_gazetteers(data), often=1.0) if complete or has_lists(data) else None
    result: dict[str, list[Record]] = {}
    for source, records in corpus.train.items():
        share = min(1.0, STUDENT_SPANS * SHARES[source]) if source in SHARES else 1.0
        chosen = rng.sample(records, round(share * len(records)))
        if source in SWAPPED and change is not None:
            chosen += [change(record, rng) for _ in range(SWAPPED_COPIES) for record in records]
        result[source] = chosen
    result[UNLABELLED] = list(load_prompts(data / PROMPTS))
    return result
