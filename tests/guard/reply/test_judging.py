from collections.abc import Sequence
from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.memory import Memory
from privguard.core.plan import Need
from privguard.core.profile import OnReply, Profile, Public
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.guard.finding import Findings, find
from privguard.guard.reply.judging import Judge, Judges
from privguard.guard.reply.sent import Sent
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed

VALUES = {"Cleo Marsh": EntityType.PERSON, "5550188001": EntityType.PHONE, "Ada Roth Marsh": EntityType.PERSON}
VALUES |= {"u00e9bo@kern.example": EntityType.EMAIL, "ivo.99\\": EntityType.USERNAME}


def judge(*, need: Any = None, **profile: Any) -> Judge:  # noqa: ANN401 - a need model; fields of the profile
    settled = Profile(id="fake:1", name="fake", gamma=0.5, on_reply=OnReply.REDACT, **profile)

    def look(segments: Sequence[Segment]) -> Findings:
        return find(segments, settled, FakeDetector(VALUES), FakeAbstractor())

    return Judge(profile=settled, sent=Sent(), look=look, need=need or FakeNeed(), memory=Memory())


def found(text: str, *kept: tuple[int, int], by: Judge | None = None) -> list[tuple[str, str]]:
    return [(text[each.start : each.end], each.marker) for each in (by or judge()).judge(text, kept)]


def test_each_value_is_told_by_its_place_and_its_marker() -> None:
    assert found("Cleo Marsh, 5550188001") == [
        ("Cleo Marsh", "[REDACTED PERSON]"),
        ("5550188001", "[REDACTED PHONE]"),
    ]


def test_the_place_in_a_document_is_that_in_the_whole() -> None:
    text = '{"a": "{\\"b\\": 5550188001, \\"c\\": \\"Cl\\\\u0065o Marsh\\"}"}'
    assert found(text) == [
        ("5550188001", '\\"[REDACTED PHONE]\\"'),
        ("Cl\\\\u0065o Marsh", "[REDACTED PERSON]"),
    ]
    assert [each.length for each in judge().judge(text)] == [10, 10]


def test_no_escape_of_a_block_is_cut() -> None:
    said = r'So: {"a": "Andr\u00e9bo@kern.example", "b": "ivo.99\"x"}'
    assert set(found(said)) == {(r"\u00e9bo@kern.example", "[REDACTED EMAIL]"), (r"ivo.99\"", "[REDACTED USERNAME]")}
    kept = said.index("\\")
    assert ("u00e9bo@kern.example", "[REDACTED EMAIL]") in found(said, (kept, kept + 1))


def test_what_is_kept_is_left_out() -> None:
    assert found("Ada Roth Marsh", (0, 8)) == [("Marsh", "[REDACTED PERSON]")]
    assert found("Ada Roth Marsh", (0, 14)) == []
    assert found("Ada Roth Marsh", (4, 8)) == [("Ada", "[REDACTED PERSON]"), ("Marsh", "[REDACTED PERSON]")]


def test_a_need_model_that_fails_makes_nothing_public() -> None:
    class Failing:
        id = "failing/1"

        def need(self, segments: Any, spans: Any) -> tuple[tuple[Need, ...], ...]:  # noqa: ANN401 - of the protocol
            raise RuntimeError

    class Short(Failing):
        def need(self, segments: Any, spans: Any) -> tuple[tuple[Need, ...], ...]:  # noqa: ANN401 - of the protocol
            return ()

    for need in (Failing(), Short()):
        assert found("Cleo Marsh", by=judge(need=need, public=Public.RETAIN)) == [("Cleo Marsh", "[REDACTED PERSON]")]


def test_what_is_public_is_asked_only_where_the_profile_lets_it_pass() -> None:
    asked: list[int] = []

    class Counting(FakeNeed):
        def need(self, segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> tuple[tuple[Need, ...], ...]:
            asked.append(len(segments))
            return super().need(segments, spans)

    found("Cleo Marsh", by=judge(need=Counting()))
    assert not asked
    found("Cleo Marsh", by=judge(need=Counting(), public=Public.RETAIN))
    assert asked == [1]


def test_a_text_is_looked_at_once_by_all_judges_of_a_guard() -> None:
    looked: list[str] = []

    def look_for(profile: Profile) -> Any:  # noqa: ANN401 - a function
        def look(segments: Sequence[Segment]) -> Findings:
            looked.extend([segment.text for segment in segments])
            return find(segments, profile, FakeDetector(VALUES), FakeAbstractor())

        return look

    judges = Judges(look_for, FakeNeed())
    profile = Profile(id="fake:1", name="fake", gamma=0.5, on_reply=OnReply.FLAG)
    first, second = judges.of(profile, Sent), judges.of(profile, lambda: Sent(["Cleo Marsh"]))
    assert first is not None
    assert second is not None
    assert len(first.judge("Ask Cleo Marsh")) == 1
    assert second.judge("Ask Cleo Marsh") == ()
    assert looked == ["Ask Cleo Marsh"]


def test_where_everything_passes_nobody_asks_what_was_sent() -> None:
    def sent() -> Sent:
        pytest.fail("asked")

    judges = Judges(lambda _profile: pytest.fail("asked"), FakeNeed())
    assert judges.of(Profile(id="fake:1", name="fake", gamma=0.5), sent) is None


def test_no_content_is_shown() -> None:
    assert "Cleo" not in repr(judge().judge("Cleo Marsh"))
