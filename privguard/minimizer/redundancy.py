"""The joint effect: spans judged one by one look dispensable while a sibling still tells the same thing.

The need of a span is judged with all others in place. So a total next to its parts, a sight next to its city, an age
next to a year of birth each look dispensable, and all of them are removed. A *group* is a set of entities that may
tell one fact; if all of it vanishes, the odds that the answer fails add up:

    exp(b_joint) = exp(increment) * sum over the members of exp(b_redact)

which is the union bound on the odds of failure, raised by what each label took for granted. One member, the carrier,
gets this difficulty in addition to its own, for REDACT alone: it may come back as a generalisation, never as it is.
Nothing here depends on theta, so that a stronger model still never gets more.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from privguard.core.entities import Category, EntityType
from privguard.core.plan import Action, Need
from privguard.core.profile import Profile
from privguard.minimizer.policy import EntityNeed, is_public

# The least difficulty that counts: what no model needs does not come to be needed in company.
LEVEL = -2.0
# The carrier is the cheapest for privacy among the members that are about as much needed as the neediest.
TOLERANCE = 0.25
_COST = {Category.QUASI: 0, Category.SENSITIVE: 1, Category.DIRECT: 2, Category.SECRET: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Entities that may tell one fact, by their index, in ascending order."""

    members: tuple[int, ...]
    increment: float  # logits


def with_joint_needs(
    entities: Sequence[EntityNeed], groups: Iterable[Group], profile: Profile
) -> tuple[EntityNeed, ...]:
    """Return the entities, the carrier of each group with its joint need.

    A group of which a member stays whatever the need, since a list, a ceiling or its owner says so, has its carrier
    already. Floors, denied terms and secrets stay strict: such a member never carries.
    """
    joint: dict[int, Need] = {}
    for group in groups:
        if any(_stays(entities[index], profile) for index in group.members):
            continue
        carrier = _carrier(entities, group, profile)
        if carrier is None:
            continue
        need = _joint_need(entities, group, carrier)
        if need is not None and (carrier not in joint or need.b_redact > joint[carrier].b_redact):
            joint[carrier] = need
    if not joint:
        return tuple(entities)
    return tuple(
        replace(entity, joint=joint[index]) if index in joint else entity for index, entity in enumerate(entities)
    )


def _stays(entity: EntityNeed, profile: Profile) -> bool:
    if entity.kind is EntityType.SECRET or entity.denied:
        return False
    floor = profile.floors.get(entity.kind, Action.RETAIN)
    ceiling = profile.ceilings.get(entity.kind, Action.REDACT)
    return entity.allowed or ceiling < Action.REDACT or (floor < Action.REDACT and is_public(entity, profile))


def _carrier(entities: Sequence[EntityNeed], group: Group, profile: Profile) -> int | None:
    able = [
        index
        for index in group.members
        if entities[index].kind is not EntityType.SECRET
        and not (entities[index].denied or entities[index].failed)
        and profile.floors.get(entities[index].kind, Action.RETAIN) < Action.REDACT
    ]
    if not able:
        return None
    neediest = max(_difficulty(entities[index]) for index in able)
    near = (index for index in able if _difficulty(entities[index]) >= neediest - TOLERANCE)
    return min(near, key=lambda index: (_COST[entities[index].kind.category], index))


def _joint_need(entities: Sequence[EntityNeed], group: Group, carrier: int) -> Need | None:
    counted = [_difficulty(entities[index]) for index in group.members if entities[index].needs]
    counted = [difficulty for difficulty in counted if difficulty >= LEVEL]
    if len(counted) < 2:
        return None
    slope = min(need.slope for need in entities[carrier].needs)
    top = max(counted)
    spread = math.log(math.fsum(math.exp(slope * (difficulty - top)) for difficulty in counted)) / slope
    return Need(
        b_redact=max(top + spread + group.increment, _difficulty(entities[carrier])),
        b_abstract=max(need.b_abstract for need in entities[carrier].needs),
        slope=slope,
    )


def _difficulty(entity: EntityNeed) -> float:
    return max((need.b_redact for need in entity.needs), default=-math.inf)
