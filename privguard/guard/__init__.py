"""The pure life of one request."""

from privguard.guard.begin import Guard
from privguard.guard.context import profile_in_force, use
from privguard.guard.exchange import Exchange
from privguard.guard.life import ExchangeStream
from privguard.guard.parts import Parts

__all__ = ["Exchange", "ExchangeStream", "Guard", "Parts", "profile_in_force", "use"]
