import json
from collections.abc import Callable

import pytest

from privguard.core.audit import Cause, Event, Match, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, RestoreError, VaultError
from privguard.core.profile import OnReply, Profile
from privguard.core.segments import Channel
from privguard.core.views import View
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import message_segments, text_segments
from privguard.testing import FakeDetector, FakeProfiles, ListSink
from privguard.vault import open_vault

TEXT = "I am Ada Roth, mail ada@roth.example"


@pytest.fixture
def exchange(guard: Guard) -> Exchange[str]:
    begun = guard.begin(text_segments(TEXT), target="m")
    return begun.reshaped(begun.outgoing[0].text)


def test_the_first_close_wins_and_writes_once(exchange: Exchange[str], sink: ListSink) -> None:
    first = exchange.close(Outcome.ABANDONED)
    assert exchange.close(Outcome.DONE) is first
    assert sink.records == [first]
    assert exchange.closed
    assert first.outcome is Outcome.ABANDONED


@pytest.mark.parametrize("on_reply", list(OnReply))
def test_a_reply_goes_on_in_the_document_that_the_request_begins(
    make_guard: Callable[..., Guard], on_reply: OnReply
) -> None:
    value = 'Ada "Ace" Roth\nof Zurich'
    profile = Profile(id="fake:1", name="fake", gamma=0.5, on_reply=on_reply)
    guard = make_guard(detector=FakeDetector({value: EntityType.PERSON}), profiles=FakeProfiles(profile))
    asked = [{"role": "user", "content": value}, {"role": "assistant", "content": "{"}]
    with guard.begin(message_segments(asked), target="m") as exchange:
        said = f'"to": "{exchange.outgoing[0].text}"}}'
        stream = exchange.stream(Channel.REPLY)
        for text in (exchange.restore(said, Channel.REPLY), stream.feed(said) + stream.flush()):
            assert json.loads(f"{{{text}") == {"to": value}


def test_a_closed_exchange_has_forgotten_its_values(exchange: Exchange[str]) -> None:
    exchange.close()
    with pytest.raises(RestoreError, match="closed"):
        exchange.restore(exchange.outgoing)
    with pytest.raises(RestoreError, match="closed"):
        exchange.stream()


def test_the_record_counts_what_came_back_by_path(exchange: Exchange[str]) -> None:
    placeholder = exchange.outgoing.split()[2].rstrip(",")
    exchange.restore(f"{placeholder} {placeholder.lower()}", path="choices[0].message.content")
    stream = exchange.stream(path="choices[1].message.content")
    assert stream.feed(f"{placeholder} {placeholder} and [PERSON_9ZZ9] x") + stream.flush()
    record = exchange.close()
    counted = {(e.path, e.event, e.match, e.cause): e.count for e in record.events}
    assert counted == {
        ("choices[0].message.content", Event.RESTORED, Match.EXACT, None): 1,
        ("choices[0].message.content", Event.RESTORED, Match.TOLERANT, None): 1,
        ("choices[1].message.content", Event.RESTORED, Match.EXACT, None): 2,
        ("choices[1].message.content", Event.UNRESTORED, Match.EXACT, Cause.UNKNOWN): 1,
    }


def test_an_open_stream_is_counted_when_the_exchange_closes(exchange: Exchange[str]) -> None:
    stream = exchange.stream(path="p")
    stream.feed(exchange.outgoing + " ")
    record = exchange.close(Outcome.ABANDONED)
    assert sum(event.count for event in record.events) == 2
    assert stream.flush() == ""


def test_what_a_view_refuses_stays_and_is_recorded(exchange: Exchange[str]) -> None:
    outgoing = exchange.outgoing
    nothing = View(kinds=frozenset(), is_tool=True)
    assert exchange.restore(outgoing, path="whole", view=nothing) == outgoing
    stream = exchange.stream(Channel.JSON, path="streamed", view=nothing)
    streamed = "".join([*(stream.feed(letter) for letter in outgoing), stream.flush()])
    assert streamed == outgoing
    record = exchange.close()
    assert {(e.path, e.event, e.cause) for e in record.events} == {
        ("whole", Event.REFUSED, Cause.REMOTE_TOOL),
        ("streamed", Event.REFUSED, Cause.REMOTE_TOOL),
    }


def test_neither_record_nor_repr_holds_content(exchange: Exchange[str]) -> None:
    exchange.restore(exchange.outgoing)
    shown = repr(exchange) + repr(exchange.plan) + repr(exchange.close())
    assert not any(value in shown for value in ("Ada", "Roth", "roth"))


def test_a_with_block_closes_by_how_it_ends(guard: Guard, sink: ListSink) -> None:
    with guard.begin(text_segments(TEXT), target="m"):
        pass
    with pytest.raises(KeyError), guard.begin(text_segments(TEXT), target="m"):
        raise KeyError
    assert [(record.outcome, record.error) for record in sink.records] == [
        (Outcome.DONE, ""),
        (Outcome.FAILED, "KeyError"),
    ]


def test_stage_times_are_kept(exchange: Exchange[str]) -> None:
    exchange.restore(exchange.outgoing)
    record = exchange.close()
    assert record.stage_ms is not None
    assert set(record.stage_ms) == {"detect", "need", "render", "restore"}
    assert all(value >= 0 for value in record.stage_ms.values())


def test_a_reply_that_is_no_text_is_refused(exchange: Exchange[str]) -> None:
    with pytest.raises(RestoreError, match="not list"):
        exchange.restore([])  # type: ignore[arg-type]


@pytest.mark.parametrize("channel", ["JSON", "tool", "", None, [], 1], ids=range(6))
def test_a_channel_that_there_is_not_is_told(exchange: Exchange[str], channel: Channel) -> None:
    for use in (exchange.restore, exchange.restore_whole):
        with pytest.raises(RestoreError, match="text, json, json_in_json, reply, schema") as caught:
            use(exchange.outgoing, channel)
        assert caught.value.__context__ is None
    with pytest.raises(RestoreError, match="no such channel"):
        exchange.stream(channel)


def test_a_channel_may_be_spelled_as_its_value(make_guard: Callable[..., Guard]) -> None:
    name = 'Ada "Q" Roth'
    guard = make_guard(detector=FakeDetector({name: EntityType.PERSON}))
    with guard.begin(text_segments(name), target="m") as exchange:
        document = json.dumps({"to": exchange.outgoing[0].text})
        for channel in (Channel.JSON, "json"):
            stream = exchange.stream(channel)  # type: ignore[arg-type]
            streamed = stream.feed(document) + stream.flush()
            assert exchange.restore(document, channel) == streamed == json.dumps({"to": name})  # type: ignore[arg-type]


@pytest.mark.parametrize("ttl_s", [True, 0, float("nan")])
def test_a_time_that_is_none_is_refused_before_anything_is_held(make_guard: Callable[..., Guard], ttl_s: float) -> None:
    guard = make_guard(vault=open_vault("memory:"))
    with guard.begin(text_segments(TEXT), target="m") as exchange:
        with pytest.raises(ConfigError, match="ttl_s"):
            exchange.hold("r", ttl_s=ttl_s)
        with pytest.raises(VaultError, match="nothing is held"):
            exchange.bind("s")
