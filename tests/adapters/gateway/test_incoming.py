from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message

from privguard_adapters.gateway.incoming import CallerLeft, Incoming, read_body
from privguard_adapters.gateway.problems import Refused


def incoming(method: str, path: bytes, query: bytes = b"") -> Incoming:
    return Incoming.of({"method": method, "raw_path": path, "query_string": query, "headers": [(b"a", b"b")]})


def test_the_head_of_a_request() -> None:
    read = incoming("post", b"/v1/chat/completions", b"a=%20b")
    assert (read.method, read.path, read.query) == ("POST", "/chat/completions", "a=%20b")
    assert read.headers == ((b"a", b"b"),)
    assert read.is_protected
    assert read.route == "openai.chat.completions"


@pytest.mark.parametrize("path", [b"/v1", b"/v1x/chat/completions", b"/chat/completions", b"/", b"", b"http://x/v1/"])
def test_a_path_outside_the_base_is_none_of_the_api(path: bytes) -> None:
    read = incoming("POST", path)
    assert (read.path, read.is_protected, read.allowed()) == (None, False, ())
    assert read.route == "a path outside /v1"


def test_the_name_of_a_route_holds_nothing_of_the_callers() -> None:
    assert incoming("POST", b"/v1/threads/Ada%20Roth/runs").route == "POST threads/{id}/runs"
    assert incoming("ADA", b"/v1/ada").route == "{method} {id}"
    assert "Ada" not in repr(incoming("POST", b"/v1/threads/Ada", b"q=Ada"))


def test_head_asks_like_get() -> None:
    assert incoming("HEAD", b"/v1/models").asked_method == "GET"
    assert incoming("HEAD", b"/v1/models").is_protected
    assert not incoming("HEAD", b"/v1/chat/completions").is_protected


class Inbox:
    """Messages of a server, one after the other."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.left = list(messages)

    async def __call__(self) -> Message:
        return self.left.pop(0)


def parts(*pieces: bytes) -> Inbox:
    last = len(pieces) - 1
    return Inbox([{"type": "http.request", "body": piece, "more_body": at < last} for at, piece in enumerate(pieces)])


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=6))
async def test_a_body_is_all_of_its_parts(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    assert await read_body(parts(*pieces), (), limit=len(whole), timeout_s=5) == whole


@given(st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=6), st.data())
async def test_no_more_is_read_than_the_limit(pieces: list[bytes], data: st.DataObject) -> None:
    limit = data.draw(st.integers(0, sum(map(len, pieces)) - 1))
    inbox = parts(*pieces)
    with pytest.raises(Refused) as caught:
        await read_body(inbox, (), limit=limit, timeout_s=5)
    assert caught.value.problem.status == 413
    read = pieces[: len(pieces) - len(inbox.left)]
    assert sum(map(len, read[:-1])) <= limit


async def test_a_declared_length_is_refused_before_anything_is_read() -> None:
    inbox = parts(b"x")
    with pytest.raises(Refused):
        await read_body(inbox, ((b"content-length", b"6"),), limit=5, timeout_s=5)
    assert len(inbox.left) == 1


async def test_a_caller_may_leave_before_the_end() -> None:
    inbox = Inbox([{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}])
    with pytest.raises(CallerLeft):
        await read_body(inbox, (), limit=5, timeout_s=5)


async def test_a_message_without_a_body_is_an_empty_one() -> None:
    message: dict[str, Any] = {"type": "http.request"}
    assert await read_body(Inbox([message]), (), limit=5, timeout_s=5) == b""
