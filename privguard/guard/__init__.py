"""The pure life of one request."""

from privguard.guard.begin import Guard, Parts
from privguard.guard.context import profile_in_force, use
from privguard.guard.exchange import Exchange, ExchangeStream

__all__ = ["Exchange", "ExchangeStream", "Guard", "Parts", "profile_in_force", "use"]
