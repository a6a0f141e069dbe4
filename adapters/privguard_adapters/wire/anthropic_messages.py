"""The routes of the Messages API.

What the model thinks came signed, and goes back as it came: `docs/design/012-what-is-signed.md` says what becomes of it
where a plan would change it.
"""

import re
from collections.abc import Sequence
from functools import partial

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Path
from privguard.core.segments import Segment
from privguard_adapters.wire.anthropic_reply import restore_message
from privguard_adapters.wire.anthropic_request import LAYOUT
from privguard_adapters.wire.anthropic_stream import MessageEvents
from privguard_adapters.wire.cited import citing_rules
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.note import add_to_system
from privguard_adapters.wire.replies import Replies
from privguard_adapters.wire.request import RequestView, read_body
from privguard_adapters.wire.signed import SignedTexts

_THOUGHT = re.compile(r"messages\[([0-9]+)\]\.content\[([0-9]+)\]\.thinking(?:\.\$.*)?", re.DOTALL)
# Of all clients of this process: whoever sends a text back that came signed tells the provider nothing new.
SIGNED_TEXTS = SignedTexts()


def settle_thoughts(view: RequestView, outgoing: Sequence[Segment], signed: SignedTexts) -> list[Segment]:
    """Return what leaves: what the model thought as it came, everything else minimized.

    Raises:
        UnknownContentError: a text with a signature would be changed, and nobody knows that it came so.
    """
    settled: list[Segment] = []
    for old, new in zip(view.segments, outgoing, strict=True):
        thought = _THOUGHT.fullmatch(old.path) if new.text != old.text else None
        block = ("messages", int(thought[1]), "content", int(thought[2])) if thought is not None else ()
        signature = _text(view, (*block, "signature")) if block and _text(view, (*block, "type")) == "thinking" else ""
        if signature and not signed.knows(_text(view, (*block, "thinking")), signature):
            raise UnknownContentError(
                f"{old.path} holds something that would be replaced, its signature allows no change, and it did not "
                "come through this process; leave the block out"
            )
        settled.append(old if signature else new)
    return settled


def _text(view: RequestView, path: Path) -> str:
    leaf = view.nodes[0].document.values().get(path)
    return leaf.text if leaf is not None else ""


def _read(raw: bytes) -> RequestView:
    return read_body(raw, LAYOUT)


CODEC = Codec(
    name="anthropic.messages",
    read_request=_read,
    replies=Replies(
        whole=partial(restore_message, signed=SIGNED_TEXTS),
        events=partial(MessageEvents, signed=SIGNED_TEXTS),
    ),
    add_note=add_to_system,
    settle=partial(settle_thoughts, signed=SIGNED_TEXTS),
    rules=citing_rules,
)
COUNT_CODEC = Codec(
    name="anthropic.count_tokens",
    read_request=_read,
    replies=None,
    add_note=add_to_system,
    settle=partial(settle_thoughts, signed=SIGNED_TEXTS),
)
