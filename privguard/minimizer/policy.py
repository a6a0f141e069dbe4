"""The item-response policy: the strongest action that the answer survives, for this target, under this profile.

    P(answer survives REDACT) = sigmoid(slope * (theta - b_redact))      ABSTRACT likewise, RETAIN always

Pure, and monotone by construction: a stronger model never gets more, a higher utility floor never gives a stronger
action, and one more mention of an entity only weakens its action.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from privguard.core.entities import Category, EntityType
from privguard.core.errors import PlanError
from privguard.core.plan import Action, Choice, Need, Reason
from privguard.core.profile import OnError, Profile, Public
from privguard.core.targets import TargetModel

# Numbers, accounts, contacts and traits are never public, whoever they are of.
MAY_BE_PUBLIC = frozenset({EntityType.PERSON, *(kind for kind in EntityType if kind.category is Category.QUASI)})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityNeed:
    """One entity of a request with the needs of all its mentions, in any order."""

    kind: EntityType
    needs: tuple[Need, ...]  # one per mention; empty only where the estimate failed
    allowed: bool = False  # a term of the allow list
    denied: bool = False  # a term of the deny list
    failed: bool = False  # the need could not be estimated
    joint: Need | None = None  # of the fact that this entity is chosen to carry: see redundancy

    def __post_init__(self) -> None:
        """Check that there is something to decide on."""
        if not self.needs and not self.failed:
            raise ValueError(f"{self.kind} has no need and no failure")


def p_survive(need: Need, theta: float, action: Action) -> float:
    """Return the probability that the answer survives an action, 0 to 1."""
    match action:
        case Action.RETAIN:
            return 1.0
        case Action.ABSTRACT:
            return _sigmoid(need.slope * (theta - need.b_abstract))
        case Action.REDACT:
            return _sigmoid(need.slope * (theta - need.b_redact))
        case _:
            assert_never(action)


def choose(kind: EntityType, need: Need, target: TargetModel, profile: Profile) -> Choice:
    """Choose the action for a single span that is on no list."""
    return choose_entity(EntityNeed(kind=kind, needs=(need,)), target, profile)


def choose_entity(entity: EntityNeed, target: TargetModel, profile: Profile) -> Choice:
    """Choose one action for all mentions of an entity.

    In order: a secret is redacted whatever the profile says; a denied term is redacted; an allowed term is
    retained; then the need decides, or where the profile lets public spans leave, that; bounded by the floor and the
    ceiling of the type.

    Raises:
        PlanError: the need could not be estimated and the profile says `on_error = "block"`.
    """
    if entity.failed and profile.on_error is OnError.BLOCK:
        raise PlanError(
            f"the need of {entity.kind} could not be estimated; nothing was sent. "
            'on_error = "redact" in the profile would redact it instead'
        )
    action, reason = _decide(entity, target.theta, profile)
    return Choice(action=action, reason=reason, p_survive=_p_all(entity, target.theta, action))


def plan_choices(entities: Sequence[EntityNeed], target: TargetModel, profile: Profile) -> tuple[Choice, ...]:
    """Choose one action per entity, in the order given.

    Raises:
        PlanError: a need could not be estimated and the profile says `on_error = "block"`.
    """
    return tuple(choose_entity(entity, target, profile) for entity in entities)


def _decide(entity: EntityNeed, theta: float, profile: Profile) -> tuple[Action, Reason]:
    if entity.kind is EntityType.SECRET:
        return Action.REDACT, Reason.FLOOR
    if entity.denied:
        return Action.REDACT, Reason.POLICY
    if entity.allowed:
        return Action.RETAIN, Reason.ALLOWED
    action, reason = Action.REDACT, Reason.FALLBACK
    if not entity.failed:
        action, reason = _needed(entity, theta, profile)
    if (floor := profile.floors.get(entity.kind, Action.RETAIN)) > action:
        action, reason = floor, Reason.FLOOR
    if (ceiling := profile.ceilings.get(entity.kind, Action.REDACT)) < action:
        action, reason = ceiling, Reason.POLICY
    return action, reason


def is_public(entity: EntityNeed, profile: Profile) -> bool:
    """Tell whether the profile lets an entity leave because it is public: every mention must be, beyond doubt."""
    return (
        profile.public is Public.RETAIN
        and entity.kind in MAY_BE_PUBLIC
        and bool(entity.needs)
        and all(need.p_public is not None and need.p_public >= profile.public_at for need in entity.needs)
    )


def _needed(entity: EntityNeed, theta: float, profile: Profile) -> tuple[Action, Reason]:
    alone = _strongest(replace(entity, joint=None) if entity.joint else entity, theta, profile.gamma)
    if alone is not Action.RETAIN and is_public(entity, profile):
        return Action.RETAIN, Reason.PUBLIC
    joint = _strongest(entity, theta, profile.gamma) if entity.joint else alone
    return joint, Reason.NEED if joint is alone else Reason.JOINT


def _strongest(entity: EntityNeed, theta: float, gamma: float) -> Action:
    for action in (Action.REDACT, Action.ABSTRACT):
        if _p_all(entity, theta, action) >= gamma:
            return action
    return Action.RETAIN


def _p_all(entity: EntityNeed, theta: float, action: Action) -> float:
    """Return the least probability over the mentions; 0 where nothing is known of an action that takes something.

    What an entity carries for its siblings is lost by REDACT alone.
    """
    if not entity.needs:
        return 1.0 if action is Action.RETAIN else 0.0
    needs = (*entity.needs, entity.joint) if entity.joint and action is Action.REDACT else entity.needs
    return min(p_survive(need, theta, action) for need in needs)


def _sigmoid(logit: float) -> float:
    # Two branches: exp never overflows.
    if logit >= 0:
        return 1.0 / (1.0 + math.exp(-logit))
    grown = math.exp(logit)
    return grown / (1.0 + grown)
