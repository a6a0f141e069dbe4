"""What an exchange shares with its streams."""

from collections.abc import Callable
from typing import Any

import pytest

from privguard.core.audit import Event
from privguard.core.errors import RestoreError
from privguard.core.profile import OnReply, Profile
from privguard.core.segments import Channel
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import text_segments
from privguard.testing import FakeProfiles

TEXT = "I am Ada Roth"
MakeGuard = Callable[..., Guard]


def begin(make_guard: MakeGuard, on_reply: OnReply = OnReply.PASS) -> Exchange[str]:
    profile = Profile(id="fake:1", name="fake", gamma=0.5, on_reply=on_reply)
    begun = make_guard(profiles=FakeProfiles(profile)).begin(text_segments(TEXT), target="m")
    return begun.reshaped(begun.outgoing[0].text)


@pytest.mark.parametrize("on_reply", OnReply)
def test_a_stream_ends_once(make_guard: MakeGuard, on_reply: OnReply) -> None:
    exchange = begin(make_guard, on_reply)
    stream = exchange.stream(path="p")
    assert stream.feed(exchange.outgoing) + stream.flush() == TEXT
    assert stream.flush() == ""
    stream.leave()
    assert [(each.event, each.path, each.count) for each in exchange.close().events] == [(Event.RESTORED, "p", 1)]


@pytest.mark.parametrize("on_reply", OnReply)
def test_what_is_left_is_counted_and_not_read(make_guard: MakeGuard, on_reply: OnReply) -> None:
    exchange = begin(make_guard, on_reply)
    stream = exchange.stream()
    stream.feed(f"{exchange.outgoing}. Ben Kole")
    stream.leave()
    assert stream.flush() == ""
    assert [(each.event, each.count) for each in exchange.close().events] == [(Event.RESTORED, 1)]


def test_the_time_of_a_search_is_a_stage_of_its_own(make_guard: MakeGuard) -> None:
    for on_reply in OnReply:
        exchange = begin(make_guard, on_reply)
        exchange.restore("Ask Ben Kole")
        stream = exchange.stream()
        stream.feed("Ask Ben Kole")
        stream.flush()
        assert ("reply" in (exchange.close().stage_ms or {})) == (on_reply is not OnReply.PASS)


@pytest.mark.parametrize("on_reply", OnReply)
def test_a_delta_without_content_adds_nothing_and_what_is_no_text_is_refused(
    make_guard: MakeGuard, on_reply: OnReply
) -> None:
    exchange = begin(make_guard, on_reply)
    stream = exchange.stream()
    chunks = [None, exchange.outgoing[:4], None, exchange.outgoing[4:], "", None]
    assert "".join(map(stream.feed, chunks)) + stream.flush() == TEXT
    odd: tuple[Any, ...] = (b"x", 1, [], True)
    for chunk in odd:
        with pytest.raises(RestoreError, match=type(chunk).__name__):
            exchange.stream().feed(chunk)


@pytest.mark.parametrize("on_reply", OnReply)
@pytest.mark.parametrize("channel", [Channel.TEXT, Channel.JSON])
def test_a_stream_holds_as_long_as_more_is_to_come(make_guard: MakeGuard, on_reply: OnReply, channel: Channel) -> None:
    stream = begin(make_guard, on_reply).stream(channel)
    assert not stream.holds
    given = '["a", "word'
    passed = stream.feed(given)
    assert stream.holds is (passed != given) is (on_reply is OnReply.REDACT)
    given += " [PERSON_"
    passed += stream.feed(" [PERSON_")
    assert (stream.holds, passed == given) == (True, False)
    assert passed + stream.flush() == given
    assert not stream.holds
