"""Labelled spans as the need benchmark takes them: requests with gold spans, and the labels of each.

A row is one labelled span of `authored/`, one labelled value of `need/`, whose mentions are all spans of the request.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.corpora import AUTHORED_TEST, AUTHORED_TRAIN, Item, read_items, segments_of
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.research.training.records import TYPE_NAMES, LabelledText, load_need

TEST_SHARE = 0.25  # records whose fold is below this are held out
NEED_FILES = {
    "minimization": Path("need", "minimization_prompts.jsonl"),
    "pupa": Path("need", "pupa_prompts.jsonl"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One labelled span or value with the places of its mentions."""

    kind: EntityType
    labels: tuple[int, ...]  # one per annotator, the blind one last
    mentions: tuple[tuple[int, int], ...]  # segment, index into its spans

    @property
    def mean(self) -> float:
        """Return the mean label."""
        return sum(self.labels) / len(self.labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request with its gold spans, sorted and disjoint in each segment."""

    segments: tuple[Segment, ...] = field(repr=False)
    spans: tuple[tuple[Span, ...], ...]
    rows: tuple[Row, ...]


def read_folds(data: Path, *, test: bool, limit: int = 0) -> dict[str, list[Request]]:
    """Return the requests by set: authored texts and dialogues, and the held-out folds of `need/`.

    Args:
        data: the folder.
        test: the test sets; otherwise what the models may train on.
        limit: requests per set at most; 0 for all.

    Raises:
        ConfigError: a file of the folder cannot be read.
    """
    try:
        return _read_folds(data, test=test, limit=limit)
    except OSError as error:
        raise ConfigError(f"{error.filename} cannot be read: {type(error).__name__}") from None


def _read_folds(data: Path, *, test: bool, limit: int) -> dict[str, list[Request]]:
    sets: dict[str, list[Request]] = {"authored texts": [], "authored dialogues": []}
    for item in read_items(data / (AUTHORED_TEST if test else AUTHORED_TRAIN)):
        sets["authored dialogues" if item.conversation else "authored texts"].append(_authored(item))
    for source, path in NEED_FILES.items():
        held = list(_real(data / path, source, test=test))
        sets[f"{source} prompts"] = held
    return {name: [one for one in found if one.rows][: limit or None] for name, found in sets.items()}


def _authored(item: Item) -> Request:
    spans, rows = [], []
    for number, text in enumerate(item.texts):
        kept: list[Span] = []
        for gold in sorted(text.gold, key=lambda gold: (gold.start, -gold.end)):
            if gold.end <= gold.start or (kept and gold.start < kept[-1].end):
                continue
            kind = EntityType(gold.label)
            rows.append(Row(kind=kind, labels=gold.need, mentions=((number, len(kept)),)))
            kept.append(_span(gold.start, gold.end, kind))
        spans.append(tuple(kept))
    return Request(segments=segments_of(item), spans=tuple(spans), rows=tuple(rows))


def _real(path: Path, source: str, *, test: bool) -> Iterator[Request]:
    """Read prompts whose values are labelled by text. Equal prompts count once."""
    seen: set[float] = set()
    with path.open(encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines if line.strip()]
    for row, record in zip(raw, load_need(path, source), strict=True):
        if record.fold in seen or (record.fold < TEST_SHARE) is not test:
            continue
        seen.add(record.fold)
        yield _real_request(row, record.texts[0])


def _real_request(row: dict[str, Any], text: LabelledText) -> Request:
    names = [{value["text"], *value.get("variants", ())} for value in row["spans"]]
    spans: list[Span] = []
    mentions: dict[int, list[tuple[int, int]]] = {}
    for label in text.labels:
        surface = text.text[label.start : label.end]
        # The first value of that spelling and type; there is one, since the mention was found by it.
        number = next(place for place, each in enumerate(names) if surface in each)
        mentions.setdefault(number, []).append((0, len(spans)))
        spans.append(_span(label.start, label.end, EntityType(label.kind)))
    rows = []
    for number, places in mentions.items():
        value = row["spans"][number]
        labels = value["need"] if isinstance(value["need"], list) else [value["need"]]
        kind = EntityType(TYPE_NAMES.get(value["type"], value["type"]))
        rows.append(Row(kind=kind, labels=tuple(labels), mentions=tuple(places)))
    segment = Segment(path="messages[0].content", role=Role.USER, channel=Channel.TEXT, text=text.text)
    return Request(segments=(segment,), spans=(tuple(spans),), rows=tuple(rows))


def _span(start: int, end: int, kind: EntityType) -> Span:
    return Span(start=start, end=end, kind=kind, score=1.0, source="gold")
