from collections.abc import Sequence
from dataclasses import replace

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import DetectionError
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.guard.asking import ask
from privguard.guard.shapes import text_segments
from privguard.testing import FakeDetector

DETECTOR = FakeDetector({"Ada Roth": EntityType.PERSON, "password: hunter2": EntityType.SECRET})


def segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


def test_a_text_is_read_as_it_stands_and_once_more_with_white_space_for_written_line_breaks() -> None:
    plain, written = ask([segment("of Ada Roth"), segment(r"x\nAda Roth")], DETECTOR, 0.5)
    assert (plain.views(), written.views()) == (("of Ada Roth",), (r"x\nAda Roth", "x  Ada Roth"))
    assert [(span.start, span.end) for span in plain.plain_row] == [(3, 11)]
    assert [(span.start, span.end) for span in written.soft_row] == [(3, 11)]
    assert set(written.united(written.plain_row, written.soft_row)) == set(written.soft_row)
    assert "Roth" not in repr(plain)


@pytest.mark.parametrize("written", ["Ada&nbsp;Roth", "&#65;da Roth", r"Ada\x20Roth", "&amp;#65;da Roth"])
def test_a_text_with_codes_is_read_as_it_shows_as_well(written: str) -> None:
    detector = _Spaced(FakeDetector({"Ada Roth": EntityType.PERSON, "Ben": EntityType.PERSON}))
    (said,) = ask([segment(f"of Ben and {written}!")], detector, 0.5)
    assert [(span.start, span.end) for span in said.plain_row] == [(3, 6), (11, 11 + len(written))]
    assert said.views() == (f"of Ben and {written}!",)


def test_bytes_that_are_data_are_no_text() -> None:
    (said,) = ask([segment(r"\x00\x41\x64\x61\x20\x52\x6f\x74\x68")], DETECTOR, 0.5)
    assert said.plain_row == ()


def test_what_the_codes_do_not_touch_is_read_once() -> None:
    (said,) = ask([segment("Ada Roth &amp; Co")], DETECTOR, 0.5)
    assert [(span.start, span.end) for span in said.plain_row] == [(0, 8)]


class _Spaced:
    """Read no-break spaces as spaces."""

    def __init__(self, detector: FakeDetector) -> None:
        self._detector, self.id = detector, detector.id

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return self._detector.detect([replace(each, text=each.text.replace("\u00a0", " ")) for each in segments])


def test_in_a_name_that_a_program_chose_what_says_nothing_of_anybody_is_passed_over() -> None:
    detector = FakeDetector(
        {"restaurant": EntityType.ORGANIZATION, "Ada": EntityType.PERSON, "asthma": EntityType.HEALTH}
    )
    name = segment("restaurant_Ada_asthma")
    said = ask([name, replace(name, chosen=True)], detector, 0.5)
    assert [[span.kind for span in each.plain_row] for each in said] == [
        [EntityType.ORGANIZATION, EntityType.PERSON, EntityType.HEALTH],
        [EntityType.PERSON, EntityType.HEALTH],
    ]


def test_a_value_is_read_behind_its_key() -> None:
    (said,) = ask([each for each in text_segments('{"password": "hunter2"}') if each.text == "hunter2"], DETECTOR, 0.5)
    assert [(span.start, span.end, span.kind) for span in said.plain_row] == [(0, 7, EntityType.SECRET)]


class _Answering:
    id = "answering/1"

    def __init__(self, *rows: tuple[Span, ...]) -> None:
        self._rows = rows

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return self._rows


@pytest.mark.parametrize(
    "rows", [(), ((Span(start=0, end=9, kind=EntityType.PERSON, score=1.0, source="x"),),)], ids=["missing", "outside"]
)
def test_an_answer_that_does_not_fit_is_an_error_without_content(rows: tuple[tuple[Span, ...], ...]) -> None:
    with pytest.raises(DetectionError) as blocked:
        ask([segment("Ada Roth")], _Answering(*rows), 0.5)
    assert "Roth" not in str(blocked.value)
