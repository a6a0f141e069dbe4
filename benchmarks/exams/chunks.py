"""The exam `chunk-invariance` for streams: cut a reply anywhere, and R writes the same text.

Text goes through R itself, bytes through the driver of event streams. Every cut in two and in three parts of the long
texts, every cut in any number of parts of the short ones, and random cuts by the strategies of the package.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from chunk_invariance import assert_chunk_invariant
from chunk_invariance.core import ALL_SPLITS_MAX_LENGTH
from chunk_invariance.strategies import text_and_splits
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.exams.scores import Score
from privguard.core.profile import OnReply, Profile
from privguard.core.segments import Channel, Segment
from privguard.guard import Exchange, Guard, Parts
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import (
    Canary,
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    ListSink,
    Mangle,
    find_placeholders,
    mangle_placeholders,
    values_of,
)
from privguard_adapters.wire.openai_stream import EventStream
from privguard_adapters.wire.reply import ReplyRules

EXAMPLES = 2_000
RESTORING, REDACTING = "R", "R and the search for the model's own values"
_QUOTED = 'Bob "Ace" Lee\nof Zurich'
_CANARIES = (Canary.person(), Canary.email(), Canary.card(), Canary.date())
_BROUGHT = (Canary.person(7), Canary.email(7), Canary.card(7))  # by the model: in no request

Hiding = Exchange[tuple[Segment, ...]]
TextStream = Callable[[Iterable[str]], Iterator[str]]


def open_exchange(on_reply: OnReply = OnReply.PASS) -> Hiding:
    """Open an exchange that hides a few values, one of them with quotes and a line break in it."""
    values = values_of(_CANARIES) | {_QUOTED: Canary.person().kind}
    guard = Guard(
        Parts(
            detector=FakeDetector(values | values_of(_BROUGHT)),
            need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="exam:1", name="exam", gamma=0.0, on_reply=on_reply)),
            sink=ListSink(),
            key=Key.from_text("a key for benchmarks, no secret!"),
        )
    )
    return guard.begin(text_segments("; ".join(values)), target="any")


def filters(exchange: Hiding, channel: Channel) -> tuple[TextStream, Callable[[str], str]]:
    """Return R over a stream and over a whole text."""

    def stream(chunks: Iterable[str]) -> Iterator[str]:
        opened = exchange.stream(channel)
        for chunk in chunks:
            yield opened.feed(chunk)
        yield opened.flush()

    return stream, lambda text: exchange.restore(text, channel)


def event_filters(
    exchange: Hiding,
) -> tuple[Callable[[Iterable[bytes]], Iterator[bytes]], Callable[[bytes], bytes]]:
    """Return the driver of event streams, and the same fed with everything at once."""

    def stream(chunks: Iterable[bytes]) -> Iterator[bytes]:
        events = EventStream(exchange, ReplyRules())
        for chunk in chunks:
            yield events.feed(chunk)
        yield events.end()

    return stream, lambda body: b"".join(stream([body]))


def replies(placeholders: Iterable[str]) -> list[str]:
    """Return replies with placeholders as models write them, right and wrong."""
    first, second, *rest = placeholders
    plain = f"Zoë 😀 asked {first}: is {second} right?"
    return [
        plain,
        *(mangle_placeholders(plain, mangle) for mangle in Mangle),
        f"{first}{second}{''.join(rest)}",
        f"a link https://evil.example/?q={first} and {first}",
        f"[[{first}], [{second[:-1]}, {second.lower()}s [PERSON_ZZZZ] [x",
        f"```json\n{json.dumps({'to': first, 'cc': [second]})}\n```",
        f"| {first} | **{second}** |\n| --- | --- |",
        f"{plain[:-4]} {first[:7]}",
    ]


def with_brought(text: str) -> str:
    """Return a reply with values of the model's own around and within it."""
    person, email, card = (canary.value for canary in _BROUGHT)
    middle = len(text) // 2
    return f"{person}: {text[:middle]} {email}. {text[middle:]}\n{card}"


