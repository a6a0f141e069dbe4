"""What the detection tests share: one detector of each kind for the session, and texts as segments."""

from collections.abc import Callable

import pytest

from privguard.core.entities import EntityType
from privguard.core.protocols import Detector
from privguard.core.segments import Channel, Role, Segment
from privguard.detect.composite import CompositeDetector
from privguard.detect.merge import merge
from privguard.detect.presidio import PresidioDetector
from privguard.detect.rules import RuleDetector
from privguard.detect.secrets import SecretDetector

Found = list[tuple[str, EntityType]]
Find = Callable[[str], Found]


def _finder(detector: Detector) -> Find:
    def find(text: str) -> Found:
        segment = Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)
        return [(text[span.start : span.end], span.kind) for span in merge(detector.detect([segment])[0], text)]

    return find


@pytest.fixture(scope="session")
def rule_detector() -> RuleDetector:
    return RuleDetector()


@pytest.fixture(scope="session")
def secret_detector() -> SecretDetector:
    return SecretDetector()


@pytest.fixture(scope="session")
def presidio_detector() -> PresidioDetector:
    return PresidioDetector()


@pytest.fixture(scope="session")
def by_rules(rule_detector: RuleDetector) -> Find:
    return _finder(rule_detector)


@pytest.fixture(scope="session")
def secrets_in(secret_detector: SecretDetector) -> Find:
    return _finder(secret_detector)


@pytest.fixture(scope="session")
def everything(
    rule_detector: RuleDetector, secret_detector: SecretDetector, presidio_detector: PresidioDetector
) -> Find:
    return _finder(CompositeDetector(rule_detector, secret_detector, presidio_detector))
