"""One line of a batch file: a request of its own, read by the codec of the route that it names."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Kind, cut, encode, parse
from privguard.core.profile import Media
from privguard.core.segments import Segment
from privguard_adapters.wire import (
    openai_chat,
    openai_completions,
    openai_embeddings,
    openai_moderations,
    openai_responses,
)
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.codec import Codec
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.kept_names import rules_note
from privguard_adapters.wire.later import BACKGROUND
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.request import RequestView

OWN_ID = "custom_id"  # of the note on what the caller calls a line that left under another name
MAX_ID = 512  # code points of a custom_id
_SHOWN_ID = 64  # of one that leaves

_CODECS = (
    openai_chat.CODEC,
    openai_completions.CODEC,
    openai_embeddings.CODEC,
    openai_moderations.CODEC,
    openai_responses.RESPONSES,
)
_ROUTES = ("chat/completions", "completions", "embeddings", "moderations", "responses")
# Azure's batches name their routes without the version.
ENDPOINTS: Mapping[str, Codec] = {
    f"{start}/{route}": codec for start in ("/v1", "") for route, codec in zip(_ROUTES, _CODECS, strict=True)
}
_BY_NAME = {codec.name: codec for codec in _CODECS}
_FIELDS = frozenset({"custom_id", "method", "url", "body"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLine:
    """A line of a batch file as the guard sees it."""

    custom_id: str = field(repr=False)
    codec: Codec
    view: RequestView
    text: str = field(repr=False)
    extent: tuple[int, int]  # of the body within it
    id_extent: tuple[int, int]  # likewise, of the custom_id

    @property
    def id_check(self) -> Check | None:
        """Return what is looked at before the custom_id may leave, None where it may not: it is no identifier."""
        if len(self.custom_id) > _SHOWN_ID or not is_token(self.custom_id):
            return None
        return Check(label="custom_id", text=self.custom_id)

    def write(
        self, outgoing: Sequence[Segment], *, sent_id: str, note: bool = False, passed: Collection[Media] = ()
    ) -> bytes:
        """Write the line with its minimized segments; without change it keeps its bytes.

        Args:
            outgoing: the segments.
            sent_id: what leaves in the place of the custom_id.
            note: whether the note on placeholders goes along.
            passed: which parts leave unread.

        Raises:
            PlanError: the segments are not those of the line.
            UnknownContentError: a name cannot be written where it stands.
        """
        body = self.codec.write_request(self.view, outgoing, note=note, passed=passed).decode("utf-8")
        edits = {self.extent: body}
        if sent_id != self.custom_id:
            edits[self.id_extent] = encode(sent_id)
        line = cut(self.text, edits).encode("utf-8")
        if b"\n" in line:
            raise UnknownContentError("its body would take more than one line")
        return line


def read_line(raw: bytes) -> BatchLine:
    """Read a line of a batch file.

    Raises:
        UnknownContentError: it is no such line, or holds what cannot be minimized.
    """
    text = _decoded(raw)
    document = parse(text, _FIELDS)
    values = document.values()
    keys = {leaf.text for leaf in document.leaves if leaf.kind is Kind.KEY and len(leaf.path) == 1}
    extent = document.extents.get(("body",))
    if () not in document.extents or extent is None or keys != _FIELDS:
        raise UnknownContentError("it is no object of custom_id, method, url and body, the last an object itself")
    given = {name: leaf for name in _FIELDS if (leaf := values.get((name,))) and leaf.kind is Kind.STRING}
    texts = {name: leaf.text for name, leaf in given.items()}
    own, codec = given.get("custom_id"), ENDPOINTS.get(texts.get("url", ""))
    if own is None or not own.text or len(own.text) > MAX_ID:
        raise UnknownContentError(f"custom_id is no text of at most {MAX_ID} characters")
    if texts.get("method") != "POST" or codec is None:
        raise UnknownContentError(
            f"method and url are not POST and one of {', '.join(f'/v1/{each}' for each in _ROUTES)}"
        )
    view = codec.read_request(text[slice(*extent)].encode("utf-8"))
    if view.stream or view.later.joined or view.later.needs == BACKGROUND:
        raise UnknownContentError("stream, conversation and background have no place in a batch")
    return BatchLine(
        custom_id=own.text, codec=codec, view=view, text=text, extent=extent, id_extent=(own.start, own.end)
    )


def codec_named(name: str) -> Codec | None:
    """Return the codec that a line was read by."""
    return _BY_NAME.get(name)


def notes_of(codec: Codec, rules: ReplyRules, *, is_kept: bool) -> dict[str, str]:
    """Write down how the reply to a line is to be read.

    Args:
        codec: that of the line.
        rules: what the line means for its reply.
        is_kept: whether the provider keeps the reply, so that later requests may speak of it.
    """
    return {"codec": codec.name, **rules_note(rules, is_kept=is_kept)}


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start
    # Raised out here: the error at hand holds the line, and the context of an exception keeps it reachable.
    raise UnknownContentError(f"it is not UTF-8 at byte {start}")
