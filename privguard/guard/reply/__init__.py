"""Values that the model itself brings: found in a reply that R has restored, flagged or hidden."""

from privguard.guard.reply.judging import Extent, Judge, Judges, Look
from privguard.guard.reply.screening import Screen
from privguard.guard.reply.sent import Sent

__all__ = ["Extent", "Judge", "Judges", "Look", "Screen", "Sent"]
