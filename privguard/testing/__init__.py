"""Fakes, canaries and a scripted model server, for the tests of privguard and for those of its users."""

from privguard.testing.canary import Canary, all_canaries, values_of
from privguard.testing.fakes import (
    FailingDetector,
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    FixedClock,
    ListSink,
)
from privguard.testing.found import Found, find_placeholders
from privguard.testing.leaks import Leak, find_canaries
from privguard.testing.letter import draft_letter
from privguard.testing.mangling import Mangle, mangle_placeholders
from privguard.testing.recorded import Recorded
from privguard.testing.replies import Reply
from privguard.testing.said import Said, Speaker, ToolUse
from privguard.testing.server import ModelServer
from privguard.testing.speakers import assist, call_tool, echo, echo_placeholders, say, structured

__all__ = [
    "Canary",
    "FailingDetector",
    "FakeAbstractor",
    "FakeDetector",
    "FakeNeed",
    "FakeProfiles",
    "FixedClock",
    "Found",
    "Leak",
    "ListSink",
    "Mangle",
    "ModelServer",
    "Recorded",
    "Reply",
    "Said",
    "Speaker",
    "ToolUse",
    "all_canaries",
    "assist",
    "call_tool",
    "draft_letter",
    "echo",
    "echo_placeholders",
    "find_canaries",
    "find_placeholders",
    "mangle_placeholders",
    "say",
    "structured",
    "values_of",
]
