"""The plan: what happens to each span, and why."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from itertools import pairwise

from privguard.core.spans import Span
from privguard.core.targets import TargetModel


class Action(IntEnum):
    """What is done to a span, ordered by privacy strength."""

    RETAIN = 0
    ABSTRACT = 1
    REDACT = 2


class Reason(StrEnum):
    """Why an action was taken."""

    NEED = "need"  # the item-response policy
    FLOOR = "floor"  # the profile demands at least this action
    POLICY = "policy"  # the profile allows at most this action, or denies the term
    ALLOWED = "allowed"  # the term is on the allow list
    PUBLIC = "public"  # the profile lets public figures, public bodies and common knowledge leave
    JOINT = "joint"  # the one carrier of a fact whose other tellers are gone
    FALLBACK = "fallback"  # the need estimate or the ladder failed: the strongest action


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The item-response difficulties of one span.

    `P(answer survives REDACT) = sigmoid(slope * (theta - b_redact))`, likewise for ABSTRACT. In logits;
    `b_abstract <= b_redact`, since a generalisation never hides more than a placeholder.
    """

    b_redact: float
    b_abstract: float
    slope: float = 1.0
    p_public: float | None = None  # probability that the span is a public figure's or body's, known to all, or fiction

    def __post_init__(self) -> None:
        """Check the order of the difficulties once."""
        if not self.b_abstract <= self.b_redact:
            raise ValueError("b_abstract must not exceed b_redact")
        if not self.slope > 0:
            raise ValueError("the slope must be positive")
        if self.p_public is not None and not 0.0 <= self.p_public <= 1.0:
            raise ValueError("p_public must be a probability")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The action for one span before it is rendered."""

    action: Action
    reason: Reason
    p_survive: float  # probability that the answer survives the action, 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The action for one span and what stands in its place."""

    span: Span
    action: Action
    reason: Reason
    p_survive: float
    placeholder_id: str | None = None  # None for RETAIN
    replacement: str | None = field(default=None, repr=False)  # None for RETAIN

    def __post_init__(self) -> None:
        """Hold action and replacement together."""
        if (self.action is Action.RETAIN) != (self.replacement is None):
            raise ValueError(f"{self.action.name} and its replacement contradict each other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All decisions of one request: one tuple per segment, sorted and disjoint."""

    decisions: tuple[tuple[Decision, ...], ...]
    target: TargetModel
    profile_id: str
    artifact_ids: tuple[str, ...]  # detectors, need model, ladders: name and version

    def __post_init__(self) -> None:
        """Check that no two decisions of a segment overlap."""
        for number, row in enumerate(self.decisions):
            for left, right in pairwise(row):
                if right.span.start < left.span.end:
                    raise ValueError(
                        f"{right.span.kind} [{right.span.start}, {right.span.end}) of segment {number} "
                        "overlaps the previous span"
                    )

    def __iter__(self) -> Iterator[Decision]:
        """Iterate over the decisions in request order."""
        for row in self.decisions:
            yield from row
