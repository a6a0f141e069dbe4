import pytest

pytest.importorskip("torch")

from dataclasses import fields, replace

import numpy as np
import torch

from privguard.encoder.labels import TAG_COUNT, TAGS
from privguard.encoder.tokens import TextTokenizer
from privguard.research.training.batches import Batch
from privguard.research.training.distill import (
    TaughtSource,
    TaughtStream,
    label_found,
    shrink_words,
    soft_tag_loss,
    taught_groups,
    with_needs,
)
from privguard.research.training.evaluate import Scored, score_texts
from privguard.research.training.examples import UNKNOWN_TAG, Group
from privguard.research.training.model import Net
from privguard.research.training.records import LabelledText, Record
from privguard.research.training.scopes import UNLABELLED
from tests.research.training import tiny

PIECES, UNITS = tiny.tokenizer(), tiny.tokenizer(4)
SPECIAL = tiny.special(UNITS)
TEXT = "Translate zqxw 12345 to Ada Roth, zqxwvut"


def read(record: Record, tokenize: TextTokenizer = PIECES) -> list[Scored]:
    return score_texts(tiny.net(), [record], tokenize, tiny.special(tokenize))


def unlabelled(*texts: str) -> Record:
    bodies = tuple(LabelledText(text=text, labels=()) for text in texts)
    return Record(id="1", source=UNLABELLED, lang="en", texts=bodies)


def taught(record: Record) -> list[Group]:
    return list(taught_groups(read(record), UNITS, length=190, overlap=32))


def soft_of(group: Group) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    (window,) = group.windows
    assert window.soft is not None
    return window.soft.astype(np.float64)


def test_a_unit_has_the_mean_of_its_pieces_and_begins_as_the_first_of_them() -> None:
    (group,) = taught(unlabelled(TEXT))
    (item,) = read(unlabelled(TEXT))
    units = UNITS(TEXT)
    assert len(units) < len(item.tokens)
    for row, (start, end) in enumerate(zip(units.starts, units.ends, strict=True)):
        pieces = (item.tokens.starts < end) & (item.tokens.ends > start)
        assert np.allclose(soft_of(group)[row, :-1], item.probabilities[pieces].mean(0), atol=2e-3)
        assert soft_of(group)[row, -1] == pytest.approx(item.begins[np.flatnonzero(pieces)[0]], abs=2e-3)


@pytest.mark.parametrize("number", range(6))
def test_probabilities_of_a_unit_sum_to_one(number: int) -> None:
    for group in taught(tiny.record(number)):
        soft = soft_of(group)
        assert soft.shape[1] == TAG_COUNT + 1
        assert np.allclose(soft[:, :-1].sum(1), 1, atol=5e-3)
        assert ((soft >= 0) & (soft <= 1)).all()


def test_with_the_same_tokenizer_the_probabilities_are_those_of_the_teacher() -> None:
    record = unlabelled(TEXT)
    (group,) = taught_groups(read(record), PIECES, length=190, overlap=32)
    assert np.allclose(soft_of(group)[:, :-1], read(record)[0].probabilities, atol=1e-3)


def test_a_conversation_stays_together_and_empty_messages_do_no_harm() -> None:
    texts = (LabelledText(text=" ", labels=()), *tiny.record(1).texts)
    (group,) = taught(replace(tiny.record(1), texts=texts))
    assert len(group.spans) == 2
    assert all(window.soft is not None and len(window.soft) == len(window.ids) for window in group.windows)


def test_what_nobody_labelled_teaches_by_the_probabilities_alone() -> None:
    (group,) = taught(unlabelled(TEXT))
    assert (group.windows[0].tags == UNKNOWN_TAG).all()


def stream(seed: int = 0, share: float = 1.0) -> TaughtStream:
    groups = tuple(group for number in range(12) for group in taught(tiny.record(number)))
    return TaughtStream({"authored": TaughtSource(groups=groups, share=share)}, SPECIAL, budget=200, seed=seed)


def test_the_same_seed_and_round_give_the_same_batches() -> None:
    made = stream()
    first, again, other = list(made.round(1)), list(made.round(1)), list(made.round(2))
    for left, right in zip(first, again, strict=True):
        assert all(torch.equal(getattr(left, field.name), getattr(right, field.name)) for field in fields(Batch))
    assert [batch.ids.tolist() for batch in first] != [batch.ids.tolist() for batch in other]
    assert sum(len(batch.ids) for batch in first) == 12
    assert sum(len(batch.ids) for batch in stream(share=0.5).round(0)) == 6


