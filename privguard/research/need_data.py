"""Read prompts whose spans carry need labels 0 to 4.

A folder holds `need/minimization_prompts.jsonl` and `need/pupa_prompts.jsonl` (real prompts) and, for the types that
these lack, `authored/train.jsonl` (invented prompts and conversations). Each is optional, one at least must be there.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.segments import Channel, Role, Segment
from privguard.minimizer.cues import Cue, Task, find_tasks, is_material

LABELS = 5
OPEN_ENDED = "minimization"
AUTHORED = "authored"
FILES = {
    OPEN_ENDED: Path("need", "minimization_prompts.jsonl"),
    "pupa": Path("need", "pupa_prompts.jsonl"),
    AUTHORED: Path("authored", "train.jsonl"),
}
TEST_SHARE = 4  # one record in four

# The names of the data-minimization release. AFFILIATION is an employer, a school or a club: an organisation.
# INCOME is an amount of money; a mark (GPA) is part of an education; a vehicle is given by plate or number.
TYPE_NAMES = {
    "NAME": EntityType.PERSON,
    "GEOLOCATION": EntityType.LOCATION,
    "TIME": EntityType.DATE,
    "AFFILIATION": EntityType.ORGANIZATION,
    "HEALTH_INFORMATION": EntityType.HEALTH,
    "INCOME": EntityType.FINANCE,
    "FINANCIAL_INFORMATION": EntityType.FINANCE,
    "EDUCATIONAL_RECORD": EntityType.EDUCATION,
    "GPA": EntityType.EDUCATION,
    "ETHNICITY": EntityType.ORIGIN,
    "RACE": EntityType.ORIGIN,
    "RELIGION": EntityType.BELIEF,
    "MARITAL STATUS": EntityType.FAMILY,
    "MARITAL_STATUS": EntityType.FAMILY,
    "PHONE_NUMBER": EntityType.PHONE,
    "VEHICLE": EntityType.DEVICE_ID,
    "PRODUCT": EntityType.MISC,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSpan:
    """One span with its annotations."""

    kind: EntityType
    cue: Cue
    labels: tuple[int, ...]  # one per annotator, 0 to 4

    @property
    def mean(self) -> float:
        """Return the mean label."""
        return sum(self.labels) / len(self.labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One prompt."""

    source: str  # a key of `FILES`
    test: bool  # held out, by the hash of the text: equal prompts fall into the same fold
    spans: tuple[LabelledSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedData:
    """All records with what identifies them."""

    records: tuple[Record, ...]
    sha256: Mapping[str, str]  # by source, of the file's bytes


def read_need_data(folder: Path) -> NeedData:
    """Read every file that is there; of equal prompts of one source the first counts.

    Raises:
        ConfigError: the folder holds none of the files, or a row is malformed.
    """
    present = {source: folder / path for source, path in FILES.items() if (folder / path).is_file()}
    if not present:
        raise ConfigError(f"{folder} holds none of {', '.join(str(path) for path in FILES.values())}")
    records: list[Record] = []
    for source, path in present.items():
        records.extend(_read_file(source, path))
    digests = {source: hashlib.sha256(path.read_bytes()).hexdigest() for source, path in present.items()}
    return NeedData(records=tuple(records), sha256=digests)


def _read_file(source: str, path: Path) -> Iterator[Record]:
    seen: set[str] = set()
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            fault = ""
            try:
                row = json.loads(line)
                digest, spans = _authored(row) if source == AUTHORED else _real(row)
            except (ValueError, KeyError, TypeError) as exc:
                fault = type(exc).__name__
            if fault:
                # Raised out here: the error before holds the row, and the context of an exception keeps it reachable.
                raise ConfigError(f"{path}, line {number}: {fault} while reading the row")
            if digest not in seen:
                seen.add(digest)
                yield Record(source=source, test=int(digest[:8], 16) % TEST_SHARE == 0, spans=tuple(spans))


def _real(row: Mapping[str, Any]) -> tuple[str, Iterable[LabelledSpan]]:
    segments = (_segment(0, "user", row["text"]),)
    cue = Cue(_last_task(segments), is_material(segments[0]))
    spans = [
        LabelledSpan(kind=_kind(span["type"]), cue=cue, labels=tuple(int(label) for label in span["need"]))
        for span in row["spans"]
    ]
    return _digest(segments), spans


def _authored(row: Mapping[str, Any]) -> tuple[str, Iterable[LabelledSpan]]:
    """Return one span per value and place; of its labels the blind one, which is the last, at the neediest mention."""
    messages = row.get("messages") or [{"role": "user", "content": row["text"], "spans": row["spans"]}]
    segments = tuple(_segment(number, message["role"], message["content"]) for number, message in enumerate(messages))
    task = _last_task(segments)
    labels: dict[tuple[EntityType, str, bool], int] = {}
    for segment, message in zip(segments, messages, strict=True):
        for span in message["spans"]:
            value = segment.text[span["start"] : span["end"]].casefold()
            key = (_kind(span["type"]), value, is_material(segment))
            labels[key] = max(labels.get(key, 0), int(span["need"][-1]))
    spans = [
        LabelledSpan(kind=kind, cue=Cue(task, material), labels=(label,))
        for (kind, _, material), label in labels.items()
    ]
    return _digest(segments), spans


def _segment(number: int, role: str, text: str) -> Segment:
    return Segment(path=f"messages[{number}].content", role=Role(role), channel=Channel.TEXT, text=text)


def _last_task(segments: Sequence[Segment]) -> Task:
    # The labels are relative to the last user message, and the last segment serves no other.
    (task,) = find_tasks(segments)[-1]
    return task


def _kind(name: str) -> EntityType:
    return TYPE_NAMES.get(name) or EntityType(name)


def _digest(segments: Sequence[Segment]) -> str:
    return hashlib.sha256("\x00".join(segment.text for segment in segments).encode()).hexdigest()
