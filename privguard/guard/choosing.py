"""What is done with each entity of a request: its needs, what it carries for others, and the action for it."""

from collections.abc import Callable, Iterator, Sequence

from privguard.core.plan import Choice, Need
from privguard.core.profile import Profile
from privguard.core.protocols import NeedModel
from privguard.core.segments import Segment
from privguard.core.targets import TargetModel
from privguard.detect.lists import Allowed
from privguard.guard.deciding import decide
from privguard.guard.entities import Entity
from privguard.guard.finding import Findings, Spans
from privguard.minimizer.policy import EntityNeed
from privguard.minimizer.redundancy import Group, with_joint_needs
from privguard.minimizer.relations import Place, find_groups


def choices_for(
    segments: Sequence[Segment],
    findings: Findings,
    entities: Sequence[Entity],
    *,
    model: TargetModel,
    profile: Profile,
    need: NeedModel,
) -> tuple[Choice, ...]:
    """Choose one action per entity, in their order.

    Raises:
        PlanError: a need could not be estimated and the profile says `on_error = "block"`.
    """
    needs = _needs(segments, findings.spans, need)
    allowed = Allowed(profile.allow)
    asked = tuple(
        EntityNeed(
            kind=entity.kind,
            needs=tuple(needs[mention.segment][mention.place] for mention in entity.mentions) if needs else (),
            allowed=entity.surface in allowed,
            denied=any(findings.denied[mention.segment][mention.place] for mention in entity.mentions),
            failed=needs is None,
        )
        for entity in entities
    )
    if profile.redundancy and needs:
        asked = with_joint_needs(asked, _groups(segments, findings.spans, entities), profile)
    return decide(entities, asked, model, profile)


def own_values(profile: Profile) -> Callable[[str], bool] | None:
    """Return what tells a value that is decided on its own, whatever it is linked to."""
    return Allowed(profile.allow).__contains__ if profile.allow else None


def _needs(segments: Sequence[Segment], spans: Spans, need: NeedModel) -> tuple[tuple[Need, ...], ...] | None:
    """Return the needs, or None where the need model failed: the profile says what happens then."""
    if not any(spans):
        return tuple(() for _ in spans)
    try:
        needs = need.need(segments, spans)
    except Exception:  # noqa: BLE001 - any failure of a foreign model is answered by the profile's on_error
        return None
    matches = len(needs) == len(spans) and all(len(a) == len(b) for a, b in zip(needs, spans, strict=True))
    return needs if matches else None


def _groups(segments: Sequence[Segment], spans: Spans, entities: Sequence[Entity]) -> Iterator[Group]:
    """Yield the entities that may tell one fact."""
    rows: list[list[Place]] = [[] for _ in segments]
    for index, entity in enumerate(entities):
        for mention in entity.mentions:
            span = spans[mention.segment][mention.place]
            rows[mention.segment].append(Place(index, entity.kind, span.start, span.end))
    for segment, row in zip(segments, rows, strict=True):
        if len(row) > 1:
            yield from find_groups(segment.text, sorted(row, key=lambda place: place.start))
