"""Several detectors as one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privguard.core.errors import DetectionError
from privguard.core.protocols import Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.encoded import EncoderDetector
from privguard.detect.presidio import PresidioDetector
from privguard.detect.remembering import RememberingDetector
from privguard.detect.rules import RuleDetector
from privguard.detect.secrets import SecretDetector
from privguard.encoder.thresholds import DEFAULT

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder


class CompositeDetector:
    """Run detectors one after the other and put their spans together. A failing one fails the whole."""

    def __init__(self, *detectors: Detector) -> None:
        self._detectors = detectors

    @property
    def id(self) -> str:
        """Return the ids of the members, joined by `+`."""
        return "+".join(detector.id for detector in self._detectors)

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of all members for each segment.

        Raises:
            DetectionError: a member failed, or did not answer for each segment.
        """
        rows: list[list[Span]] = [[] for _ in segments]
        for detector in self._detectors:
            for row, found in zip(rows, _run(detector, segments), strict=True):
                row.extend(found)
        return tuple(tuple(row) for row in rows)


def rules_detector() -> Detector:
    """Return rules and secrets alone: names in running text are not found."""
    return RememberingDetector(CompositeDetector(RuleDetector(), SecretDetector()))


def encoder_detector(encoder: "TokenEncoder", floor: float = DEFAULT) -> Detector:
    """Return rules, secrets and the encoder.

    Args:
        encoder: an open encoder, to be shared with the need model.
        floor: the least score of the encoder's spans, 0 to 1; 0.5 is the threshold that the artifact sets for a type.
    """
    rules = RuleDetector(names=False)  # names by their form alone are the encoder's, which reads the sentence
    return RememberingDetector(CompositeDetector(rules, SecretDetector(), EncoderDetector(encoder, floor)))


def default_detector() -> Detector:
    """Return rules, secrets and the Presidio engine.

    Raises:
        ConfigError: the extra `presidio` is missing. There is no silent fallback that would let names pass.
    """
    return RememberingDetector(CompositeDetector(RuleDetector(), SecretDetector(), PresidioDetector()))


def _run(detector: Detector, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
    name = type(detector).__name__
    failure = ""
    try:
        found = detector.detect(segments)
    except Exception as error:  # noqa: BLE001 - whatever fails, the call must be blocked
        # The text of a foreign error may hold content: its class is all that is passed on.
        failure = type(error).__name__
    if failure:
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        raise DetectionError(f"the detector {name} failed with {failure}; nothing was sent")
    if len(found) != len(segments):
        raise DetectionError(f"the detector {name} answered for {len(found)} of {len(segments)} segments")
    return found
