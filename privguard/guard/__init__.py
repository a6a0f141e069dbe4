"""The pure life of one request."""

from privguard.guard.begin import Guard
from privguard.guard.context import conversation, conversation_in_force, profile_in_force, use
from privguard.guard.exchange import Exchange
from privguard.guard.life import ExchangeStream
from privguard.guard.parts import Parts
from privguard.guard.tracing import Content, Trace, Watch, expect_trace, last_trace, watched

__all__ = [
    "Content",
    "Exchange",
    "ExchangeStream",
    "Guard",
    "Parts",
    "Trace",
    "Watch",
    "conversation",
    "conversation_in_force",
    "expect_trace",
    "last_trace",
    "profile_in_force",
    "use",
    "watched",
]
