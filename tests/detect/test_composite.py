from collections.abc import Sequence

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import DetectionError
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.composite import CompositeDetector, default_detector, rules_detector

_SEGMENTS = [Segment(path="a", role=Role.USER, channel=Channel.TEXT, text="Ada and hunter2")] * 2


class Fixed:
    def __init__(self, kind: EntityType) -> None:
        self.id = f"fixed-{kind.value.lower()}"
        self._span = Span(start=0, end=3, kind=kind, score=0.5, source="fixed/a")

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return tuple((self._span,) for _ in segments)


class Failing:
    id = "failing"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        raise RuntimeError(segments[0].text)


class Short:
    id = "short"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return ()


def test_the_spans_of_all_members_are_put_together() -> None:
    detector = CompositeDetector(Fixed(EntityType.PERSON), Fixed(EntityType.DATE))
    assert detector.id == "fixed-person+fixed-date"
    rows = detector.detect(_SEGMENTS)
    assert [[span.kind for span in row] for row in rows] == [[EntityType.PERSON, EntityType.DATE]] * 2


@pytest.mark.parametrize("broken", [Failing(), Short()], ids=["raises", "forgets a segment"])
def test_a_failing_member_blocks_without_showing_content(broken: Failing | Short) -> None:
    with pytest.raises(DetectionError) as caught:
        CompositeDetector(Fixed(EntityType.PERSON), broken).detect(_SEGMENTS)
    assert type(broken).__name__ in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_the_default_has_names_and_the_rules_alone_say_so() -> None:
    assert default_detector().id.startswith("rules-1+secrets-1+presidio:")
    assert rules_detector().id == "rules-1+secrets-1"
