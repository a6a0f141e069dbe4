"""The prompts that the project brings along: each is readable, and none leaves a value unlabelled beside its labels."""

import re
from collections import Counter
from pathlib import Path

import pytest

from privguard.core.entities import EntityType
from privguard.research.training.records import Record
from privguard.research.training.written import load_written

FOLDER = Path(__file__).parents[3] / "prompts"
LONGEST_COMMON_WORD = 9  # letters; shorter values may be words that mean something else elsewhere in a text
DIRECT = {"PERSON", "EMAIL", "PHONE", "GOV_ID", "RECORD_ID", "FIN_ACCOUNT", "DEVICE_ID", "USERNAME"}


@pytest.fixture(scope="module")
def records() -> tuple[Record, ...]:
    return tuple(load_written(FOLDER))


def test_every_type_need_and_language_of_the_recipe_occurs(records: tuple[Record, ...]) -> None:
    labels = [label for record in records for text in record.texts for label in text.labels]
    kinds = Counter(label.kind for label in labels)
    assert set(kinds) == {kind.value for kind in EntityType}
    assert min(kinds.values()) >= 50
    assert {sum(label.reach or ()) for label in labels} == {0, 1, 2, 3, 4}
    assert len({record.lang for record in records}) >= 25
    assert sum(not any(text.labels for text in record.texts) for record in records) >= len(records) // 20


def test_no_prompt_is_there_twice(records: tuple[Record, ...]) -> None:
    counts = Counter(tuple(text.text for text in record.texts) for record in records)
    assert not [texts for texts, count in counts.items() if count > 1]


def test_a_long_direct_identifier_is_labelled_wherever_it_stands(records: tuple[Record, ...]) -> None:
    missed = []
    for record in records:
        values = {
            text.text[label.start : label.end]
            for text in record.texts
            for label in text.labels
            if label.kind in DIRECT and label.end - label.start > LONGEST_COMMON_WORD
        }
        for number, text in enumerate(record.texts):
            covered = {place for label in text.labels for place in range(label.start, label.end)}
            missed += [
                (record.id, number, match.start())
                for value in values
                for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text.text)
                if covered.isdisjoint(range(*match.span()))
            ]
    assert missed == []
