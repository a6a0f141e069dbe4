"""The order of the model's outputs."""

from privguard.core.entities import EntityType

TAGS: tuple[EntityType, ...] = tuple(EntityType)  # tag 0 is "outside", tag k is TAGS[k - 1]
OUTSIDE = 0
TAG_OF = {kind: number + 1 for number, kind in enumerate(TAGS)}
TAG_COUNT = len(TAGS) + 1
OWNERS = ("user", "person", "org", "public", "none")
