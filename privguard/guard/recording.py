"""The audit record of an exchange, from its life."""

from dataclasses import replace

from privguard.core.audit import AuditRecord, DecisionRecord, Outcome
from privguard.guard.life import Life


def record_of(life: Life, outcome: Outcome = Outcome.ABANDONED, error: BaseException | None = None) -> AuditRecord:
    """Return the record of what has happened so far.

    Args:
        life: of the exchange.
        outcome: how it has ended; where it has not, it counts for nothing.
        error: that ended it.
    """
    return AuditRecord(
        request_id=life.request_id,
        at=life.at,
        route=life.route,
        target=life.plan.target.name,
        theta=life.plan.target.theta,
        target_provenance=life.plan.target.provenance.value,
        profile_id=life.profile.id,
        artifact_ids=life.plan.artifact_ids,
        outcome=outcome,
        error=type(error).__name__ if error is not None else "",
        decisions=tuple(
            DecisionRecord(
                path=path,
                kind=decision.span.kind.value,
                source=decision.span.source,
                action=decision.action.name,
                reason=decision.reason.value,
                length=decision.span.length,
                p_survive=decision.p_survive,
                placeholder_id=decision.placeholder_id or "",
            )
            for path, row in zip(life.paths, life.plan.decisions, strict=True)
            for decision in row
        ),
        events=tuple(replace(event, count=count) for event, count in life.events.items()),
        stage_ms=dict(life.stage_ms),
    )
