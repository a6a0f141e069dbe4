import pytest

pytest.importorskip("torch")

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from privguard.core.errors import ConfigError
from privguard.research.training.folder import AUTHORED, CENSUS_MEN, NEED, SPANS
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.recipe import (
    A_ROUND,
    NEED_WEIGHT,
    SHARES,
    SWAPPED_COPIES,
    load_corpus,
    mixture,
    student_records,
    swapper,
)
from privguard.research.training.records import Label, LabelledText, Record
from privguard.research.training.scopes import ASKED, QUESTIONS, SCOPES, UNLABELLED
from privguard.research.training.seeds import seeded

TEXT = "Should Ada Roth write to Ben Kole on {}?"


def written(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


@pytest.fixture
def data(tmp_path: Path, gazetteer_data: Path) -> Path:
    for part in gazetteer_data.iterdir():
        (tmp_path / part.name).symlink_to(part)
    span = {"start": 7, "end": 15, "type": "PERSON", "need": 3, "owner": "person"}
    texts = [TEXT.format(number) for number in range(60)]
    written(
        tmp_path / AUTHORED,
        [{"id": str(n), "lang": "en", "text": text, "spans": [span]} for n, text in enumerate(texts)],
    )
    value = {"text": "Ada Roth", "type": "NAME", "need": [3, 1], "owner": ["person"]}
    for source, name in NEED.items():
        written(tmp_path / name, [{"text": f"{source}: {text}", "spans": [value]} for text in texts])
    tag = {"start": 7, "end": 15, "label": "PERSON"}
    rows = [{"id": str(n), "source": "btc", "lang": "en", "text": text, "spans": [tag]} for n, text in enumerate(texts)]
    written(tmp_path / SPANS, rows)
    written(tmp_path / "chat_prompts" / "some.jsonl", [{"prompt": "Write a poem"}, {"prompt": "Write to my aunt"}])
    return tmp_path


def texts_of(records: tuple[Record, ...]) -> set[str]:
    return {record.texts[0].text for record in records}


def test_what_is_held_out_is_never_trained_on_and_nothing_is_lost(data: Path) -> None:
    corpus = load_corpus(data)
    assert set(corpus.held_out) == {"authored", *NEED}
    for source, held_out in corpus.held_out.items():
        assert held_out
        assert not texts_of(held_out) & texts_of(corpus.train[source])
        assert len(held_out) + len(corpus.train[source]) == 60


def test_the_split_does_not_depend_on_the_order_of_a_file(data: Path) -> None:
    before = load_corpus(data)
    lines = (data / AUTHORED).read_text(encoding="utf-8").splitlines()
    (data / AUTHORED).write_text("\n".join(reversed(lines)), encoding="utf-8")
    assert texts_of(load_corpus(data).held_out["authored"]) == texts_of(before.held_out["authored"])


def test_the_hash_of_each_file_is_noted(data: Path) -> None:
    written(data / "generated.jsonl", [])
    hashes = load_corpus(data, data / "generated.jsonl").hashes
    assert set(hashes) == {AUTHORED, *NEED.values(), SPANS, "generated"}
    assert hashes[SPANS] == hashlib.sha256((data / SPANS).read_bytes()).hexdigest()


def test_a_missing_file_is_named(data: Path) -> None:
    (data / SPANS).unlink()
    with pytest.raises(ConfigError, match="spans/train"):
        load_corpus(data)


def prompts(folder: Path, count: int = 60) -> Path:
    folder.mkdir()
    texts = [f"### en | mail | write\nShould \u27e6Ada Roth|PERSON|3|p\u27e7 write on {n}?\n" for n in range(count)]
    (folder / "mine.txt").write_text("\n".join(texts), encoding="utf-8")
    return folder


def test_what_is_there_is_enough_where_not_all_must_be(data: Path) -> None:
    whole = load_corpus(data)
    assert load_corpus(data, complete=False) == whole
    (data / SPANS).unlink()
    (data / NEED["pupa"]).unlink()
    corpus = load_corpus(data, complete=False)
    assert set(corpus.held_out) == {"authored", "minimization"}
    assert set(corpus.train) == {"authored", "minimization", QUESTIONS}
    assert set(corpus.hashes) == {AUTHORED, NEED["minimization"]}
    assert corpus.judged == whole.judged == whole.held_out["authored"]


def test_a_tenth_of_the_written_prompts_is_held_out_where_there_are_no_authored_ones(
    tmp_path: Path, gazetteer_data: Path
) -> None:
    written_there = prompts(tmp_path / "mine")
    empty = tmp_path / "data"
    empty.mkdir()
    corpus = load_corpus(empty, written=written_there, complete=False)
    assert len(corpus.judged) + len(corpus.train["written"]) == 60
    assert 1 <= len(corpus.judged) <= 15
    assert not texts_of(corpus.judged) & texts_of(corpus.train["written"])
    assert mixture(corpus, empty, complete=False)["written"].change is None
    assert mixture(corpus, gazetteer_data, complete=False)["written"].change is not None
    assert len(student_records(corpus, empty, 0, complete=False)["written"]) == len(corpus.train["written"])
    (empty / "gaz_names").mkdir()
    (empty / CENSUS_MEN).touch()
    with pytest.raises(ConfigError, match="lacks gaz_names"):
        mixture(corpus, empty, complete=False)


def test_authored_prompts_are_held_out_before_written_ones(data: Path) -> None:
    corpus = load_corpus(data, written=prompts(data / "mine"), complete=False)
    assert len(corpus.train["written"]) == 60
    assert set(corpus.held_out) == {"authored", *NEED}


def test_nothing_to_train_on_and_nothing_to_score_with_are_refused(data: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ConfigError, match="nothing to train on"):
        load_corpus(empty, complete=False)
    with pytest.raises(ConfigError, match="does not exist"):
        load_corpus(tmp_path / "nowhere", complete=False)
    (data / AUTHORED).unlink()
    with pytest.raises(ConfigError, match="nothing is held out"):
        load_corpus(data, complete=False)


def test_a_folder_or_examples_that_are_not_there_are_named(data: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        load_corpus(data / "nowhere")
    with pytest.raises(ConfigError, match="train generate"):
        load_corpus(data, data / "nowhere.jsonl")


def test_the_ablation_trains_without_authored_prompts_and_still_holds_them_out(data: Path) -> None:
    corpus = load_corpus(data, authored=False)
    assert "authored" not in corpus.train
    assert corpus.held_out["authored"]


def test_a_round_shows_each_source_at_its_share(data: Path) -> None:
    generated = data / "generated.jsonl"
    row = {"id": "g", "source": "generated", "lang": "en", "text": "x", "spans": []}
    written(generated, [row] * 5 + [row | {"source": ASKED}] * 5000)
    sources = mixture(load_corpus(data, generated), data)
    assert sources["btc"].share == SHARES["btc"]
    assert sources["generated"].share == 1
    assert sources[ASKED].share * 5000 == A_ROUND[ASKED]
    assert {name for name, source in sources.items() if source.need_weight == NEED_WEIGHT} == set(NEED)
    assert [name for name, source in sources.items() if source.change] == ["authored"]


def test_each_share_is_that_of_a_source_with_a_scope() -> None:
    assert set(SHARES) <= set(SCOPES)


PUBLIC, PRIVATE = (0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0)


def conversation() -> Record:
    text = TEXT.format("Monday")
    labels = (
        Label(start=7, end=15, kind="PERSON", reach=(1.0, 0.5, 0.0, 0.0), owner=PRIVATE),
        Label(start=25, end=33, kind="PERSON", reach=(1.0, 1.0, 1.0, 1.0), owner=PUBLIC),
    )
    texts = (LabelledText(text=text, labels=labels), LabelledText(text=text, labels=labels, role="assistant"))
    return Record(id="1", source="authored", lang="en", texts=texts)


@pytest.mark.parametrize("seed", range(12))
def test_swapping_keeps_labels_and_what_is_public_and_the_same_value_gets_the_same_new_one(
    gazetteers: Gazetteers, seed: int
) -> None:
    record = conversation()
    changed = swapper(gazetteers, often=1.0)(record, seeded(seed))
    assert (changed.id, changed.source, len(changed.texts)) == (record.id, record.source, 2)
    for before, after in zip(record.texts, changed.texts, strict=True):
        assert after.role == before.role
        assert [replace(label, start=0, end=0) for label in after.labels] == [
            replace(label, start=0, end=0) for label in before.labels
        ]
        assert all(after.text[label.start : label.end].strip() for label in after.labels)


def values_of(text: LabelledText) -> list[str]:
    return [text.text[label.start : label.end] for label in text.labels]


def test_a_public_name_stays_and_a_private_one_goes(gazetteers: Gazetteers) -> None:
    change = swapper(gazetteers, often=1.0)
    pairs = [values_of(change(conversation(), seeded(seed)).texts[0]) for seed in range(60)]
    assert sum(public == "Ben Kole" for _, public in pairs) > 30  # the others: typos, case, accents
    assert sum(private == "Ada Roth" for private, _ in pairs) < 30


def test_swapping_happens_as_often_as_it_is_asked_for(gazetteers: Gazetteers) -> None:
    never = swapper(gazetteers, often=0.0)
    assert all(never(conversation(), seeded(seed)) == conversation() for seed in range(20))


def test_a_student_reads_swapped_copies_and_unlabelled_prompts_and_nothing_held_out(data: Path) -> None:
    corpus = load_corpus(data)
    records = student_records(corpus, data, seed=0)
    assert len(records["authored"]) == (1 + SWAPPED_COPIES) * len(corpus.train["authored"])
    assert len(records["btc"]) < len(corpus.train["btc"])
    assert [record.texts[0].text for record in records[UNLABELLED]] == ["Write a poem", "Write to my aunt"]
    # What may tell of somebody is no question that concerns nobody.
    assert [record.texts[0].text for record in corpus.train[QUESTIONS]] == ["Write a poem"]
    held_out = set().union(*(texts_of(part) for part in corpus.held_out.values()))
    for source in ("authored", *NEED):
        assert not held_out & texts_of(tuple(records[source]))
    assert records == student_records(corpus, data, seed=0)


def test_written_prompts_are_trained_on_with_other_values_and_their_files_are_hashed(data: Path) -> None:
    folder = data / "own"
    folder.mkdir()
    content = "### en | letter | thanks\nThank ⟦Ada Roth|PERSON|0|p⟧ for the apples.\n"
    (folder / "one.txt").write_text(content, encoding="utf-8")
    corpus = load_corpus(data, written=folder)
    assert texts_of(corpus.train["written"]) == {"Thank Ada Roth for the apples."}
    assert corpus.hashes["written/one.txt"] == hashlib.sha256(content.encode()).hexdigest()
    assert mixture(corpus, data)["written"].change is not None
    assert len(student_records(corpus, data, seed=0)["written"]) == 1 + SWAPPED_COPIES


def test_a_folder_without_written_prompts_is_refused(data: Path) -> None:
    (data / "none").mkdir()
    with pytest.raises(ConfigError, match="--written"):
        load_corpus(data, written=data / "none")
