"""Text to spans: rules, secrets, the encoder, Presidio, spreading and merging."""

import importlib
from typing import TYPE_CHECKING

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


def __getattr__(name: str) -> object:
    """Import a detector at its first use: the guard needs the pure functions alone."""
    if name not in _HOMES:
        raise AttributeError(f"module 'privguard.detect' has no attribute {name!r}")
    return getattr(importlib.import_module(f"privguard.detect.{_HOMES[name]}"), name)
