from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.errors import DetectionError
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.composite import encoder_detector
from privguard.detect.encoded import SOURCE, EncoderDetector, above
from privguard.detect.merge import merge
from privguard.encoder.encoder import TokenEncoder
from privguard.encoder.loading import load_encoder
from privguard.encoder.thresholds import DEFAULT, FLOOR

MODEL = Path(__file__).parents[1] / "encoder" / "model"


@pytest.fixture(scope="session")
def encoder() -> TokenEncoder:
    return load_encoder(MODEL, device="cpu")


def segments(*texts: str) -> list[Segment]:
    return [Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text) for text in texts]


def values(text: str, spans: Sequence[Span]) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.kind.value) for span in spans]


def test_names_places_and_numbers_are_found(encoder: TokenEncoder) -> None:
    text = "My name is Ada Roth Ben Kole in Bern, 555123"
    rows = EncoderDetector(encoder).detect(segments(text, "", "the email"))
    assert values(text, rows[0]) == [
        ("Ada Roth", "PERSON"),
        ("Ben Kole", "PERSON"),
        ("Bern", "LOCATION"),
        ("555123", "PHONE"),
    ]
    assert rows[1:] == ((), ())
    assert {span.source for span in rows[0]} == {SOURCE}


def test_the_signs_of_the_last_letter_are_a_part_of_the_name(encoder: TokenEncoder) -> None:
    text = "My name is Ada Roth\u0941\u0902 in Bern\u0301"
    (row,) = EncoderDetector(encoder).detect(segments(text))
    assert values(text, row) == [("Ada Roth\u0941\u0902", "PERSON"), ("Bern\u0301", "LOCATION")]


def test_a_lower_floor_finds_more_and_says_how_sure_it_is(encoder: TokenEncoder) -> None:
    text = "Translate the email of Ada Roth"
    sure, all_levels = EncoderDetector(encoder), EncoderDetector(encoder, FLOOR)
    assert values(text, sure.detect(segments(text))[0]) == [("Ada Roth", "PERSON")]
    (row,) = all_levels.detect(segments(text))
    assert values(text, row)[0] == ("Translate", "PERSON")
    assert row[0].score < DEFAULT
    assert above(row, DEFAULT) == sure.detect(segments(text))[0]


@given(
    st.lists(st.sampled_from(["Ada", "xyz", "Xyz", "in Bern", "the", "555"]), max_size=8).map(" ".join),
    st.floats(FLOOR, 1),
    st.floats(FLOOR, 1),
)
def test_a_higher_threshold_never_covers_more(encoder: TokenEncoder, text: str, low: float, high: float) -> None:
    low, high = sorted((low, high))
    (row,) = EncoderDetector(encoder, FLOOR).detect(segments(text))
    few, many = above(row, high), above(row, low)
    assert set(few) <= set(many)
    covered = {place for span in merge(many, text) for place in range(span.start, span.end)}
    assert {place for span in merge(few, text) for place in range(span.start, span.end)} <= covered


def test_the_threshold_is_for_the_encoder_alone() -> None:
    spans = [
        Span(start=0, end=3, kind=EntityType.PERSON, score=0.2, source="rules/names"),
        Span(start=4, end=8, kind=EntityType.PERSON, score=0.2, source=SOURCE),
    ]
    assert above(spans, 0.5) == (spans[0],)


def test_the_id_names_the_artifact(encoder: TokenEncoder) -> None:
    assert EncoderDetector(encoder).id == f"encoder:{encoder.id}"
    assert encoder_detector(encoder).id == f"rules-1+secrets-1+encoder:{encoder.id}"


def test_a_failing_network_blocks(encoder: TokenEncoder) -> None:
    class Broken:
        artifact = encoder.artifact
        id = "broken"

        def encode(self, texts: Sequence[str]) -> object:
            raise DetectionError("the model failed")

    with pytest.raises(DetectionError):
        encoder_detector(Broken()).detect(segments("Ada"))  # type: ignore[arg-type] # a stand-in
