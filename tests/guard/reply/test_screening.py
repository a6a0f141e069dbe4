"""Whatever the model brings by itself: none of it passes in part, and nothing that R has put back is touched."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.audit import Event, RestoreEvent
from privguard.core.entities import EntityType
from privguard.core.errors import RestoreError
from privguard.core.plan import Need
from privguard.core.profile import OnReply, Profile, Public
from privguard.core.protocols import Detector
from privguard.core.segments import Channel
from privguard.guard import Exchange, Guard, Parts
from privguard.guard.reply.units import MAX_UNIT, MIN_UNIT
from privguard.guard.shapes import text_segments
from privguard.replacements.key import Key
from privguard.testing import FailingDetector, FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink
from tests.growth import costs_in_proportion, seconds

BROUGHT = {
    "Cleo Marsh": EntityType.PERSON,
    "Marsh": EntityType.PERSON,
    "cleo@marsh.example": EntityType.EMAIL,
    "030 5550177": EntityType.PHONE,
    "5550188001": EntityType.PHONE,
    "Zoë Quill": EntityType.PERSON,
    "Oslo": EntityType.LOCATION,
    "hunter3-hunter3": EntityType.SECRET,
    "-----BEGIN A KEY-----\nMIIB\nAAAA\n-----END A KEY-----": EntityType.SECRET,
}
SENT = {"Ada Roth": EntityType.PERSON, "Ada": EntityType.PERSON, "ada@roth.example": EntityType.EMAIL}
REQUEST = "I am Ada Roth, ada@roth.example, in Bern."
FILLER = "Nothing is said here that would tell anything of anybody, whoever reads it. "


def begin(
    *,
    detector: Detector | None = None,
    sink: ListSink | None = None,
    request: str = REQUEST,
    need: Any = None,  # noqa: ANN401 - a need model
    timer: Callable[[], float] = perf_counter,
    **profile: Any,  # noqa: ANN401 - fields of the profile
) -> Exchange[str]:
    settings = {"on_reply": OnReply.REDACT} | profile
    guard = Guard(
        Parts(
            detector=detector or FakeDetector(BROUGHT | SENT),
            need=need or FakeNeed(b_redact=-9.0, b_abstract=-9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(Profile(id="fake:1", name="fake", gamma=0.5, **settings)),
            sink=sink or ListSink(),
            key=Key.from_text("correct horse battery staple"),
            timer=timer,
        )
    )
    begun = guard.begin(text_segments(request), target="m")
    return begun.reshaped(begun.outgoing[0].text)


def ada(exchange: Exchange[str]) -> str:
    return exchange.outgoing.split()[2].rstrip(",")


def streamed(exchange: Exchange[str], text: str, cuts: Sequence[int] = (), channel: Channel = Channel.TEXT) -> str:
    stream = exchange.stream(channel)
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    return "".join([*(stream.feed(text[start:end]) for start, end in pairwise(places)), stream.flush()])


def own(exchange: Exchange[str]) -> list[tuple[Event, str, int, int]]:
    events = [each for each in exchange.close().events if each.event in (Event.FLAGGED, Event.REDACTED)]
    return sorted((each.event, each.kind, each.length, each.count) for each in events)


PIECES = st.sampled_from([
    *BROUGHT, "Ada", "[ADA]", "Bern", " ", ". ", "\n", "\n\n", "x" * MIN_UNIT, FILLER, FILLER * 7, "{", "[",
    '"', "\\u00eb", "-----BEGIN A KEY-----\n", '{"a": 1}', "[REDACTED PERSON]", "[PERSON_",
])  # fmt: skip


@given(pieces=st.lists(PIECES, max_size=12), cuts=st.lists(st.integers(0, 3000), max_size=8), flags=st.booleans())
def test_however_a_reply_is_cut_the_caller_reads_the_same(pieces: list[str], cuts: list[int], flags: bool) -> None:
    on_reply = OnReply.FLAG if flags else OnReply.REDACT
    whole, stream = begin(on_reply=on_reply), begin(on_reply=on_reply)
    text = "".join(pieces).replace("[ADA]", ada(whole))
    assert streamed(stream, text, cuts) == whole.restore(text)
    assert own(stream) == own(whole)


@pytest.mark.parametrize("channel", [Channel.TEXT, Channel.JSON])
def test_no_cut_of_a_reply_lets_a_part_of_a_value_pass(channel: Channel) -> None:
    pieces = (FILLER, FILLER, "Cleo Marsh", " and ", "[ADA]", ", cleo@marsh.example. ", FILLER, "Call 030 5550177.\n")
    exchange = begin()
    text = "".join(pieces).replace("[ADA]", ada(exchange))
    text = json.dumps({"said": text}) if channel is Channel.JSON else text
    whole = exchange.restore(text, channel)
    assert "Ada Roth" in whole
    for cut in range(len(text) + 1):
        stream = exchange.stream(channel)
        first = stream.feed(text[:cut])
        assert whole.startswith(first)
        assert first + stream.feed(text[cut:]) + stream.flush() == whole


@given(pieces=st.lists(PIECES, max_size=12))
def test_nothing_that_was_brought_passes_and_all_that_was_put_back_does(pieces: list[str]) -> None:
    exchange = begin()
    text = FILLER + " ".join(pieces).replace("[ADA]", ada(exchange))
    passed = exchange.restore(text)
    for value, kind in BROUGHT.items():
        assert kind is EntityType.LOCATION or value not in passed
    assert passed.count("Ada Roth") == pieces.count("[ADA]")
    assert passed.count("Oslo") == pieces.count("Oslo")


@given(pieces=st.lists(PIECES, max_size=9), channel=st.sampled_from([Channel.TEXT, Channel.JSON]))
def test_what_is_flagged_passes_as_if_nobody_looked(pieces: list[str], channel: Channel) -> None:
    exchange, plain = begin(on_reply=OnReply.FLAG), begin(on_reply=OnReply.PASS)
    text = " ".join(pieces).replace("[ADA]", ada(exchange))
    assert exchange.restore(text, channel) == plain.restore(text, channel)
    stream = exchange.stream(channel)
    assert stream.feed(text) + stream.flush() == plain.restore(text, channel)


def test_what_is_hidden_is_recorded_by_type_and_length_alone() -> None:
    sink = ListSink()
    exchange = begin(sink=sink)
    assert exchange.restore("Ask Cleo Marsh, or Cleo Marsh.", path="choices[0].message.content") == (
        "Ask [REDACTED PERSON], or [REDACTED PERSON]."
    )
    exchange.close()
    assert sink.records[0].events == (
        RestoreEvent(event=Event.REDACTED, path="choices[0].message.content", kind="PERSON", length=10, count=2),
    )


def test_what_is_flagged_is_recorded_and_not_held_back() -> None:
    exchange = begin(on_reply=OnReply.FLAG)
    stream = exchange.stream()
    assert stream.feed("Ask Cleo Marsh") == "Ask Cleo Marsh"
    assert stream.flush() == ""
    assert own(exchange) == [(Event.FLAGGED, "PERSON", 10, 1)]


def test_by_default_nobody_looks() -> None:
    exchange = begin(on_reply=OnReply.PASS)
    stream = exchange.stream()
    assert stream.feed("Ask Cleo Marsh") == "Ask Cleo Marsh"
    assert own(exchange) == []


def test_prose_lags_by_one_unit_and_no_more() -> None:
    stream = begin().stream()
    passed, given = "", ""
    for _ in range(40):
        given += FILLER
        passed += stream.feed(FILLER)
        assert len(given) - len(passed) <= 2 * MAX_UNIT
    assert passed


class TestWhatCounts:
    def test_what_the_caller_has_sent_is_no_news(self) -> None:
        exchange = begin(detector=FakeDetector(BROUGHT | SENT | {"Bern": EntityType.PERSON, "ADA": EntityType.PERSON}))
        assert exchange.restore("Ada and ADA of Bern, ada@roth.example") == "Ada and ADA of Bern, ada@roth.example"

    def test_a_type_that_the_profile_does_not_name_passes(self) -> None:
        assert begin().restore("In Oslo.") == "In Oslo."
        assert begin(reply_types=(EntityType.LOCATION,)).restore("Cleo Marsh in Oslo.") == (
            "Cleo Marsh in [REDACTED LOCATION]."
        )

    def test_a_denied_term_counts_whatever_its_type(self) -> None:
        exchange = begin(deny={"Heron": EntityType.MISC}, reply_types=())
        assert exchange.restore("See HERON-db. Cleo Marsh.") == "See [REDACTED MISC]-db. Cleo Marsh."

    def test_an_allowed_term_passes_but_no_secret(self) -> None:
        exchange = begin(allow=("cleo *", "hunter*"))
        assert exchange.restore("Cleo Marsh: hunter3-hunter3") == "Cleo Marsh: [REDACTED SECRET]"

    def test_what_is_public_passes_where_the_profile_lets_it(self) -> None:
        public = {EntityType.PERSON: Need(b_redact=-9.0, b_abstract=-9.0, p_public=0.99)}
        need = FakeNeed(b_redact=-9.0, b_abstract=-9.0, by_kind=public)
        text = "Cleo Marsh, cleo@marsh.example"
        assert begin(need=need, public=Public.RETAIN).restore(text) == "Cleo Marsh, [REDACTED EMAIL]"
        assert begin(need=need).restore(text) == "[REDACTED PERSON], [REDACTED EMAIL]"

    def test_a_link_counts_that_holds_a_value(self) -> None:
        text = "See https://w.example/help and https://w.example/u/cleo@marsh.example/x"
        assert begin().restore(text) == "See https://w.example/help and [REDACTED URL]"


class TestBesideWhatWasPutBack:
    @pytest.mark.parametrize(
        ("found", "reply", "passed"),
        [
            ("Ada Roth Marsh", "Dear [ADA] Marsh,", "Dear Ada Roth [REDACTED PERSON],"),
            ("Mrs Ada Roth", "Dear Mrs [ADA],", "Dear Mrs Ada Roth,"),
            ("Ada Roth's", "It is [ADA]'s.", "It is Ada Roth's."),
            ("Ada Roth wrote", "So [ADA] wrote it.", "So Ada Roth wrote it."),
            ("Cleo Ada Roth Marsh", "Cleo [ADA] Marsh", "[REDACTED PERSON] Ada Roth [REDACTED PERSON]"),
        ],
    )
    def test_only_the_rest_of_what_holds_a_restored_value_is_hidden(self, found: str, reply: str, passed: str) -> None:
        exchange = begin(detector=FakeDetector(SENT | {found: EntityType.PERSON}))
        assert exchange.restore(reply.replace("[ADA]", ada(exchange))) == passed

    def test_a_placeholder_that_stays_is_left_as_it_is(self) -> None:
        exchange = begin(detector=FakeDetector(BROUGHT | SENT | {"PERSON_": EntityType.PERSON}))
        text = f"https://evil.example/?q={ada(exchange).lower()} and [PERSON_9ZZ9]"
        assert exchange.restore(text) == text

    def test_a_hint_hides_nothing(self) -> None:
        assert begin().restore("[PERSON_9ZZ9: Cleo Marsh]") == "[PERSON_9ZZ9: [REDACTED PERSON]]"


class TestDocuments:
    def test_a_document_stays_valid_at_every_level(self) -> None:
        inner = json.dumps({"to": "Cleo Marsh", "tel": 5550188001, "n": [1, {"by": "Zoë Quill"}]})
        text = json.dumps({"a": inner, "b": 5550188001, "c": "hi"})
        read = json.loads(begin().restore(text, Channel.JSON))
        assert json.loads(read["a"]) == {
            "to": "[REDACTED PERSON]", "tel": "[REDACTED PHONE]", "n": [1, {"by": "[REDACTED PERSON]"}],
        }  # fmt: skip
        assert (read["b"], read["c"]) == ("[REDACTED PHONE]", "hi")

    def test_what_does_not_change_keeps_its_spelling(self) -> None:
        text = '{ "a" :1.50,"b":"caf\\u00e9 Cleo Marsh" }'
        assert begin().restore(text, Channel.JSON) == '{ "a" :1.50,"b":"caf\\u00e9 [REDACTED PERSON]" }'

    def test_keys_stay_apart(self) -> None:
        text = json.dumps({"Cleo Marsh": 1, "Zoë Quill": 2})
        assert json.loads(begin().restore(text, Channel.JSON)) == {"[REDACTED PERSON]": 1, "[REDACTED PERSON 2]": 2}

    def test_a_number_alone_becomes_a_string(self) -> None:
        assert json.loads(begin().restore(" 5550188001", Channel.JSON)) == "[REDACTED PHONE]"

    def test_a_restored_value_in_a_document_is_not_touched(self) -> None:
        exchange = begin(detector=FakeDetector(SENT | {"Ada Roth Marsh": EntityType.PERSON}))
        text = json.dumps({"a": json.dumps({"to": f"{ada(exchange)} Marsh"})})
        read = json.loads(exchange.restore(text, Channel.JSON))
        assert json.loads(read["a"]) == {"to": "Ada Roth [REDACTED PERSON]"}

    def test_a_document_in_prose_is_read_as_one(self) -> None:
        text = '{"tel": 5550188001, "by": "Zo\\u00eb Quill"}'
        assert json.loads(streamed(begin(), text, range(len(text)))) == {
            "tel": "[REDACTED PHONE]", "by": "[REDACTED PERSON]",
        }  # fmt: skip

    def test_a_document_that_is_cut_off_is_searched_as_far_as_it_goes(self) -> None:
        exchange = begin()
        assert streamed(exchange, '{"by": "Cleo Marsh", "x', (9,), Channel.JSON) == '{"by": "[REDACTED PERSON]", "x'

    @pytest.mark.parametrize("behind", ["", "\n", ' {"b": "Zoë Quill"}', " and Zoë Quill", "]"])
    def test_one_that_must_be_one_passes_at_its_own_end(self, behind: str) -> None:
        exchange = begin()
        text = json.dumps({"to": ada(exchange), "by": "Cleo Marsh"}) + behind
        stream = exchange.stream(Channel.JSON)
        passed = [stream.feed(sign) for sign in text]
        end = text.index("}")
        assert "".join(passed[:end]) == ""
        assert json.loads(passed[end]) == {"to": "Ada Roth", "by": "[REDACTED PERSON]"}
        rest = "".join(passed[end + 1 :]) + stream.flush()
        assert rest == behind.replace("Zoë Quill", "[REDACTED PERSON]")

    def test_a_bracket_in_what_is_none_ends_nothing(self) -> None:
        for text in ("[Cleo] Marsh", "] Cleo Marsh", "see {Cleo} Marsh {}"):
            exchange = begin(detector=FakeDetector(SENT | {"Cleo] Marsh": EntityType.PERSON, **BROUGHT}))
            stream = exchange.stream(Channel.JSON)
            assert "".join([stream.feed(sign) for sign in text]) == ""
            assert "Cleo] Marsh" not in stream.flush()


class TestFailing:
    def test_what_could_not_be_searched_does_not_pass(self) -> None:
        with pytest.raises(RestoreError, match="DetectionError"):
            failing().restore(FILLER)

    def test_nothing_passes_behind_a_failure_and_no_content_is_shown(self) -> None:
        stream = failing().stream()
        with pytest.raises(RestoreError) as caught:
            stream.feed("Cleo Marsh " * 200)
        assert "Cleo" not in str(caught.value)
        assert caught.value.__context__ is None
        with pytest.raises(RestoreError):
            stream.flush()
        assert stream.flush() == ""

    def test_where_it_only_flags_the_text_passes_and_the_failure_is_recorded(self) -> None:
        exchange = failing(on_reply=OnReply.FLAG)
        assert exchange.restore("Cleo Marsh") == "Cleo Marsh"
        assert own(exchange) == [(Event.FLAGGED, "", 0, 1)]


def failing(**profile: Any) -> Exchange[str]:  # noqa: ANN401 - fields of the profile
    return begin(detector=_FailingLater(), **profile)


class _FailingLater:
    """Answer for the request, and fail for the reply."""

    id = "failing-later/1"

    def __init__(self) -> None:
        self._asked = 0

    def detect(self, segments: Any) -> Any:  # noqa: ANN401 - of the protocol
        self._asked += 1
        return FakeDetector(SENT).detect(segments) if self._asked == 1 else FailingDetector().detect(segments)


def test_nothing_passes_behind_a_document_that_could_not_be_searched() -> None:
    stream = failing().stream(Channel.JSON)
    with pytest.raises(RestoreError):
        stream.feed('{"by": "Cleo Marsh"}')
    assert stream.feed('{"by": "Cleo Marsh"}') == ""
    with pytest.raises(RestoreError):
        stream.flush()


def test_closing_early_judges_nothing_and_writes_the_record() -> None:
    exchange = failing()
    exchange.stream().feed("Cleo Marsh")
    assert own(exchange) == []
    assert exchange.closed


def test_a_key_over_many_lines_is_hidden_whole() -> None:
    key = "-----BEGIN A KEY-----\n" + "MIIBOgIBAAJBAK.\n" * 60 + "-----END A KEY-----"
    exchange = begin(detector=FakeDetector({key: EntityType.SECRET}), request="Hello")
    text = f"{FILLER}Here it is:\n{key}\n{FILLER}"
    assert streamed(exchange, text, range(0, len(text), 7)) == f"{FILLER}Here it is:\n[REDACTED SECRET]\n{FILLER}"


def test_what_was_found_in_a_text_is_remembered_for_all_replies_of_a_guard() -> None:
    counting = _Counting()
    exchange = begin(detector=counting)
    assert exchange.restore("Ask Cleo Marsh.") == exchange.restore("Ask Cleo Marsh.")
    assert counting.texts.count("Ask Cleo Marsh.") == 1


class _Counting:
    id = "counting/1"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def detect(self, segments: Any) -> Any:  # noqa: ANN401 - of the protocol
        self.texts += [each.text for each in segments]
        return FakeDetector(BROUGHT | SENT).detect(segments)


def test_an_exchange_that_closes_meanwhile_lets_nothing_pass_unsearched() -> None:
    opened: list[Exchange[str]] = []

    def timer() -> float:
        for exchange in opened:
            exchange.close()
        return 0.0

    opened.append(begin(timer=timer))
    assert opened[0].restore("Ask Cleo Marsh") == "Ask [REDACTED PERSON]"


@pytest.mark.parametrize("channel", [Channel.TEXT, Channel.JSON])
def test_the_time_grows_with_the_length_of_the_reply(channel: Channel) -> None:
    def cost(times: int) -> float:
        text = FILLER * times
        text = text if channel is Channel.TEXT else json.dumps([text])
        stream = begin().stream(channel)

        def read() -> None:
            for at in range(0, len(text), 8):
                stream.feed(text[at : at + 8])
            stream.flush()

        return seconds(read)

    assert costs_in_proportion(cost, 375, least_s=0.002)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[Cleo Marsh §]", "[[REDACTED PERSON] §]"),
        ("[Cleo Marsh_§]", "[[REDACTED PERSON]_§]"),
        ("[SECRET_§'Marsh]", "[SECRET_§'[REDACTED PERSON]]"),
        ("[SECRET_§: Cleo Marsh]", "[SECRET_§: [REDACTED PERSON]]"),
        ("[SECRET_§]", "[SECRET_§]"),
        ("[SECRETO_§]", "[SECRETO_§]"),
    ],
)
def test_a_name_beside_the_id_of_what_stays_is_hidden(written: str, read: str) -> None:
    found = BROUGHT | SENT | {"sk-ada-1": EntityType.SECRET}
    exchange = begin(detector=FakeDetector(found), request=REQUEST + " Key sk-ada-1")
    placed = exchange.outgoing.rpartition("_")[2].removesuffix("]")
    assert exchange.restore(written.replace("§", placed)) == read.replace("§", placed)
    assert streamed(exchange, written.replace("§", placed), range(1, 40)) == read.replace("§", placed)
