import gc
import re
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import DetectionError
from privguard.core.profile import Names, Profile
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.composite import rules_detector
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.guard.finding import MEMORY_BYTES, find, finding_memory
from privguard.guard.shapes import text_segments
from privguard.testing import FailingDetector, FakeAbstractor, FakeDetector

PROFILE = Profile(id="p:1", name="p", gamma=0.5, deny={"Heron": EntityType.MISC})
DETECTOR = FakeDetector({"Ada Roth": EntityType.PERSON, "Heron Ltd": EntityType.ORGANIZATION})


def segments(*texts: str) -> list[Segment]:
    return [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts]


def test_spans_are_found_spread_and_marked_where_they_hold_a_denied_term() -> None:
    texts = ("Ada Roth of Heron Ltd", "ADA ROTH, heron")
    findings = find(segments(*texts), PROFILE, DETECTOR, FakeAbstractor())
    found = [
        [(text[span.start : span.end], denied) for span, denied in zip(row, marks, strict=True)]
        for text, row, marks in zip(texts, findings.spans, findings.denied, strict=True)
    ]
    assert found == [[("Ada Roth", False), ("Heron Ltd", True)], [("ADA ROTH", False), ("heron", True)]]


@pytest.mark.parametrize(("threshold", "expected"), [(0.1, [0, 9]), (0.5, [0, 9]), (0.65, [0]), (0.9, [0])])
def test_the_profile_says_how_sure_the_model_must_be(threshold: float, expected: list[int]) -> None:
    class Graded:
        id = "graded"

        def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
            by_rule = Span(start=0, end=3, kind=EntityType.PERSON, score=0.2, source="rules/names")
            by_model = Span(start=9, end=12, kind=EntityType.PERSON, score=0.6, source=ENCODER)
            return tuple((by_rule, by_model) for _ in segments)

    profile = replace(PROFILE, threshold=threshold)
    findings = find(segments("Ada told Ben"), profile, Graded(), FakeAbstractor())
    assert [span.start for span in findings.spans[0]] == expected


def test_a_profile_may_take_every_full_name_with_a_listed_given_name_for_a_person() -> None:
    given, memory = segments("Who was Karin Osterby?", '{"x": "Karin\\nOsterby"}'), finding_memory()
    for _ in range(2):  # the memory of one profile says nothing to the other
        left = find(given, PROFILE, FakeDetector({}), FakeAbstractor(), memory)
        assert left.spans == ((), ())
        taken = find(given, replace(PROFILE, names=Names.LISTED), FakeDetector({}), FakeAbstractor(), memory)
        first, second = taken.spans
        assert [(span.start, span.end, span.kind) for span in first] == [(8, 21, EntityType.PERSON)]
        assert len(second) == 1


def test_placeholders_are_not_looked_into() -> None:
    findings = find(segments("[MISC_7QK2: a detail] [PERSON_7QK2: Heron]"), PROFILE, DETECTOR, FakeAbstractor())
    assert [span.start for span in findings.spans[0]] == [36]


def test_the_error_of_a_detector_cannot_be_reached_from_ours() -> None:
    with pytest.raises(DetectionError) as blocked:
        find(segments("x"), PROFILE, FailingDetector(RuntimeError("CANARY")), FakeAbstractor())
    error: BaseException | None = blocked.value
    while error is not None:
        assert "CANARY" not in str(error)
        error = error.__cause__ or error.__context__


WORDS = st.sampled_from(
    [
        "Ada Roth",
        "Roth",
        "ada",
        "ADA ROTH",
        "Heron Ltd",
        "heron",
        "Ben Kole",
        "Kole",
        "AdaRoth",
        "Ada%20Roth",
        "x",
        "[MISC_7QK2: a detail]",
        "https://a.example/",
        "\\n",
        "é",
        " ",
        " ",
        ", ",
        "s",
    ]
)
TALKS = st.lists(st.lists(WORDS, max_size=6).map("".join), min_size=1, max_size=5)
NAMES = FakeDetector(
    {"Ada Roth": EntityType.PERSON, "Ben Kole": EntityType.PERSON, "Heron Ltd": EntityType.ORGANIZATION}
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(TALKS, st.booleans()), min_size=1, max_size=3), st.sampled_from([MEMORY_BYTES, 4000]))
def test_memory_changes_no_answer(talks: list[tuple[list[str], bool]], capacity: int) -> None:
    memory = finding_memory(capacity)
    for texts, denies in talks:
        profile = PROFILE if denies else replace(PROFILE, deny={})
        for turn in range(1, len(texts) + 1):
            # The same text beside the conversation is read in another way.
            said = [*segments(*texts[:turn]), replace(segments(texts[-1])[0], beside=True)]
            fresh = find(said, profile, NAMES, FakeAbstractor())
            assert find(said, profile, NAMES, FakeAbstractor(), memory) == fresh


def test_a_detector_that_changes_its_mind_is_listened_to() -> None:
    memory = finding_memory()
    assert find(segments("Ada Roth"), PROFILE, FakeDetector({}), FakeAbstractor(), memory).spans == ((),)
    assert len(find(segments("Ada Roth"), PROFILE, NAMES, FakeAbstractor(), memory).spans[0]) == 1


