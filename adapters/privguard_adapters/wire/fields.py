"""What the fields of a request may hold: the tables and the syntax that every codec of the wire shares.

Deny by default: a string is content unless a codec lists its place as structural, and a key is content unless it is a
field name of some API. A field name is a fixed word, so it may stand anywhere, paths included.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto

from privguard.core.json_leaves import Pattern, plain_number
from privguard.core.placeholders import ALPHABET, MAX_ID, MIN_ID
from privguard.core.segments import Role
from privguard_adapters.wire.block_names import OF_CALLERS, OF_MODELS, WITHIN


class Use(Enum):
    """What a leaf is to the codec."""

    CONTENT = auto()  # text to minimize
    SCHEMA = auto()  # text of a JSON schema
    NAME = auto()  # content in a place that allows letters, digits, `_`, `.` and `-` only
    IDENTIFIER = auto()  # a name that a program chose, and that other places or the reply repeat
    REFERENCE = auto()  # a path, or a pointer, of such names
    PATTERN = auto()  # an expression that such names match: content that must not change
    TOKEN = auto()  # an identifier: strict syntax, scanned, never changed
    WORD = auto()  # a word that the provider defines; any other word is content
    FIXED = auto()  # a number that cannot become a string: scanned when it is long, never changed
    OPTION = auto()  # a short number at a known place, true, false or null


ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}

_WORDS = """
    role content name text type refusal audio id data format voice image_url url detail input_audio file file_id
    file_data filename tool_calls function arguments custom input function_call tool_call_id
    reasoning_content reasoning thinking prefix
    model messages prompt suffix echo best_of input encoding_format dimensions
    frequency_penalty functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation
    policy output mode n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options ttl
    prompt_cache_breakpoint prompt_cache_retention reasoning_effort response_format json_schema schema strict
    safety_identifier seed service_tier stop store stream stream_options include_usage include_obfuscation temperature
    tool_choice allowed_tools tools top_logprobs top_p user verbosity web_search_options search_context_size
    user_location approximate city country region timezone
    description parameters grammar definition syntax
    top_k min_p typical_p repetition_penalty length_penalty min_tokens stop_token_ids ignore_eos best_of use_beam_search
    skip_special_tokens guided_json guided_regex guided_choice guided_grammar chat_template_kwargs enable_thinking
    documents num_ctx keep_alive options thinking budget_tokens provider transforms models route
    choices index message delta finish_reason created object system_fingerprint usage prompt_tokens completion_tokens
    total_tokens prompt_tokens_details completion_tokens_details cached_tokens reasoning_tokens annotations
    url_citation title start_index end_index transcript expires_at token bytes logprob obfuscation error message param
    code reasoning_details signature encrypted_content thought_signature warning warnings
    $schema $ref $id $defs $anchor $comment $dynamicRef $dynamicAnchor $vocabulary definitions properties
    patternProperties additionalProperties propertyNames required items prefixItems additionalItems contains
    minContains maxContains uniqueItems minItems maxItems anyOf oneOf allOf not if then else dependentSchemas
    dependentRequired dependencies unevaluatedItems unevaluatedProperties enum const default examples example minimum
    maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minProperties maxProperties
    contentEncoding contentMediaType contentSchema readOnly writeOnly deprecated nullable discriminator propertyName
    mapping propertyOrdering
"""
# Likewise, of the Responses API: requests, replies and events.
_RESPONSES_WORDS = """
    access_programs acknowledged_safety_checks action actions allowed_callers allowed_domains always annotation
    annotation_index approval_request_id approve async attributes authorization background background_options button
    call_id caller caller_id categories command command_index commands compact_threshold comparison_response_id
    completed_at completion_window complexity connector_id container container_id content_index context
    context_management conversation created_at created_by cyber defer_loading diff display_height display_width domain
    domain_secrets effort embedding_weight encrypted_content env environment execution exit_code external_web_access
    file_ids file_url filters fingerprint frame_count frame_duration_ms generate_summary headers hybrid_search image
    include incomplete_details input_fidelity input_image_mask input_schema input_tokens input_tokens_details
    instructions item item_id key keys last_id first_id has_more logs max_num_results max_output_length
    max_output_tokens max_tool_calls media_type memory_limit moderation_details moderation_stage namespace
    network_policy never operation outcome output_compression output_format output_index output_schema output_tokens
    output_tokens_details outputs part partial_image_b64 partial_image_index partial_images path pending_safety_checks
    personality phase previous_response_id quality queries query ranker ranking_options read_only reason
    require_approval response result results revised_prompt score score_threshold scroll_x scroll_y search_content_types
    sequence_number server_description server_label server_url size skill_id skills source sources status stderr stdout
    summary summary_index svg svg_usage text_weight timeout_ms tool_names tool_usage truncation tunnel_id value
    variables vector_store_ids version working_directory x y
