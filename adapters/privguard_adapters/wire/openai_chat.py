"""The chat completions route.

Log probabilities of a choice whose text was restored become null: their tokens no longer add up to the text. In a
stream that holds for each chunk whose text changed.
"""

from collections.abc import Mapping

from privguard.core.json_leaves import Leaf, Path
from privguard_adapters.wire.codec import codec_of
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.layout import Layout, message_role
from privguard_adapters.wire.media import Medium, check_parts, media_in
from privguard_adapters.wire.note import add_to_messages

_TOKENS = patterns(
    """
    model audio.voice.id moderation.model
    messages.*.tool_call_id messages.*.audio.id messages.*.tool_calls.*.id
    """
)
_IDENTIFIERS = patterns(
    """
    messages.*.function_call.name messages.*.tool_calls.*.function.name messages.*.tool_calls.*.custom.name
    tools.*.function.name tools.*.custom.name functions.*.name
    tool_choice.function.name tool_choice.custom.name
    tool_choice.allowed_tools.tools.*.function.name tool_choice.allowed_tools.tools.*.custom.name
    function_call.name response_format.json_schema.name
    """
)
_WORDS = patterns(
    """
    service_tier reasoning_effort verbosity modalities.* audio.format audio.voice prompt_cache_retention
    prompt_cache_options.mode prompt_cache_options.ttl
    moderation.policy.input.mode moderation.policy.output.mode
    web_search_options.search_context_size web_search_options.user_location.type
    messages.*.role messages.*.content.*.type messages.*.tool_calls.*.type
    messages.*.content.*.prompt_cache_breakpoint.mode messages.*.content.*.prompt_cache_breakpoint.ttl
    tools.*.type tools.*.custom.format.type tools.*.custom.format.grammar.syntax
    tool_choice tool_choice.type tool_choice.allowed_tools.mode tool_choice.allowed_tools.tools.*.type
    function_call response_format.type prediction.type prediction.content.*.type
    """
)
_OPTIONS = patterns(
    """
    frequency_penalty presence_penalty temperature top_p n seed max_tokens max_completion_tokens top_logprobs
    top_k min_p repetition_penalty
    """
)
_SCHEMAS = patterns("tools.*.function.parameters functions.*.parameters response_format.json_schema.schema")


def _inspect(values: Mapping[Path, Leaf]) -> None:
    check_parts(values, "messages", media=True)
    check_parts(values, "prediction")


def _media(values: Mapping[Path, Leaf]) -> Mapping[Path, Medium]:
    return media_in(values, ("messages", None, "content", None, "type"))


LAYOUT = Layout(
    tokens=_TOKENS,
    identifiers=_IDENTIFIERS,
    words=_WORDS,
    options=_OPTIONS,
    names=patterns("messages.*.name"),
    schemas=_SCHEMAS,
    inspect=_inspect,
    media=_media,
    role=message_role,
)
CODEC = codec_of("openai.chat.completions", LAYOUT, add_note=add_to_messages)
