"""The policy's promises, stated as properties."""

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import PlanError
from privguard.core.plan import Action, Need, Reason
from privguard.core.profile import OnError, Profile, Public
from privguard.core.targets import Provenance, TargetModel
from privguard.minimizer.policy import MAY_BE_PUBLIC, EntityNeed, choose, choose_entity, p_survive, plan_choices

logits = st.floats(-40, 40)
gammas = st.floats(0, 1)
kinds = st.sampled_from(EntityType)
plain_kinds = kinds.filter(lambda kind: kind is not EntityType.SECRET)
actions = st.sampled_from(Action)


@st.composite
def needs(draw: st.DrawFn) -> Need:
    low, high = sorted((draw(logits), draw(logits)))
    return Need(b_redact=high, b_abstract=low, slope=draw(st.floats(0.1, 5)))


@st.composite
def bounds(draw: st.DrawFn) -> tuple[Action, Action]:
    low, high = sorted((draw(actions), draw(actions)))
    return low, high


def model(theta: float) -> TargetModel:
    return TargetModel(name="some-model", theta=theta, provenance=Provenance.CONFIGURED, pattern="*")


def with_gamma(gamma: float) -> Profile:
    return Profile(id="test:0", name="test", gamma=gamma)


def entity(kind: EntityType, *mentions: Need) -> EntityNeed:
    return EntityNeed(kind=kind, needs=mentions)


EASY = Need(b_redact=-5, b_abstract=-6)
HARD = Need(b_redact=9, b_abstract=8)
MIDDLE = Need(b_redact=5, b_abstract=-5)


@given(needs(), logits, actions)
def test_a_probability_is_a_probability_and_retaining_always_survives(need: Need, theta: float, action: Action) -> None:
    assert 0.0 <= p_survive(need, theta, action) <= 1.0
    assert p_survive(need, theta, Action.RETAIN) == 1.0


@given(needs(), logits)
def test_a_weaker_action_survives_at_least_as_often(need: Need, theta: float) -> None:
    redact, abstract = (p_survive(need, theta, action) for action in (Action.REDACT, Action.ABSTRACT))
    assert redact <= abstract <= 1.0


def test_the_probability_is_the_logistic_of_slope_times_distance() -> None:
    need = Need(b_redact=1.0, b_abstract=0.0, slope=2.0)
    assert p_survive(need, 1.0, Action.REDACT) == 0.5
    assert p_survive(need, 2.0, Action.REDACT) == pytest.approx(1 / (1 + math.exp(-2)))
    assert p_survive(need, -1.0, Action.ABSTRACT) == pytest.approx(1 / (1 + math.exp(2)))


@given(kinds, needs(), logits, logits, gammas)
def test_a_stronger_model_never_gets_more(kind: EntityType, need: Need, a: float, b: float, gamma: float) -> None:
    weak, strong = sorted((a, b))
    profile = with_gamma(gamma)
    assert choose(kind, need, model(strong), profile).action >= choose(kind, need, model(weak), profile).action


@given(kinds, needs(), logits, gammas, gammas)
def test_a_higher_utility_floor_never_gives_a_stronger_action(
    kind: EntityType, need: Need, theta: float, a: float, b: float
) -> None:
    low, high = sorted((a, b))
    assert (
        choose(kind, need, model(theta), with_gamma(high)).action
        <= choose(kind, need, model(theta), with_gamma(low)).action
    )


@given(kinds, st.lists(needs(), min_size=1, max_size=5), logits, gammas, st.randoms(use_true_random=False))
def test_the_order_of_mentions_does_not_matter(
    kind: EntityType, mentions: list[Need], theta: float, gamma: float, random: Random
) -> None:
    shuffled = list(mentions)
    random.shuffle(shuffled)
    profile = with_gamma(gamma)
    assert choose_entity(entity(kind, *mentions), model(theta), profile) == choose_entity(
        entity(kind, *shuffled), model(theta), profile
    )