"""
# Likewise, of the Messages API.
_MESSAGES_WORDS = """
    allowed_callers allowed_domains authorization_token betas bill_to billing_policy block_binding blocked_domains
    cache_control caching caller char_location citation citations cited_text clear_at clear_at_least clear_tool_inputs
    compaction configs container content_block context context_management custom_id default_config defer_loading
    diagnostics disable_parallel_tool_use display display_height_px display_number display_width_px document_index
    document_title eager_input_streaming edits enable_zoom enabled encrypted_index encrypted_stdout end_block_index
    end_char_index end_page_number error_code error_message exclude_tools explanation fallback_credit_token fallbacks
    file_type from inference_geo input_examples instructions is_error is_file_update keep lines max_characters
    max_content_tokens max_uses mcp_server_name mcp_servers media_type new_lines new_start num_lines old_lines old_start
    oversized_image output_config page_age partial_json pause_after_compaction prefix_mismatch_behavior
    previous_message_id remaining requests response_inclusion retrieved_at return_code search_result_index server_name
    skills source speed start_block_index start_char_index start_line start_page_number stderr stdout stop_details
    stop_reason stop_sequence stop_sequences system task_budget thread to tool tool_choice tool_configuration tool_id
    tool_name tool_references tool_use_id toolset_name total total_lines transformations trigger url_sources use_cache
    user_id user_input user_profile_id workspace_id client_tool_results server_tool_results
"""
# Likewise, of LangChain's messages.
_LANGCHAIN_WORDS = """
    additional_kwargs args base64 extra extras mime_type response_metadata source_type __openai_role__ page_content
    __gemini_function_call_thought_signatures__
"""
FIELD_NAMES = frozenset((_WORDS + _RESPONSES_WORDS + _MESSAGES_WORDS + _LANGCHAIN_WORDS).split())

# Values that providers define. They are fixed words, so they need no scan.
_PROVIDER_WORDS = """
    system developer user assistant tool function text refusal custom auto none required json_object json_schema
    json grammar lark regex low medium high minimal xhigh max default flex scale priority fast in_memory 24h 30m 12h
    implicit explicit audio approximate content allowed_tools score block concise detailed short long
    float base64 wav mp3 flac opus pcm16 aac alloy ash ballad coral echo fable nova onyx sage shimmer verse marin cedar
    object array string number integer boolean null true false
    date date-time time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference
    uuid json-pointer relative-json-pointer byte binary password int32 int64 double
    disabled enabled
"""
_RESPONSES_VALUES = """
    image_url input_audio input_image input_file
    message input_text output_text summary_text reasoning_text function_call function_call_output custom_tool_call
    custom_tool_call_output reasoning web_search_call file_search_call code_interpreter_call local_shell_call
    local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output tool_search_call
    tool_search_output additional_tools mcp_list_tools mcp_approval_request mcp_approval_response mcp_call
    in_progress completed incomplete failed queued searching calling interpreting cancelled
    commentary final_answer web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11
    file_search code_interpreter mcp shell local_shell apply_patch tool_search namespace
    search open_page find_in_page url exec logs exit timeout direct programmatic program client server local
    container_auto container_reference url_citation file_citation container_file_citation file_path
    create_file update_file delete_file always never current_turn all_turns standard pro ultrafast
    mcp_protocol_error mcp_tool_execution_error http_error
    file_search_call.results web_search_call.results web_search_call.action.sources reasoning.encrypted_content
    code_interpreter_call.outputs message.output_text.logprobs
    connector_dropbox connector_gmail connector_googlecalendar connector_googledrive connector_microsoftteams
    connector_outlookcalendar connector_outlookemail connector_sharepoint
    eq ne gt gte lt lte in nin and or 1g 4g 16g 64g 2h 8h default-2024-11-15
