"""Spans by the encoder: names, places, traits and everything else that prose tells, in one pass."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.asked import without_marks
from privguard.detect.code_words import without_clocks, without_code
from privguard.detect.hosts import whole_hosts
from privguard.detect.idioms import without_idioms
from privguard.detect.inverted import join_inverted
from privguard.detect.titled import without_titles
from privguard.encoder.thresholds import DEFAULT, reaches

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder

SOURCE = "encoder"


class EncoderDetector:
    """Find spans with the shipped network. Thread-safe.

    Spans of all thresholds from `floor` on are returned, nested in each other; a score of 0.5 is the threshold that the
    artifact sets for the type. `above` chooses among them.
    """

    def __init__(self, encoder: "TokenEncoder", floor: float = DEFAULT) -> None:
        """Take an open encoder, to be shared with the need model: both together cost one pass.

        Args:
            encoder: the encoder.
            floor: the least score that is returned, 0 to 1.
        """
        self._encoder = encoder
        self._floor = floor

    @property
    def id(self) -> str:
        """Return name, version and hash of the artifact."""
        return f"{SOURCE}:{self._encoder.id}"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment; they may lie inside each other.

        Raises:
            DetectionError: the network failed.
        """
        from privguard.encoder.decode import read_words
        from privguard.encoder.levels import level_spans

        thresholds = self._encoder.artifact.manifest.detection.thresholds
        rows = []
        for segment, encoded in zip(
            segments, self._encoder.encode([segment.text for segment in segments]), strict=True
        ):
            words = read_words(encoded.tokens, encoded.probabilities.astype("f4"), encoded.begins.astype("f4"))
            spans = (
                Span(
                    start=found.start,
                    end=_marked(segment.text, found.end),
                    kind=found.kind,
                    score=found.score,
                    source=SOURCE,
                )
                for found in level_spans(words, thresholds, self._floor)
            )
            rows.append(_mended(segment.text, spans))
        return tuple(rows)


def _mended(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Leave out what is nobody's by its form, and make names and hosts whole."""
    said = without_idioms(text, without_clocks(text, without_code(text, spans)))
    return join_inverted(text, without_titles(text, without_marks(text, whole_hosts(text, said))))


def _marked(text: str, end: int) -> int:
    """Return where the marks of the last letter end: accents and vowel signs, which are no part of a token."""
    while end < len(text) and not text[end].isascii() and unicodedata.category(text[end])[0] == "M":
        end += 1
    return end


def above(spans: Iterable[Span], threshold: float) -> tuple[Span, ...]:
    """Drop the spans of the encoder that do not reach a threshold; those of others are kept."""
    return tuple(span for span in spans if span.source != SOURCE or reaches(span.score, threshold))
