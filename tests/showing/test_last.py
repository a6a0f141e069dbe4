"""The last exchange tells what was decided and what came back, and content only where it was kept."""

import pytest
from rich.console import Console

from privguard.core.audit import Outcome
from privguard.core.errors import ConfigError
from privguard.guard import Exchange, Guard, Watch, watched
from privguard.guard.shapes import text_segments
from privguard.showing import LastExchange, last_exchange

TEXT = "I am Ada Roth in Zurich"


def begin(guard: Guard, text: str = TEXT) -> Exchange[str]:
    exchange = guard.begin(text_segments(text), target="gpt-5", route="openai.chat.completions")
    return exchange.reshaped(exchange.outgoing[0].text)


def noted() -> LastExchange:
    last = last_exchange()
    assert last is not None
    return last


def printed(thing: object) -> str:
    console = Console(width=200, highlight=False)
    with console.capture() as capture:
        console.print(thing)
    return capture.get()


def test_it_tells_decisions_events_and_times_and_no_content(guard: Guard) -> None:
    with begin(guard) as exchange:
        outgoing = exchange.outgoing
        last = noted()
        assert "open" in f"{last!r}"
        exchange.restore(outgoing)
    assert last.ended
    for seen in (last._repr_html_(), printed(last)):
        for told in (
            "PERSON_",
            "LOCATION_",
            "REDACT",
            "restored",
            "exact",
            "detect",
            "done",
            "openai.chat.completions",
        ):
            assert told in seen
        for text in ("Roth", "Zurich", "I am", outgoing):
            assert text not in seen
    assert last.record is not None
    assert last.record.outcome is Outcome.DONE
    assert printed(last.show(originals=True)) == printed(last)
    assert "Roth" not in repr(last)


def test_where_the_content_is_kept_it_is_shown_and_originals_when_asked(guard: Guard) -> None:
    watch = Watch(keeps=True)
    with watched(watch):
        begin(guard).close()
    last = noted()
    assert "I am [PERSON_" in printed(last)
    assert "Roth" not in printed(last) + last._repr_html_() + repr(last)
    assert "Ada Roth" in printed(last.show(originals=True))
    watch.forget()
    assert "I am" not in printed(noted())
    assert "what left is not kept; client.privguard.keep() keeps it, from the next call on" in printed(noted())


def test_a_refused_request_tells_its_error(guard: Guard) -> None:
    guard.block(route="POST files", error=ConfigError("x"))
    assert "blocked, ConfigError" in printed(noted())
    assert repr(noted()).endswith("POST files, blocked, decisions=0)")
    assert "target" not in printed(noted())


def test_an_exchange_that_is_gone_says_so(guard: Guard) -> None:
    exchange = begin(guard)
    last = noted()
    del exchange
    assert last.record is None
    assert repr(last) == "LastExchange(gone)"
    assert "never closed" in last._repr_html_()


@pytest.mark.parametrize("text", ["Good morning", TEXT], ids=["nothing found", "found"])
def test_the_way_to_keep_content_is_told_where_there_is_any(guard: Guard, text: str) -> None:
    begin(guard, text).close()
    assert ("privguard.keep()" in printed(noted())) is (text == TEXT)
