import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.responses_routes import find_responses


@pytest.mark.parametrize(
    ("method", "path", "later"),
    [
        ("POST", "responses", Later()),
        ("GET", "responses/resp_1", Later(reopened="resp_1")),
        ("GET", "responses/resp_1/input_items", Later(reopened="resp_1")),
        ("POST", "responses/resp_1/cancel", Later(reopened="resp_1")),
        ("DELETE", "responses/resp_1", Later()),
        ("POST", "conversations", Later()),
        ("POST", "conversations/conv_1", Later(joined="conv_1")),
        ("POST", "conversations/conv_1/items", Later(joined="conv_1")),
        ("GET", "conversations/conv_1/items/msg_1", Later(reopened="conv_1")),
        ("DELETE", "conversations/conv_1/items/msg_1", Later(reopened="conv_1")),
        ("DELETE", "conversations/conv_1", Later()),
    ],
)
def test_a_path_says_whose_values_its_reply_holds(method: str, path: str, later: Later) -> None:
    route = find_responses(method, path)
    assert route is not None
    assert (route.later.reopened, route.later.joined) == (later.reopened, later.joined)
    assert bool(route.later.needs) == (route.later.reopened + route.later.joined != "")
    assert [check.text for check in route.checks] == [step for step in path.split("/")[1:] if "_1" in step]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "responses/compact"),
        ("GET", "responses"),
        ("PUT", "responses/resp_1"),
        ("GET", "responses/resp_1/unheard"),
        ("GET", "conversations"),
        ("GET", "conversations/conv_1/items/msg_1/x"),
        ("POST", "conversations/conv_1/items/msg_1"),
        ("POST", "chat/completions"),
    ],
)
def test_all_else_is_no_route(method: str, path: str) -> None:
    assert find_responses(method, path) is None


@pytest.mark.parametrize("step", ["Ada%20Roth", "..", "a%2Fb", ""])
def test_what_is_no_id_is_refused_without_being_named(step: str) -> None:
    with pytest.raises(UnprotectedRouteError) as caught:
        find_responses("GET", f"responses/{step}")
    assert "Ada" not in str(caught.value)
