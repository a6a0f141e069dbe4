"""Message batches: many requests that are sent together, and their replies, which come later and line by line."""

from collections.abc import Collection, Sequence
from functools import partial

from privguard.core.audit import Outcome
from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Document, Kind, Path, cut, decode, parse
from privguard.core.profile import Media
from privguard.core.segments import Channel, Segment
from privguard_adapters.batches import Results
from privguard_adapters.wire.anthropic_messages import CODEC, SIGNED_TEXTS
from privguard_adapters.wire.anthropic_reply import UNSEEN, Body, restore_message
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.exchanging import Restoring
from privguard_adapters.wire.fields import FIELD_NAMES, is_token
from privguard_adapters.wire.kept_names import rules_in
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.replies import Replies
from privguard_adapters.wire.reply import ReplyRules, read_reply
from privguard_adapters.wire.request import Part, RequestView, outgoing_of
from privguard_adapters.wire.signed import SignedTexts

NEEDS = "a message batch"
_FIELDS = frozenset({"requests", "custom_id", "params"})


def read_batch(raw: bytes) -> RequestView:
    """Read the requests of a batch, each by itself.

    Raises:
        UnknownContentError: the body is no batch, or one of its requests holds what cannot be minimized.
    """
    document = parse(decode(raw), FIELD_NAMES)
    values = document.values()
    _check_shape(document)
    parts: list[Part] = []
    while (extent := document.extents.get(("requests", len(parts), "params"))) is not None:
        name = values.get(("requests", len(parts), "custom_id"))
        if name is None or name.kind is not Kind.STRING or not name.text or not is_token(name.text):
            raise UnknownContentError(f"requests[{len(parts)}].custom_id is no identifier; nothing was sent")
        view = CODEC.read_request(document.text[slice(*extent)].encode("utf-8"))
        parts.append(Part(name=name.text, view=view, extent=extent))
    if not parts or len({part.name for part in parts}) < len(parts) or len(parts) != _count(document):
        raise UnknownContentError("the body is no batch of requests, each with a custom_id of its own")
    return RequestView(
        target=parts[0].view.target,
        stream=False,
        segments=tuple([segment for part in parts for segment in part.view.segments]),
        checks=tuple([check for number, part in enumerate(parts) for check in _checks(number, part)]),
        raw=raw,
        later=Later(is_kept=True, needs=NEEDS),
        parts=tuple(parts),
    )


def write_batch(view: RequestView, outgoing: Sequence[Segment], note: bool, passed: Collection[Media] = ()) -> bytes:
    """Write each request with its minimized segments.

    Raises:
        PlanError: the segments are not those of the view.
        UnknownContentError: a name cannot be written where it stands.
    """
    edits = {
        part.extent: CODEC.write_request(part.view, segments, note=note, passed=passed).decode("utf-8")
        for part, segments in outgoing_of(view, outgoing)
    }
    return cut(decode(view.raw), edits).encode("utf-8")


def restore_created(text: str, exchange: Restoring, rules: ReplyRules) -> str:
    """Take the id of a batch: it holds no text, but an error may."""
    document = read_reply(text)
    if document is None:
        return exchange.restore(text, Channel.JSON, "reply", view=UNSEEN)
    body = Body(document, exchange, rules, view=UNSEEN)
    if body.string("type") == "message_batch":
        rules.bind(body.string("id"))
        return text
    body.restore()
    return body.text()


def restore_results(text: str, exchange: Restoring, _rules: ReplyRules, signed: SignedTexts) -> str:
    """Restore the replies to a batch, a line each, every one with the values of its own request."""
    return "\n".join([_restore_line(line, exchange, signed) for line in text.split("\n")])


def _restore_line(line: str, exchange: Restoring, signed: SignedTexts) -> str:
    document = read_reply(line) if line.strip() else None
    name = document.values().get(("custom_id",)) if document is not None else None
    own = exchange.each(name.text) if isinstance(exchange, Results) and name is not None else None
    if own is None:
        return exchange.restore(line, Channel.JSON, "reply", view=UNSEEN) if line.strip() else line
    rules, _ = rules_in(own.notes)
    restored = restore_message(line, own, rules, signed)
    own.close(Outcome.DONE)
    return restored


def _check_shape(document: Document) -> None:
    """Refuse fields beside those of a batch: they would belong to no request."""
    for leaf in document.leaves:
        shape = tuple([step for step in leaf.path if isinstance(step, str)])
        if leaf.kind is Kind.KEY and "params" not in shape[:-1] and leaf.text not in _FIELDS:
            raise UnknownContentError(f"{leaf.label} is no field of a batch that is known; nothing was sent")


def _count(document: Document) -> int:
    paths: set[Path] = {path[:2] for path in document.extents if path[:1] == ("requests",) and len(path) > 1}
    paths |= {leaf.path[:2] for leaf in document.leaves if leaf.path[:1] == ("requests",) and len(leaf.path) > 1}
    return len(paths)


def _checks(number: int, part: Part) -> list[Check]:
    own = Check(label=f"requests[{number}].custom_id", text=part.name)
    return [own, *part.view.checks]


BATCH_CODEC = Codec(
    name="anthropic.batches",
    read_request=read_batch,
    replies=Replies(whole=restore_created),
    write=write_batch,
)
RESULTS_CODEC = Codec(
    name="anthropic.batches.results",
    read_request=read_batch,
    replies=Replies(whole=partial(restore_results, signed=SIGNED_TEXTS)),
)
