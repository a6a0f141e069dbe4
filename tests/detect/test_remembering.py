from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.remembering import RememberingDetector
from privguard.testing import FakeDetector

VALUES = {"Ada": EntityType.PERSON, "Bern": EntityType.LOCATION}


def segments(texts: Sequence[str]) -> list[Segment]:
    return [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts]


class Counting(FakeDetector):
    def __init__(self) -> None:
        super().__init__(VALUES)
        self.asked: list[str] = []

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        self.asked += [segment.text for segment in segments]
        return super().detect(segments)


@given(st.lists(st.lists(st.sampled_from(["Ada", "in Bern", "Ada in Bern", "", "x"]), max_size=6), max_size=5))
def test_remembering_never_changes_an_answer(requests: list[list[str]]) -> None:
    plain, remembering = FakeDetector(VALUES), RememberingDetector(FakeDetector(VALUES), memory_bytes=600)
    for texts in requests:
        assert remembering.detect(segments(texts)) == plain.detect(segments(texts))


def test_a_text_is_asked_for_once() -> None:
    counting = Counting()
    detector = RememberingDetector(counting)
    detector.detect(segments(["Ada", "Ada"]))
    detector.detect(segments(["Ada", "Bern"]))
    assert counting.asked == ["Ada", "Bern"]
    assert detector.id == counting.id


def test_the_memory_is_bounded_and_forgets_the_oldest() -> None:
    counting = Counting()
    detector = RememberingDetector(counting, memory_bytes=300)
    for text in ("a", "b", "a", "c", "a", "b"):
        detector.detect(segments([text]))
    assert counting.asked == ["a", "b", "c", "b"]


def test_a_text_with_many_spans_takes_the_room_of_many() -> None:
    counting = Counting()
    detector = RememberingDetector(counting, memory_bytes=3000)
    for text in ("a", "b", "Ada " * 10, "a", "Ada " * 14, "a", "b"):
        detector.detect(segments([text]))
    assert counting.asked == ["a", "b", "Ada " * 10, "Ada " * 14, "b"]


def test_no_text_is_kept() -> None:
    detector = RememberingDetector(FakeDetector(VALUES))
    detector.detect(segments(["Ada has a CANARY"]))
    assert "CANARY" not in repr(vars(detector))
    assert b"CANARY" not in b"".join(detector._memory.marks())


def test_a_failure_is_not_remembered() -> None:
    class Flaky(Counting):
        def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
            found = super().detect(segments)
            if len(self.asked) == 1:
                raise RuntimeError("once")
            return found

    detector = RememberingDetector(Flaky())
    with pytest.raises(RuntimeError, match="once"):
        detector.detect(segments(["Ada"]))
    assert len(detector.detect(segments(["Ada"]))[0]) == 1


def test_threads_get_their_own_answers() -> None:
    plain, detector = FakeDetector(VALUES), RememberingDetector(FakeDetector(VALUES), memory_bytes=900)
    requests = [segments([f"Ada {number % 7}", f"{number % 5} Bern"]) for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(detector.detect, requests)) == [plain.detect(request) for request in requests]