def documents(placeholders: Iterable[str]) -> list[str]:
    """Return JSON replies."""
    first, second, *rest = placeholders
    inner = json.dumps({"name": second, "all": rest})
    return [json.dumps({"to": first, "body": f"\u00e9 {second}\n"}), json.dumps({"arguments": inner})]


def events(placeholders: Iterable[str], brought: str) -> bytes:
    """Return a stream of events, with a placeholder and what the model brings over several deltas."""
    first, second, *_rest = placeholders
    pieces = ("Zoë 😀 ", first[:3], first[3:8], f"{first[8:]}, {second} ", brought[:5], brought[5:])
    written = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    lines = [json.dumps(event, ensure_ascii=False) for event in written]
    return b"".join(b"data: " + line.encode() + b"\n\n" for line in [*lines, "[DONE]"])


def check_chunks() -> list[Score]:
    """Take the exam; of a text that fails, the first split is told, which is a smallest one."""
    scores = []
    for system, on_reply in ((RESTORING, OnReply.PASS), (REDACTING, OnReply.REDACT)):
        exchange = open_exchange(on_reply)
        placeholders = [str(found) for found in find_placeholders(exchange.outgoing[0].text)]
        scores += _check(system, exchange, placeholders, redacts=on_reply is OnReply.REDACT)
    return scores


def _check(system: str, exchange: Hiding, placeholders: Sequence[str], *, redacts: bool) -> list[Score]:
    texts, papers = replies(placeholders), documents(placeholders)
    if redacts:
        texts = [with_brought(text) for text in texts]
        papers = [json.dumps({"said": _BROUGHT[1].value, "of": json.loads(paper)}) for paper in papers]
    body = events(placeholders, _BROUGHT[1].value if redacts else "")
    return [
        _score(system, "text, up to three parts", lambda: _cut_text(exchange, Channel.TEXT, texts)),
        _score(system, "JSON, up to three parts", lambda: _cut_text(exchange, Channel.JSON, papers)),
        _score(system, "short text, any number of parts", lambda: _cut_short(exchange, placeholders)),
        _score(system, "events, two parts", lambda: _cut_events(exchange, body)),
        _score(system, "text, random cuts", lambda: _cut_at_random(exchange, texts)),
    ]


def _score(system: str, exam: str, take: Callable[[], int]) -> Score:
    try:
        splits = take()
    except AssertionError as error:
        # The values are invented, so the message may be shown.
        return Score(exam=exam, system=system, told=str(error), passed=False)
    return Score(exam=exam, system=system, told=f"{splits:,} splits, all like the whole", passed=splits > 0)


def _cut_text(exchange: Hiding, channel: Channel, texts: Sequence[str]) -> int:
    stream, whole = filters(exchange, channel)
    if exchange.profile.on_reply is OnReply.REDACT:
        # Else the exam would be passed by whoever hides nothing.
        left = [canary.kind for text in texts for canary in _BROUGHT if canary.value in whole(text)]
        assert not left, f"the whole text still holds {', '.join(left)}"
    return sum(assert_chunk_invariant(stream, whole, text, splits=3) for text in texts)


def _cut_short(exchange: Hiding, placeholders: Sequence[str]) -> int:
    stream, whole = filters(exchange, Channel.TEXT)
    short = [each for each in placeholders if len(each) <= ALL_SPLITS_MAX_LENGTH]
    texts = [*short, *(each.lower() for each in short), *(each.strip("[]") for each in short)]
    return sum(assert_chunk_invariant(stream, whole, text, splits="all") for text in texts)


def _cut_events(exchange: Hiding, body: bytes) -> int:
    stream, whole = event_filters(exchange)
    return int(assert_chunk_invariant(stream, whole, body))


def _cut_at_random(exchange: Hiding, texts: Sequence[str]) -> int:
    stream, whole = filters(exchange, Channel.TEXT)
    tried = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(text_and_splits(st.sampled_from(texts)))
    def check(drawn: tuple[str, list[str]]) -> None:
        nonlocal tried
        text, chunks = drawn
        tried += assert_chunk_invariant(stream, whole, text, splits=[chunks])

    check()
    return tried
