"""Find what is sensitive in a request: detect, add denied terms, spread, merge, take whole links, agree on types."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from privguard.core.errors import DetectionError, ProtectionError
from privguard.core.profile import Profile
from privguard.core.protocols import Abstractor, Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect import links
from privguard.detect.agree import agree
from privguard.detect.encoded import above
from privguard.detect.escapes import soften, unite
from privguard.detect.lists import find_denied
from privguard.detect.merge import merge
from privguard.detect.spread import spread
from privguard.detect.zones import find_zones, outside

Spans = tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The spans of each segment, sorted and disjoint, and which of them must not leave whatever the need."""

    spans: Spans
    denied: tuple[tuple[bool, ...], ...]  # in the shape of `spans`


def find(segments: Sequence[Segment], profile: Profile, detector: Detector, abstractor: Abstractor) -> Findings:
    """Find every span of a request outside placeholders that stand in it already.

    Raises:
        DetectionError: the detector failed, or its answer does not fit the text.
    """
    softened = _softened(segments)
    found = _look(segments, softened, lambda texts: _sure(_detected(texts, detector), profile.threshold))
    denied = _look(segments, softened, lambda texts: find_denied(texts, profile.deny))
    zones = [find_zones(segment.text, abstractor.is_rung) for segment in segments]
    first = _merge_all(segments, [(*row, *more) for row, more in zip(found, denied, strict=True)], zones)
    everywhere = _merge_all(segments, _look(segments, softened, lambda texts: spread(texts, first)), zones)
    whole = [links.take_links(segment.text, row) for segment, row in zip(segments, everywhere, strict=True)]
    spans = agree(segments, whole)
    return Findings(
        spans=spans,
        denied=tuple(
            tuple(span.source == links.SOURCE or any(span.overlaps(term) for term in terms) for span in row)
            for row, terms in zip(spans, denied, strict=True)
        ),
    )


def _softened(segments: Sequence[Segment]) -> tuple[Segment, ...] | None:
    """Return the segments with written line breaks as white space, None where there are none: the usual case."""
    texts = [soften(segment.text) for segment in segments]
    if all(text == segment.text for text, segment in zip(texts, segments, strict=True)):
        return None
    return tuple(replace(segment, text=text) for text, segment in zip(texts, segments, strict=True))


def _look(
    segments: Sequence[Segment],
    softened: Sequence[Segment] | None,
    finder: Callable[[Sequence[Segment]], Sequence[Sequence[Span]]],
) -> Spans:
    """Find in the segments as they are, and once more where written line breaks are white space."""
    plain = finder(segments)
    if softened is None:
        return tuple(tuple(row) for row in plain)
    return tuple(
        unite(segment.text, row, more) for segment, row, more in zip(segments, plain, finder(softened), strict=True)
    )


def _detected(segments: Sequence[Segment], detector: Detector) -> Spans:
    failure = ""
    try:
        found = detector.detect(segments)
    except ProtectionError:
        raise
    except Exception as error:  # noqa: BLE001 - a foreign detector may raise anything
        failure = type(error).__name__
    if failure:
        # Raised out here, since its text may hold content and the context of an exception keeps it reachable.
        raise DetectionError(f"the detector failed with {failure}; nothing was sent")
    if len(found) != len(segments):
        raise DetectionError(f"the detector answered for {len(found)} of {len(segments)} segments")
    for row, segment in zip(found, segments, strict=True):
        for span in row:
            if span.end > len(segment.text):
                raise DetectionError(
                    f"{span.kind} [{span.start}, {span.end}) lies outside {segment.path} of length {len(segment.text)}"
                )
    return found


def _sure(rows: Spans, threshold: float) -> Spans:
    return tuple(above(row, threshold) for row in rows)


def _merge_all(
    segments: Sequence[Segment], rows: Sequence[Sequence[Span]], zones: Sequence[Sequence[tuple[int, int]]]
) -> Spans:
    return tuple(
        merge(outside(row, zone), segment.text) for row, zone, segment in zip(rows, zones, segments, strict=True)
    )
