"""Labelled texts from all sources in one shape.

A `Record` is one text or one conversation. Need and owner are soft targets: `reach[k - 1]` is the share of annotations
with need >= k, for k = 1 to 4; `owner` the shares in the order of `OWNERS`. They are None where nobody labelled them.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from privguard.encoder.labels import OWNERS
from privguard.research.training.known import names_stranger
from privguard.research.training.scopes import QUESTIONS, UNLABELLED, UNTYPED

QUESTION_LENGTH = 300  # code points
_PERSONAL = re.compile(r"\b(?:I|I'm|my|mine|me|our|we|us|dear|sincerely)\b|@|\d{5}", re.IGNORECASE)

TYPE_NAMES = {
    "NAME": "PERSON",
    "GEOLOCATION": "LOCATION",
    "TIME": "DATE",
    "AFFILIATION": "ORGANIZATION",
    "HEALTH_INFORMATION": "HEALTH",
    "INCOME": "FINANCE",
    "FINANCIAL_INFORMATION": "FINANCE",
    "EDUCATIONAL_RECORD": "EDUCATION",
    "GPA": "EDUCATION",
    "ETHNICITY": "ORIGIN",
    "RACE": "ORIGIN",
    "RELIGION": "BELIEF",
    "MARITAL STATUS": "FAMILY",
    "MARITAL_STATUS": "FAMILY",
    "PHONE_NUMBER": "PHONE",
    "VEHICLE": "DEVICE_ID",
    "PRODUCT": "MISC",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One labelled span: half-open code points of its text."""

    start: int
    end: int
    kind: str  # an entity type, or UNTYPED
    reach: tuple[float, ...] | None = None
    owner: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledText:
    """One message, or a text that is a request by itself."""

    text: str = field(repr=False)
    labels: tuple[Label, ...]
    role: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One text or one conversation, whose last user message is the instruction."""

    id: str
    source: str
    lang: str
    texts: tuple[LabelledText, ...]

    @property
    def fold(self) -> float:
        """Return a number in [0, 1) that depends on the texts alone, to split by."""
        digest = hashlib.blake2b(digest_size=8)
        for text in self.texts:
            digest.update(text.text.encode("utf-8", "surrogatepass"))
        return int.from_bytes(digest.digest(), "big") / 2**64

    @property
    def instruction(self) -> int:
        """Return the index of the text that says what is wanted: the last of the user, else the last."""
        users = [number for number, text in enumerate(self.texts) if text.role == "user"]
        return users[-1] if users else len(self.texts) - 1


def load_spans(path: Path) -> Iterator[Record]:
    """Read a file of one labelled text a line, gzipped or not; a span may come with need and owner."""
    for row in _rows(path):
        labels = [
            _label({**span, "type": span["label"]}, span["start"], span["end"])
            if "need" in span
            else Label(start=span["start"], end=span["end"], kind=span["label"])
            for span in row["spans"]
        ]
        text = LabelledText(text=row["text"], labels=_disjoint(labels))
        yield Record(id=row["id"], source=row["source"], lang=row["lang"], texts=(text,))


def load_authored(path: Path) -> Iterator[Record]:
    """Read prompts and conversations whose spans have need and owner."""
    for row in _rows(path):
        messages = row.get("messages") or [{"role": "user", "content": row["text"], "spans": row["spans"]}]
        texts = tuple(
            LabelledText(
                text=message["content"],
                labels=_disjoint([_label(span, span["start"], span["end"]) for span in message["spans"]]),
                role=message["role"],
            )
            for message in messages
        )
        yield Record(id=row["id"], source="authored", lang=row["lang"], texts=texts)


def load_need(path: Path, source: str) -> Iterator[Record]:
    """Read prompts whose labelled values stand in them by text: every mention of a value is a span."""
    for number, row in enumerate(_rows(path)):
        labels: list[Label] = []
        for span in row["spans"]:
            for start, end in _mentions(row["text"], [span["text"], *span.get("variants", [])]):
                labels.append(_label(span, start, end))
        text = LabelledText(text=row["text"], labels=_disjoint(labels))
        yield Record(id=row.get("id", f"{source}-{number}"), source=source, lang="en", texts=(text,))


def load_prompts(folder: Path) -> Iterator[Record]:
    """Read unlabelled prompts: rows that are a text, or have one under `prompt` or `instruction` or in `turns`."""
    for path in sorted(folder.glob("*.jsonl")):
        for number, row in enumerate(_rows(path)):
            for text in _prompt_texts(row):
                body = LabelledText(text=text, labels=())
                yield Record(id=f"{path.stem}-{number}", source=UNLABELLED, lang="en", texts=(body,))


def load_questions(folder: Path) -> Iterator[Record]:
    """Read the short prompts that name no person of the user's: records without a span.

    A prompt that says "I" or "my", that is long, or that holds an address or a long number may tell of somebody; one
    that names somebody who is not of public life does.
    """
    for record in load_prompts(folder):
        text = record.texts[0].text
        if len(text) <= QUESTION_LENGTH and not _PERSONAL.search(text) and not names_stranger(text):
            yield replace(record, source=QUESTIONS)


def _prompt_texts(row: Any) -> Iterator[str]:  # noqa: ANN401 - whatever JSON holds
    if isinstance(row, str):
        yield row
    elif isinstance(row, dict):
        turns = row.get("turns", [])
        yield from (turn for turn in turns if isinstance(turn, str))
        yield from (row[name] for name in ("prompt", "instruction", "text") if isinstance(row.get(name), str))


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _label(span: Mapping[str, Any], start: int, end: int) -> Label:
    needs = span["need"] if isinstance(span["need"], list) else [span["need"]]
    owners = span["owner"] if isinstance(span["owner"], list) else [span["owner"]]
    shares = tuple(sum(owner == name for owner in owners) / len(owners) for name in OWNERS)
    return Label(
        start=start,
        end=end,
        kind=TYPE_NAMES.get(span["type"], span["type"]),
        reach=tuple(sum(need >= level for need in needs) / len(needs) for level in range(1, 5)),
        owner=shares if sum(shares) > 0 else None,
    )


def _mentions(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    for value in sorted({value for value in values if value}, key=len, reverse=True):
        at = text.find(value)
        while at >= 0:
            end = at + len(value)
            if not (_joins(text, at - 1, at) or _joins(text, end - 1, end)):
                yield at, end
            at = text.find(value, end)


def _joins(text: str, left: int, right: int) -> bool:
    """Tell whether two neighbours belong to one word."""
    return left >= 0 and right < len(text) and text[left].isalnum() and text[right].isalnum()


def _disjoint(labels: Sequence[Label]) -> tuple[Label, ...]:
    """Sort, and keep the longer of two that overlap."""
    kept: list[Label] = []
    for label in sorted(labels, key=lambda label: (label.start - label.end, label.start)):
        if label.end > label.start and all(label.end <= other.start or other.end <= label.start for other in kept):
            kept.append(label)
    return tuple(sorted(kept, key=lambda label: label.start))


__all__ = ["UNTYPED", "Label", "LabelledText", "Record", "load_authored", "load_need", "load_spans"]
