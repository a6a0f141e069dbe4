from collections.abc import Sequence

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import PlanError
from privguard.core.plan import Action, Choice, Need, Reason
from privguard.core.profile import OnError, Profile
from privguard.core.protocols import NeedModel
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.core.targets import Provenance, TargetModel
from privguard.guard.choosing import choices_for, own_values
from privguard.guard.entities import group_entities
from privguard.guard.finding import find
from privguard.guard.shapes import text_segments
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed

MODEL = TargetModel(name="m", theta=0.0, provenance=Provenance.ASSUMED, pattern="*")
PROFILE = Profile(id="p:1", name="p", gamma=0.5, allow=("Zurich",), deny={"Heron": EntityType.MISC})
DETECTOR = FakeDetector({"Ada Roth": EntityType.PERSON, "Zurich": EntityType.LOCATION})
NEEDED = FakeNeed(b_redact=9.0, b_abstract=9.0)


def choices(need: NeedModel, profile: Profile = PROFILE) -> dict[str, Choice]:
    segments = text_segments("Ada Roth and Heron in Zurich")
    findings = find(segments, profile, DETECTOR, FakeAbstractor())
    entities = group_entities(segments, findings.spans, own_values(profile), findings)
    chosen = choices_for(segments, findings, entities, model=MODEL, profile=profile, need=need)
    return {entity.surface: choice for entity, choice in zip(entities, chosen, strict=True)}


def test_needs_and_lists_decide_in_the_order_of_the_entities() -> None:
    found = {name: (choice.action, choice.reason) for name, choice in choices(NEEDED).items()}
    assert found == {
        "Ada Roth": (Action.RETAIN, Reason.NEED),
        "Heron": (Action.REDACT, Reason.POLICY),
        "Zurich": (Action.RETAIN, Reason.ALLOWED),
    }


class Failing:
    id = "failing"

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        raise RuntimeError("Ada Roth")


class Short:
    id = "short"

    def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
        return tuple(row[:-1] for row in NEEDED.need(segments, spans))


@pytest.mark.parametrize("need", [Failing(), Short()], ids=["fails", "answers for fewer spans"])
def test_a_need_model_that_fails_blocks_or_redacts_as_the_profile_says(need: NeedModel) -> None:
    with pytest.raises(PlanError) as caught:
        choices(need)
    assert "Roth" not in str(caught.value)
    redacting = Profile(id="p:2", name="p", gamma=0.5, on_error=OnError.REDACT)
    assert {(choice.action, choice.reason) for choice in choices(need, redacting).values()} == {
        (Action.REDACT, Reason.FALLBACK)
    }


def test_where_nothing_was_found_no_need_is_asked() -> None:
    segments = text_segments("Hello")
    findings = find(segments, PROFILE, DETECTOR, FakeAbstractor())
    assert choices_for(segments, findings, (), model=MODEL, profile=PROFILE, need=Failing()) == ()


def test_only_allowed_values_are_decided_on_their_own() -> None:
    own = own_values(PROFILE)
    assert own is not None
    assert [own("zurich"), own("Ada Roth")] == [True, False]
    assert own_values(Profile(id="p:3", name="p", gamma=0.5)) is None
