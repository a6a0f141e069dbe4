import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from privguard.core.audit import Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, DetectionError, PlanError
from privguard.core.plan import Action, Need, Reason
from privguard.core.profile import OnError, Profile
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect import rules_detector
from privguard.guard import Guard, use
from privguard.guard.shapes import text_segments
from privguard.testing import FailingDetector, FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink

CANARY = "Ada Roth"
PIECES = st.sampled_from(
    [
        "Ada Roth", "Ada", "ADA ROTH", "Roth", "Ben Kole", "Mr ",
        "ada@roth.example", "7-AB-99201", "Zurich", "hunter2-hunter2",
        " ", " and ", ", ", "\n", "[", "]", "[PERSON_", "[PERSON_7QK2]", "person_7qk2",
        "[EMAIL_2ABC: an email address]",
        "_", "\\", "\\[", "😀", "e\u0301", "\u05d0", "&#91;", "https://host.example/", "(", ")", "'s", "x",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join)
NEEDED = FakeNeed(b_redact=9.0, b_abstract=9.0)  # everything is retained but for floors and lists
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def texts_of(guard: Guard, *texts: str) -> list[str]:
    segments = [
        Segment(path=f"messages[{number}].content", role=Role.USER, channel=Channel.TEXT, text=text)
        for number, text in enumerate(texts)
    ]
    with guard.begin(segments, target="m") as exchange:
        return [segment.text for segment in exchange.outgoing]


def ids(text: str) -> list[str]:
    return re.findall(r"\[[A-Z_]+_[A-Z2-9]{4,}\]", text)


@quick
@given(text=TEXTS)
def test_restoring_what_left_gives_the_original(guard: Guard, text: str) -> None:
    segments = text_segments(text)
    assume([segment.text for segment in segments] == [text])  # no document
    with guard.begin(segments, target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        whole = exchange.restore(outgoing)
        stream = exchange.stream()
        streamed = "".join([*(stream.feed(letter) for letter in outgoing), stream.flush()])
    assert whole == text
    assert streamed == whole


@quick
@given(text=TEXTS)
def test_a_second_pass_changes_nothing(guard: Guard, text: str) -> None:
    once = texts_of(guard, text)
    assert texts_of(guard, *once) == once


@quick
@given(text=TEXTS)
@example(text="Ada RothRoth Roth")
def test_no_redacted_value_is_left(guard: Guard, text: str) -> None:
    with guard.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        for decision in exchange.plan:
            value = text[decision.span.start : decision.span.end]
            assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", outgoing)


@settings(quick, max_examples=50)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_memory_of_earlier_turns_changes_nothing_that_leaves(
    make_guard: Callable[..., Guard], texts: list[str]
) -> None:
    guard = make_guard()
    for turn in range(1, len(texts) + 1):
        assert texts_of(guard, *texts[:turn]) == texts_of(make_guard(), *texts[:turn])


@pytest.mark.parametrize("separator", ["_", "&lowbar;", "%5f", "\\u005f", "_ "])
@pytest.mark.parametrize("behind", ["", "\u00df", "."])
def test_an_old_text_that_imitates_a_new_id_is_read_again(
    make_guard: Callable[..., Guard], separator: str, behind: str
) -> None:
    guard = make_guard()
    (live,) = ids(texts_of(make_guard(), "Ben Kole")[0])
    old = f"Ada Roth says {live.strip('[]').lower().replace('_', separator)}{behind}"
    texts_of(guard, old)
    assert texts_of(guard, old, "Ben Kole") == texts_of(make_guard(), old, "Ben Kole")
    assert live not in texts_of(guard, old, "Ben Kole")[1]


def test_two_people_have_two_placeholders_and_each_restores_to_its_own(guard: Guard) -> None:
    with guard.begin(text_segments("I am Ada Roth. I am Ben Kole."), target="m") as exchange:
        ada, ben = ids(exchange.outgoing[0].text)
        assert ada != ben
        assert exchange.restore(f"{ben} met {ada}") == "Ben Kole met Ada Roth"


def test_a_repeated_value_has_one_placeholder(guard: Guard) -> None:
    (text,) = texts_of(guard, "ref 7-AB-99201, again ref 7-AB-99201")
    assert len(ids(text)) == 2
    assert len(set(ids(text))) == 1


def test_the_placeholder_of_turn_1_is_the_placeholder_of_turn_2(guard: Guard) -> None:
    (first,) = texts_of(guard, "I am Ada Roth")
    second = texts_of(guard, "Be kind to Ben Kole.", "I am Ada Roth", "And now?")
    assert second[1] == first


def test_a_part_of_a_name_has_the_id_of_the_whole_one_and_tells_its_form(guard: Guard) -> None:
    text = "Ada told Ben Kole that Ada left with Ada Roth"
    with guard.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert re.fullmatch(
            r"\[PERSON_(\w+): first name\] told \[PERSON_(?!\1\])\w+\] that \[PERSON_\1: first name\] "
            r"left with \[PERSON_\1\]",
            outgoing,
        )
        assert exchange.restore(outgoing) == text
    assert texts_of(guard, outgoing) == [outgoing]


def test_a_mention_that_the_detector_misses_does_not_leave(guard: Guard) -> None:
    texts = texts_of(guard, "I am Ada Roth", "ADA ROTH and ada roth")
    assert not re.search("ada|roth", texts[1], re.IGNORECASE)


def test_a_typed_look_alike_comes_back_as_it_was_typed(guard: Guard) -> None:
    (live,) = ids(texts_of(guard, "Ada Roth")[0])
    for typed in (live, live.lower(), live.strip("[]"), live.replace("_", r"\_"), live.replace("[", "&#91;")):
        with guard.begin(text_segments(f"Ada Roth asks: what is {typed} ?"), target="m") as exchange:
            outgoing = exchange.outgoing[0].text
            (real,) = set(ids(outgoing)) - {live}
            assert (
                exchange.restore(f"{typed} is a placeholder, dear {real}") == f"{typed} is a placeholder, dear Ada Roth"
            )
            assert typed in outgoing


def test_a_hint_that_no_ladder_wrote_is_ordinary_text(guard: Guard) -> None:
    (text,) = texts_of(guard, "[PERSON_7QK2: hunter2-hunter2]")
    assert "hunter2" not in text


def test_a_value_that_is_a_placeholder_is_not_expanded(make_guard: Callable[..., Guard]) -> None:
    (live,) = ids(texts_of(make_guard(), "Ada Roth")[0])
    deny = Profile(id="d:1", name="d", gamma=0.5, deny={f"code {live}": EntityType.MISC})
    guard = make_guard(profiles=FakeProfiles(deny))
    text = f"Ada Roth has code {live} today"
    with guard.begin(text_segments(text), target="m") as exchange:
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_a_failing_detector_blocks_the_call_and_says_nothing(make_guard: Callable[..., Guard], sink: ListSink) -> None:
    guard = make_guard(detector=FailingDetector(RuntimeError(f"cannot read {CANARY}")))
    with pytest.raises(DetectionError) as blocked:
        guard.begin(text_segments(CANARY), target="m", route="r")
    assert CANARY not in f"{blocked.value!r} {blocked.value.__cause__!r}"
    (record,) = sink.records
    assert (record.outcome, record.error, record.route) == (Outcome.BLOCKED, "DetectionError", "r")


class _Shapeless:
    id = "shapeless/1"

    def __init__(self, *rows: tuple[Span, ...]) -> None:
        self.rows = rows

    def detect(self, segments: object) -> tuple[tuple[Span, ...], ...]:
        return self.rows


@pytest.mark.parametrize(
    "rows", [(), ((Span(start=5, end=90, kind=EntityType.PERSON, score=1.0, source="x"),),)], ids=["missing", "outside"]
)
def test_an_answer_that_does_not_fit_the_text_blocks_the_call(
    make_guard: Callable[..., Guard], rows: tuple[tuple[Span, ...], ...]
) -> None:
    with pytest.raises(DetectionError):
        make_guard(detector=_Shapeless(*rows)).begin(text_segments(CANARY), target="m")


class _NoNeed:
    id = "no-need/1"

    def need(self, segments: object, spans: object) -> tuple[tuple[Need, ...], ...]:
        raise RuntimeError(CANARY)


def test_a_failing_need_model_is_answered_by_the_profile(make_guard: Callable[..., Guard]) -> None:
    block = Profile(id="b:1", name="b", gamma=0.5, on_error=OnError.BLOCK)
    redact = Profile(id="r:1", name="r", gamma=0.5, on_error=OnError.REDACT)
    with pytest.raises(PlanError) as blocked:
        make_guard(need=_NoNeed(), profiles=FakeProfiles(block)).begin(text_segments(CANARY), target="m")
    assert CANARY not in str(blocked.value)
    with make_guard(need=_NoNeed(), profiles=FakeProfiles(redact)).begin(text_segments(CANARY), target="m") as exchange:
        assert [(d.action, d.reason) for d in exchange.plan] == [(Action.REDACT, Reason.FALLBACK)]


class _NoLadder(FakeAbstractor):
    def abstract(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
        raise RuntimeError(CANARY)


def test_a_failing_ladder_blocks_the_call(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(abstractor=_NoLadder(), need=FakeNeed(b_redact=9.0, b_abstract=-9.0))
    with pytest.raises(PlanError) as blocked:
        guard.begin(text_segments("in Zurich"), target="m")
    assert CANARY not in str(blocked.value)


def test_an_abstracted_value_has_its_hint_at_the_first_mention_only(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(
        abstractor=FakeAbstractor({"Zurich": "a large city in Switzerland"}),
        need=FakeNeed(b_redact=9.0, b_abstract=-9.0),
    )
    text = "from Zurich to Zurich"
    with guard.begin(text_segments(text), target="m") as exchange:
        outgoing = exchange.outgoing[0].text
        assert re.fullmatch(r"from \[LOCATION_(\w+): a large city in Switzerland\] to \[LOCATION_\1\]", outgoing)
        assert exchange.restore(outgoing) == text
    assert texts_of(guard, outgoing) == [outgoing]


def test_what_the_model_needs_is_retained(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(need=NEEDED)
    assert texts_of(guard, "from Zurich with Ada Roth") == ["from Zurich with Ada Roth"]
    assert "hunter2" not in texts_of(guard, "my password: hunter2-hunter2")[0]


def test_allowed_terms_leave_and_denied_terms_do_not(make_guard: Callable[..., Guard]) -> None:
    profile = Profile(id="p:1", name="p", gamma=0.5, allow=("zurich",), deny={"Project Heron": EntityType.MISC})
    guard = make_guard(profiles=FakeProfiles(profile), need=NEEDED)
    (text,) = texts_of(guard, "project heron meets in Zurich with Ben Kole")
    assert re.fullmatch(r"\[MISC_\w+\] meets in Zurich with Ben Kole", text)


@pytest.mark.parametrize("text", ["The Ada Roth Ltd is here", "ada@roth.example", "see https://roth.example/ada now"])
def test_what_holds_a_denied_term_does_not_leave_either(make_guard: Callable[..., Guard], text: str) -> None:
    profile = Profile(id="p:1", name="p", gamma=0.5, allow=("*Roth*",), deny={"roth": EntityType.MISC})
    detector = FakeDetector({"The Ada Roth Ltd": EntityType.ORGANIZATION, "ada@roth.example": EntityType.EMAIL})
    guard = make_guard(profiles=FakeProfiles(profile), need=NEEDED, detector=detector)
    assert "roth" not in texts_of(guard, text)[0].lower()
    assert guard.scan("about roth")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see https://x.example/p?token=hunter2-hunter2 please", r"see \[SECRET_\w+\] please"),
        ("Fix postgres://admin:hunter2-hunter2@db.example:5432/app!", r"Fix \[SECRET_\w+\]!"),
        ("[Ada Roth](https://x.example/Ada%20Roth), ok", r"\[\[PERSON_\w+\]\]\(\[URL_\w+\]\), ok"),
        ("see www.x.example/Zurich.", r"see \[LOCATION_\w+\]\."),
        ("row: https://x.example/,Ada Roth,1", r"row: \[URL_\w+\],1"),
        ("a public https://x.example/page stays", r"a public https://x\.example/page stays"),
    ],
)
def test_a_link_leaves_whole_or_not_at_all(guard: Guard, text: str, left: str) -> None:
    with guard.begin(text_segments(text), target="m") as exchange:
        assert re.fullmatch(left, exchange.outgoing[0].text)
        assert exchange.restore(exchange.outgoing[0].text) == text


def test_a_use_block_chooses_the_profile_and_an_unknown_one_is_refused(make_guard: Callable[..., Guard]) -> None:
    plain, open_one = (
        Profile(id="p:1", name="plain", gamma=0.5),
        Profile(id="o:1", name="open", gamma=0.5, allow=("*",)),
    )
    guard = make_guard(profiles=FakeProfiles(plain, open_one))
    with use("open"):
        assert texts_of(guard, "Ada Roth") == ["Ada Roth"]
        with guard.begin(text_segments("Ada Roth"), target="m", profile="plain") as exchange:
            assert exchange.plan.profile_id == "p:1"
    with use(open_one):
        assert texts_of(guard, "Ada Roth") == ["Ada Roth"]
    assert texts_of(guard, "Ada Roth") != ["Ada Roth"]
    with pytest.raises(ConfigError), use("nobody"):
        guard.begin(text_segments("Ada Roth"), target="m")


def test_scan_sees_what_must_not_stand_in_a_header(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard()
    assert [guard.scan(text) for text in ("ada@roth.example", "Ada Roth", "hunter2-hunter2")] == [True] * 3
    assert [guard.scan(text) for text in ("gpt-5", "Ada", "Zurich", "")] == [False] * 4
    assert guard.scan("ada@roth.example")


def test_a_text_that_is_no_sentence_is_scanned_by_the_scanner_alone(make_guard: Callable[..., Guard]) -> None:
    network = FakeDetector({"look-up": EntityType.EMAIL, "look up": EntityType.EMAIL, "Ada": EntityType.PERSON})
    scanner = FakeDetector({"ada@roth.example": EntityType.EMAIL, "bob": EntityType.PERSON})
    guard = make_guard(detector=network, scanner=scanner)
    assert [guard.scan(text) for text in ("ada@roth.example", "look up", "of Ada")] == [True] * 3
    assert [guard.scan(text) for text in ("look-up", "Ada", "bob", "of ada@roth.example")] == [False] * 4
    with guard.begin(text_segments("look-up"), target="m") as exchange:
        assert exchange.outgoing[0].text != "look-up"


def test_a_failing_scanner_blocks(make_guard: Callable[..., Guard]) -> None:
    guard = make_guard(scanner=FailingDetector())
    with pytest.raises(DetectionError):
        guard.scan("gpt-5")


def test_a_guard_shows_no_key(guard: Guard) -> None:
    assert "correct horse" not in repr(guard.parts)


def test_empty_content_is_content(guard: Guard) -> None:
    assert texts_of(guard) == []
    assert texts_of(guard, "", "") == ["", ""]


def test_one_carrier_is_kept_of_a_fact_that_several_spans_tell(make_guard: Callable[..., Guard]) -> None:
    detector = FakeDetector({"Old Bridge": EntityType.LOCATION, "Mostow": EntityType.LOCATION})
    parts = {"detector": detector, "need": FakeNeed(b_redact=-0.2, b_abstract=-9.0)}
    text = "What can we see at the Old Bridge in Mostow?"

    def plan(**settings_: bool) -> list[tuple[Action, Reason]]:
        profile = Profile(id="p:1", name="p", gamma=0.5, **settings_)  # type: ignore[arg-type]
        guard = make_guard(profiles=FakeProfiles(profile), **parts)
        with guard.begin(text_segments(text), target="m") as exchange:
            assert exchange.restore(exchange.outgoing[0].text) == text
            return [(decision.action, decision.reason) for decision in exchange.plan]

    assert plan() == [(Action.ABSTRACT, Reason.JOINT), (Action.REDACT, Reason.NEED)]
    assert plan(redundancy=False) == [(Action.REDACT, Reason.NEED)] * 2


def test_a_conversation_that_goes_on_leaves_earlier_messages_as_they_were(make_guard: Callable[..., Guard]) -> None:
    names = ("Mr Reik", "Johnny Reik", "Mara Reik", "Reik", "REIK", "Acme GmbH", "Acme")
    kinds = [EntityType.ORGANIZATION if name.startswith("Acme") else EntityType.PERSON for name in names]
    guard = make_guard(detector=FakeDetector(dict(zip(names, kinds, strict=True))))
    turns = (
        (Role.USER, "Mr Reik of Acme GmbH called"),
        (Role.ASSISTANT, "Who is REIK?"),
        (Role.USER, "Johnny Reik, and Reik is at Acme"),
        (Role.ASSISTANT, "Fine"),
        (Role.USER, "Now Mara Reik, and Reik again"),
    )
    segments = [
        Segment(path=f"messages[{number}].content", role=role, channel=Channel.TEXT, text=text)
        for number, (role, text) in enumerate(turns)
    ]
    before: list[str] = []
    for length in (1, 3, 5):
        with guard.begin(segments[:length], target="m") as exchange:
            outgoing = [segment.text for segment in exchange.outgoing]
            assert outgoing[: len(before)] == before
            assert [exchange.restore(text) for text in outgoing] == [text for _, text in turns[:length]]
        before = outgoing
    first, asked, linked, _, last = before
    (reik,) = re.findall(r"\[PERSON_(\w+): he\]", first)
    assert set(re.findall(r"\[PERSON_(\w+)", f"{asked} {linked}")) == {reik}
    assert reik not in last


def test_an_allowed_name_leaves_and_what_it_is_part_of_does_not(make_guard: Callable[..., Guard]) -> None:
    detector = FakeDetector({"Acme GmbH": EntityType.ORGANIZATION, "Acme": EntityType.ORGANIZATION})
    profile = Profile(id="p:1", name="p", gamma=0.5, allow=("Acme",))
    guard = make_guard(detector=detector, profiles=FakeProfiles(profile))
    one, other = texts_of(guard, "Acme GmbH and Acme")[0], texts_of(guard, "Acme and Acme GmbH")[0]
    assert re.fullmatch(r"\[ORGANIZATION_\w+\] and Acme", one)
    assert ids(one) == ids(other)


@pytest.mark.parametrize(
    "link",
    [
        "https://a.example/?card=4111111111111111",
        "https://shop.example/?email=nora.vint@mail.example",
        "https://shop.example/?email=nora.vint%40mail.example",
        "https://ada:pw@roth.example/x",
    ],
    ids=range(4),
)
def test_a_link_that_holds_an_identifier_does_not_leave_whatever_it_is_needed_for(
    make_guard: Callable[..., Guard], link: str
) -> None:
    guard = make_guard(detector=rules_detector(), need=NEEDED)
    text = f"Shorten {link} please"
    with guard.begin(text_segments(text), target="m") as exchange:
        (outgoing,) = exchange.outgoing
        assert re.fullmatch(r"Shorten \[[A-Z_]+_[0-9A-Z]+\] please", outgoing.text)
        assert exchange.restore(outgoing.text) == text
