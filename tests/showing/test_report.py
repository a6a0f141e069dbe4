"""A report shows what leaves, and originals only where they are asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.entities import EntityType
from privguard.core.plan import Action, Decision, Plan, Reason
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.core.targets import Provenance, TargetModel
from privguard.guard import Content
from privguard.showing.report import (
    Report,
    facts_of_target,
    parts_of_content,
    rows_of_content,
    visible,
)

TARGET = TargetModel(name="gpt-5", theta=0.9, provenance=Provenance.PUBLISHED, pattern="gpt-5*")
TEXT = "Ada Roth, Zurich, 34."


def decision(text: str, value: str, action: Action, replacement: str | None = None) -> Decision:
    start = text.index(value)
    span = Span(start=start, end=start + len(value), kind=EntityType.PERSON, score=1.0, source="fake")
    return Decision(
        span=span,
        action=action,
        reason=Reason.NEED,
        p_survive=0.75,
        placeholder_id=None if replacement is None else "7QK2",
        replacement=replacement,
    )


def content() -> Content:
    given = Segment(path="messages[0].content", role=Role.USER, channel=Channel.TEXT, text=TEXT)
    empty = Segment(path="user", role=Role.OTHER, channel=Channel.TEXT, text="")
    row = (
        decision(TEXT, "Ada Roth", Action.REDACT, "[PERSON_7QK2]"),
        decision(TEXT, "Zurich", Action.ABSTRACT, "[LOCATION_7QK2: a large city]"),
        decision(TEXT, "34", Action.RETAIN),
    )
    return Content(
        given=(given, empty),
        sent=(given, empty),
        plan=Plan(decisions=(row, ()), target=TARGET, profile_id="p:1", artifact_ids=()),
    )


def test_the_pieces_are_what_leaves() -> None:
    part, empty = parts_of_content(content(), originals=False)
    assert "".join(piece.text for piece in part.sent) == "[PERSON_7QK2], [LOCATION_7QK2: a large city], 34."
    assert [piece.action for piece in part.sent if piece.action is not None] == list(reversed(Action))
    assert (part.given, empty.sent) == ((), ())


def test_originals_are_beside_it_where_they_are_asked_for() -> None:
    part, _ = parts_of_content(content(), originals=True)
    assert "".join(piece.text for piece in part.given) == TEXT
    assert [row.original for row in rows_of_content(content(), originals=True)] == ["Ada Roth", "Zurich", "34"]
    hidden = rows_of_content(content(), originals=False)
    assert [row.original for row in hidden] == [None, None, None]
    assert [row.leaves_as for row in hidden] == ["[PERSON_7QK2]", "[LOCATION_7QK2: a large city]", ""]


@pytest.mark.parametrize("originals", [True, False])
def test_no_repr_holds_content(originals: bool) -> None:
    seen = [parts_of_content(content(), originals=originals), rows_of_content(content(), originals=originals)]
    report = Report(title="t", facts=(), rows=seen[1], parts=seen[0])  # type: ignore[arg-type]  # by their order
    assert report.shows_originals is originals
    for text in ("Ada", "Zurich", "large city"):
        assert text not in f"{seen!r} {report!r}"


def test_an_unknown_model_is_named_as_one() -> None:
    assert facts_of_target(TARGET) == (("target", "gpt-5, theta +0.90, published"),)
    unknown = TargetModel(name="x", theta=0.0, provenance=Provenance.ASSUMED, pattern="*")
    assert "its capability is assumed" in facts_of_target(unknown)[0][1]


@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_what_is_visible_can_be_written_and_keeps_its_offsets(text: str) -> None:
    seen = visible(text)
    assert len(seen) == len(text)
    assert not any(ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 for letter in seen if letter not in "\n\t")
    seen.encode("utf-8")
