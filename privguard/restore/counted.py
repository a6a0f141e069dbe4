"""What happened to the placeholders of a text, counted."""

from collections.abc import Callable, Mapping

from privguard.core.audit import Cause, Event, Match, RestoreEvent

Happened = tuple[str, Match | None, Cause | None]  # to which id, how it was read, and why it stays

_REFUSALS = frozenset({Cause.URL, Cause.REMOTE_TOOL, Cause.TOOL_RULE, Cause.PROVENANCE})


def events_of(counts: Mapping[Happened, int], kind_of: Callable[[str], str]) -> tuple[RestoreEvent, ...]:
    """Return the events of what was counted.

    Args:
        counts: how often what happened.
        kind_of: tells the type of an id.
    """
    return tuple(
        RestoreEvent(
            event=_event_of(cause),
            placeholder_id=found_id,
            kind=kind_of(found_id),
            match=match,
            cause=cause,
            count=count,
        )
        for (found_id, match, cause), count in counts.items()
    )


def _event_of(cause: Cause | None) -> Event:
    return Event.RESTORED if cause is None else Event.REFUSED if cause in _REFUSALS else Event.UNRESTORED
