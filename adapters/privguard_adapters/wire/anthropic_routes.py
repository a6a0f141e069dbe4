"""The routes of the Anthropic API: which are protected, and how the others are named when they are refused."""

import re

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire import anthropic_batches, anthropic_messages
from privguard_adapters.wire.checks import Check
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.route import Route, model_checks, name_without_ids
from privguard_adapters.wire.routes import Api

_GUARDED = {
    ("POST", "v1/messages"): anthropic_messages.CODEC,
    ("POST", "v1/messages/count_tokens"): anthropic_messages.COUNT_CODEC,
    ("POST", "v1/messages/batches"): anthropic_batches.BATCH_CODEC,
}
_BATCH_ID = re.compile(r"[A-Za-z0-9_-]{1,256}")
_LONGEST = 5  # steps of the path of a batch
_OF_BATCH = {
    ("GET",): "anthropic.batches.retrieve",
    ("DELETE",): "anthropic.batches.delete",
    ("POST", "cancel"): "anthropic.batches.cancel",
    ("GET", "results"): "anthropic.batches.results",
}
# The fixed parts of the SDK's paths: all that may be said of a route that is refused.
_SDK_WORDS = """
    action_urls agents analytics api api_keys apps archive artifacts batches bundles cancel cases certificates chat
    claude_code claude_tag complete compliance compliance_settings configuration connectors content cost cost_report
    count_tokens credentials deployment_runs deployments dreams effective enrollment_url environments events
    external_keys external_storage federation_issuers federation_rules files installation_settings invites items
    managed_settings me members memories memory_stores memory_versions messages models notices oauth organizations
    pause permissions plugin_marketplaces plugins poll projects rate_limits rbac_group_default rbac_groups rbac_roles
    resources respond results reveal_token review rotate_token run service_accounts sessions shares sign_out skills
    slack_channels slack_workspaces spend_limit_increase_requests spend_limits stats stream summaries targets
    telemetry_destinations threads token tunnels unpause usage usage_report user_cost_report user_profiles
    user_usage_report users v1 validate_archive validate_repository vaults versions webhooks work workspaces
"""
_WORDS = frozenset(_SDK_WORDS.split())


def find_route(method: str, path: str, base_path: str) -> Route:
    """Return the route of a request.

    Args:
        method: in upper case.
        path: percent-encoded, without the query.
        base_path: that of the client's base URL, whatever prefix it holds; `v1` is no part of it.

    Raises:
        UnprotectedRouteError: the route is not known to be safe.
    """
    base = base_path.rstrip("/") + "/"
    if path.startswith(base):
        relative = path[len(base) :].strip("/")
        codec = _GUARDED.get((method, relative))
        if codec is not None:
            return Route(name=codec.name, codec=codec)
        batch = _batch_route(method, relative.split("/"))
        if batch is not None:
            return batch
        parts = relative.split("/", 2)
        if parts[:2] == ["v1", "models"] and method == "GET":
            return Route(name="anthropic.models", checks=model_checks(parts[2:]))
    raise UnprotectedRouteError(
        f"{route_name(method, path, base_path)} is not protected by privguard, so nothing was sent. Protected are "
        "messages, messages.count_tokens, messages.batches and models; if the call holds nothing private, make it with "
        "the client that was wrapped"
    )


def _batch_route(method: str, steps: list[str]) -> Route | None:
    """Return the route of a batch that was sent before, or of all of them."""
    if steps[:3] != ["v1", "messages", "batches"] or len(steps) > _LONGEST:
        return None
    called = (method, *steps[4:])
    if len(steps) == 3:
        return Route(name="anthropic.batches.list") if method == "GET" else None
    if called not in _OF_BATCH or not _BATCH_ID.fullmatch(steps[3]):
        return None
    checks = (Check(label="the id of the batch in the path", text=steps[3]),)
    if steps[4:] == ["results"]:
        later = Later(reopened=steps[3], each=True, needs=anthropic_batches.NEEDS)
        codec = anthropic_batches.RESULTS_CODEC
        return Route(name=codec.name, codec=codec, checks=checks, later=later)
    return Route(name=_OF_BATCH[called], checks=checks)


def route_name(method: str, path: str, base_path: str) -> str:
    """Name a route without its ids, and without anything else that a caller could have put there."""
    return name_without_ids(method, path, base_path, _WORDS)


ANTHROPIC = Api(find_route=find_route, route_name=route_name)
