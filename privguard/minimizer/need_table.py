"""The need model of the first version: a table by entity type and task cue, estimated from labelled prompts.

The table is an artifact, `data/need_table.json`, written by `python -m privguard.research.need_table`. How it is
estimated, and how good it is, stands in docs/need.md.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from privguard.core.entities import EntityType
from privguard.core.errors import ArtifactError
from privguard.core.plan import Need
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.minimizer.cues import CUES, Cue, Task, find_tasks, is_material

FORMAT = 1
SHIPPED = "need_table.json"


class TableNeedModel:
    """Look the need of each span up by its type and the tasks it serves. Thread-safe, immutable.

    A cell that the table lacks falls back to the row of the type, then to the row of all types.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Read a table; without a path, the shipped one.

        Raises:
            ArtifactError: the file is absent, damaged or of another format.
        """
        raw = _read(path)
        self._id = f"need-table:{hashlib.sha256(raw).hexdigest()[:12]}"
        self._rows = _parse(raw, self._id)

    @property
    def id(self) -> str:
        """Return name and content hash for plan and audit."""
        return self._id

    def row(self, kind: EntityType, cue: Cue) -> Need:
        """Return the need of one cell."""
        return self._rows[kind, cue]

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        """Return one `Need` per span: the largest difficulty over all tasks that its segment serves."""
        tasks = find_tasks(segments)
        return tuple(
            tuple(self._largest(span.kind, served, is_material(segment)) for span in row)
            for segment, row, served in zip(segments, spans, tasks, strict=True)
        )

    def _largest(self, kind: EntityType, tasks: frozenset[Task], material: bool) -> Need:
        rows = [self._rows[kind, Cue(task, material)] for task in tasks]
        if len(rows) == 1:
            return rows[0]
        # All rows share one slope (checked at load), so the largest difficulty is the least probability.
        return Need(
            b_redact=max(row.b_redact for row in rows),
            b_abstract=max(row.b_abstract for row in rows),
            slope=rows[0].slope,
        )


def _read(path: Path | None) -> bytes:
    try:
        if path is not None:
            return path.read_bytes()
        return resources.files("privguard.minimizer").joinpath("data", SHIPPED).read_bytes()
    except OSError as exc:
        raise ArtifactError(f"the need table {path or SHIPPED} cannot be read: {type(exc).__name__}") from exc


def _parse(raw: bytes, name: str) -> Mapping[tuple[EntityType, Cue], Need]:
    """Return the need of every type and cue, fallbacks resolved."""
    try:
        document = json.loads(raw)
        if document["format"] != FORMAT:
            raise ArtifactError(f"{name} has format {document['format']}; this version reads format {FORMAT}")
        slope = float(document["slope"])
        everything = _need(document["all"], slope)
        kinds = {kind: _need(row, slope) for kind, row in document["types"].items()}
        cells = {
            (kind, cue): _need(row, slope) for kind, row_of in document["cells"].items() for cue, row in row_of.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise ArtifactError(f"{name} is damaged: {type(exc).__name__} while reading it") from exc
    return MappingProxyType(
        {
            (kind, cue): cells.get((kind.value, str(cue)), kinds.get(kind.value, everything))
            for kind in EntityType
            for cue in CUES
        }
    )


def _need(row: Mapping[str, float], slope: float) -> Need:
    return Need(b_redact=float(row["b_redact"]), b_abstract=float(row["b_abstract"]), slope=slope)
