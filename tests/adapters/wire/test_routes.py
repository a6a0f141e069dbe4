import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.routes import find_route, route_name


@pytest.mark.parametrize("base", ["/v1/", "/v1", "/", "", "/openai/deployments/x/", "/a/b/c"])
@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "chat/completions", "openai.chat.completions"),
        ("POST", "completions", "openai.completions"),
        ("POST", "embeddings", "openai.embeddings"),
        ("GET", "models", "openai.models"),
        ("GET", "models/gpt-5", "openai.models"),
        ("GET", "models/meta%2FLlama-3", "openai.models"),
        ("DELETE", "models/ft:gpt-5:x", "openai.models"),
        ("POST", "responses", "openai.responses"),
        ("GET", "responses/resp_1", "openai.responses"),
        ("DELETE", "responses/resp_1", "openai.responses"),
        ("POST", "responses/resp_1/cancel", "openai.responses"),
        ("GET", "responses/resp_1/input_items", "openai.responses"),
        ("POST", "responses/input_tokens", "openai.responses.input_tokens"),
        ("POST", "conversations", "openai.conversations"),
        ("DELETE", "conversations/conv_1", "openai.conversations"),
        ("GET", "conversations/conv_1/items/msg_1", "openai.conversations"),
        ("POST", "conversations/conv_1/items", "openai.conversations"),
    ],
)
def test_known_routes_are_found_under_any_prefix(base: str, method: str, path: str, name: str) -> None:
    assert find_route(method, f"{base.rstrip('/')}/{path}", base).name == name


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/chat/completions"),
        ("POST", "/v1/chat/completions/x"),
        ("POST", "/v1/responses/compact"),
        ("GET", "/v1/responses"),
        ("GET", "/v1/responses/Ada%20Roth"),
        ("POST", "/v1/responses/resp_1"),
        ("GET", "/v1/conversations"),
        ("GET", "/v1/conversations/conv_1/x"),
        ("GET", "/v1/conversations/..%2Ffiles/items"),
        ("DELETE", "/v1/conversations/conv_1/items"),
        ("POST", "/v1/Ada%20Roth/chat/completions"),
        ("POST", "/chat/completions"),
        ("POST", "/v2/chat/completions"),
        ("POST", "/v1/models"),
        ("DELETE", "/v1/models"),
        ("GET", "/v1/models/Ada%20Roth"),
        ("GET", "/v1/models/..%2Ffiles"),
        ("GET", "/v1"),
        ("GET", ""),
    ],
)
def test_every_other_route_is_refused_without_naming_content(method: str, path: str) -> None:
    with pytest.raises(UnprotectedRouteError) as caught:
        find_route(method, path, "/v1/")
    assert "Ada" not in str(caught.value)


def test_the_model_in_the_path_is_checked() -> None:
    (check,) = find_route("GET", "/v1/models/gpt-4o-2024-08-06", "/v1").checks
    assert check.text == "gpt-4o-"


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/v1/responses/resp_1/cancel", "POST responses/{id}/cancel"),
        ("GET", "/v1/Ada%20Roth", "GET {id}"),
        ("SPY", "/v1/files", "{method} files"),
        ("GET", "/other/files", "GET {id}/files"),
    ],
)
def test_a_route_is_named_by_the_fixed_parts_of_the_sdk(method: str, path: str, name: str) -> None:
    assert route_name(method, path, "/v1/") == name
