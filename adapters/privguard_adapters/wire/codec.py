"""What a codec is: how the request of one route is read and written, and how its reply comes back."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Media
from privguard.core.segments import Segment
from privguard_adapters.wire.identifiers import Renamed
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.replies import CHAT_REPLIES, Replies
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.request import RequestView, read_body, write_body
from privguard_adapters.wire.rules import reply_rules

# Adds the note on placeholders to the body that was written of a request, where it helps.
AddNote: TypeAlias = Callable[[RequestView, Sequence[Segment], bytes], bytes]
# Writes minimized segments in the place of the ones that were read, with the note where it is wanted, and with the
# parts that leave unread.
Write: TypeAlias = Callable[[RequestView, Sequence[Segment], bool, Collection[Media]], bytes]
# Says what leaves in the place of minimized segments that stand where nothing may be changed.
Settle: TypeAlias = Callable[[RequestView, Sequence[Segment]], Sequence[Segment]]
# Says what a request means for its reply, by its names and its segments as they have left.
MakeRules: TypeAlias = Callable[[RequestView, Renamed, Sequence[Segment]], ReplyRules]


def _rules(view: RequestView, renamed: Renamed, _outgoing: Sequence[Segment]) -> ReplyRules:
    return reply_rules(view, renamed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """One route with content."""

    name: str  # as it stands in the audit record
    read_request: Callable[[bytes], RequestView]
    replies: Replies | None = CHAT_REPLIES  # None: a successful reply holds no text and passes unread
    add_note: AddNote | None = None  # None: the request has no place for instructions
    settle: Settle | None = None  # None: every text of the request may be changed
    rules: MakeRules = _rules
    write: Write | None = None  # None: the request is one document, and its segments stand in it

    def write_request(
        self, view: RequestView, outgoing: Sequence[Segment], *, note: bool = False, passed: Collection[Media] = ()
    ) -> bytes:
        """Write minimized segments in the place of the ones that were read, with the note where it is wanted.

        Args:
            view: the request as it was read.
            outgoing: its minimized segments.
            note: whether the note goes along.
            passed: which parts leave unread; where the request holds others, it does not leave.

        Raises:
            PlanError: the segments are not those of the view.
            UnknownContentError: a name cannot be written where it stands, or two keys would become one.
        """
        if self.write is not None:
            return self.write(view, outgoing, note, passed)
        for medium in view.media:
            if not medium.may_leave(passed):
                raise UnknownContentError(medium.refusal())
        if self.settle is not None:
            outgoing = self.settle(view, outgoing)
        body = write_body(view, outgoing)
        return self.add_note(view, outgoing, body) if note and self.add_note is not None else body


def codec_of(
    name: str, layout: Layout, *, replies: Replies | None = CHAT_REPLIES, add_note: AddNote | None = None
) -> Codec:
    """Build the codec of a JSON route from its layout."""

    def read_request(raw: bytes) -> RequestView:
        return read_body(raw, layout)

    return Codec(name=name, read_request=read_request, replies=replies, add_note=add_note)
