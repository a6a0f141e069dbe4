"""Entities: the mentions of one value in a request, which share one decision and one placeholder."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.replacements.normal import normal_form


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One span of an entity."""

    segment: int  # index into the segments
    place: int  # index into the spans of that segment


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """All mentions of one value, in request order."""

    kind: EntityType
    normal_value: str = field(repr=False)
    mentions: tuple[Mention, ...]
    surface: str = field(repr=False)  # the form that comes back: the longest, the first of equals


def group_entities(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[Entity, ...]:
    """Group spans by type and normalised value, in order of first mention."""
    mentions: dict[tuple[EntityType, str], list[Mention]] = {}
    surface: dict[tuple[EntityType, str], str] = {}
    for number, (segment, row) in enumerate(zip(segments, spans, strict=True)):
        for place, span in enumerate(row):
            text = segment.text[span.start : span.end]
            identity = (span.kind, normal_form(span.kind, text))
            mentions.setdefault(identity, []).append(Mention(segment=number, place=place))
            if len(text) > len(surface.get(identity, "")):
                surface[identity] = text
    return tuple(
        Entity(kind=kind, normal_value=value, mentions=tuple(found), surface=surface[kind, value])
        for (kind, value), found in mentions.items()
    )