def test_memory_weighs_what_it_holds() -> None:
    memory = finding_memory()
    for count in (1, 10, 100):
        find(segments("Ada Roth met Kole. " * count), PROFILE, NAMES, FakeAbstractor(), memory)
        held = sum(_bytes_of(memory.get(mark)) for mark in memory.marks())
        assert held / 2 < memory.size < 2 * held


def test_long_texts_leave_room_for_fewer() -> None:
    memory = finding_memory(capacity=100_000)
    for number in range(40):
        find(segments(f"{number}: " + "Ada Roth met Kole. " * 50), PROFILE, NAMES, FakeAbstractor(), memory)
        assert memory.size <= 100_000
    assert 1 <= len(memory.marks()) < 10


def _bytes_of(value: object) -> int:
    """Return what a value and all that it refers to take; types are everybody's."""
    total, seen, waiting = 0, set[int](), [value]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, type | EntityType):
            seen.add(id(each))
            total += sys.getsizeof(each)
            waiting += gc.get_referents(each)
    return total


def test_memory_holds_no_text() -> None:
    memory = finding_memory()
    find(segments("Ada Roth met Kole", "Roth"), PROFILE, NAMES, FakeAbstractor(), memory)
    held = [memory.get(mark) for mark in memory.marks()]
    assert len(held) == 2
    assert not re.search("ada|roth|kole", repr(held), re.IGNORECASE)


def test_a_file_name_is_one_span_and_the_name_in_it_is_found_elsewhere() -> None:
    given = (
        Span(start=4, end=12, kind=EntityType.PERSON, score=1.0, source="rules/a"),
        Span(start=4, end=19, kind=EntityType.URL, score=0.7, source="rules/b"),
        Span(start=21, end=22, kind=EntityType.EMAIL, score=0.7, source="rules/b"),
    )

    class Torn(FakeDetector):
        def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
            return tuple(given if segment.text.startswith("see") else () for segment in segments)

    texts = ("see ada_roth_cv.pdf, .", "by ada_roth himself")
    segments = [Segment(path="p", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts]
    profile = Profile(id="p:1", name="p", gamma=0.5)
    found = find(segments, profile, Torn({"x": EntityType.URL}), FakeAbstractor())
    first, second = found.spans
    assert [(span.start, span.end, span.kind) for span in first] == [(4, 19, EntityType.PERSON)]
    assert [(span.start, span.end) for span in second] == [(3, 11)]


@pytest.mark.parametrize(
    ("document", "value"),
    [
        pytest.param('{"password": "hunter2"}', "hunter2", id="a password"),
        pytest.param('{"db": {"password": ["hunter2"]}}', "hunter2", id="in a list"),
        pytest.param('{"a": "{\\"password\\": \\"hunter2\\"}"}', "hunter2", id="in a string of a document"),
        pytest.param('{"account": 12345678}', "12345678", id="a number"),
        pytest.param('{"bsn": "123456782"}', "123456782", id="a national number"),
    ],
)
def test_the_key_of_a_document_introduces_the_value_under_it(document: str, value: str) -> None:
    texts = text_segments(document)
    findings = find(texts, PROFILE, rules_detector(), FakeAbstractor())
    found = [text.text[span.start : span.end] for text, row in zip(texts, findings.spans, strict=True) for span in row]
    assert found == [value]


def test_a_doubtful_span_does_not_keep_the_key_of_a_value_from_being_read() -> None:
    class Doubting:
        id = "doubting"

        def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
            return tuple(
                (Span(start=start, end=len(text), kind=EntityType.SECRET, score=score, source=ENCODER),)
                for text in (segment.text for segment in segments)
                for start, score in ((10, 0.9) if text.startswith("password: ") else (0, 0.2),)
            )

    findings = find(text_segments('{"password": "hunter2"}'), PROFILE, Doubting(), FakeAbstractor())
    assert [len(row) for row in findings.spans] == [0, 1]


@pytest.mark.parametrize(
    ("key", "value"),
    [("bsn", "123456782"), ("patientBsn", "123456782"), ("db-password", "hunter2"), ("ssn", "123456789")],
    ids=range(4),
)
def test_the_name_of_a_field_beside_the_conversation_introduces_its_value(key: str, value: str) -> None:
    (field,) = segments(value)
    assert find((field,), PROFILE, rules_detector(), FakeAbstractor()).spans == ((),)
    ((span,),) = find((replace(field, key=key),), PROFILE, rules_detector(), FakeAbstractor()).spans
    assert (span.start, span.end) == (0, len(value))


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("then ask kole about the water", "kole"),
        ("ada", "ada"),
        ("akole", ""),
        ("bkole7", "bkole"),
        ("kolebEn", "kolebEn"),
        ("the koles", "koles"),
    ],
    ids=range(6),
)
def test_a_word_of_a_name_is_a_mention_in_what_is_no_running_text(text: str, beside: str) -> None:
    told, field = segments("Ada Roth asks Ben Kole", text)

    def found(segment: Segment) -> str:
        spans = find((told, segment), PROFILE, NAMES, FakeAbstractor()).spans[1]
        return " ".join(text[span.start : span.end] for span in spans)

    assert found(field) == ""
    assert found(replace(field, beside=True)) == beside