@given(kinds, st.lists(needs(), min_size=1, max_size=4), needs(), logits, gammas)
def test_one_more_mention_only_weakens(
    kind: EntityType, mentions: list[Need], more: Need, theta: float, gamma: float
) -> None:
    profile = with_gamma(gamma)
    before = choose_entity(entity(kind, *mentions), model(theta), profile)
    after = choose_entity(entity(kind, *mentions, more), model(theta), profile)
    assert after.action <= before.action


@given(plain_kinds, needs(), logits, gammas, bounds())
def test_floor_and_ceiling_bound_the_action(
    kind: EntityType, need: Need, theta: float, gamma: float, bound: tuple[Action, Action]
) -> None:
    floor, ceiling = bound
    profile = replace(with_gamma(gamma), floors={kind: floor}, ceilings={kind: ceiling})
    free = choose(kind, need, model(theta), with_gamma(gamma))
    held = choose(kind, need, model(theta), profile)
    assert held.action == min(max(free.action, floor), ceiling)
    expected = {-1: Reason.POLICY, 0: Reason.NEED, 1: Reason.FLOOR}
    assert held.reason is expected[(held.action > free.action) - (held.action < free.action)]


@given(needs(), logits, gammas, st.booleans(), st.booleans())
def test_a_secret_is_always_redacted(need: Need, theta: float, gamma: float, allowed: bool, denied: bool) -> None:
    profile = replace(with_gamma(gamma), ceilings={EntityType.SECRET: Action.RETAIN})
    asked = EntityNeed(kind=EntityType.SECRET, needs=(need,), allowed=allowed, denied=denied)
    chosen = choose_entity(asked, model(theta), profile)
    assert (chosen.action, chosen.reason) == (Action.REDACT, Reason.FLOOR)


@given(plain_kinds, needs(), logits, gammas)
def test_the_chosen_action_reaches_the_utility_floor_and_no_stronger_one_does(
    kind: EntityType, need: Need, theta: float, gamma: float
) -> None:
    chosen = choose(kind, need, model(theta), with_gamma(gamma))
    assert chosen.p_survive >= gamma
    assert chosen.p_survive == p_survive(need, theta, chosen.action)
    assert all(p_survive(need, theta, action) < gamma for action in Action if action > chosen.action)


@pytest.mark.parametrize(("need", "action"), [(EASY, Action.REDACT), (MIDDLE, Action.ABSTRACT), (HARD, Action.RETAIN)])
def test_each_action_is_reachable(need: Need, action: Action) -> None:
    chosen = choose(EntityType.LOCATION, need, model(0), with_gamma(0.7))
    assert (chosen.action, chosen.reason) == (action, Reason.NEED)


def test_an_allowed_term_is_retained_even_over_a_floor() -> None:
    profile = replace(with_gamma(0.0), floors={EntityType.PERSON: Action.REDACT})
    chosen = choose_entity(EntityNeed(kind=EntityType.PERSON, needs=(EASY,), allowed=True), model(0), profile)
    assert (chosen.action, chosen.reason, chosen.p_survive) == (Action.RETAIN, Reason.ALLOWED, 1.0)


def test_a_denied_term_is_redacted_over_need_ceiling_and_allow_list() -> None:
    profile = replace(with_gamma(1.0), ceilings={EntityType.PERSON: Action.RETAIN})
    asked = EntityNeed(kind=EntityType.PERSON, needs=(HARD,), allowed=True, denied=True)
    chosen = choose_entity(asked, model(0), profile)
    assert (chosen.action, chosen.reason) == (Action.REDACT, Reason.POLICY)


def test_a_failed_estimate_blocks_by_default_even_beside_good_ones() -> None:
    entities = (entity(EntityType.DATE, EASY), EntityNeed(kind=EntityType.PERSON, needs=(), failed=True))
    with pytest.raises(PlanError, match="PERSON"):
        plan_choices(entities, model(0), with_gamma(0.7))


