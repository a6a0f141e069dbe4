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


# The base URL of each server, and where its chat completions are.
SERVERS = {
    "vLLM": "/v1",
    "Ollama": "/v1/",
    "llama.cpp": "/v1",
    "Together": "/v1",
    "Groq": "/openai/v1",
    "OpenRouter": "/api/v1",
    "Fireworks": "/inference/v1",
    "Gemini": "/v1beta/openai/",
    "Azure, v1": "/openai/v1/",
}


@pytest.mark.parametrize("server", SERVERS)
def test_the_routes_of_compatible_servers_are_found_under_their_prefix(server: str) -> None:
    base = SERVERS[server]
    for path, name in (("chat/completions", "openai.chat.completions"), ("embeddings", "openai.embeddings")):
        assert find_route("POST", f"{base.rstrip('/')}/{path}", base).name == name
    assert find_route("GET", f"{base.rstrip('/')}/models", base).name == "openai.models"


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [
        ("POST", "/api/chat", "POST api/chat"),  # Ollama
        ("POST", "/api/generate", "POST api/generate"),
        ("POST", "/api/embed", "POST api/embed"),
        ("POST", "/tokenize", "POST tokenize"),  # vLLM
        ("POST", "/v1/rerank", "POST rerank"),
        ("POST", "/pooling", "POST pooling"),
        ("POST", "/completion", "POST completion"),  # llama.cpp
        ("POST", "/infill", "POST infill"),
        ("GET", "/slots", "GET slots"),
        ("POST", "/v1/audio/transcriptions", "POST audio/transcriptions"),
        ("POST", "/v1beta/models/x:generateContent", "POST v1beta/models/{id}"),  # Gemini
    ],
)
def test_what_servers_speak_beside_the_openai_api_is_refused_by_name(method: str, path: str, told: str) -> None:
    with pytest.raises(UnprotectedRouteError) as caught:
        find_route(method, path, "/v1")
    assert str(caught.value).startswith(f"{told} is not protected")


def test_a_base_url_without_its_prefix_is_told() -> None:
    with pytest.raises(UnprotectedRouteError, match=r"POST v1/chat/completions .* the base_url ends in /v1"):
        find_route("POST", "/v1/chat/completions", "/")


@pytest.mark.parametrize("base", ["/openai", "/openai/", "/gateway/openai"])
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("chat/completions", "openai.chat.completions"),
        ("completions", "openai.completions"),
        ("embeddings", "openai.embeddings"),
    ],
)
def test_deployments_of_azure_are_found_and_their_names_looked_at(base: str, path: str, name: str) -> None:
    route = find_route("POST", f"{base.rstrip('/')}/deployments/gpt-4o-2024-08-06/{path}", base)
    assert route.name == name
    assert [(check.text, check.chosen) for check in route.checks] == [("gpt-4o-", True)]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "deployments/x/audio/transcriptions"),
        ("POST", "deployments/x/responses"),
        ("GET", "deployments/x/models"),
        ("GET", "deployments/x/chat/completions"),
        ("POST", "deployments/x"),
        ("POST", "deployments//chat/completions"),
        ("POST", "deployments/Ada%20Roth/chat/completions"),
        ("POST", "deployments/a%2Fb/chat/completions"),
        ("POST", "deployments/../chat/completions"),
        ("POST", "deployments/a/b/chat/completions"),
        ("POST", "deployments/x/deployments/y/chat/completions"),
    ],
)
def test_other_routes_of_deployments_are_refused(method: str, path: str) -> None:
    with pytest.raises(UnprotectedRouteError) as caught:
        find_route(method, f"/openai/{path}", "/openai")
    assert "Ada" not in str(caught.value)
