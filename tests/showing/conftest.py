"""A guard made of fakes, and a report with everything that must be escaped."""

import pytest

from privguard.core.audit import Cause, Event, Match, RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.plan import Action
from privguard.core.profile import Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.showing.report import Part, Piece, Report, Row
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink

HOSTILE = "<script>alert('x')</script> & \"q\" [bold]m[/bold] \x1b[31m \u202e"
VALUES = {"Ada Roth": EntityType.PERSON, "<b>Eve</b>": EntityType.PERSON, "Zurich": EntityType.LOCATION}


@pytest.fixture
def hostile() -> Report:
    """Return a report whose every text is one that a page or a terminal would read."""
    row = Row(
        path=HOSTILE,
        kind=HOSTILE,
        action="REDACT",
        reason=HOSTILE,
        length=9,
        p_survive=0.5,
        leaves_as=HOSTILE,
        original=HOSTILE,
    )
    pieces = (Piece(text=HOSTILE), Piece(text=HOSTILE, action=Action.REDACT))
    events = (
        RestoreEvent(event=Event.RESTORED, path=HOSTILE, placeholder_id=HOSTILE, kind=HOSTILE, match=Match.EXACT),
        RestoreEvent(event=Event.REFUSED, path=HOSTILE, kind=HOSTILE, cause=Cause.URL),
        RestoreEvent(event=Event.FLAGGED, path=HOSTILE, kind=HOSTILE),
    )
    return Report(
        title=HOSTILE,
        facts=((HOSTILE, HOSTILE),),
        rows=(row,),
        parts=(Part(path=HOSTILE, sent=pieces, given=pieces),),
        events=events,
        footer=HOSTILE,
    )


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def guard(sink: ListSink) -> Guard:
    return Guard(
        Parts(
            detector=FakeDetector(VALUES),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5)),
            sink=sink,
            key=Key.from_text("correct horse battery staple"),
        )
    )
