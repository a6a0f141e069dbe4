import pytest

pytest.importorskip("torch")

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.encoder.labels import TAG_COUNT, TAG_OF, TAGS
from privguard.research.training.evaluate import Scored, auc, detection_figures, need_scores, score_texts
from privguard.research.training.records import LabelledText, Record
from tests.research.training import tiny

TOKENIZE = tiny.tokenizer()
SPECIAL = tiny.special(TOKENIZE)


def scored(record: Record, flagged: set[str], number: int = 0) -> Scored:
    """Return a text whose tokens of the given words are flagged as a person, with certainty."""
    text = record.texts[number].text
    tokens = TOKENIZE(text)
    probabilities = np.full((len(tokens), TAG_COUNT), 0.001, dtype=np.float32)
    found = [text[start:end] in flagged for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    probabilities[range(len(tokens)), np.where(found, TAG_OF[TAGS[0]], 0)] = 0.97
    begins = np.zeros(len(tokens), dtype=np.float32)
    return Scored(record=record, number=number, tokens=tokens, probabilities=probabilities, begins=begins)


def test_each_text_with_a_token_is_scored_once_in_order_whatever_shares_its_batch() -> None:
    long = replace(tiny.record(0), texts=(LabelledText(text="my name is Ada in Graz " * 60, labels=()),))
    empty = replace(tiny.record(0), texts=(LabelledText(text=" ", labels=()),))
    records = [tiny.record(1), long, empty, tiny.record(2)]
    net = tiny.net()
    together = score_texts(net, records, TOKENIZE, SPECIAL)
    assert [item.record for item in together] == [records[0], long, records[3]]
    for item in together:
        assert item.probabilities.shape == (len(item.tokens), TAG_COUNT)
        assert np.allclose(item.probabilities.sum(1), 1, atol=1e-4)
        assert ((item.begins >= 0) & (item.begins <= 1)).all()
        (alone,) = score_texts(net, [item.record], TOKENIZE, SPECIAL)
        assert np.allclose(alone.probabilities, item.probabilities, atol=0.02)  # bfloat16


def test_all_found_and_nothing_else_is_full_marks() -> None:
    items = [scored(record, {"Ada", "Ben", "Roth", "Kole", "Bern", "Graz"}) for record in tiny.records(5)]
    assert detection_figures(items, 0.5) == {"recall": 1.0, "precision": 1.0, "flagged": 0.0}


def test_a_span_counts_where_it_is_found_whole_and_a_finding_where_it_touches_one() -> None:
    items = [scored(tiny.record(1), {"email", "Bern", "Graz"})]
    assert detection_figures(items, 0.5) == {"recall": 0.5, "precision": 0.5, "flagged": 0.0}


def test_a_text_without_a_span_is_flagged_or_not() -> None:
    clean = [tiny.record(number, labelled=False) for number in range(4)]
    items = [scored(clean[0], {"email"}), *(scored(record, set()) for record in clean[1:])]
    assert detection_figures(items, 0.5)["flagged"] == 0.25


def test_only_spans_with_a_need_are_scored() -> None:
    net = tiny.net()
    needs = need_scores(net, [*tiny.records(3), tiny.record(9, labelled=False)], TOKENIZE, SPECIAL)
    assert len(needs.b_redact) == 6
    assert needs.needed.tolist() == [True, False] * 3
    assert (needs.b_abstract <= needs.b_redact).all()
    assert need_scores(net, [], TOKENIZE, SPECIAL).reach.shape == (0, 4)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=20))
def test_the_auc_is_the_share_of_pairs_in_the_right_order(pairs: list[tuple[int, bool]]) -> None:
    scores, gold = np.array([float(s) for s, _ in pairs]), np.array([g for _, g in pairs])
    wins = [(a > b) + 0.5 * (a == b) for a in scores[gold] for b in scores[~gold]]
    if wins:
        assert auc(scores, gold) == pytest.approx(np.mean(wins))
    else:
        assert np.isnan(auc(scores, gold))
