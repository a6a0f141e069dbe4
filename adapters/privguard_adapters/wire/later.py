"""What a request has to do with replies that come later: those that it speaks of, and its own."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """What the provider keeps of a request, and what it is told of earlier ones. Without a vault some of it is refused.

    References are ids of the provider, under which the vault keeps the values of a request.
    """

    earlier: tuple[str, ...] = field(default=(), repr=False)  # of which the reply may speak, the oldest first
    joined: str = field(default="", repr=False)  # of what the values are added to, "" for nothing
    is_kept: bool = False  # whether the provider keeps the reply, so that it may be asked for, or spoken of, again
    needs: str = ""  # what of the request cannot be served without a vault, as it may be shown; "" for nothing
