import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.encoder.labels import TAG_COUNT, TAG_OF, TAGS
from privguard.research.training.examples import ANY_TAG, UNKNOWN_TAG, scope_mask
from privguard.research.training.loss import UNLABELLED_WEIGHT, need_loss, owner_loss, tag_loss
from privguard.research.training.model import NeedOutput

SCOPE = torch.from_numpy(scope_mask("btc"))  # persons, places and organisations
LABELLED = [number for number in range(1, TAG_COUNT) if SCOPE[number]]
UNLABELLED = [number for number in range(1, TAG_COUNT) if not SCOPE[number]]
ROWS = st.lists(st.floats(-8, 8, width=32), min_size=TAG_COUNT, max_size=TAG_COUNT)
WEIGHTS = st.floats(0.01, 1.0)
THRESHOLDS = torch.tensor([0.0, 0.7, 1.4])
SEEDS = st.integers(0, 10_000)


def logits_of(seed: int, rows: int = 1) -> torch.Tensor:
    return 3 * torch.randn(rows, TAG_COUNT, generator=torch.Generator().manual_seed(seed))


def loss_of(logits: torch.Tensor, tag: int, weight: float = UNLABELLED_WEIGHT) -> float:
    rows = len(logits)
    return float(tag_loss(logits, torch.full((rows,), tag), SCOPE.expand(rows, -1), weight))


@settings(max_examples=60)
@given(seed=SEEDS, weight=WEIGHTS, tag=st.sampled_from([0, *LABELLED]))
def test_types_out_of_scope_cost_what_the_weight_says_and_no_more(seed: int, weight: float, tag: int) -> None:
    logits = logits_of(seed)
    shares = logits.softmax(-1)[0]
    labelled, unlabelled = shares[[0, *LABELLED]].sum(), shares[UNLABELLED].sum()
    inside_scope = float((labelled / shares[tag]).log())
    most = float((1 + weight * unlabelled / labelled).log())
    assert loss_of(logits, tag, weight) == pytest.approx(inside_scope + most, abs=1e-4)


@settings(max_examples=40)
@given(seed=SEEDS, tag=st.integers(0, TAG_COUNT - 1))
def test_with_weight_one_it_is_the_cross_entropy(seed: int, tag: int) -> None:
    logits = logits_of(seed)
    usual = torch.nn.functional.cross_entropy(logits, torch.tensor([tag]))
    assert loss_of(logits, tag, 1.0) == pytest.approx(float(usual), abs=1e-4)


@settings(max_examples=40)
@given(seed=SEEDS, tag=st.sampled_from(UNLABELLED), weight=WEIGHTS)
def test_gold_counts_in_full_where_its_source_labels_it_now_and_then(seed: int, tag: int, weight: float) -> None:
    logits = logits_of(seed)
    shares = logits.softmax(-1)[0]
    others = [number for number in UNLABELLED if number != tag]
    all_others = shares[[0, *LABELLED]].sum() + weight * shares[others].sum()
    assert loss_of(logits, tag, weight) == pytest.approx(float((1 + all_others / shares[tag]).log()), abs=1e-4)


@settings(max_examples=40)
@given(seed=SEEDS, weight=WEIGHTS, kind=st.sampled_from(UNLABELLED))
def test_flagging_a_type_that_nobody_labels_costs_more_than_saying_outside(seed: int, weight: float, kind: int) -> None:
    logits = logits_of(seed)
    flagged, outside = logits.clone(), logits.clone()
    flagged[:, kind] += 3
    outside[:, 0] += 3
    assert loss_of(outside, 0, weight) < loss_of(logits, 0, weight) < loss_of(flagged, 0, weight)


def test_to_flag_everything_is_no_optimum() -> None:
    calm, flags_all = torch.full((4, TAG_COUNT), -4.0), torch.full((4, TAG_COUNT), -4.0)
    calm[:, 0] = 4
    flags_all[:, UNLABELLED] = 4
    assert loss_of(calm, 0) < 0.01
    assert loss_of(flags_all, 0) > 5


def test_descent_from_outside_tokens_ends_outside() -> None:
    logits = torch.zeros(1, TAG_COUNT, requires_grad=True)
    for _ in range(100):
        (slope,) = torch.autograd.grad(tag_loss(logits, torch.tensor([0]), SCOPE[None]), logits)
        logits = (logits - 8 * slope).detach().requires_grad_()
    assert float(logits.detach().softmax(-1)[0, 0]) > 0.9


