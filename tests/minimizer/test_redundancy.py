"""The joint effect: what it keeps, what it never weakens, and that a stronger model still never gets more."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.plan import Action, Need, Reason
from privguard.core.profile import Profile, Public
from privguard.core.targets import Provenance, TargetModel
from privguard.minimizer.policy import EntityNeed, plan_choices
from privguard.minimizer.redundancy import LEVEL, TOLERANCE, Group, with_joint_needs

PROFILE = Profile(id="test:0", name="test", gamma=0.65)
FINANCE, LOCATION, PERSON = EntityType.FINANCE, EntityType.LOCATION, EntityType.PERSON
ALL = Group(members=(0, 1, 2), increment=0.75)


def model(theta: float) -> TargetModel:
    return TargetModel(name="m", theta=theta, provenance=Provenance.CONFIGURED, pattern="*")


def entity(kind: EntityType, b_redact: float, *, allowed: bool = False, denied: bool = False) -> EntityNeed:
    return EntityNeed(kind=kind, needs=(Need(b_redact=b_redact, b_abstract=-9.0),), allowed=allowed, denied=denied)


def actions(
    entities: list[EntityNeed], *groups: Group, theta: float = 1.0, profile: Profile = PROFILE
) -> list[tuple[Action, Reason]]:
    chosen = plan_choices(with_joint_needs(entities, groups, profile), model(theta), profile)
    return [(choice.action, choice.reason) for choice in chosen]


GONE = (Action.REDACT, Reason.NEED)
KEPT = (Action.ABSTRACT, Reason.JOINT)


def test_of_a_total_and_its_parts_one_is_kept() -> None:
    parts = [entity(FINANCE, 0.2), entity(FINANCE, 0.2), entity(FINANCE, 0.2)]
    assert actions(parts) == [GONE] * 3
    assert actions(parts, ALL) == [KEPT, GONE, GONE]


def test_the_neediest_is_kept_and_of_equals_the_least_private() -> None:
    assert actions([entity(FINANCE, 0.0), entity(FINANCE, 0.3), entity(FINANCE, 0.0)], ALL) == [GONE, KEPT, GONE]
    near = 0.3 - TOLERANCE / 2
    assert actions([entity(PERSON, 0.3), entity(FINANCE, near), entity(LOCATION, near)], ALL) == [GONE, GONE, KEPT]


def test_where_a_member_is_kept_anyway_nothing_changes() -> None:
    needed = [entity(FINANCE, 0.1), entity(FINANCE, 3.0), entity(FINANCE, 0.1)]
    assert actions(needed, ALL) == actions(needed) == [GONE, (Action.ABSTRACT, Reason.NEED), GONE]
    allowed = [entity(FINANCE, 0.2), entity(FINANCE, 0.2, allowed=True), entity(FINANCE, 0.2)]
    assert actions(allowed, ALL) == [GONE, (Action.RETAIN, Reason.ALLOWED), GONE]


def test_what_nobody_needs_is_not_needed_in_company() -> None:
    assert actions([entity(FINANCE, LEVEL - 0.1)] * 3, Group(members=(0, 1, 2), increment=9.0)) == [GONE] * 3


def test_a_floor_a_denied_term_and_a_secret_never_carry() -> None:
    floors = replace(PROFILE, floors={FINANCE: Action.REDACT})
    assert actions([entity(FINANCE, 0.2), entity(LOCATION, 0.1), entity(FINANCE, 0.2)], ALL, profile=floors) == [
        GONE, KEPT, GONE,
    ]  # fmt: skip
    assert actions([entity(FINANCE, 0.2)] * 3, ALL, profile=floors) == [GONE] * 3
    strict = [entity(FINANCE, 0.5, denied=True), entity(EntityType.SECRET, 0.5), entity(FINANCE, 0.5, denied=True)]
    assert {action for action, _ in actions(strict, ALL)} == {Action.REDACT}


def test_a_public_member_is_a_carrier_already() -> None:
    public = replace(PROFILE, public=Public.RETAIN)
    famous = EntityNeed(kind=LOCATION, needs=(Need(b_redact=0.2, b_abstract=-9.0, p_public=0.99),))
    assert actions([entity(FINANCE, 0.2), famous, entity(FINANCE, 0.2)], ALL, profile=public) == [
        GONE, (Action.RETAIN, Reason.PUBLIC), GONE,
    ]  # fmt: skip


def test_odds_of_failure_add_up() -> None:
    asked = with_joint_needs(
        [entity(FINANCE, 0.1), entity(FINANCE, 0.2)], [Group(members=(0, 1), increment=0.5)], PROFILE
    )
    assert asked[0].joint is not None
    assert asked[0].joint.b_redact == pytest.approx(0.5 + math.log(math.exp(0.1) + math.exp(0.2)))
    assert asked[1].joint is None


logits = st.floats(-6, 6)


@st.composite
def entities(draw: st.DrawFn) -> EntityNeed:
    needs = []
    for _ in range(draw(st.integers(1, 2))):
        low, high = sorted((draw(logits), draw(logits)))
        public = draw(st.sampled_from([None, 0.5, 0.95]))
        needs.append(Need(b_redact=high, b_abstract=low, slope=draw(st.sampled_from([0.5, 1, 2])), p_public=public))
    flag = draw(st.sampled_from(["", "", "", "allowed", "denied"]))
    kind = draw(st.sampled_from([FINANCE, LOCATION, PERSON, EntityType.SECRET, EntityType.HEALTH]))
    return EntityNeed(kind=kind, needs=tuple(needs), allowed=flag == "allowed", denied=flag == "denied")


@st.composite
def requests(draw: st.DrawFn) -> tuple[list[EntityNeed], list[Group]]:
    asked = draw(st.lists(entities(), min_size=2, max_size=6))
    members = st.sets(st.integers(0, len(asked) - 1), min_size=2)
    groups = draw(st.lists(st.tuples(members, st.sampled_from([0.0, 0.75])), max_size=3))
    return asked, [Group(members=tuple(sorted(each)), increment=increment) for each, increment in groups]


profiles = st.builds(
    lambda gamma, floor, ceiling, public: replace(
        PROFILE, gamma=gamma, floors={LOCATION: floor}, ceilings={PERSON: ceiling}, public=public
    ),
    st.floats(0, 1),
    st.sampled_from(Action),
    st.sampled_from(Action),
    st.sampled_from(Public),
)


@settings(max_examples=100)
@given(requests(), logits, logits, profiles)
def test_a_stronger_model_never_gets_more(
    request_: tuple[list[EntityNeed], list[Group]], a: float, b: float, profile: Profile
) -> None:
    asked, groups = request_
    weak, strong = (actions(asked, *groups, theta=theta, profile=profile) for theta in sorted((a, b)))
    assert all(more >= less for (less, _), (more, _) in zip(weak, strong, strict=True))


def test_a_carrier_of_several_slopes_is_abstracted_and_no_more() -> None:
    kind = EntityType.FINANCE
    steep = (Need(b_redact=0.0, b_abstract=-2.0, slope=0.5), Need(b_redact=0.0, b_abstract=0.0, slope=2.0))
    asked = [
        EntityNeed(kind=kind, needs=(Need(b_redact=-1.0, b_abstract=-1.0, slope=0.5),)),
        EntityNeed(kind=kind, needs=steep),
    ]
    profile = replace(PROFILE, gamma=0.75)
    group = Group(members=(0, 1), increment=0.0)
    assert [action for action, _ in actions(asked, group, theta=1.0, profile=profile)] == [
        action for action, _ in actions(asked, theta=1.0, profile=profile)
    ]


@settings(max_examples=100)
@given(requests(), logits, profiles)
def test_groups_only_weaken_and_never_below_a_generalisation(
    request_: tuple[list[EntityNeed], list[Group]], theta: float, profile: Profile
) -> None:
    asked, groups = request_
    before = actions(asked, theta=theta, profile=profile)
    after = actions(asked, *groups, theta=theta, profile=profile)
    for entity_, (alone, _), (joint, reason) in zip(asked, before, after, strict=True):
        assert joint == alone or (alone, joint) == (Action.REDACT, Action.ABSTRACT)
        assert joint == alone or reason is Reason.JOINT
        assert joint >= profile.floors.get(entity_.kind, Action.RETAIN) or entity_.allowed
        if entity_.denied or entity_.kind is EntityType.SECRET:
            assert joint is Action.REDACT


@settings(max_examples=100)
@given(requests(), logits)
def test_a_group_whose_joint_need_is_not_met_keeps_a_member(
    request_: tuple[list[EntityNeed], list[Group]], theta: float
) -> None:
    asked, groups = request_
    chosen = plan_choices(with_joint_needs(asked, groups, PROFILE), model(theta), PROFILE)
    for group in groups:
        members = [asked[index] for index in group.members]
        if any(each.denied or each.kind is EntityType.SECRET for each in members):
            continue
        counted = [each for each in members if max(need.b_redact for need in each.needs) >= LEVEL]
        top = max((need.b_redact for each in counted for need in each.needs), default=-math.inf)
        if len(counted) > 1 and top + group.increment - theta > 2:
            assert any(chosen[index].action < Action.REDACT for index in group.members)
