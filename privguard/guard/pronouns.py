"""Whose pronoun may leave."""

from privguard.core.entities import EntityType
from privguard.core.plan import Action
from privguard.core.profile import Profile
from privguard.guard.request import Request


def speakable(request: Request, profile: Profile) -> frozenset[int]:
    """Return the entities whose pronoun may leave, by index: not where the plan hides the gender.

    A hidden gender is that of every person whom its text names; where it names none, that of all people.
    """
    if not profile.pronouns or profile.floors.get(EntityType.GENDER, Action.RETAIN) is not Action.RETAIN:
        return frozenset()
    silent = {
        mention.segment
        for entity, choice in zip(request.entities, request.choices, strict=True)
        if entity.kind is EntityType.GENDER and choice.action is not Action.RETAIN
        for mention in entity.mentions
    }
    people = {index: entity for index, entity in enumerate(request.entities) if entity.kind is EntityType.PERSON}
    named = {index: {mention.segment for mention in entity.mentions} for index, entity in people.items()}
    if silent - set().union(*named.values()):
        return frozenset()
    return frozenset([index for index, entity in people.items() if entity.pronoun and not named[index] & silent])