"""
_MESSAGES_VALUES = """
    compaction container_upload image source base64 text/plain
    char_location page_location content_block_location search_result_location web_search_result_location
    ephemeral 5m 1h any standard_only adaptive between_tools summarized omitted updates error drop_block summarize
    next_user_message anthropic excluded full only except all billing_policy self user_profile tokens
    clear_tool_uses_20250919 clear_thinking_20251015 compact_20260112 input_tokens tool_uses thinking_turns
    code_execution_20250522 code_execution_20250825 code_execution_20260120 code_execution_20260521
    bash_20241022 bash_20250124 text_editor_20241022 text_editor_20250124 text_editor_20250429 text_editor_20250728
    computer_20241022 computer_20250124 computer_20251124 computer_toolset_20260801 browser_toolset_20260801
    memory_20250818 web_search_20250305 web_search_20260209 web_search_20260318 web_fetch_20250910 web_fetch_20260209
    web_fetch_20260309 web_fetch_20260318 advisor_20260301 tool_search_tool_bm25 tool_search_tool_bm25_20251119
    tool_search_tool_regex tool_search_tool_regex_20251119 mcp_toolset downsize refusal
"""
_LANGCHAIN_VALUES = """
    file id text-plain application/pdf image/gif image/jpeg image/png image/webp
    audio/flac audio/mp3 audio/mp4 audio/mpeg audio/ogg audio/wav audio/webm
"""
_BLOCKS = OF_MODELS + OF_CALLERS + WITHIN
KNOWN_WORDS = frozenset((_PROVIDER_WORDS + _RESPONSES_VALUES + _MESSAGES_VALUES + _BLOCKS + _LANGCHAIN_VALUES).split())

_TOKEN = re.compile(r"[A-Za-z0-9_.:/@#$%+~-]{1,256}")
_SCHEMA_URL = re.compile(r"https?://json-schema\.org/(?:draft-0[0-9]|draft/20[0-9]{2}-[01][0-9])/schema#?")
_PLACEHOLDER = re.compile(rf"\[([A-Z_]+_[{ALPHABET}]{{{MIN_ID},{MAX_ID}}})(?:: [^\[\]]*)?\]")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_DIGIT = re.compile(r"[0-9]")

MIN_DIGITS = 6  # a number shorter than this identifies nobody


def is_token(text: str) -> bool:
    """Tell whether a structural string has the syntax of one: no white space, no quotes, ASCII, short."""
    return not text or _TOKEN.fullmatch(text) is not None


def is_known_word(text: str) -> bool:
    """Tell whether a string is a word that providers define, and so nobody's own."""
    return text in KNOWN_WORDS or _SCHEMA_URL.fullmatch(text) is not None


def is_long_number(spelled: str) -> bool:
    """Tell whether a number has enough digits to identify somebody."""
    return len(_DIGIT.findall(spelled)) >= MIN_DIGITS


def whole_part(spelled: str) -> str:
    """Return a number without what is behind its point: digits there are those of rounding."""
    return plain_number(spelled).partition(".")[0]


def bare_name(text: str) -> str | None:
    """Write minimized text without brackets and hints, as the name of a speaker allows; None where it cannot be one.

    R reads a placeholder that lost its brackets.
    """
    name = _PLACEHOLDER.sub(r"\1", text)
    return name if _NAME.fullmatch(name) else None


def bare_pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of minimized text: what is the caller's, and placeholders without brackets and hints (True)."""
    position = 0
    for match in _PLACEHOLDER.finditer(text):
        if match.start() > position:
            yield text[position : match.start()], False
        yield match[1], True
        position = match.end()
    if position < len(text):
        yield text[position:], False


def holds_placeholder(text: str) -> bool:
    """Tell whether a text holds a placeholder in its canonical form."""
    return _PLACEHOLDER.search(text) is not None


def patterns(table: str) -> frozenset[Pattern]:
    """Read a table of paths, one a word: `messages.*.role`, with `*` for every index."""
    return frozenset(tuple([None if step == "*" else step for step in line.split(".")]) for line in table.split())
