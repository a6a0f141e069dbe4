"""What a request has to do with replies that come later: those that it speaks of, and its own."""

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

BACKGROUND = "background = true"
_LONGEST_NUMBER = 18  # digits; no stream has so many events, and Python refuses to read thousands of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """What the provider keeps of a request, and what it is told of earlier ones. Without a vault some of it is refused.

    References are ids of the provider, under which the vault keeps the values of a request.
    """

    earlier: tuple[str, ...] = field(default=(), repr=False)  # of which the reply may speak, the oldest first
    joined: str = field(default="", repr=False)  # of what the values are added to, "" for nothing
    is_kept: bool = False  # whether the provider keeps the reply, so that it may be asked for, or spoken of, again
    reopened: str = field(default="", repr=False)  # whose values the reply holds, "" where a request comes with them
    each: bool = False  # whether several replies come together, each with values of its own
    needs: str = ""  # what of the request cannot be served without a vault, as it may be shown; "" for nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """A request for a reply that is kept."""

    url: str = field(repr=False)
    streams: bool = False
    after: int | None = None  # the number of the last event that the caller has


def resumed(url: str) -> Resumed:
    """Return how a kept reply is asked for.

    A stream is read from its start, whatever the caller has of it: a text that is cut before a placeholder ends could
    not be restored, and the numbers of events are those that the caller knows.
    """
    parts = urlsplit(url)
    options = parse_qsl(parts.query, keep_blank_values=True)
    values = dict(options)
    after, streams = values.get("starting_after", ""), values.get("stream") == "true"
    if not (after.isascii() and after.isdigit() and len(after) <= _LONGEST_NUMBER):
        return Resumed(url=url, streams=streams)
    query = urlencode([(name, value) for name, value in options if name != "starting_after"])
    return Resumed(
        url=urlunsplit(parts._replace(query=query)), streams=values.get("stream") == "true", after=int(after)
    )
