import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.route import Route, finder, model_checks, name_without_ids, path_ids


def test_ids_in_a_path_are_to_be_looked_at_as_they_read() -> None:
    assert [check.text for check in path_ids(["file-7", "batch%5F9"])] == ["file-7", "batch_9"]


@pytest.mark.parametrize("step", ["", "a%2Fb", "..", "a..b", "Ada Roth", "%20"])
def test_what_is_no_identifier_is_refused_without_its_text(step: str) -> None:
    with pytest.raises(UnprotectedRouteError, match="no identifier"):
        path_ids(["file-7", step])


def test_the_name_of_a_model_may_hold_slashes_and_is_looked_at_without_its_release() -> None:
    assert [check.text for check in model_checks(["meta%2Fllama-3", "gpt-5-2031-04-05"])] == ["meta/llama-3", "gpt-5-"]
    for bad in ("Ada Roth", "..", "a%20b"):
        with pytest.raises(UnprotectedRouteError, match="no identifier"):
            model_checks([bad])


def test_a_route_is_found_by_the_first_step_of_its_path() -> None:
    asked: list[tuple[str, list[str]]] = []

    def found(method: str, rest: object) -> Route:
        asked.append((method, rest))  # type: ignore[arg-type]  # a list
        return Route(name="x")

    find = finder({"files": found})
    assert find("GET", "files/a/content") == find("POST", "files") == Route(name="x")
    assert find("GET", "file") is find("GET", "") is None
    assert asked == [("GET", ["a", "content"]), ("POST", [])]


def test_a_route_is_named_by_known_words_alone() -> None:
    def named(method: str, path: str) -> str:
        return name_without_ids(method, path, "/v1/", {"files", "content"})

    assert named("GET", "/v1/files/file-7/content/") == "GET files/{id}/content"
    assert named("ADA", "/v1/Ada") == "{method} {id}"
    assert named("GET", "/v1/" + "/".join(["Ada"] * 20)) == "GET " + "/".join(["{id}"] * 8)
