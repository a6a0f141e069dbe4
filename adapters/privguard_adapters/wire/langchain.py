"""The routes of what LangChain calls: chat models, embeddings and retrievers.

No HTTP is involved: the documents that `langchain_requests` writes pass the gate as bodies do. They have the shape of
chat completions, with fields of their own for what only LangChain has.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from privguard.core.errors import UnknownContentError, UnprotectedRouteError
from privguard.core.json_leaves import Kind, Leaf, Path
from privguard.core.segments import Role, Segment
from privguard_adapters.wire import openai_chat
from privguard_adapters.wire.anthropic_messages import SIGNED_TEXTS
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.cited import citing_rules
from privguard_adapters.wire.codec import Codec, codec_of
from privguard_adapters.wire.fields import FIELD_NAMES, Use, is_known_word, patterns
from privguard_adapters.wire.langchain_blocks import DOCUMENTS, media_of
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import check_no_token_ids, check_parts, unsealed
from privguard_adapters.wire.note import add_to_messages
from privguard_adapters.wire.replies import Replies
from privguard_adapters.wire.request import RequestView, read_body
from privguard_adapters.wire.routes import Api, Route

BASE_URL = "langchain://model"
CREDENTIALS = "credentials"  # among the settings: what opens doors
_SETTINGS = "settings"


def _blocks(table: str) -> str:
    """Repeat places of a block for those of messages, and for those within them."""
    roots = ("", ".value", ".content.*", ".source.content.*")
    return " ".join([f"messages.*.content.*{root}.{place}" for root in roots for place in table.split()])


_TOKENS = patterns(
    """
    messages.*.id messages.*.additional_kwargs.tool_calls.*.id messages.*.additional_kwargs.audio.id
    messages.*.response_metadata.id
    """
    + _blocks(
        """
        id call_id tool_use_id item_id tool_call_id container_id approval_request_id
        file_id file.file_id source.file_id
        """
    )
)
_IDENTIFIERS = patterns(
    """
    messages.*.additional_kwargs.tool_calls.*.function.name messages.*.additional_kwargs.function_call.name
    """
    + _blocks("function.name custom.name")
)
_WORDS = patterns(
    """
    messages.*.additional_kwargs.__openai_role__ messages.*.additional_kwargs.tool_calls.*.type
    """
    + _blocks("type cache_control.type cache_control.ttl mime_type source_type source.type source.media_type")
)
# Docs: design/012-what-is-signed.md.
_SEALED_WORDS = """
    signature thought_signature thoughtSignature encrypted_content encrypted_index encrypted_stdout
"""
_SEALED = frozenset(_SEALED_WORDS.split())
_SIGNATURES = "__gemini_function_call_thought_signatures__"  # of calls, by their ids
_THOUGHT = re.compile(r"messages\[([0-9]+)\]\.content\[([0-9]+)\]\.(thinking|reasoning)(?:\.\$.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout(Layout):
    def use(self, leaf: Leaf, role: Role) -> Use:
        """Say what a leaf is. What is set on the model leaves beside the document, and is only looked at."""
        return Use.OPTION if leaf.path[:1] == (_SETTINGS,) else Layout.use(self, leaf, role)


def _inspect_chat(values: Mapping[Path, Leaf]) -> None:
    check_parts(values, "prediction")  # those of the messages were looked at when they were shown


def _inspect_input(values: Mapping[Path, Leaf]) -> None:
    check_no_token_ids(values, "input")


def _input_role(path: Path, _values: Mapping[Path, Leaf]) -> Role:
    return Role.USER if path[0] == "input" else Role.OTHER


def _sealed(leaf: Leaf) -> Check | None:
    """Return what is looked at of what a provider signed or encrypted, which leaves as it is."""
    is_message = leaf.path[0] == "messages" and leaf.kind is Kind.STRING
    is_data = leaf.pattern == ("messages", None, "content", None, "data")
    if not is_message or not (is_data or leaf.path[-1] in _SEALED or _SIGNATURES in leaf.path[-2:-1]):
        return None
    return Check(label=leaf.label, text=unsealed(leaf))


def _settle(view: RequestView, outgoing: Sequence[Segment]) -> list[Segment]:
    """Return what leaves: what a model thought as it came, everything else minimized."""
    pairs = zip(view.segments, outgoing, strict=True)
    return [new if new.text == old.text else _settled(view, old, new) for old, new in pairs]


def _settled(view: RequestView, old: Segment, new: Segment) -> Segment:
    thought = _THOUGHT.fullmatch(old.path)
    if thought is None:
        return new
    block = ("messages", int(thought[1]), "content", int(thought[2]))
    signature = _text(view, (*block, "signature")) or _text(view, (*block, "extras", "signature"))
    if not signature or SIGNED_TEXTS.knows(new.text, signature):
        return new
    if SIGNED_TEXTS.knows(_text(view, (*block, thought[3])), signature):
        return old
    raise UnknownContentError(
        f"{old.path} holds something that would be replaced, its signature allows no change, and it did not come "
        "through this process; leave the block out"
    )


def _text(view: RequestView, path: Path) -> str:
    leaf = view.nodes[0].document.values().get(path)
    return leaf.text if leaf is not None and leaf.kind is Kind.STRING else ""


_chat = openai_chat.LAYOUT
_CHAT = _Layout(
    tokens=_chat.tokens | _TOKENS,
    identifiers=_chat.identifiers | _IDENTIFIERS,
    words=_chat.words | _WORDS,
    options=_chat.options,
    names=_chat.names,
    schemas=_chat.schemas,
    inspect=_inspect_chat,
    role=_chat.role,
    media=media_of,
    apart=_sealed,
)
_INPUT = _Layout(tokens=patterns("model"), inspect=_inspect_input, role=_input_role)
_REPLIES = Replies(tells_end=False)  # models of any make have nothing that all of them say at the end


def _codec(name: str, layout: Layout, model: Codec) -> Codec:
    def read_request(raw: bytes) -> RequestView:
        view = read_body(raw, layout)
        return replace(view, checks=(*view.checks, *_settings(view)))

    return replace(model, name=name, read_request=read_request)


def _settings(view: RequestView) -> list[Check]:
    """Return what was set on the model, but fixed words: it leaves with every call, and cannot be minimized."""
    return [
        Check(
            label="a setting of the model",
            text=leaf.text,
            chosen=path[1] == "model",
            key=str(path[1]),
            opens=path[1] == CREDENTIALS,
        )
        for path, leaf in view.nodes[0].document.values().items()
        if path[0] == _SETTINGS and leaf.text not in FIELD_NAMES and not is_known_word(leaf.text)
    ]


_ROUTES = {
    "chat": replace(
        _codec("langchain.chat", _CHAT, codec_of("", _CHAT, replies=_REPLIES, add_note=add_to_messages)),
        settle=_settle,
        rules=partial(citing_rules, kinds=DOCUMENTS),
    ),
    "embeddings": _codec("langchain.embeddings", _INPUT, codec_of("", _INPUT, replies=None)),
    "retriever": _codec("langchain.retriever", _INPUT, codec_of("", _INPUT)),
}


def _find_route(_method: str, path: str, _base_path: str) -> Route:
    codec = _ROUTES.get(path.strip("/"))
    if codec is None:
        raise UnprotectedRouteError("there is no such call of a LangChain model; nothing was sent")
    return Route(name=codec.name, codec=codec)


def _route_name(_method: str, path: str, _base_path: str) -> str:
    name = path.strip("/")
    return f"langchain.{name}" if name in _ROUTES else "langchain"


LANGCHAIN = Api(find_route=_find_route, route_name=_route_name)
