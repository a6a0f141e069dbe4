import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import UnknownContentError
from privguard_adapters.wire.headers import (
    Headers,
    check_plain,
    content_type,
    credentials_of,
    header_checks,
    header_value,
    profile_of,
    query_checks,
    with_body,
)

HOST = "api.openai.com"
SDK: Headers = (
    (b"Host", b"api.openai.com"),
    (b"Accept-Encoding", b"gzip, deflate"),
    (b"Connection", b"keep-alive"),
    (b"authorization", b"Bearer Ada Roth"),
    (b"accept", b"application/json"),
    (b"content-type", b"application/json"),
    (b"user-agent", b"AsyncOpenAI/Python 3.57.0"),
    (b"x-stainless-lang", b"python"),
    (b"x-stainless-package-version", b"3.57.0"),
    (b"x-stainless-os", b"Linux"),
    (b"x-stainless-arch", b"x64"),
    (b"x-stainless-runtime", b"CPython"),
    (b"x-stainless-runtime-version", b"3.11.7"),
    (b"x-stainless-async", b"async:asyncio"),
    (b"x-stainless-retry-count", b"0"),
    (b"x-stainless-read-timeout", b"600"),
    (b"Content-Length", b"10"),
)


def test_what_the_sdk_writes_is_not_looked_at() -> None:
    assert list(header_checks(SDK, HOST, ())) == []


@pytest.mark.parametrize("name", [name for name, _ in SDK if name != b"authorization"])
def test_another_value_of_an_sdk_header_is_looked_at(name: bytes) -> None:
    assert [check.text for check in header_checks(((name, b"Ada Roth"),), HOST, ())] == ["Ada Roth"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"x-stainless-helper-method", b"ada.roth"),
        (b"x-stainless-async", b"async:adaroth"),
        (b"user-agent", b"OpenAI/Python 3AdaRoth"),
        (b"x-stainless-read-timeout", b"41446681800"),
        (b"host", b"ada-roth.example"),
    ],
)
def test_a_value_that_only_resembles_the_usual_one_is_looked_at(name: bytes, value: bytes) -> None:
    assert [check.text for check in header_checks(((name, value),), HOST, ())] == [value.decode()]


@given(name=st.from_regex(rb"x-[a-z]{1,8}", fullmatch=True), value=st.text(max_size=8))
def test_a_header_of_the_caller_is_looked_at_with_its_name(name: bytes, value: str) -> None:
    texts = [check.text for check in header_checks(((name, value.encode("utf-8", "ignore")),), HOST, ())]
    assert texts == [name.decode(), value.encode("utf-8", "ignore").decode()]


def test_a_header_that_the_profile_lists_passes() -> None:
    assert list(header_checks(((b"X-Tenant-Id", b"Ada Roth"),), HOST, ("x-tenant-*",))) == []


def test_labels_show_neither_names_nor_values_of_the_caller() -> None:
    for check in header_checks(((b"x-ada-roth", b"Ada Roth"), (b"user-agent", b"Ada Roth")), HOST, ()):
        assert "ada" not in check.label.lower()
        assert "Ada" not in repr(check)


def test_the_profile_header_is_read_and_does_not_leave() -> None:
    headers: Headers = ((b"X-Privguard-Profile", b" strict "), (b"a", b"b"))
    assert profile_of(headers) == "strict"
    assert profile_of(SDK) is None
    assert with_body(headers, None) == ((b"a", b"b"),)
    assert list(header_checks(headers[:1], HOST, ())) == []


def test_the_length_is_put_right_in_its_place() -> None:
    assert with_body(SDK, 12345)[-1] == (b"Content-Length", b"12345")
    assert with_body(((b"transfer-encoding", b"chunked"), (b"a", b"b")), 3) == (
        (b"content-length", b"3"),
        (b"a", b"b"),
    )
    assert with_body(((b"a", b"b"),), 3) == ((b"a", b"b"), (b"content-length", b"3"))


def test_a_stream_has_neither_length_nor_encoding() -> None:
    headers: Headers = ((b"content-encoding", b"gzip"), (b"content-length", b"9"), (b"a", b"b"))
    assert with_body(headers, None) == ((b"a", b"b"),)


