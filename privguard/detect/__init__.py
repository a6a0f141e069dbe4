"""Text to spans: rules, secrets, the encoder, Presidio, spreading and merging."""

from typing import TYPE_CHECKING

from privguard.core.lazy import lazy_exports

if TYPE_CHECKING:
    from privguard.detect.composite import CompositeDetector, default_detector, encoder_detector, rules_detector
    from privguard.detect.encoded import EncoderDetector
    from privguard.detect.presidio import PresidioDetector
    from privguard.detect.presidio_recognizer import PrivguardRecognizer
    from privguard.detect.rules import RuleDetector
    from privguard.detect.secrets import SecretDetector

_HOMES = {
    "CompositeDetector": "composite",
    "EncoderDetector": "encoded",
    "PresidioDetector": "presidio",
    "PrivguardRecognizer": "presidio_recognizer",
    "RuleDetector": "rules",
    "SecretDetector": "secrets",
    "default_detector": "composite",
    "encoder_detector": "composite",
    "rules_detector": "composite",
}

__all__ = [
    "CompositeDetector",
    "EncoderDetector",
    "PresidioDetector",
    "PrivguardRecognizer",
    "RuleDetector",
    "SecretDetector",
    "default_detector",
    "encoder_detector",
    "rules_detector",
]

__getattr__ = lazy_exports(__name__, _HOMES)
