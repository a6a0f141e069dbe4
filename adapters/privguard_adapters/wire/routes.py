"""The routes of the OpenAI API: which are protected, and how the others are named when they are refused."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from privguard.core.errors import UnprotectedRouteError
from privguard.core.targets import without_release
from privguard_adapters.wire import openai_chat, openai_completions, openai_embeddings, openai_moderations
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.files_routes import find_files
from privguard_adapters.wire.responses_routes import find_responses
from privguard_adapters.wire.route import Route, model_checks, name_without_ids

__all__ = ["OPENAI", "Api", "Route", "find_route", "route_name"]

_GUARDED = {
    ("POST", "chat/completions"): openai_chat.CODEC,
    ("POST", "completions"): openai_completions.CODEC,
    ("POST", "embeddings"): openai_embeddings.CODEC,
    ("POST", "moderations"): openai_moderations.CODEC,
}
# The fixed parts of the SDK's paths: all that may be said of a route that is refused.
_SDK_WORDS = """
    accept activate admin_api_keys agents alerts api_keys archive artifacts assistants attach audio automations batches
    calls cancel cases certificates characters chat chatkit checkpoints client_secrets compact complete completions
    containers content content_provenance_checks conversations credentials data_retention deactivate decisions edits
    embeddings environments evals events extensions external_keys file_batches files fine_tuning fork forks
    generations groups hangup hosted_tool_permissions images input_items input_tokens invites invocations items jobs
    live messages model_permissions models moderations organization output_items parts pause permissions projects
    rate_limits realtime refer reject remix responses resume roles runs safety search secrets service_accounts
    service_tier_settings sessions skills speech spend_alerts spend_limit steps subagents submit_tool_outputs test
    threads traces transcription_sessions transcriptions translations turns uploads usage users validate variations
    vaults vector_stores versions videos voice_consents voices webhook_endpoints
"""
# Likewise of what Azure and compatible servers have beside it.
_SERVER_WORDS = """
    api apply-template blobs classify completion copy create delete deployments detokenize embed generate health infill
    inference load lora-adapters metrics openai ping pooling props ps pull push rank rerank score show slots tags
    tokenize unload v1 v1beta v2 version
"""
_WORDS = frozenset((_SDK_WORDS + _SERVER_WORDS).split())


_HINT = ". Of most servers the base_url ends in /v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """The routes of one API."""

    find_route: Callable[[str, str, str], Route]  # of a method, a path and the path of the base URL
    route_name: Callable[[str, str, str], str]  # likewise, where there is none: without anything that a caller chose


def find_route(method: str, path: str, base_path: str) -> Route:
    """Return the route of a request.

    Args:
        method: in upper case.
        path: percent-encoded, without the query.
        base_path: that of the client's base URL, whatever prefix it holds.

    Raises:
        UnprotectedRouteError: the route is not known to be safe.
    """
    base = base_path.rstrip("/") + "/"
    if path.startswith(base):
        relative = path[len(base) :].strip("/")
        deployment, called = _deployment(relative)
        codec = _GUARDED.get((method, called))
        if codec is not None:
            return Route(name=codec.name, codec=codec, checks=deployment)
        found = find_responses(method, relative) or find_files(method, relative)
        if found is not None:
            return found
        parts = relative.split("/", 1)
        if parts[0] == "models" and (method == "GET" or (method == "DELETE" and len(parts) == 2)):
            return Route(name="openai.models", checks=model_checks(parts[1:]))
    raise UnprotectedRouteError(
        f"{route_name(method, path, base_path)} is not protected by privguard, so nothing was sent. Protected are "
        "chat.completions, completions, responses, conversations, embeddings, moderations, batches, files and models; "
        "if the call holds nothing private, make it with the client that was "
        f"wrapped{_HINT if path.startswith('/v1/') and base == '/' else ''}"
    )


def _deployment(relative: str) -> tuple[tuple[Check, ...], str]:
    """Part the name of a deployment of Azure from the route that is called behind it; none, and the whole, without."""
    parts = relative.split("/", 2)
    if parts[0] != "deployments" or len(parts) < 3:
        return (), relative
    name = unquote(parts[1])
    if not name or not is_token(name) or "/" in name or ".." in name:
        raise UnprotectedRouteError("the deployment in the path is no identifier, so nothing was sent")
    return (Check(label="the deployment in the path", text=without_release(name), chosen=True),), parts[2]


def route_name(method: str, path: str, base_path: str) -> str:
    """Name a route without its ids, and without anything else that a caller could have put there."""
    return name_without_ids(method, path, base_path, _WORDS)


OPENAI = Api(find_route=find_route, route_name=route_name)
