"""The APIs that the gateway speaks below /v1: OpenAI's, and the messages of Anthropic's and their batches."""

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.anthropic_routes import ANTHROPIC
from privguard_adapters.wire.route import Route
from privguard_adapters.wire.routes import OPENAI, Api

_OF_ANTHROPIC = ("anthropic.messages", "anthropic.count_tokens", "anthropic.batches")  # the others are OpenAI's


def find_route(method: str, path: str, base_path: str) -> Route:
    """Return the route of a request, whichever API it is of.

    Args:
        method: in upper case.
        path: percent-encoded, without the query.
        base_path: what stands before the routes in the path, as `/v1` does.

    Raises:
        UnprotectedRouteError: the route is not known to be safe.
    """
    base = base_path.rstrip("/") + "/"
    if path.startswith(base):
        try:
            found = ANTHROPIC.find_route(method, f"/v1/{path[len(base) :]}", "")
        except UnprotectedRouteError:
            pass
        else:
            if found.name.startswith(_OF_ANTHROPIC):
                return found
    return OPENAI.find_route(method, path, base_path)


APIS = Api(find_route=find_route, route_name=OPENAI.route_name)