def test_the_soft_loss_is_least_where_the_student_says_what_the_teacher_says() -> None:
    batch = next(stream().round(0))
    loss = soft_tag_loss(1.0)
    agreed = torch.cat(
        [batch.soft[..., :-1].clamp(min=1e-4).log(), batch.soft[..., -1:].clamp(1e-4, 1 - 1e-4).logit()], -1
    )
    torch.manual_seed(2)
    for _ in range(5):
        other = agreed + torch.randn_like(agreed)
        assert float(loss(batch, agreed, None)) < float(loss(batch, other, None))
    assert float(soft_tag_loss(2.0)(batch, agreed, None)) == pytest.approx(
        2 * float(loss(batch, agreed, None)), rel=1e-5
    )


def test_without_a_teacher_there_is_no_soft_loss() -> None:
    batch = tiny.batch()
    assert float(soft_tag_loss(1.0)(batch, torch.randn(*batch.tags.shape, TAG_COUNT + 1), None)) == 0


def test_padding_does_not_count() -> None:
    batch = next(batch for batch in stream().round(0) if not batch.mask.all())
    torch.manual_seed(1)
    logits = torch.randn(*batch.tags.shape, TAG_COUNT + 1)
    changed = logits.clone()
    changed[~batch.mask] += 5
    assert float(soft_tag_loss(1.0)(batch, logits, None)) == float(soft_tag_loss(1.0)(batch, changed, None))


@pytest.mark.parametrize("hidden", [16, 32])
def test_the_shrunk_table_keeps_what_is_near_near_and_the_entry_of_no_piece_at_zero(hidden: int) -> None:
    teacher = tiny.net()
    with torch.no_grad():  # a table of few directions, which a narrower one can hold
        teacher.encoder.words.weight.copy_(torch.randn(200, 8) @ torch.randn(8, 32))
    student = Net(replace(tiny.spec(pieces=4, lean=True), hidden=hidden))
    shrink_words(teacher, student)
    before, after = teacher.encoder.words.weight.detach(), student.encoder.words.weight.detach()
    assert after.shape == (200, hidden)
    assert (after[0] == 0).all()
    far = torch.stack([torch.pdist(before[1:]), torch.pdist(after[1:])])
    assert float(torch.corrcoef(far)[0, 1]) > 0.99


def test_what_a_teacher_finds_in_an_unlabelled_text_becomes_its_labels() -> None:
    scored = read(unlabelled(TEXT, TEXT))
    labelled = list(label_found(scored, 0.0, lambda record: replace(record, id="read")))
    assert [item.number for item in labelled] == [0, 1]
    for item in labelled:
        (first, second) = item.record.texts
        assert item.record.id == "read"
        assert first.labels == second.labels != ()
        assert all(label.kind in {tag.value for tag in TAGS} for label in first.labels)
    nothing = [item.record.texts[0].labels for item in label_found(scored, 1.0, lambda record: record)]
    assert nothing == [(), ()]


@pytest.mark.parametrize("trust", [0.0, 0.25, 1.0])
def test_needs_of_a_teacher_are_mixed_with_those_of_annotators(trust: float) -> None:
    record = tiny.record(3)
    told = with_needs(tiny.net(), record, PIECES, tiny.special(PIECES), trust=1.0)
    mixed = with_needs(tiny.net(), record, PIECES, tiny.special(PIECES), trust=trust)
    for before, alone, after in zip(record.texts[0].labels, told.texts[0].labels, mixed.texts[0].labels, strict=True):
        assert (after.start, after.end, after.kind) == (before.start, before.end, before.kind)
        for part in ("reach", "owner"):
            wanted = trust * np.array(getattr(alone, part)) + (1 - trust) * np.array(getattr(before, part))
            assert np.allclose(getattr(after, part), wanted, atol=1e-6)
        assert sum(alone.owner or ()) == pytest.approx(1, abs=1e-5)


def test_where_nobody_annotated_the_teacher_alone_speaks() -> None:
    record = tiny.record(3)
    bare = replace(
        record,
        texts=tuple(
            replace(text, labels=tuple(replace(label, reach=None, owner=None) for label in text.labels))
            for text in record.texts
        ),
    )
    read_bare = with_needs(tiny.net(), bare, PIECES, tiny.special(PIECES), trust=0.3)
    assert read_bare == with_needs(tiny.net(), record, PIECES, tiny.special(PIECES), trust=1.0)


def test_a_record_without_labels_stays_as_it_is() -> None:
    record = tiny.record(3, labelled=False)
    assert with_needs(tiny.net(), record, PIECES, tiny.special(PIECES)) is record
