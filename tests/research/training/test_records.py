import gzip
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.encoder.labels import OWNERS
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
from privguard.research.training.scopes import UNLABELLED

VALUES = ("Ada", "Ada Roth", "Roth", "Bern", "12")


def written(path: Path, rows: list[Any]) -> Path:
    text = "".join(json.dumps(row) + "\n\n" for row in rows)
    path.parent.mkdir(exist_ok=True, parents=True)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def span(start: int, end: int, kind: str = "PERSON", need: Any = 2, owner: Any = "user") -> dict[str, Any]:  # noqa: ANN401 - as JSON has it
    return {"start": start, "end": end, "type": kind, "need": need, "owner": owner}


def record_of(*texts: tuple[str, str], name: str = "a") -> Record:
    bodies = tuple(LabelledText(text=text, labels=(), role=role) for role, text in texts)
    return Record(id=name, source="authored", lang="en", texts=bodies)


@pytest.mark.parametrize("name", ["spans.jsonl", "spans.jsonl.gz"])
def test_spans_keep_their_offsets_zipped_or_not(tmp_path: Path, name: str) -> None:
    row = {"id": "1", "source": "btc", "lang": "en", "text": "Ada 👋 Roth"}
    path = written(tmp_path / name, [row | {"spans": [{"start": 6, "end": 10, "label": "PERSON"}]}])
    (record,) = load_spans(path)
    (label,) = record.texts[0].labels
    assert record.texts[0].text[label.start : label.end] == "Roth"
    assert (label.kind, label.reach, label.owner) == ("PERSON", None, None)


def test_spans_may_come_with_need_and_owner(tmp_path: Path) -> None:
    row = {"id": "1", "source": "asked", "lang": "en", "text": "Ada Roth"}
    spans = [{"start": 0, "end": 8, "label": "PERSON", "need": 3, "owner": "person"}]
    (record,) = load_spans(written(tmp_path / "spans.jsonl", [row | {"spans": spans}]))
    (label,) = record.texts[0].labels
    assert (label.kind, label.reach) == ("PERSON", (1.0, 1.0, 1.0, 0.0))
    assert label.owner == (0.0, 1.0, 0.0, 0.0, 0.0)


def test_a_question_that_names_somebody_unknown_is_none_that_concerns_nobody(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl", ["Who is Anna Lindqvist?", "Who is Jane Austen?", "What is tungsten?"])
    texts = [record.texts[0].text for record in load_questions(tmp_path)]
    assert texts == ["Who is Jane Austen?", "What is tungsten?"]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=8))
def test_labels_of_a_text_are_sorted_disjoint_and_not_empty_and_the_longest_stays(
    tmp_path_factory: pytest.TempPathFactory, ranges: list[tuple[int, int]]
) -> None:
    spans = [{"start": start, "end": end, "label": "PERSON"} for start, end in ranges]
    row = {"id": "1", "source": "btc", "lang": "en", "text": "Ada Roth, Bern", "spans": spans}
    (record,) = load_spans(written(tmp_path_factory.mktemp("spans") / "spans.jsonl", [row]))
    labels = record.texts[0].labels
    assert all(label.start < label.end for label in labels)
    assert all(left.end <= right.start for left, right in pairwise(labels))
    whole = [(start, end) for start, end in ranges if start < end]
    assert {(label.start, label.end) for label in labels} <= set(whole)
    assert max((label.end - label.start for label in labels), default=0) == max((e - s for s, e in whole), default=0)
    # What was dropped gave way to something.
    for start, end in whole:
        assert any(label.start < end and start < label.end for label in labels)


def test_need_becomes_the_share_of_annotations_that_reach_each_level(tmp_path: Path) -> None:
    spans = [span(0, 3, need=[4, 1, 0, 2], owner=["user", "user", "public", "org"]), span(4, 8, need=3, owner="none")]
    path = written(tmp_path / "a.jsonl", [{"id": "1", "lang": "en", "text": "Ada Roth", "spans": spans}])
    first, second = next(load_authored(path)).texts[0].labels
    assert first.reach == (0.75, 0.5, 0.25, 0.25)
    assert first.owner == tuple({"user": 0.5, "org": 0.25, "public": 0.25}.get(name, 0.0) for name in OWNERS)
    assert second.reach == (1.0, 1.0, 1.0, 0.0)
    assert second.owner == tuple(float(name == "none") for name in OWNERS)


