"""What a codec is: how the request of one route is read and written, and how its reply comes back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from privguard.core.segments import Segment
from privguard_adapters.wire.replies import CHAT_REPLIES, Replies
from privguard_adapters.wire.request import Layout, RequestView, read_body, write_body

# Adds the note on placeholders to the body that was written of a request, where it helps.
AddNote: TypeAlias = Callable[[RequestView, Sequence[Segment], bytes], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """One route with content."""

    name: str  # as it stands in the audit record
    read_request: Callable[[bytes], RequestView]
    replies: Replies | None = CHAT_REPLIES  # None: a successful reply holds no text and passes unread
    add_note: AddNote | None = None  # None: the request has no place for instructions

    def write_request(self, view: RequestView, outgoing: Sequence[Segment], *, note: bool = False) -> bytes:
        """Write minimized segments in the place of the ones that were read, with the note where it is wanted.

        Raises:
            PlanError: the segments are not those of the view.
            UnknownContentError: a name cannot be written where it stands, or two keys would become one.
        """
        body = write_body(view, outgoing)
        return self.add_note(view, outgoing, body) if note and self.add_note is not None else body


def codec_of(
    name: str, layout: Layout, *, replies: Replies | None = CHAT_REPLIES, add_note: AddNote | None = None
) -> Codec:
    """Build the codec of a JSON route from its layout."""

    def read_request(raw: bytes) -> RequestView:
        return read_body(raw, layout)

    return Codec(name=name, read_request=read_request, replies=replies, add_note=add_note)
