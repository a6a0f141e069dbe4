"""Records of an ordinary size: ten decisions and ten events."""

from privguard.audit.codec import encode
from privguard.core.audit import AuditRecord, DecisionRecord, Event, Intent, Match, Outcome, RestoreEvent

DECISIONS = 10
_ID = 16  # hexadecimal digits


def make_record(number: int) -> AuditRecord:
    """Return a record with ten decisions and ten events."""
    return AuditRecord(
        request_id=f"{number:0{_ID}x}",
        at="2031-04-05T06:07:08.250000+00:00",
        route="chat.completions",
        target="gpt-5-mini",
        theta=1.25,
        target_provenance="published",
        profile_id="default:1f2e3d4c",
        artifact_ids=("rules/1", "need-table/1", "ladders/1"),
        outcome=Outcome.DONE,
        decisions=tuple(
            DecisionRecord(
                path=f"messages[{index}].content",
                kind="PERSON",
                source="rules/name",
                action="REDACT",
                reason="need",
                length=8 + index,
                p_survive=0.973,
                placeholder_id=f"7QK{2 + index % 8}",
            )
            for index in range(DECISIONS)
        ),
        events=tuple(
            RestoreEvent(
                event=Event.RESTORED,
                path="choices[0].message.content",
                placeholder_id=f"7QK{2 + index % 8}",
                kind="PERSON",
                match=Match.EXACT,
                count=1 + index,
            )
            for index in range(DECISIONS)
        ),
        stage_ms={"detect": 4.25, "need": 0.5, "render": 0.25, "restore": 0.125},
    )


def make_intent(record: AuditRecord) -> Intent:
    """Return what is known of the request of a record before it leaves."""
    return Intent(request_id=record.request_id, at=record.at, route=record.route, target=record.target)


class Bodies:
    """Bodies of records that differ in their ids alone, made without encoding each."""

    def __init__(self) -> None:
        self._before, self._after = encode(make_record(0)).split(b"0" * _ID)

    def body(self, number: int) -> bytes:
        """Return the body of a record."""
        return b"%s%s%s" % (self._before, f"{number:0{_ID}x}".encode(), self._after)
