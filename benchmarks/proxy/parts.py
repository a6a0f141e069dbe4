"""What the measured proxy loads: the guardrail with the rules alone, and with the model that ships."""

from privguard.api import load_guard
from privguard.detect.composite import rules_detector
from privguard.guard import Guard
from privguard_adapters.litellm.guardrail import Guardrail


class RulesGuardrail(Guardrail):
    """The guardrail without a model."""

    def make_guard(self) -> Guard:
        return load_guard(detector=rules_detector())


class ModelGuardrail(Guardrail):
    """The guardrail as it ships."""
