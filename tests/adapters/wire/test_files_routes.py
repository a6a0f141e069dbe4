import pytest

from privguard.core.errors import UnprotectedRouteError
from privguard_adapters.wire.files_routes import find_files
from privguard_adapters.wire.route import Filing

ROUTES = {
    ("POST", "files"): Filing.UPLOAD,
    ("GET", "files"): None,
    ("GET", "files/file-1"): None,
    ("DELETE", "files/file-1"): Filing.DELETE,
    ("GET", "files/file-1/content"): Filing.CONTENT,
    ("POST", "batches"): Filing.CREATE,
    ("GET", "batches"): Filing.SEE,
    ("GET", "batches/batch_1"): Filing.SEE,
    ("POST", "batches/batch_1/cancel"): Filing.SEE,
}


def test_routes_are_known_with_what_they_do_and_what_they_need() -> None:
    for (method, path), filing in ROUTES.items():
        route = find_files(method, path)
        assert route is not None
        assert route.filing is filing
        assert bool(route.later.needs) == (filing in {Filing.UPLOAD, Filing.CONTENT, Filing.CREATE})
        assert len(route.checks) == (1 if path.count("/") else 0)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])
@pytest.mark.parametrize(
    "path",
    [
        "files",
        "files/x",
        "files/x/content",
        "files/x/y",
        "files/x/content/y",
        "batches",
        "batches/x",
        "batches/x/cancel",
        "uploads",
    ],
)
def test_no_other_route_is(method: str, path: str) -> None:
    known = (method, path.replace("x", "file-1" if path.startswith("files") else "batch_1")) in ROUTES
    assert (find_files(method, path) is not None) == known


@pytest.mark.parametrize("path", ["files/a%20b", "files/%2e%2e/content", "batches/a%2Fb", "files//content"])
def test_an_id_that_is_no_identifier_is_refused(path: str) -> None:
    with pytest.raises(UnprotectedRouteError):
        find_files("GET", path)
