"""Annotated texts and conversations, as the benchmarks read them.

authored/*.jsonl            {id, lang, text, spans: [{start, end, type, need: [...], owner: [...]}]}
                            or {..., messages: [{role, content, spans}]}
spans/*.jsonl[.gz]          {id, source, lang, text, spans: [{start, end, label}]}
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from privguard.core.segments import Channel, Role, Segment

AUTHORED_TEST = Path("authored", "test.jsonl")
AUTHORED_TRAIN = Path("authored", "train.jsonl")
PUBLIC_TEST = Path("spans", "public_test.jsonl.gz")
PUBLIC_DEV = Path("spans", "dev.jsonl.gz")
NOBODY = frozenset({"public", "none"})  # owners whose spans are no leak


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One annotated span: half-open code points of its text."""

    start: int
    end: int
    label: str
    need: tuple[int, ...] = ()  # one per annotator; the last is the blind one
    owners: tuple[str, ...] = ()

    @property
    def private(self) -> bool:
        """Tell whether some annotator gave the span to somebody; without any annotation it counts as private."""
        return not self.owners or not NOBODY.issuperset(self.owners)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One message, or a text by itself."""

    text: str = field(repr=False)
    gold: tuple[Gold, ...]
    role: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One text or one conversation."""

    id: str
    source: str
    lang: str
    texts: tuple[Text, ...]
    conversation: bool = False

    def lowered(self) -> "Item":
        """Return the same in lower case, letter by letter, so that the offsets hold."""
        return replace(self, texts=tuple(replace(text, text=lower(text.text)) for text in self.texts))


def lower(text: str) -> str:
    """Lower every letter whose lower case is one letter again."""
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def read_items(path: Path) -> Iterator[Item]:
    """Read either format; a row without source is named after the prefix of its id."""
    for row in _rows(path):
        conversation = "messages" in row
        messages = (
            row["messages"] if conversation else [{"role": "user", "content": row["text"], "spans": row["spans"]}]
        )
        yield Item(
            id=row["id"],
            source=row.get("source", row["id"].split(":")[0]),
            lang=row.get("lang", "und"),
            texts=tuple(
                Text(text=message["content"], gold=tuple(map(_gold, message["spans"])), role=message["role"])
                for message in messages
            ),
            conversation=conversation,
        )


def thin(items: Iterable[Item], limit: int) -> list[Item]:
    """Return every n-th item, so that at most `limit` are left; all of them for 0."""
    every = list(items)
    return every[:: -(-len(every) // limit)] if limit and every else every


def segments_of(item: Item) -> tuple[Segment, ...]:
    """Return the texts of an item as a request."""
    return tuple(
        Segment(path=f"messages[{number}].content", role=Role(text.role), channel=Channel.TEXT, text=text.text)
        for number, text in enumerate(item.texts)
    )


def _gold(span: Mapping[str, Any]) -> Gold:
    need, owner = span.get("need", ()), span.get("owner", ())
    return Gold(
        start=span["start"],
        end=span["end"],
        label=span["label"] if "label" in span else span["type"],
        need=tuple(need) if isinstance(need, list | tuple) else (need,),
        owners=tuple(owner) if isinstance(owner, list | tuple) else (owner,),
    )


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
