from datetime import UTC, datetime

import pytest

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Need
from privguard.core.profile import Profile
from privguard.core.protocols import Abstractor, AuditSink, Detector, NeedModel, ProfileBook
from privguard.core.segments import Channel, Role, Segment
from privguard.testing.fakes import (
    FailingDetector,
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    FixedClock,
    ListSink,
)

SEGMENTS = (
    Segment(path="a", role=Role.USER, channel=Channel.TEXT, text="Ada Roth and Ada Roth \U0001f600 Ada"),
    Segment(path="b", role=Role.USER, channel=Channel.TEXT, text="nobody"),
)


def test_the_fakes_are_what_the_guard_accepts() -> None:
    detector: Detector = FakeDetector({})
    failing: Detector = FailingDetector()
    need: NeedModel = FakeNeed()
    abstractor: Abstractor = FakeAbstractor()
    book: ProfileBook = FakeProfiles()
    sink: AuditSink = ListSink()
    assert len({detector.id, failing.id, need.id, abstractor.id}) == 4
    assert book.resolve("m")[1].name == "m"
    assert sink is not None


def test_every_mention_is_found_in_code_points() -> None:
    found = FakeDetector({"Ada Roth": EntityType.PERSON, "\U0001f600 Ada": EntityType.MISC}).detect(SEGMENTS)
    assert [(span.start, span.end, span.kind.value) for span in found[0]] == [
        (0, 8, "PERSON"),
        (13, 21, "PERSON"),
        (22, 27, "MISC"),
    ]
    assert found[1] == ()


def test_a_failing_detector_fails() -> None:
    with pytest.raises(RuntimeError, match="failed"):
        FailingDetector().detect(SEGMENTS)
    with pytest.raises(OSError, match="disk"):
        FailingDetector(OSError("disk")).detect(SEGMENTS)


def test_need_is_the_same_for_all_but_the_given_types() -> None:
    spans = FakeDetector({"Ada Roth": EntityType.PERSON, "nobody": EntityType.MISC}).detect(SEGMENTS)
    special = Need(b_redact=9.0, b_abstract=8.0)
    rows = FakeNeed(b_redact=2.0, b_abstract=1.0, by_kind={EntityType.MISC: special}).need(SEGMENTS, spans)
    assert rows == ((Need(b_redact=2.0, b_abstract=1.0),) * 2, (special,))


def test_a_rung_names_neither_its_value_nor_a_forbidden_term() -> None:
    ladder = FakeAbstractor({"Bern": "a Swiss city", "Ada": "Ada's name"})
    assert ladder.abstract(EntityType.LOCATION, "Bern").phrase == "a Swiss city"
    assert ladder.abstract(EntityType.LOCATION, "Bern", ["SWISS"]).phrase == "a place"
    assert ladder.abstract(EntityType.PERSON, "Ada").phrase == "a person"
    assert ladder.is_rung(EntityType.LOCATION, "a Swiss city")
    assert not ladder.is_rung(EntityType.LOCATION, "Bern")


def test_profiles_resolve_by_name() -> None:
    strict = Profile(id="strict:1", name="strict", gamma=0.1)
    book = FakeProfiles(Profile(id="a:1", name="a", gamma=0.9), strict, theta=2.0)
    assert book.resolve("m")[0].name == "a"
    assert book.resolve("m", "strict")[0] is strict
    assert book.resolve("m")[1].theta == 2.0
    with pytest.raises(ConfigError):
        book.resolve("m", "missing")


def test_a_clock_stands_still_until_it_is_moved() -> None:
    clock = FixedClock()
    assert clock() == clock() == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    clock.seconds += 2
    assert clock.monotonic() == 2


def test_a_list_sink_keeps_the_records() -> None:
    record = AuditRecord(
        request_id="r", at="t", route="by-hand", target="m", theta=0.0, target_provenance="assumed", profile_id="p",
        artifact_ids=(), outcome=Outcome.DONE,
    )  # fmt: skip
    sink = ListSink()
    sink.write(record)
    sink.close()
    assert (sink.records, sink.closed) == ([record], True)


def test_an_empty_value_is_refused() -> None:
    with pytest.raises(ValueError, match="everywhere"):
        FakeDetector({"": EntityType.MISC})
