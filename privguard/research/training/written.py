"""Prompts written for training, in a markup that is pleasant to write and to review.

A file holds records. Each starts with a line `### lang | domain | task`; its text follows, or a conversation whose
messages start with a line `@user`, `@assistant` or `@system`. A labelled span is written where it stands:
`⟦value|TYPE|need|owner⟧`, with need 0 to 4 and the owner's letter: u(ser), p(erson), o(rganization), b (public),
n(one).
"""

import re
from collections.abc import Iterator
from pathlib import Path

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.encoder.labels import OWNERS
from privguard.research.training.records import Label, LabelledText, Record

SOURCE = "written"
ENDING = "*.txt"

_OPEN, _CLOSE = "⟦", "⟧"
_SPAN = re.compile(
    rf"{_OPEN}(?P<value>[^{_OPEN}{_CLOSE}]+)\|(?P<kind>[A-Z_]+)\|(?P<need>[0-4])\|(?P<owner>[upobn]){_CLOSE}"
)
_HEAD = re.compile(r"^### *(?P<lang>[a-z]{2,3}) *\|[^\n]*$", re.MULTILINE)
_TURN = re.compile(r"^@(?P<role>user|assistant|system) *$", re.MULTILINE)
_OWNER = {"u": "user", "p": "person", "o": "org", "b": "public", "n": "none"}
LEVELS = range(1, 5)


def written_files(folder: Path) -> list[Path]:
    """Return the files of a folder, in the order of their names.

    Raises:
        ConfigError: there is none.
    """
    files = sorted(folder.glob(ENDING))
    if not files:
        raise ConfigError(f"{folder} holds no {ENDING}: --written names the folder of the written prompts")
    return files


def load_written(folder: Path) -> Iterator[Record]:
    """Read every record of a folder.

    Raises:
        ConfigError: there is none, or one cannot be read; the message names file and line.
    """
    for path in written_files(folder):
        yield from read_written(path.read_text(encoding="utf-8"), path.stem)


def read_written(content: str, name: str) -> Iterator[Record]:
    """Read the records of one file.

    Args:
        content: what the file holds.
        name: of the file, for the ids of its records and for errors.

    Raises:
        ConfigError: a record cannot be read.
    """
    heads = list(_HEAD.finditer(content))
    if content[: heads[0].start() if heads else None].strip():
        raise ConfigError(f"{name}, line 1: text before the first line `### lang | domain | task`")
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(content)
        line = content.count("\n", 0, head.end()) + 2
        texts = tuple(_texts(content[head.end() : end], f"{name}, from line {line}"))
        yield Record(id=f"{SOURCE}:{name}-{number}", source=SOURCE, lang=head["lang"], texts=texts)


def _texts(body: str, place: str) -> Iterator[LabelledText]:
    turns = list(_TURN.finditer(body))
    if not turns:
        yield _text(body, "user", place)
        return
    if body[: turns[0].start()].strip():
        raise ConfigError(f"{place}: text before the first message of a conversation")
    for number, turn in enumerate(turns):
        end = turns[number + 1].start() if number + 1 < len(turns) else len(body)
        yield _text(body[turn.end() : end], turn["role"], place)


def _text(body: str, role: str, place: str) -> LabelledText:
    marked = body.strip()
    if not marked:
        raise ConfigError(f"{place}: an empty text")
    parts: list[str] = []
    labels: list[Label] = []
    length = position = 0
    for match in _SPAN.finditer(marked):
        before = marked[position : match.start()]
        parts += [before, match["value"]]
        start = length + len(before)
        length = start + len(match["value"])
        labels.append(_label(match, start, length, place))
        position = match.end()
    parts.append(marked[position:])
    text = "".join(parts)
    if _OPEN in text or _CLOSE in text:
        raise ConfigError(f"{place}: a bracket that is not part of `{_OPEN}value|TYPE|need|owner{_CLOSE}`")
    return LabelledText(text=text, labels=tuple(labels), role=role)


def _label(match: re.Match[str], start: int, end: int, place: str) -> Label:
    if match["kind"] not in EntityType.__members__:
        raise ConfigError(f"{place}: {match['kind']} is not an entity type")
    if match["value"] != match["value"].strip():
        raise ConfigError(f"{place}: a {match['kind']} with white space at an end")
    need, owner = int(match["need"]), _OWNER[match["owner"]]
    return Label(
        start=start,
        end=end,
        kind=match["kind"],
        reach=tuple(float(need >= level) for level in LEVELS),
        owner=tuple(float(owner == name) for name in OWNERS),
    )
