"""The Responses API of OpenAI: requests.

What the provider keeps, it keeps as it left. Replies that come later, and those that speak of earlier ones, need a
vault; `docs/design/011-replies-of-the-responses-api.md` says why each is protected as it is.
"""

from collections.abc import Mapping
from typing import Any

from privguard.core.json_leaves import Kind, Leaf, Path
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.codec import Codec, codec_of
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.headers import opens_door
from privguard_adapters.wire.later import BACKGROUND, Later
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import unsealed
from privguard_adapters.wire.naming import Declaring
from privguard_adapters.wire.note import add_to_instructions
from privguard_adapters.wire.replies import Replies
from privguard_adapters.wire.responses_items import ROOTS, check_items, media_of, role_at
from privguard_adapters.wire.responses_reply import restore_response
from privguard_adapters.wire.responses_stream import ResponseEvents

CONVERSATION = "a conversation"
_OPAQUE = frozenset({"encrypted_content"})  # the provider's own, which goes back byte for byte


def _items(table: str) -> str:
    """Repeat places of an item for the items of a request and for those of a conversation."""
    return " ".join([f"{root}.*.{place}" for root in ROOTS for place in table.split()])


_TOKENS = patterns(
    """
    model previous_response_id conversation conversation.id prompt.id prompt.version moderation.model
    prompt_cache_options.comparison_response_id
    tools.*.server_label tools.*.server_url tools.*.connector_id tools.*.tunnel_id tools.*.vector_store_ids.*
    tools.*.allowed_tools.* tools.*.allowed_tools.tool_names.* tools.*.require_approval.always.tool_names.*
    tools.*.require_approval.never.tool_names.* tools.*.container tools.*.container.file_ids.*
    tools.*.environment.container_id tools.*.environment.file_ids.* tools.*.environment.skills.*.skill_id
    tools.*.environment.skills.*.version tools.*.filters.allowed_domains.*
    tools.*.container.network_policy.allowed_domains.* tools.*.environment.network_policy.allowed_domains.*
    tool_choice.server_label
    """
    + _items(
        """
        id call_id caller.caller_id approval_request_id container_id environment.container_id server_label
        content.*.file_id output.*.file_id results.*.file_id
        content.*.annotations.*.file_id content.*.annotations.*.container_id
        tools.*.server_label tools.*.server_url tools.*.vector_store_ids.*
        """
    )
)
_TOOL_NAMES = "tools.*.name tools.*.tools.*.name " + _items("tools.*.name tools.*.tools.*.name")
_IDENTIFIERS = patterns(
    f"{_TOOL_NAMES} tool_choice.name tool_choice.tools.*.name text.format.name " + _items("name namespace")
)
_WORDS = patterns(
    """
    service_tier truncation prompt_cache_retention prompt_cache_options.mode prompt_cache_options.ttl include.*
    reasoning.effort reasoning.summary reasoning.generate_summary reasoning.context reasoning.mode
    text.verbosity text.format.type moderation.policy.input.mode moderation.policy.output.mode
    background_options.completion_window tool_choice tool_choice.type tool_choice.mode tool_choice.tools.*.type
    tools.*.type tools.*.tools.*.type tools.*.allowed_callers.* tools.*.tools.*.allowed_callers.*
    tools.*.format.type tools.*.format.syntax tools.*.tools.*.format.type tools.*.tools.*.format.syntax
    tools.*.execution tools.*.search_context_size tools.*.search_content_types.* tools.*.user_location.type
    tools.*.require_approval tools.*.connector_id tools.*.ranking_options.ranker tools.*.filters.type
    tools.*.container.type tools.*.container.memory_limit tools.*.container.network_policy.type
    tools.*.environment.type tools.*.environment.memory_limit tools.*.environment.network_policy.type
    tools.*.environment.skills.*.type prompt.variables.type
    """
    + _items(
        """
        type role status phase content.*.type summary.*.type output.*.type outputs.*.type output.*.outcome.type
        content.*.annotations.*.type action.type operation.type caller.type execution environment.type error.type
        content.*.prompt_cache_breakpoint.mode content.*.prompt_cache_breakpoint.ttl action.sources.*.type
        tools.*.type tools.*.tools.*.type tools.*.allowed_callers.* tools.*.format.type tools.*.format.syntax
        """
    )
)
_OPTIONS = patterns("max_output_tokens max_tool_calls temperature top_p top_logprobs")
_SCHEMAS = patterns(
    "tools.*.parameters tools.*.output_schema tools.*.tools.*.parameters tools.*.tools.*.output_schema "
    "text.format.schema "
    + _items("tools.*.parameters tools.*.output_schema tools.*.input_schema tools.*.tools.*.parameters")
)


def _apart(leaf: Leaf) -> Check | None:
    """Return what is looked at of a text that leaves as it is: what the provider sealed, and what opens MCP servers.

    Raises:
        UnknownContentError: what should be sealed can be read.
    """
    if leaf.kind is not Kind.STRING:
        return None
    if leaf.path[-1] in _OPAQUE and leaf.path[0] in ROOTS and len(leaf.path) == 3:
        return Check(label=leaf.label, text=unsealed(leaf))
    if leaf.path[-1] == "authorization" and leaf.pattern == ("tools", None, "authorization"):
        opens = opens_door(b"authorization", leaf.text.encode())
        return Check(label=leaf.label, text=leaf.text, opens=opens)
    if leaf.pattern[:3] == ("tools", None, "headers") and len(leaf.path) == 4:
        name = str(leaf.path[3])
        opens = opens_door(name.lower().encode(), leaf.text.encode())
        return Check(label=leaf.label, text=leaf.text, key=name, opens=opens)
    return None


def _later(values: Mapping[Path, Leaf]) -> Later:
    """Return what a request to `responses` has to do with other replies."""

    def text(*path: str) -> str:
        leaf = values.get(path)
        return leaf.text if leaf is not None and leaf.kind is Kind.STRING else ""

    previous = text("previous_response_id")
    conversation = text("conversation") or text("conversation", "id")
    background, store = values.get(("background",)), values.get(("store",))
    spoken_of = "previous_response_id" if previous else "conversation" if conversation else ""
    return Later(
        earlier=tuple([each for each in (conversation, previous) if each]),
        joined=conversation,
        is_kept=store is None or store.text != "false",
        needs=BACKGROUND if background is not None and background.text == "true" else spoken_of,
    )


_SHARED: dict[str, Any] = {
    "tokens": _TOKENS,
    "identifiers": _IDENTIFIERS,
    "words": _WORDS,
    "options": _OPTIONS,
    "schemas": _SCHEMAS,
    "declaring": Declaring(
        tools=patterns(_TOOL_NAMES),
        output=("text", "format", "schema"),
        kinds=patterns("tools.*.type"),
    ),
    "output_type": ("text", "format", "type"),
    "inspect": check_items,
    "role": role_at,
    "media": media_of,
    "apart": _apart,
}


def _made(_values: Mapping[Path, Leaf]) -> Later:
    return Later(is_kept=True, needs=CONVERSATION)


REPLIES = Replies(whole=restore_response, events=ResponseEvents)
RESPONSES: Codec = codec_of(
    "openai.responses", Layout(**_SHARED, later=_later), replies=REPLIES, add_note=add_to_instructions
)
TOKENS: Codec = codec_of("openai.responses.input_tokens", Layout(**_SHARED), replies=None, add_note=add_to_instructions)
CONVERSATIONS: Codec = codec_of("openai.conversations", Layout(**_SHARED, later=_made), replies=REPLIES)
