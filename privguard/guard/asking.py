"""Let a detector read the segments of a request: as they stand, under their keys, without codes and line breaks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from privguard.core.entities import Category
from privguard.core.errors import DetectionError, ProtectionError
from privguard.core.protocols import Detector
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.encoded import above
from privguard.detect.escapes import soften, unite
from privguard.detect.keyed import lead_of, led, told
from privguard.detect.percent import Decoded
from privguard.detect.shown import shown_views

Row: TypeAlias = tuple[Span, ...]
Rows: TypeAlias = tuple[Row, ...]


class Said(NamedTuple):
    """A segment and what the detector says of it."""

    text: str
    soft: str | None  # with written line breaks as white space, None where there are none
    plain_row: Row
    soft_row: Row
    beside: bool  # whether it is no running text

    def __repr__(self) -> str:
        return f"Said(length {len(self.text)})"

    def views(self) -> tuple[str, ...]:
        """Return the texts that are looked at."""
        return (self.text,) if self.soft is None else (self.text, self.soft)

    def united(self, plain: Row, soft: Row) -> Row:
        """Return what was found in both views."""
        return plain if self.soft is None else unite(self.text, plain, soft)

    def found_by(self, find: Callable[[str], Row]) -> Row:
        """Return what is found in both views."""
        return self.united(find(self.text), find(self.soft) if self.soft is not None else ())


def ask(segments: Sequence[Segment], detector: Detector, threshold: float) -> list[Said]:
    """Let the detector read the segments; once more those under a key, and those that hold codes or written breaks."""
    rows = _behind_keys(segments, _detected(segments, detector), detector, threshold)
    rows = _without_codes(segments, rows, detector)
    rows = tuple([_telling(row) if each.chosen else row for each, row in zip(segments, rows, strict=True)])
    softened: dict[int, Segment] = {}
    for number, segment in enumerate(segments):
        soft = soften(segment.text)
        if soft is not segment.text and soft != segment.text:
            softened[number] = replace(segment, text=soft)
    more = dict(zip(softened, _detected(tuple(softened.values()), detector), strict=True)) if softened else {}
    return [
        Said(
            segment.text,
            softened[number].text if number in softened else None,
            row,
            more.get(number, ()),
            beside=segment.beside,
        )
        for number, (segment, row) in enumerate(zip(segments, rows, strict=True))
    ]


def _telling(row: Row) -> Row:
    """Return what tells of somebody in a name that a program chose: `book_restaurant` and `get_paris_weather` do not.

    A place or a company that another text says is carried there nevertheless.
    """
    return tuple([span for span in row if span.kind.category is not Category.QUASI])


def _behind_keys(segments: Sequence[Segment], rows: Rows, detector: Detector, threshold: float) -> Rows:
    """Add what the keys of documents tell of the values under them."""
    sure = [above(row, threshold) for row in rows]
    leads = {number: lead for number, each in enumerate(segments) if (lead := lead_of(each, sure[number]))}
    keyed = tuple([replace(segments[number], text=led(lead, segments[number].text)) for number, lead in leads.items()])
    result = list(rows)
    for (number, lead), found in zip(leads.items(), _detected(keyed, detector) if leads else (), strict=True):
        result[number] = (*rows[number], *told(lead, segments[number].text, found, rows[number]))
    return tuple(result)


def _without_codes(segments: Sequence[Segment], rows: Rows, detector: Detector) -> Rows:
    """Add what a reader sees who does not see codes, decoration and garbled letters, where a text holds any."""
    forms = [(number, form) for number, each in enumerate(segments) for form in shown_views(each.text)]
    if not forms:
        return rows
    read = tuple([replace(segments[number], text=form.text) for number, form in forms])
    more: dict[int, list[Span]] = {}
    for (number, form), row in zip(forms, _detected(read, detector), strict=True):
        more.setdefault(number, []).extend(
            [_led_back(form, span) for span in row if form.touches(span.start, span.end)]
        )
    return tuple([(*row, *more.get(number, ())) for number, row in enumerate(rows)])


def _led_back(form: Decoded, span: Span) -> Span:
    start, end = form.back(span.start, span.end)
    return replace(span, start=start, end=end)


def _detected(segments: Sequence[Segment], detector: Detector) -> Rows:
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
