"""Abstraction ladders: from a value to a phrase that is true of it and of many others."""

from privguard.replacements.ladders.abstractor import Ladders
from privguard.replacements.ladders.naming import Forbidden

__all__ = ["Forbidden", "Ladders"]
