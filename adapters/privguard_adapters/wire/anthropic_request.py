"""The Messages API of Anthropic: where the structural places of a request are."""

from privguard.core.json_leaves import Kind, Leaf
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.headers import opens_door
from privguard_adapters.wire.layout import Layout
from privguard_adapters.wire.media import unsealed
from privguard_adapters.wire.messages_blocks import check_blocks, media_of, role_at
from privguard_adapters.wire.naming import Declaring


def _blocks(table: str) -> str:
    """Repeat places of a block for those of messages, and for those within them."""
    roots = ("messages.*.content.*", "messages.*.content.*.content.*", "messages.*.content.*.content")
    return " ".join([f"{root}.{place}" for root in roots for place in table.split()])


_TOKENS = patterns(
    """
    model container container.id container.skills.*.skill_id container.skills.*.version inference_geo workspace_id
    user_profile_id diagnostics.previous_message_id fallbacks.*.model tools.*.model tools.*.mcp_server_name
    tools.*.allowed_domains.* tools.*.blocked_domains.* mcp_servers.*.name mcp_servers.*.url
    mcp_servers.*.tool_configuration.allowed_tools.*
    """
    + _blocks(
        """
        id tool_use_id caller.tool_id server_name mcp_server_name toolset_name file_id source.file_id content.*.file_id
        from.model to.model
        """
    )
)
_IDENTIFIERS = patterns(
    """
    tools.*.name tool_choice.name messages.*.content.*.name context_management.edits.*.exclude_tools.*
    context_management.edits.*.clear_tool_inputs.* tools.*.url_sources.client_tool_results.tools.*.name
    tools.*.url_sources.server_tool_results.tools.*.name
    """
    + _blocks("tool_name tool_references.*.tool_name")
)
_WORDS = patterns(
    """
    service_tier speed thinking.type thinking.display thinking.block_binding.prefix_mismatch_behavior tool_choice.type
    output_config.effort output_config.format.type output_format.type cache_control.type cache_control.ttl
    system.*.type system.*.cache_control.type system.*.cache_control.ttl container.skills.*.type
    tools.*.type tools.*.allowed_callers.* tools.*.cache_control.type tools.*.cache_control.ttl tools.*.caching.type
    tools.*.caching.ttl tools.*.response_inclusion tools.*.user_location.type tools.*.url_sources.user_input.type
    tools.*.url_sources.client_tool_results.type tools.*.url_sources.server_tool_results.type
    tools.*.url_sources.client_tool_results.tools.*.type tools.*.url_sources.server_tool_results.tools.*.type
    mcp_servers.*.type context_management.edits.*.type context_management.edits.*.trigger.type
    context_management.edits.*.keep context_management.edits.*.keep.type
    context_management.edits.*.clear_at_least.type billing_policy.type billing_policy.bill_to fallback_credit_token.mode
    fallbacks fallbacks.*.speed fallbacks.*.thinking.type fallbacks.*.thinking.display fallbacks.*.output_config.effort
    messages.*.role messages.*.clear_at messages.*.output_config.effort
    """
    + _blocks(
        """
        type cache_control.type cache_control.ttl caller.type citations.*.type source.type source.media_type
        source.content.*.type source.content.*.cache_control.type source.content.*.cache_control.ttl
        content.*.type content.type content.source.type content.source.media_type error_code file_type
        tool_references.*.type trigger.type trigger.category
        """
    )
)
_OPTIONS = patterns(
    """
    max_tokens temperature top_p top_k thinking.budget_tokens output_config.task_budget.total
    output_config.task_budget.remaining tools.*.max_uses tools.*.max_tokens tools.*.max_content_tokens
    fallbacks.*.max_tokens
    """
)
_SEALS = patterns(
    "fallback_credit_token fallback_credit_token.token "
    + _blocks("signature data encrypted_content encrypted_stdout citations.*.encrypted_index")
)


def _apart(leaf: Leaf) -> Check | None:
    """Return what is looked at of a text that leaves as it is: what the provider sealed, and what opens MCP servers.

    What only stands in such a place is looked at like an id.

    Raises:
        UnknownContentError: what should be sealed can be read.
    """
    if leaf.kind is not Kind.STRING:
        return None
    pattern = leaf.pattern
    if pattern == ("mcp_servers", None, "authorization_token"):
        opens = opens_door(b"authorization", leaf.text.encode("utf-8", "replace"))
        return Check(label=leaf.label, text=leaf.text, opens=opens)
    if pattern in _SEALS:
        return Check(label=leaf.label, text=unsealed(leaf))
    return None


LAYOUT = Layout(
    tokens=_TOKENS,
    identifiers=_IDENTIFIERS,
    words=_WORDS,
    options=_OPTIONS,
    schemas=patterns("tools.*.input_schema output_config.format.schema output_format.schema"),
    declaring=Declaring(tools=patterns("tools.*.name"), output=("output_config", "format", "schema")),
    output_type=("output_config", "format", "type"),
    inspect=check_blocks,
    role=role_at,
    media=media_of,
    apart=_apart,
)
