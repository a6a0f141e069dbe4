"""Target models: how capable the model is that will read the prompt."""

from dataclasses import dataclass
from enum import StrEnum

from privguard.core.patterns import lazy_pattern

UNTOLD = "?"  # in the place of a name that a record must not hold

# A release date at the end of a model name is no date of anybody's life.
_RELEASE = lazy_pattern(r"(?<=[-@_])(?:20\d\d-?[01]\d-?[0-3]\d|[01]\d[0-3]\d)(?![0-9A-Za-z])")


class Provenance(StrEnum):
    """Where a capability comes from."""

    PUBLISHED = "published"  # fitted to a published table
    CALIBRATED = "calibrated"  # fitted on oracle runs of one's own
    CONFIGURED = "configured"  # written into the profile file
    ASSUMED = "assumed"  # an unknown model: the default


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetModel:
    """A model and its capability on the scale of the need model."""

    name: str
    theta: float  # logits
    provenance: Provenance
    pattern: str  # the pattern of the profile that matched, "*" for an unknown model
    note: str = ""  # the source of theta, or the number of oracle runs

    @property
    def known(self) -> bool:
        """Tell whether theta rests on evidence or on a setting rather than on the default."""
        return self.provenance is not Provenance.ASSUMED


def without_release(model: str) -> str:
    """Return a model name without its release date, which a detector would take for a date or a number."""
    return _RELEASE.sub("", model)
