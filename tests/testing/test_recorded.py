import gzip
import zlib

from privguard.core.entities import EntityType
from privguard.testing.recorded import Recorded, decode_body


def record(body: bytes, target: str = "/v1/chat/completions?a=b") -> Recorded:
    return Recorded(method="POST", target=target, headers=(("X-Name", "Ada"),), body=body, decoded=body)


def test_the_wire_holds_path_headers_and_both_bodies() -> None:
    request = Recorded(method="POST", target="/v1/x?q=1", headers=(("X-A", "b"),), body=b"raw", decoded=b"plain")
    assert request.wire == b"POST /v1/x?q=1\r\nX-A: b\r\n\r\nraw\r\n\r\nplain"
    assert (request.path, request.header("x-a"), request.header("y")) == ("/v1/x", "b", None)


def test_strings_and_placeholders_are_read_from_any_depth() -> None:
    request = record(b'{"a": [{"b": "x [PERSON_7QK2]"}], "c": "[DATE_A2B3: spring]", "d": 1}')
    assert request.text == "x [PERSON_7QK2]\n[DATE_A2B3: spring]"
    assert [str(found) for found in request.placeholders()] == ["[PERSON_7QK2]", "[DATE_A2B3]"]
    date = request.placeholder(EntityType.DATE)
    assert date is not None
    assert date.hint == "spring"
    assert request.placeholder(EntityType.EMAIL) is None


def test_a_body_that_is_no_object_reads_as_empty() -> None:
    assert [record(body).json() for body in (b"", b"[1]", b"{", b"\xff")] == [{}, {}, {}, {}]
    assert record(b"plain").text == "plain"


def test_bodies_are_decoded_and_broken_ones_kept() -> None:
    assert decode_body(gzip.compress(b"x"), "GZIP") == b"x"
    assert decode_body(zlib.compress(b"x"), "deflate") == b"x"
    assert decode_body(b"no", "gzip") == b"no"
    assert decode_body(b"no", "deflate") == b"no"
    assert decode_body(b"x", "") == b"x"


def test_a_repr_holds_nothing_of_the_request() -> None:
    assert "Ada" not in repr(record(b"Ada", "/Ada"))