@settings(max_examples=40)
@given(seed=SEEDS)
def test_unknown_tokens_do_not_count(seed: int) -> None:
    logits = logits_of(seed, 4).requires_grad_()
    scopes = SCOPE.expand(4, -1)
    tags = torch.tensor([0, UNKNOWN_TAG, LABELLED[0], UNKNOWN_TAG])
    mixed = tag_loss(logits, tags, scopes)
    (gradient,) = torch.autograd.grad(mixed, logits)
    assert (gradient[[1, 3]] == 0).all()
    assert float(mixed.detach()) == pytest.approx(
        float(tag_loss(logits[::2], tags[::2], scopes[::2]).detach()), abs=1e-5
    )


def test_where_nothing_is_known_the_loss_is_zero() -> None:
    assert loss_of(logits_of(1, 3), UNKNOWN_TAG) == 0


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_span_of_unknown_type_asks_for_any_type(seed: int) -> None:
    logits = logits_of(seed)
    outside = logits.softmax(-1)[0, 0]
    assert loss_of(logits, ANY_TAG) == pytest.approx(float(-(1 - outside).log()), abs=1e-3)


@pytest.mark.parametrize("kind", TAGS)
def test_any_type_satisfies_it(kind: str) -> None:
    logits = torch.full((1, TAG_COUNT), -9.0)
    logits[0, next(TAG_OF[tag] for tag in TAGS if tag == kind)] = 9
    assert loss_of(logits, ANY_TAG) < 1e-3


def need_of(b_redact: float, b_abstract: float, label: int) -> float:
    output = NeedOutput(
        b_redact=torch.tensor([b_redact]), b_abstract=torch.tensor([b_abstract]), owner=torch.zeros(1, 5)
    )
    reach = torch.tensor([[float(label >= level) for level in range(1, 5)]])
    return float(need_loss(output, THRESHOLDS, reach, torch.ones(1)))


@given(st.floats(-3, 3), st.floats(0.1, 3), st.floats(0, 3))
@settings(max_examples=60)
def test_a_higher_difficulty_fits_high_labels_better_and_low_ones_worse(
    b_redact: float, more: float, gap: float
) -> None:
    b_abstract = b_redact - gap
    assert need_of(b_redact + more, b_abstract, 2) < need_of(b_redact, b_abstract, 2)
    assert need_of(b_redact + more, b_abstract, 0) > need_of(b_redact, b_abstract, 0)
    assert need_of(b_redact, b_abstract + more, 4) < need_of(b_redact, b_abstract, 4)
    assert need_of(b_redact, b_abstract + more, 2) > need_of(b_redact, b_abstract, 2)


@pytest.mark.parametrize("label", range(5))
def test_difficulties_on_the_right_side_of_each_threshold_are_the_best(label: int) -> None:
    places = {0: (-3.0, -6.0), 1: (0.35, -6.0), 2: (4.0, -6.0), 3: (4.0, 1.05), 4: (8.0, 6.0)}
    losses = {place: need_of(*difficulties, label) for place, difficulties in places.items()}
    assert min(losses, key=lambda place: losses[place]) == label


def test_spans_without_a_label_weigh_nothing() -> None:
    output = NeedOutput(b_redact=torch.tensor([1.0, 9.0]), b_abstract=torch.tensor([0.0, 9.0]), owner=torch.randn(2, 5))
    reach, weights = torch.tensor([[1.0, 1.0, 0.0, 0.0], [0.0] * 4]), torch.tensor([3.0, 0.0])
    assert float(need_loss(output, THRESHOLDS, reach, weights)) == pytest.approx(need_of(1.0, 0.0, 2))
    assert float(need_loss(output, THRESHOLDS, reach, torch.zeros(2))) == 0
    owner = torch.tensor([[0.0, 1.0, 0.0, 0.0, 0.0], [0.0] * 5])
    alone = -output.owner[0].log_softmax(-1)[1]
    assert float(owner_loss(output.owner, owner, weights)) == pytest.approx(float(alone), abs=1e-5)


def test_owner_shares_ask_for_themselves() -> None:
    owner = torch.tensor([[0.5, 0.0, 0.25, 0.0, 0.25]])
    fitting = owner_loss(owner.clamp(min=1e-6).log(), owner, torch.ones(1))
    assert float(fitting) == pytest.approx(float(-(owner * owner.clamp(min=1e-6).log()).sum()), abs=1e-4)
    assert float(owner_loss(torch.zeros(1, 5), owner, torch.ones(1))) > float(fitting)
