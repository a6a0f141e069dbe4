"""What a codec is: how the request of one route is read and written, and how its reply comes back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privguard.core.segments import Segment
from privguard_adapters.wire.request import Layout, RequestView, read_body, write_body


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """One route with content."""

    name: str  # as it stands in the audit record
    read_request: Callable[[bytes], RequestView]
    write_request: Callable[[RequestView, Sequence[Segment]], bytes] = write_body
    restores_reply: bool = True  # False: a successful reply holds no text and passes unread


def codec_of(name: str, layout: Layout, *, restores_reply: bool = True) -> Codec:
    """Build the codec of a JSON route from its layout."""

    def read_request(raw: bytes) -> RequestView:
        return read_body(raw, layout)

    return Codec(name=name, read_request=read_request, restores_reply=restores_reply)
