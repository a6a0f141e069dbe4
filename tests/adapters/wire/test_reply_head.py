import pytest

from privguard.core.errors import RestoreError
from privguard_adapters.wire.headers import Headers
from privguard_adapters.wire.reply_head import check_encoding, location_of, redirected_method

ACCEPTED: Headers = ((b"accept-encoding", b"deflate"), (b"Accept-Encoding", b"GZIP, *;q=0.1"))
# The values of its headers, and whether the body can be read.
ENCODINGS = {
    (): True,
    ("GZIP",): True,
    (" Gzip ,\tidentity",): True,
    ("identity", "gzip"): True,
    ("", "identity"): True,
    ("x-gzip",): False,
    ("gzip;q=1",): False,
    ("identity", "br"): False,
    ("gzip", "X-Own"): False,
    ("gzip, x-own",): False,
}


@pytest.mark.parametrize(("values", "is_read"), ENCODINGS.items(), ids=map(" + ".join, ENCODINGS))
def test_an_encoding_is_read_or_refused_however_it_is_written(values: tuple[str, ...], is_read: bool) -> None:
    headers = tuple([(b"Content-Encoding", value.encode()) for value in values])
    if is_read:
        check_encoding(ACCEPTED, headers, frozenset({"gzip", "deflate"}))
        return
    with pytest.raises(RestoreError, match="does not undo"):
        check_encoding(ACCEPTED, headers, frozenset({"gzip", "deflate"}))
    with pytest.raises(RestoreError, match="did not accept"):
        check_encoding((), headers, None)


@pytest.mark.parametrize(("status", "points"), [(200, False), (302, True), (307, True), (400, False)])
def test_a_redirect_alone_points_elsewhere(status: int, points: bool) -> None:
    headers: Headers = ((b"Location", b"/v1/x"), (b"location", b"/v1/y"))
    assert location_of(status, headers) == (b"/v1/x" if points else None)
    assert location_of(status, ()) is None


@pytest.mark.parametrize(
    ("method", "status", "followed"),
    [
        ("POST", 301, "GET"),
        ("POST", 302, "GET"),
        ("POST", 303, "GET"),
        ("POST", 307, "POST"),
        ("POST", 308, "POST"),
        ("DELETE", 303, "GET"),
        ("DELETE", 302, "DELETE"),
        ("HEAD", 303, "HEAD"),
    ],
)
def test_a_redirect_is_followed_as_clients_do(method: str, status: int, followed: str) -> None:
    assert redirected_method(method, status) == followed
