"""The arguments of a call of LiteLLM, sorted: what is the request, what says how it is made, and what are headers.

What no list here knows is part of the request: its texts are content. So an option of a later version is looked at,
and at worst refused where it holds no JSON; it never passes unread.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.fields import is_token

Values: TypeAlias = Mapping[str, object]

# How a call is made: connections and credentials, routing, caching, costs, limits. Names as LiteLLM has them.
_CONNECTION = """
    api_key api_base base_url api_version api_type organization deployment_id custom_llm_provider client client_id
    client_secret shared_session ssl_verify timeout request_timeout force_timeout stream_timeout
    timeout_by_service_tier stream_timeout_by_service_tier max_retries num_retries retry_policy retry_strategy
    region_name tenant_id azure azure_username azure_password azure_scope azure_ad_token azure_ad_token_provider
    aws_access_key_id aws_secret_access_key aws_session_token aws_region_name aws_session_name aws_profile_name
    aws_role_name aws_web_identity_token aws_sts_endpoint aws_external_id aws_bedrock_runtime_endpoint
    vertex_project vertex_location vertex_credentials vertex_ai_project vertex_ai_location vertex_ai_credentials
    litellm_credential_name configurable_clientside_auth_params use_xai_oauth use_litellm_proxy
    use_chat_completions_api use_in_pass_through
"""
_ROUTING = """
    context_window_fallback_dict routing_strategy cooldown_time allowed_model_region enable_tag_filtering
    fastest_response model_list model_alias_map specific_deployment model_info rpm tpm itpm otpm
    max_parallel_requests weight order priority hf_model_name allowed_openai_params drop_params
    additional_drop_params disable_fallbacks fallback_depth max_fallbacks
"""
_COST = """
    caching cache ttl caching_groups enable_prompt_caching preset_cache_key cache_key
    base_model max_budget budget_duration cost_per_query input_cost_per_token output_cost_per_token
    input_cost_per_second output_cost_per_second
"""
_WATCHING = """
    logger_fn callbacks success_callback failure_callback input_callback verbose no-log litellm_request_debug
    litellm_logging_obj turn_off_message_logging langfuse_public_key langfuse_secret langfuse_secret_key langfuse_host
    langsmith_api_key langsmith_project langsmith_base_url arize_api_key arize_space_key arize_space_id
    merge_reasoning_content_in_choices enable_json_schema_validation complete_response keepalive_seconds
    stream_chunk_size supports_system_message ensure_alternating_roles
"""
OPTIONS = frozenset(f"{_CONNECTION}{_ROUTING}{_COST}{_WATCHING}".split())

# In the proxy the body of a request is the caller's: but for a credential that the proxy takes from a header, all texts
# in it are content.
PROXY_OPTIONS = frozenset({"api_key"})
_API_VERSION = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}(?:-preview)?|v[0-9]{1,2}|preview|latest")

# Texts that LiteLLM would add to the request after it was looked at.
_LATER = frozenset({"prompt_id", "prompt_variables", "prompt_version", "prompt_label", "prompt_environment"})
_HEADERS = ("headers", "extra_headers")
_OF_PROVIDER = "provider_specific_header"
_FALLBACKS = ("fallbacks", "context_window_fallbacks", "content_policy_fallbacks")
_BODY = "extra_body"
_FALLBACK_HEADER = "x-litellm-fallback"  # a name of a model may hold what is hidden, and is looked at as headers are
_PROFILE_HEADER = "x-privguard-profile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """The arguments of one call."""

    request: Values = field(repr=False)  # by the names of the API's fields
    added: Values = field(repr=False)  # `extra_body`: further fields, which stand beside those of the request
    options: Values = field(repr=False)  # go along unread
    headers: tuple[tuple[str, str], ...] = field(repr=False)


def sort_arguments(given: Values, passed: frozenset[str] = OPTIONS) -> Sorted:
    """Sort the arguments of a call.

    Args:
        given: by their names.
        passed: names of those that go along unread.

    Raises:
        UnknownContentError: one of them brings texts that cannot be seen here, or is not what its name says.
    """
    if any(given.get(name) is not None for name in _LATER):
        raise UnknownContentError("prompt_id brings a text into the request that privguard cannot see; write it out")
    options: dict[str, object] = {}
    request: dict[str, object] = {}
    for name, value in given.items():
        if value is None or name in passed or _is_version(name, value) or name in _FALLBACKS:
            options[name] = value
        elif name in _HEADERS:
            options[name] = _without_profile(_mapping(value, name))
        elif name == _OF_PROVIDER:
            options[name] = value
        elif name != _BODY:
            request[name] = value
    added = _mapping(given.get(_BODY) or {}, _BODY)
    if not request.keys().isdisjoint(added):
        raise UnknownContentError("extra_body holds a field that the call gives as well; give it once")
    models = [(_FALLBACK_HEADER, name) for option in _FALLBACKS for name in _fallbacks(given.get(option) or ())]
    return Sorted(request=request, added=added, options=options, headers=(*_headers(given), *models))


def _is_version(name: str, value: object) -> bool:
    return name == "api_version" and isinstance(value, str) and _API_VERSION.fullmatch(value) is not None


def join_arguments(sorted_: Sorted, fields: list[object]) -> dict[str, object]:
    """Return the arguments of the call with what the fields of request and `extra_body` became, in their order."""
    request = dict(zip(sorted_.request, fields, strict=False))
    joined = {**sorted_.options, **request}
    if sorted_.added:
        joined[_BODY] = dict(zip(sorted_.added, fields[len(request) :], strict=True))
    return joined


def _headers(given: Values) -> tuple[tuple[str, str], ...]:
    found = [_mapping(given.get(name) or {}, name) for name in _HEADERS]
    provider = given.get(_OF_PROVIDER) or ()
    found += [
        _mapping(_mapping(each, _OF_PROVIDER).get("extra_headers") or {}, _OF_PROVIDER)
        for each in (provider if isinstance(provider, list | tuple) else (provider,))
    ]
    pairs = [pair for headers in found for pair in headers.items()]
    if not all(isinstance(value, str) for _, value in pairs):
        raise UnknownContentError("a header is no text")
    return tuple((name, str(value)) for name, value in pairs)


def _mapping(value: object, name: str) -> Values:
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return value
    raise UnknownContentError(f"{name} is no mapping of texts")


def _without_profile(headers: Values) -> dict[str, object]:
    return {name: value for name, value in headers.items() if name.lower() != _PROFILE_HEADER}


def _fallbacks(value: object) -> list[str]:
    """Return the models of fallbacks; refuse what holds more than their names: they may replace the messages."""
    groups = value if isinstance(value, list | tuple) else [value]
    names = [name for group in groups for name in ([group] if isinstance(group, str) else _names(group))]
    if not all(isinstance(name, str) and is_token(name) for name in names):
        raise UnknownContentError("a fallback holds more than names of models; give it a deployment of a Router")
    return [str(name) for name in names]


def _names(group: object) -> list[object]:
    if not isinstance(group, Mapping):
        return [group]
    lists = [names if isinstance(names, list | tuple) else [None] for names in group.values()]
    return [*group, *(name for names in lists for name in names)]
