"""What is found later changes nothing of what left before but for the places where it stands."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.scanning import Carried, Hit
from privguard.guard import Guard, Parts
from privguard.guard.late import Late, Since
from privguard.guard.shapes import message_segments
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeNeed, FakeProfiles, ListSink

T = EntityType
VALUES = {
    "Zoë Reik": T.PERSON,
    "ZOË REIK": T.PERSON,
    "Reik": T.PERSON,
    "Zoë": T.PERSON,
    "Mr Reik": T.PERSON,
    "Mara Reik": T.PERSON,
    "Bob Marsh": T.PERSON,
    "Robert Marsh": T.PERSON,
    "Marsh": T.PERSON,
    "REIK": T.ORGANIZATION,
    "Acme": T.ORGANIZATION,
    "Acme GmbH": T.ORGANIZATION,
    "0170 1234567": T.PHONE,
    "+49 170 1234567": T.PHONE,
}
SEEN = "*"


class Seeing:
    """A detector that sees the values with a star behind them, and misses all others."""

    id = "seeing/1"

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return tuple(tuple(self._spans(segment.text)) for segment in segments)

    def _spans(self, text: str) -> list[Span]:
        return [
            Span(start=at, end=at + len(value), kind=kind, score=0.95, source="test")
            for value, kind in VALUES.items()
            for at in range(len(text))
            if text.startswith(value + SEEN, at)
        ]


GUARD = Guard(
    Parts(
        detector=Seeing(),
        need=FakeNeed(b_redact=-9.0, b_abstract=-9.0),
        abstractor=FakeAbstractor(),
        profiles=FakeProfiles(),
        sink=ListSink(),
        key=Key.from_text("correct horse battery staple"),
    )
)


def left(messages: Sequence[str]) -> list[dict[tuple[int, int], str]]:
    """Return what stands for each span of each text."""
    segments = message_segments(
        [{"role": ("user", "assistant")[number % 2], "content": text} for number, text in enumerate(messages)]
    )
    with GUARD.begin(segments, target="m") as exchange:
        return [{(edit.start, edit.end): edit.replacement for edit in segment.edits} for segment in exchange.outgoing]


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(letter):04x}" if letter in "ëR" else letter for letter in text)


PIECE = st.tuples(st.sampled_from(list(VALUES)), st.sampled_from(["", SEEN])).map("".join)
PROSE = st.lists(PIECE, max_size=3).map("; ".join)
JSON = st.lists(PIECE, min_size=1, max_size=2).map(lambda each: '{"a": "' + '", "b": "'.join(map(escaped, each)) + '"}')
QUOTED = PROSE.map(escaped).map(lambda text: f'say "{text}" or {text}')


@settings(deadline=None)
@given(st.lists(PROSE | JSON | QUOTED, min_size=2, max_size=5))
@example(
    ['say "Zo\\u00eb \\u0052eik*" or Zo\\u00eb \\u0052eik*', "Zoë Reik"]
)  # numbers a spelling behind one with escapes
@example(["Zoë Reik; Mr Reik*", "Zoë Reik*"])  # takes the place of the fullest mention
@example(["Zoë Reik", "Reik*", "REIK*"])  # has another type
@example(["Bob Marsh", "Robert Marsh*; ROBERT MARSH", "Bob Marsh*"])  # is the fuller name of the first message
@example(["Zoë Reik", "REIK*", "Zoë Reik*"])  # bears the name of a company
def test_what_is_found_later_changes_what_left_only_where_it_stands(messages: list[str]) -> None:
    before: list[dict[tuple[int, int], str]] = []
    for length in range(1, len(messages) + 1):
        after = left(messages[:length])
        for sent, now in zip(before, after, strict=False):
            for (start, end), replacement in sent.items():
                around = [(low, high) for low, high in now if low <= start and end <= high]
                assert around
                assert around != [(start, end)] or now[start, end] == replacement
        before = after


def span(start: int, end: int, kind: EntityType = T.PERSON) -> Span:
    return Span(start=start, end=end, kind=kind, score=0.9, source="test")


def known(hits: Mapping[tuple[int, int], int], row: tuple[Span, ...], first: tuple[Span, ...] = ()) -> Since:
    """Return since when the spans of the second message are known, by the turn in which each hit came up."""
    carried = {
        b"%d" % number: Carried("x", span(0, 1), ((since, T.PERSON),)) for number, since in enumerate(hits.values())
    }
    found = [Hit(b"%d" % number, *place) for number, place in enumerate(hits)]

    def finish(early: tuple[Span, ...], mentions: tuple[tuple[Span, ...], ...]) -> tuple[Span, ...]:
        return tuple(
            sorted({*early, *(span(each.start, each.end) for each in mentions[0])}, key=lambda each: each.start)
        )

    return Late(1, first, carried, finish).since(row, [found])


@pytest.mark.parametrize(
    ("hits", "row", "first", "expected"),
    [
        ({(0, 4): 0}, [(0, 4)], [], Since((1,))),
        ({(0, 4): 3, (6, 8): 1}, [(0, 4), (6, 8)], [], Since((3, 1))),
        ({(0, 4): 3}, [(0, 4), (6, 8)], [(6, 8)], Since((3, 1))),
        ({(0, 4): 2, (0, 8): 3}, [(0, 8)], [], Since((3,), (span(0, 4),), (2,))),
        ({(0, 4): 1, (0, 8): 3}, [(0, 8)], [], Since((3,), (span(0, 4),), (1,))),
        ({(0, 8): 2, (0, 4): 3}, [(0, 8)], [], Since((2,))),
        ({(0, 4): 3}, [(0, 4)], [(0, 4)], Since((1,))),
    ],
    ids=range(7),
)
def test_a_span_is_known_from_the_first_value_on_that_covers_what_it_covers(
    hits: Mapping[tuple[int, int], int],
    row: Sequence[tuple[int, int]],
    first: Sequence[tuple[int, int]],
    expected: Since,
) -> None:
    assert known(hits, tuple([span(*each) for each in row]), tuple([span(*each) for each in first])) == expected
