"""The table as a need model: lookups, fallbacks, conversations, damage."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import ArtifactError
from privguard.core.plan import Need
from privguard.core.protocols import NeedModel
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.minimizer.cues import CUES, Cue, Task
from privguard.minimizer.need_table import TableNeedModel

SHIPPED = TableNeedModel()


def row(b_redact: float, b_abstract: float) -> dict[str, float]:
    return {"b_redact": b_redact, "b_abstract": b_abstract}


SMALL = {
    "format": 1,
    "slope": 1.0,
    "all": row(0.5, 0.0),
    "types": {"PERSON": row(-2, -3)},
    "cells": {"PERSON": {"write/request": row(-4, -5), "rewrite/request": row(-1, -6)}},
}


def table(folder: Path, **changes: object) -> Path:
    path = folder / "table.json"
    path.write_text(json.dumps(SMALL | changes), encoding="utf-8")
    return path


def segment(role: Role, text: str) -> Segment:
    return Segment(path="messages[0].content", role=role, channel=Channel.TEXT, text=text)


def span(kind: EntityType) -> Span:
    return Span(start=0, end=1, kind=kind, score=1.0, source="test")


def test_a_cell_wins_over_the_type_and_the_type_over_all(tmp_path: Path) -> None:
    model = TableNeedModel(table(tmp_path))
    assert model.row(EntityType.PERSON, Cue(Task.WRITE, False)) == Need(b_redact=-4, b_abstract=-5)
    assert model.row(EntityType.PERSON, Cue(Task.WRITE, True)) == Need(b_redact=-2, b_abstract=-3)
    assert model.row(EntityType.DATE, Cue(Task.WRITE, False)) == Need(b_redact=0.5, b_abstract=0.0)


def test_needs_come_in_the_shape_of_the_spans(tmp_path: Path) -> None:
    model: NeedModel = TableNeedModel(table(tmp_path))
    segments = [segment(Role.USER, "Draft a note"), segment(Role.USER, "x"), segment(Role.TOOL, "y")]
    needs = model.need(segments, [[span(EntityType.PERSON), span(EntityType.DATE)], [], [span(EntityType.PERSON)]])
    assert [[need.b_redact for need in found] for found in needs] == [[-4, 0.5], [], [-2]]


def test_two_tasks_take_the_larger_of_each_difficulty(tmp_path: Path) -> None:
    model = TableNeedModel(table(tmp_path))
    conversation = [segment(Role.USER, "Draft a note"), segment(Role.ASSISTANT, "ok"), segment(Role.USER, "translate")]
    (first,), _, (last,) = model.need(conversation, [[span(EntityType.PERSON)], [], [span(EntityType.PERSON)]])
    assert first == Need(b_redact=-1, b_abstract=-5)
    assert last == Need(b_redact=-1, b_abstract=-6)


@given(st.sampled_from(EntityType), st.lists(st.sampled_from(["draft", "translate", "how many", "hi"]), max_size=4))
def test_a_longer_conversation_never_lowers_a_difficulty(kind: EntityType, turns: list[str]) -> None:
    conversation = [segment(Role.USER, "Who is Ada Roth?"), segment(Role.ASSISTANT, "A name.")]
    last = SHIPPED.need(conversation, [[span(kind)], []])[0][0]
    for turn in turns:
        conversation += [segment(Role.USER, turn), segment(Role.ASSISTANT, "Done.")]
        found = SHIPPED.need(conversation, [[span(kind)], *([()] * (len(conversation) - 1))])[0][0]
        assert found.b_redact >= last.b_redact
        assert found.b_abstract >= last.b_abstract
        last = found


def test_the_shipped_table_covers_every_type_and_cue() -> None:
    for kind in EntityType:
        for cue in CUES:
            need = SHIPPED.row(kind, cue)
            assert need.b_abstract <= need.b_redact
            assert need.slope == 1.0


def test_the_shipped_table_knows_that_names_in_letters_matter_less_than_places_in_plans() -> None:
    name = SHIPPED.row(EntityType.PERSON, Cue(Task.WRITE, False))
    place = SHIPPED.row(EntityType.LOCATION, Cue(Task.PLAN, False))
    assert name.b_redact < -1 < 0 < place.b_redact


def test_the_id_changes_with_the_content(tmp_path: Path) -> None:
    first = TableNeedModel(table(tmp_path)).id
    second = TableNeedModel(table(tmp_path, all=row(9, 8))).id
    assert first.startswith("need-table:")
    assert first != second
    assert TableNeedModel(table(tmp_path)).id == first


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, "format 2"),
        ({"slope": -1.0}, "damaged"),
        ({"all": row(0.0, 1.0)}, "damaged"),
        ({"all": {}}, "damaged"),
        ({"types": []}, "damaged"),
        ({"cells": {"PERSON": 3}}, "damaged"),
    ],
    ids=["format", "slope", "order", "missing", "types", "cells"],
)
def test_a_damaged_table_is_refused(tmp_path: Path, changes: dict[str, object], says: str) -> None:
    with pytest.raises(ArtifactError, match=says):
        TableNeedModel(table(tmp_path, **changes))


def test_a_table_that_is_no_json_or_absent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="cannot be read"):
        TableNeedModel(tmp_path / "absent.json")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    with pytest.raises(ArtifactError, match="damaged"):
        TableNeedModel(tmp_path / "broken.json")
