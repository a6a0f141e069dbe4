import pytest

from privguard.core.entities import EntityType
from privguard.core.plan import Action, Decision, Need, Plan, Reason
from privguard.core.spans import Span
from privguard.core.targets import Provenance, TargetModel

TARGET = TargetModel(name="m", theta=0.0, provenance=Provenance.ASSUMED, pattern="*")


def decision(start: int, end: int, action: Action = Action.REDACT, replacement: str | None = "[…]") -> Decision:
    return Decision(
        span=Span(start=start, end=end, kind=EntityType.PERSON, score=1.0, source="test"),
        action=action,
        reason=Reason.NEED,
        p_survive=1.0,
        replacement=replacement,
    )


def test_actions_are_ordered_by_privacy_strength() -> None:
    assert Action.RETAIN < Action.ABSTRACT < Action.REDACT


def test_a_plan_with_overlapping_decisions_is_refused() -> None:
    with pytest.raises(ValueError, match=r"PERSON \[2, 5\) of segment 0 overlaps"):
        Plan(decisions=((decision(0, 3), decision(2, 5)),), target=TARGET, profile_id="p", artifact_ids=())


def test_a_plan_iterates_in_request_order() -> None:
    rows = ((decision(0, 3), decision(3, 5)), (), (decision(1, 2),))
    plan = Plan(decisions=rows, target=TARGET, profile_id="p", artifact_ids=())
    assert list(plan) == [rows[0][0], rows[0][1], rows[2][0]]


@pytest.mark.parametrize(
    ("action", "replacement"), [(Action.RETAIN, "x"), (Action.REDACT, None), (Action.ABSTRACT, None)]
)
def test_action_and_replacement_belong_together(action: Action, replacement: str | None) -> None:
    with pytest.raises(ValueError, match=action.name):
        decision(0, 1, action, replacement)


def test_a_generalisation_never_hides_more_than_a_placeholder() -> None:
    with pytest.raises(ValueError, match="b_abstract"):
        Need(b_redact=0.0, b_abstract=1.0)
    with pytest.raises(ValueError, match="slope"):
        Need(b_redact=0.0, b_abstract=0.0, slope=0.0)


def test_no_repr_shows_a_replacement() -> None:
    assert "CANARY" not in repr(decision(0, 1, replacement="CANARY"))


@pytest.mark.parametrize("p_public", [-0.1, 1.1, float("nan")])
def test_a_need_whose_owner_is_no_probability_is_refused(p_public: float) -> None:
    with pytest.raises(ValueError, match="p_public"):
        Need(b_redact=0.0, b_abstract=0.0, p_public=p_public)
