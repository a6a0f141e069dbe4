"""The statistics behind the table: distributions stay distributions, difficulties reproduce them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.minimizer.cues import CUES, Cue, Task
from privguard.research.need_data import LabelledSpan, Record, read_need_data
from privguard.research.need_fit import (
    AUTHORED_WEIGHT,
    Floats,
    Table,
    base_weights,
    count,
    difficulties,
    fit_step,
    fit_table,
    observe,
    replicate,
)

distributions = st.lists(st.floats(0.01, 1), min_size=5, max_size=5).map(lambda raw: np.array(raw) / sum(raw))
SHAPE = (len(EntityType), len(CUES), 5)


def at(kind: EntityType, task: Task) -> tuple[int, int]:
    return list(EntityType).index(kind), CUES.index(Cue(task, False))


def fitted(**cells: list[float]) -> Table:
    counts = np.zeros(SHAPE)
    for name, row in cells.items():
        kind, task = name.split("_")
        counts[at(EntityType(kind), Task(task.lower()))] = row
    return fit_table(counts)


@given(distributions, st.floats(0.3, 2))
def test_difficulties_solve_their_score_equations(need: Floats, step: float) -> None:
    share = np.cumsum(need)
    for difficulty, first in zip(difficulties(need, step), (0, 1), strict=True):
        survives = 1 / (1 + np.exp(-(np.arange(3) * step - difficulty)))
        assert survives.sum() == pytest.approx(share[first : first + 3].sum(), abs=1e-6)


@given(distributions, st.floats(0.3, 2))
def test_a_generalisation_is_never_harder_to_survive(need: Floats, step: float) -> None:
    b_redact, b_abstract = difficulties(need, step)
    assert b_abstract <= b_redact


def test_every_label_is_harder_than_the_one_before() -> None:
    shares = [np.full(5, 0.05) + 0.75 * np.eye(5)[label] for label in range(5)]
    b_redact, b_abstract = zip(*(difficulties(share, 0.75) for share in shares), strict=True)
    assert list(b_redact[:4]) == sorted(b_redact[:4])
    assert list(b_abstract) == sorted(b_abstract)
    assert b_abstract[4] > b_abstract[3]


@given(st.lists(st.tuples(st.integers(0, 25), st.integers(0, 19), st.integers(0, 4)), max_size=30))
def test_all_levels_are_distributions(seen: list[tuple[int, int, int]]) -> None:
    counts = np.zeros(SHAPE)
    for place in seen:
        counts[place] += 1
    table = fit_table(counts)
    for level in (table.all, table.types, table.cells):
        assert (level >= 0).all()
        assert level.sum(axis=-1) == pytest.approx(1.0)


def test_many_spans_outweigh_the_parent_and_few_do_not() -> None:
    rows = {"PERSON_WRITE": [1000.0, 0, 0, 0, 0], "PERSON_PLAN": [0, 0, 0, 0, 1.0]}
    table = fitted(**rows)
    assert table.cells[at(EntityType.PERSON, Task.WRITE)][0] > 0.95
    assert table.cells[at(EntityType.PERSON, Task.PLAN)][0] > 0.5


def test_a_cue_moves_cells_that_have_no_spans() -> None:
    table = fitted(LOCATION_PLAN=[0, 0, 0, 0, 100.0], LOCATION_WRITE=[100.0, 0, 0, 0, 0], AGE_WRITE=[100.0, 0, 0, 0, 0])
    unseen_plan, unseen_code = (table.cells[at(EntityType.AGE, task)] for task in (Task.PLAN, Task.CODE))
    assert unseen_plan[4] > unseen_code[4]


def test_a_type_without_spans_takes_its_category() -> None:
    table = fitted(EMAIL_WRITE=[500.0, 0, 0, 0, 0], AGE_WRITE=[0, 0, 0, 0, 500.0])
    kinds = list(EntityType)
    assert table.types[kinds.index(EntityType.PHONE)][0] > 0.9
    assert table.types[kinds.index(EntityType.GENDER)][4] > 0.9


def test_annotations_share_one_span_and_invented_ones_weigh_less() -> None:
    span = LabelledSpan(kind=EntityType.AGE, cue=Cue(Task.WRITE, False), labels=(0, 2))
    records = [Record(source=source, test=False, spans=(span,)) for source in ("pupa", "authored")]
    seen = observe(records)
    counts = count(seen, base_weights(seen))
    assert counts[at(EntityType.AGE, Task.WRITE)].tolist() == pytest.approx(
        [(1 + AUTHORED_WEIGHT) / 2, 0, (1 + AUTHORED_WEIGHT) / 2, 0, 0]
    )
    assert counts.sum() == pytest.approx(1 + AUTHORED_WEIGHT)


def test_replicates_repeat_with_the_seed_and_differ_within_it(need_folder: Path) -> None:
    seen = observe(read_need_data(need_folder).records)

    def draw(seed: int) -> list[Floats]:
        rng = np.random.default_rng(seed)
        return [replicate(seen, 0.75, rng)[1][0] for _ in range(2)]

    first, second = draw(1)
    assert (first == draw(1)[0]).all()
    assert (first != second).any()


def test_the_step_is_the_distance_that_the_labels_show() -> None:
    near, far = fitted(AGE_WRITE=[400.0, 10, 10, 10, 400]), fitted(AGE_WRITE=[10.0, 400, 400, 400, 10])
    weights = np.zeros(SHAPE)
    weights[at(EntityType.AGE, Task.WRITE)] = 100
    assert fit_step(weights, near) < fit_step(weights, far)
