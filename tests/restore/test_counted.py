from privguard.core.audit import Cause, Event, Match
from privguard.restore.counted import events_of


def test_what_happened_is_an_event_by_its_cause() -> None:
    counts = {
        ("7QK2", Match.EXACT, None): 2,
        ("7QK2", Match.EXACT, Cause.URL): 1,
        ("9ABC", Match.EXACT, Cause.UNKNOWN): 1,
        ("", None, Cause.TRUNCATED): 1,
    }
    events = events_of(counts, lambda placeholder_id: {"7QK2": "PERSON"}.get(placeholder_id, ""))
    assert [(each.event, each.kind, each.count) for each in events] == [
        (Event.RESTORED, "PERSON", 2),
        (Event.REFUSED, "PERSON", 1),
        (Event.UNRESTORED, "", 1),
        (Event.UNRESTORED, "", 1),
    ]