def test_an_owner_that_nobody_knows_is_no_label(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [{"id": "1", "lang": "en", "text": "Ada", "spans": [span(0, 3, owner="?")]}])
    assert next(load_authored(path)).texts[0].labels[0].owner is None


def test_names_of_types_in_older_files_are_translated(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", [{"id": "1", "lang": "en", "text": "Bern", "spans": [span(0, 4, "GPA")]}])
    assert next(load_authored(path)).texts[0].labels[0].kind == "EDUCATION"


def test_a_conversation_keeps_its_messages_and_the_last_of_the_user_is_the_instruction(tmp_path: Path) -> None:
    contents = (("system", "Be kind"), ("user", "I am Ada"), ("user", "Who am I?"), ("assistant", "Ada"))
    messages: list[dict[str, Any]] = [{"role": role, "content": content, "spans": []} for role, content in contents]
    messages[1]["spans"] = [span(5, 8)]
    (record,) = load_authored(written(tmp_path / "a.jsonl", [{"id": "1", "lang": "en", "messages": messages}]))
    assert [(text.role, text.text) for text in record.texts] == list(contents)
    assert [len(text.labels) for text in record.texts] == [0, 1, 0, 0]
    assert record.instruction == 2


def test_without_a_user_the_last_text_is_the_instruction() -> None:
    assert record_of(("system", "a"), ("assistant", "b")).instruction == 1


@settings(max_examples=60)
@given(
    words=st.lists(st.sampled_from([*VALUES, "Adam", "x", "-", ". ", " "]), max_size=12),
    chosen=st.sets(st.sampled_from(VALUES), min_size=1),
)
def test_each_mention_at_word_borders_is_labelled_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], chosen: set[str]
) -> None:
    text = "".join(words)
    spans = [{"text": value, "type": "NAME", "need": [1], "owner": ["user"]} for value in sorted(chosen)]
    path = written(tmp_path_factory.mktemp("need") / "n.jsonl", [{"text": text, "spans": spans}])
    (record,) = load_need(path, "pupa")
    labels = record.texts[0].labels
    for label in labels:
        assert text[label.start : label.end] in chosen
        assert not (label.start and text[label.start - 1].isalnum())
        assert not text[label.end : label.end + 1].isalnum()
    covered = {place for label in labels for place in range(label.start, label.end)}
    for value in chosen:
        for at in range(len(text) - len(value) + 1):
            free = not text[at - 1 : at].isalnum() and not text[at + len(value) : at + len(value) + 1].isalnum()
            if text.startswith(value, at) and free:
                assert covered & set(range(at, at + len(value)))


def test_variants_of_a_value_are_mentions_of_it(tmp_path: Path) -> None:
    spans = [{"text": "Ada Roth", "variants": ["Roth", ""], "type": "NAME", "need": [1], "owner": ["user"]}]
    path = written(tmp_path / "n.jsonl", [{"text": "Ada Roth? Roth!", "spans": spans}])
    (record,) = load_need(path, "pupa")
    assert [(label.start, label.end) for label in record.texts[0].labels] == [(0, 8), (10, 14)]
    assert (record.id, record.source) == ("pupa-0", "pupa")


def test_prompts_of_all_shapes_are_read_and_nobody_labelled_them(tmp_path: Path) -> None:
    rows: list[Any] = [
        "one",
        {"prompt": "two"},
        {"instruction": "three"},
        {"turns": ["four", "five", 6]},
        {"other": "no"},
        7,
    ]
    written(tmp_path / "b.jsonl", rows)
    written(tmp_path / "a.jsonl", [{"text": "zero"}])
    found = list(load_prompts(tmp_path))
    assert [record.texts[0].text for record in found] == ["zero", "one", "two", "three", "four", "five"]
    assert {record.source for record in found} == {UNLABELLED}
    assert not any(record.texts[0].labels for record in found)


@settings(max_examples=60)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_a_fold_depends_on_the_texts_alone(texts: list[str]) -> None:
    record = record_of(*(("user", text) for text in texts))
    labelled = tuple(
        replace(text, role="system", labels=(Label(start=0, end=1, kind="PERSON"),)) for text in record.texts
    )
    other = replace(record, id="b", source="pupa", lang="de", texts=labelled)
    assert record.fold == other.fold
    assert 0 <= record.fold < 1


def test_folds_spread() -> None:
    folds = [record_of(("user", f"number {number}")).fold for number in range(400)]
    assert 0.05 < sum(fold < 0.1 for fold in folds) / 400 < 0.16
    assert len(set(folds)) == 400
