"""What in the data of a request is LiteLLM's proxy's own, and what its caller wrote under the same names."""

from collections.abc import Mapping
from typing import Any

REQUEST = "proxy_server_request"
# The proxy's own: none of the caller's texts stands there, or it is dealt with below.
_OWN = frozenset(
    [
        REQUEST,
        "secret_fields",
        "litellm_logging_obj",
        "litellm_call_id",
        "_router_weights",
    ]
)
# The proxy has objects under these names; what came as JSON is the caller's, and would be sent.
_OWN_OBJECTS = frozenset({"guardrail_to_apply", "deployment"})
NOTES = ("metadata", "litellm_metadata")
# What the proxy notes of itself and of keys; every other note is the caller's.
_OWN_NOTES_NAMES = """
    headers used_client_oauth_token requester_metadata actor_agent_id target_agent_id billing_agent_id
    agent_execution_mode verified_human_user_id litellm_api_version global_max_parallel_requests inherited_tags
    endpoint litellm_received_at llm_api_timing_windows litellm_parent_otel_span requester_ip_address caller_tags
    litellm_roi_estimator queue_time_seconds applied_guardrails model_group model_info deployment
"""
_OWN_NOTES = frozenset(_OWN_NOTES_NAMES.split())
_OWN_NOTES_START = ("user_api_key", "user_api_end_user")
END_USER = "user_api_key_end_user_id"  # the caller's `user`, under a name of the proxy's
_JSON = (str, int, float, list, dict)
NOTE = "privguard_call"  # under which a request finds its call again


class Seen(dict[str, Any]):
    """What the proxy notes of a request that the guardrail has seen. A class of its own: callers cannot write it."""


def token_of(data: Mapping[str, Any]) -> str | None:
    """Return under what the call of a request is found, if it has one."""
    for name in reversed(NOTES):
        notes = data.get(name)
        if isinstance(notes, Mapping) and isinstance(notes.get(NOTE), str):
            token: str = notes[NOTE]
            return token
    return None


def is_minimized(data: Mapping[str, Any]) -> bool:
    """Tell whether a request is one that may be seen."""
    # Not by the notes: a request as it came may share these with what it became.
    return isinstance(data.get(REQUEST), Seen)


def is_own(name: str, value: object) -> bool:
    """Tell whether a field is the proxy's, of those that are no notes."""
    return name in _OWN or (name in _OWN_OBJECTS and not isinstance(value, _JSON))


def is_callers_note(key: object, value: object) -> bool:
    """Tell whether a note that stands among those of the proxy is the caller's."""
    if key in (END_USER, NOTE):
        return True
    if isinstance(key, str) and key.startswith("_"):
        return isinstance(value, _JSON)
    return not (isinstance(key, str) and (key in _OWN_NOTES or key.startswith(_OWN_NOTES_START)))