def test_a_failed_estimate_is_redacted_where_the_profile_says_so() -> None:
    profile = replace(with_gamma(1.0), on_error=OnError.REDACT, ceilings={EntityType.AGE: Action.ABSTRACT})
    asked = (
        EntityNeed(kind=EntityType.PERSON, needs=(), failed=True),
        EntityNeed(kind=EntityType.AGE, needs=(), failed=True),
        EntityNeed(kind=EntityType.PERSON, needs=(), failed=True, allowed=True),
    )
    assert [(choice.action, choice.reason, choice.p_survive) for choice in plan_choices(asked, model(0), profile)] == [
        (Action.REDACT, Reason.FALLBACK, 0.0),
        (Action.ABSTRACT, Reason.POLICY, 0.0),
        (Action.RETAIN, Reason.ALLOWED, 1.0),
    ]


def test_one_choice_per_entity_in_order() -> None:
    asked = tuple(entity(EntityType.DATE, need) for need in (HARD, EASY, MIDDLE))
    chosen = plan_choices(asked, model(0), with_gamma(0.7))
    assert [choice.action for choice in chosen] == [Action.RETAIN, Action.REDACT, Action.ABSTRACT]


def test_an_entity_without_need_and_without_failure_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no need"):
        EntityNeed(kind=EntityType.DATE, needs=())


OPEN = replace(with_gamma(0.7), public=Public.RETAIN, public_at=0.9)


def owned(kind: EntityType, *p_public: float | None) -> EntityNeed:
    return EntityNeed(kind=kind, needs=tuple(replace(EASY, p_public=p) for p in p_public))


def test_a_public_entity_is_retained_where_the_profile_says_so() -> None:
    chosen = choose_entity(owned(EntityType.PERSON, 0.95, 0.9), model(0), OPEN)
    assert (chosen.action, chosen.reason, chosen.p_survive) == (Action.RETAIN, Reason.PUBLIC, 1.0)
    chosen = choose_entity(owned(EntityType.PERSON, 0.95), model(0), replace(OPEN, public=Public.NEED))
    assert (chosen.action, chosen.reason) == (Action.REDACT, Reason.NEED)


@pytest.mark.parametrize("p_public", [(0.95, 0.89), (0.95, None), (None,), (0.0,)], ids=range(4))
def test_an_entity_is_public_only_if_all_its_mentions_are(p_public: tuple[float | None, ...]) -> None:
    assert choose_entity(owned(EntityType.PERSON, *p_public), model(0), OPEN).action is Action.REDACT


@pytest.mark.parametrize("kind", sorted(set(EntityType) - MAY_BE_PUBLIC))
def test_numbers_contacts_traits_and_secrets_are_never_public(kind: EntityType) -> None:
    assert choose_entity(owned(kind, 1.0), model(0), OPEN).action is Action.REDACT


def test_a_floor_a_denied_term_and_a_failed_estimate_hold_for_public_entities() -> None:
    public = owned(EntityType.PERSON, 1.0)
    floor = replace(OPEN, floors={EntityType.PERSON: Action.ABSTRACT})
    assert choose_entity(public, model(0), floor).action is Action.ABSTRACT
    assert choose_entity(replace(public, denied=True), model(0), OPEN).action is Action.REDACT
    failed = EntityNeed(kind=EntityType.PERSON, needs=(), failed=True)
    assert choose_entity(failed, model(0), replace(OPEN, on_error=OnError.REDACT)).action is Action.REDACT


def test_types_that_name_one_person_by_number_are_not_among_the_public_ones() -> None:
    assert MAY_BE_PUBLIC.isdisjoint(
        {EntityType.SECRET, EntityType.GOV_ID, EntityType.FIN_ACCOUNT, EntityType.RECORD_ID, EntityType.HEALTH}
    )