def test_query_parameters_are_looked_at_but_for_the_version_of_the_api() -> None:
    assert list(query_checks("api-version=2024-10-21-preview")) == []
    assert [check.text for check in query_checks("q=Ada+Roth&api-version=Ada%20Roth&e")] == [
        "q", "Ada Roth", "api-version", "Ada Roth", "e", "",
    ]  # fmt: skip


def test_header_values_are_found_in_any_case() -> None:
    assert header_value(SDK, b"accept-encoding") == "gzip, deflate"
    assert header_value(SDK, b"absent") == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"", ("", "")),
        (b"application/json", ("application/json", "")),
        (b'Text/Plain; x=1; Charset="UTF-16"', ("text/plain", "utf-16")),
    ],
)
def test_the_content_type_is_read_with_its_charset(value: bytes, expected: tuple[str, str]) -> None:
    assert content_type(((b"Content-Type", value),)) == expected


def test_the_name_of_a_header_or_parameter_tells_of_its_value_but_of_none_that_a_machine_made() -> None:
    made = b"0a1b2c3d4e5f60718293a4b5c6d7e8f9"
    headers = ((b"X-Patient-Name", b"Ada"), (b"X-Secret", b"hunter2"), (b"X-Secret", made), (b"User-Agent", b"Ada"))
    keys = {(check.text, check.key) for check in header_checks(headers, HOST, ()) if check.text.isalnum()}
    assert keys == {("Ada", "X-Patient-Name"), ("hunter2", "X-Secret"), (made.decode(), ""), ("Ada", "")}
    assert [(check.text, check.key) for check in query_checks(f"ssn=1&token={made.decode()}&token=hunter2")] == [
        ("ssn", ""), ("1", "ssn"), ("token", ""), (made.decode(), ""), ("token", ""), ("hunter2", "token"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value", [b"Ada Roth", b"Roth", b"Bearer Ada Roth", b"ada@roth.example", b"123-45-6789"], ids=range(5)
)
def test_a_header_that_is_called_a_credential_and_holds_none_is_looked_at(value: bytes) -> None:
    checks = list(header_checks(((b"X-Doctor-Authorization", value),), HOST, ()))
    assert [(check.text, check.key) for check in checks] == [(value.decode(), "")]
    assert not list(header_checks(((b"X-Doctor-Authorization", value),), HOST, ("x-doctor-*",)))


@pytest.mark.parametrize("name", [b"Helicone-Auth", b"cf-aig-authorization", b"x-portkey-api-key", b"X-Access-Token"])
def test_what_opens_the_door_of_a_gateway_passes(name: bytes) -> None:
    assert not list(header_checks(((name, b"Bearer key-4711"),), "h", ()))
    assert list(header_checks(((b"x-author", b"Ada Roth"),), "h", ()))


def test_who_calls_is_told_by_credentials_whatever_their_order_and_case() -> None:
    told = credentials_of(((b"X-Team-Api-Key", b"t"), (b"Authorization", b"Bearer a"), (b"accept", b"x")))
    assert told == credentials_of(((b"authorization", b"Bearer a"), (b"x-team-api-key", b"t")))
    assert told != credentials_of(((b"authorization", b"Bearer b"), (b"x-team-api-key", b"t")))


@pytest.mark.parametrize("name", [b"Cookie", b"Proxy-Authorization", b"user-agent", b"x-privguard-profile"])
def test_what_is_no_credential_of_the_caller_does_not_tell_who_calls(name: bytes) -> None:
    assert credentials_of(((name, b"x"),)) == ()


@pytest.mark.parametrize(
    "values", [["GZIP"], ["x-gzip"], ["gzip, identity"], [" identity", "Gzip"], ["identity", "br"]]
)
def test_a_compressed_body_is_refused_however_it_says_so(values: list[str]) -> None:
    with pytest.raises(UnknownContentError, match="compressed"):
        check_plain(tuple([(b"Content-Encoding", value.encode()) for value in values]))


@pytest.mark.parametrize("values", [[], [""], ["Identity"], [" identity , "], ["identity", "IDENTITY"]])
def test_a_plain_body_may_say_so(values: list[str]) -> None:
    check_plain(tuple([(b"content-encoding", value.encode()) for value in values]))
