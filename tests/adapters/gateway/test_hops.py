import pytest

from privguard import __version__
from privguard_adapters.gateway.hops import outgoing_headers, reply_headers
from privguard_adapters.wire.headers import header_checks

OURS = (b"user-agent", f"privguard/{__version__}".encode())
IDENTITY = (b"accept-encoding", b"identity")


def test_what_ends_at_this_hop_stays_here() -> None:
    headers = (
        (b"Connection", b"close, X-Once"),
        (b"X-Once", b"1"),
        (b"Keep-Alive", b"5"),
        (b"TE", b"trailers"),
        (b"Transfer-Encoding", b"chunked"),
        (b"Content-Length", b"3"),
        (b"Expect", b"100-continue"),
        (b"Upgrade", b"h2c"),
        (b"Proxy-Authorization", b"Basic eDp5"),
        (b"Content-Type", b"application/json"),
    )
    assert outgoing_headers(headers) == ((b"content-type", b"application/json"), OURS, IDENTITY)


@pytest.mark.parametrize(
    "name",
    [
        "Cookie", "Host", "Origin", "Referer", "Forwarded", "Via", "X-Forwarded-For", "X-Real-IP", "CF-Ray",
        "Sec-Ch-Ua", "User-Agent", "Accept-Language", "X-Stainless-OS", "X-Session-Id", "Traceparent",
    ],
)  # fmt: skip
def test_what_tells_of_the_caller_goes_no_further(name: str) -> None:
    assert outgoing_headers(((name.encode(), b"x"),)) == (OURS, IDENTITY)


def test_keys_and_what_the_api_knows_pass_in_their_order_and_number() -> None:
    headers = (
        (b"authorization", b"Bearer a"),
        (b"openai-organization", b"1"),
        (b"openai-beta", b"a"),
        (b"openai-beta", b"b"),
        (b"api-key", b"b"),
        (b"x-team-api-key", b"c"),
        (b"idempotency-key", b"d"),
        (b"content-encoding", b"gzip"),
        (b"x-privguard-profile", b"strict"),
    )
    assert outgoing_headers(headers) == (*headers, OURS, IDENTITY)


def test_other_headers_pass_where_that_is_wanted_but_for_those_of_the_hop() -> None:
    headers = (
        (b"X-Team-Name", b"a"),
        (b"X-Other", b"b"),
        (b"Upgrade", b"c"),
        (b"Host", b"d"),
        (b"X-Hop", b"e"),
        (b"Connection", b"x-hop"),
    )
    assert outgoing_headers(headers, ("x-team-*", "upgrade", "host", "x-hop")) == (
        (b"x-team-name", b"a"),
        OURS,
        IDENTITY,
    )


@pytest.mark.parametrize(
    ("accepted", "asked"),
    [
        ("gzip, deflate, br, zstd", "gzip, deflate"),
        ("br", "identity"),
        ("", "identity"),
        ("*", "gzip, deflate"),
        ("gzip;q=0, *", "deflate"),
        ("GZIP;q=0.5", "gzip"),
        ("deflate; q=0.0", "identity"),
    ],
)
def test_encodings_are_those_that_both_sides_read(accepted: str, asked: str) -> None:
    headers = ((b"Accept-Encoding", accepted.encode()),)
    assert outgoing_headers(headers) == (OURS, (b"accept-encoding", asked.encode()))


def test_what_holds_for_the_other_host_does_not_reach_the_caller() -> None:
    kept = ((b"Content-Length", b"3"), (b"x-request-id", b"r"), (b"retry-after", b"1"))
    dropped = (
        (b"Set-Cookie", b"a=b"),
        (b"Alt-Svc", b"h3"),
        (b"Strict-Transport-Security", b"max-age=1"),
        (b"Date", b"now"),
        (b"Server", b"x"),
        (b"Connection", b"x-hop"),
        (b"X-Hop", b"1"),
        (b"Transfer-Encoding", b"chunked"),
    )
    assert reply_headers((*kept, *dropped)) == kept


def test_what_the_gateway_writes_itself_is_not_looked_at() -> None:
    headers = (*outgoing_headers(((b"accept-encoding", b"gzip, deflate"),)), (b"host", b"model.example"))
    assert list(header_checks(headers, "model.example", ())) == []
