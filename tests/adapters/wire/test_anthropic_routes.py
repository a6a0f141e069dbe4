import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.anthropic_routes import find_route, route_name


@pytest.mark.parametrize(
    ("method", "path", "base", "name"),
    [
        ("POST", "/v1/messages", "", "anthropic.messages"),
        ("POST", "/v1/messages", "/", "anthropic.messages"),
        ("POST", "/proxy/v1/messages", "/proxy/", "anthropic.messages"),
        ("POST", "/v1/messages/count_tokens", "", "anthropic.count_tokens"),
        ("POST", "/v1/messages/batches", "", "anthropic.batches"),
        ("GET", "/v1/messages/batches", "", "anthropic.batches.list"),
        ("GET", "/v1/messages/batches/msgbatch_1", "", "anthropic.batches.retrieve"),
        ("DELETE", "/v1/messages/batches/msgbatch_1", "", "anthropic.batches.delete"),
        ("POST", "/v1/messages/batches/msgbatch_1/cancel", "", "anthropic.batches.cancel"),
        ("GET", "/v1/messages/batches/msgbatch_1/results", "", "anthropic.batches.results"),
        ("GET", "/v1/models", "", "anthropic.models"),
        ("GET", "/v1/models/claude-opus-4-6", "", "anthropic.models"),
    ],
)
def test_the_protected_routes_are_found(method: str, path: str, base: str, name: str) -> None:
    assert find_route(method, path, base).name == name


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/messages"),
        ("POST", "/messages"),
        ("POST", "/v2/messages"),
        ("PUT", "/v1/messages/batches"),
        ("GET", "/v1/messages/batches/msgbatch_1/results/2"),
        ("GET", "/v1/messages/batches/ada%20roth"),
        ("GET", "/v1/messages/batches/.."),
        ("POST", "/v1/messages/batches/msgbatch_1"),
        ("POST", "/v1/files"),
        ("DELETE", "/v1/models/m"),
        ("POST", "/v1/complete"),
        ("GET", "/v1/models/../files"),
        ("GET", "/v1/models/ada%20roth"),
    ],
)
def test_every_other_route_is_refused(method: str, path: str) -> None:
    with pytest.raises(UnprotectedRouteError, match="nothing was sent") as caught:
        find_route(method, path, "")
    assert "ada" not in str(caught.value)


def test_the_id_of_a_model_is_looked_at() -> None:
    assert [check.text for check in find_route("GET", "/v1/models/ada-roth", "").checks] == ["ada-roth"]


def test_a_name_shows_fixed_words_alone() -> None:
    assert route_name("GET", "/x/v1/messages/batches/ada/results", "/x") == "GET v1/messages/batches/{id}/results"
    assert route_name("ADA", "/ada", "") == "{method} {id}"


def test_the_replies_of_a_batch_are_kept_under_its_id_and_it_is_looked_at() -> None:
    route = find_route("GET", "/v1/messages/batches/msgbatch_1/results", "")
    assert (route.later.reopened, route.later.each, bool(route.later.needs)) == ("msgbatch_1", True, True)
    assert [check.text for check in route.checks] == ["msgbatch_1"]
