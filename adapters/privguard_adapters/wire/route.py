"""A route that may be used."""

from dataclasses import dataclass, field

from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.request import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route that may be used."""

    name: str
    codec: Codec | None = None  # None: nothing of the caller's stands in request or reply
    checks: tuple[Check, ...] = ()  # ids in the path
    later: Later = field(default_factory=Later)  # what the path has to do with other replies
