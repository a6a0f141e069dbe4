"""Text to spans: rules, secrets, Presidio, spreading and merging."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privguard.detect.composite import CompositeDetector, default_detector, rules_detector
    from privguard.detect.presidio import PresidioDetector
    from privguard.detect.rules import RuleDetector
    from privguard.detect.secrets import SecretDetector

_HOMES = {
    "CompositeDetector": "composite",
    "PresidioDetector": "presidio",
    "RuleDetector": "rules",
    "SecretDetector": "secrets",
    "default_detector": "composite",
    "rules_detector": "composite",
}

__all__ = [
    "CompositeDetector",
    "PresidioDetector",
    "RuleDetector",
    "SecretDetector",
    "default_detector",
    "rules_detector",
]


def __getattr__(name: str) -> object:
    """Import a detector at its first use: the guard needs the pure functions alone."""
    if name not in _HOMES:
        raise AttributeError(f"module 'privguard.detect' has no attribute {name!r}")
    return getattr(importlib.import_module(f"privguard.detect.{_HOMES[name]}"), name)
