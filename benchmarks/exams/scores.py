"""What an exam says: one line, and whether it is what we ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One exam of one system."""

    exam: str
    system: str
    told: str  # the score as it is printed
    passed: bool
    waits_for: str = ""  # what is not built yet, where that is why it was not passed

    @property
    def is_fault(self) -> bool:
        """Tell whether it was failed by what is built."""
        return not self.passed and not self.waits_for
