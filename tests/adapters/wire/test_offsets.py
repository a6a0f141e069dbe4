import re

from hypothesis import given
from hypothesis import strategies as st

from privguard.core.edits import Edit, splice
from privguard.core.segments import Channel
from privguard_adapters.wire.offsets import Offsets, restore_with_offsets
from tests.adapters.fake_guard import FakeGuard

PIECES = st.sampled_from(["[PERSON_7QK2]", "[EMAIL_4MN5]", "word", " ", "\n", ", ", "[", "]", "😀", "(see [1])"])


def offsets_of(text: str) -> tuple[str, Offsets]:
    exchange = FakeGuard().begin((), target="m")
    return restore_with_offsets(text, exchange.stream(Channel.TEXT))


@given(pieces=st.lists(PIECES, max_size=12))
def test_the_text_is_what_restoring_the_whole_gives(pieces: list[str]) -> None:
    text = "".join(pieces)
    restored, _ = offsets_of(text)
    assert restored == FakeGuard().begin((), target="m").restore(text)


@given(pieces=st.lists(PIECES, max_size=12))
def test_a_word_is_found_where_its_position_is_mapped(pieces: list[str]) -> None:
    text = " ".join(pieces)
    restored, offsets = offsets_of(text)
    for match in re.finditer(r"word", text):
        start, end = offsets.map(match.start()), offsets.map(match.end(), is_end=True)
        assert restored[start:end] == "word"


def test_a_placeholder_is_mapped_to_its_value() -> None:
    text = "Write to [PERSON_7QK2] or to [EMAIL_4MN5] today"
    restored, offsets = offsets_of(text)
    for mark, value in (("[PERSON_7QK2]", "Ada Roth"), ("[EMAIL_4MN5]", "ada@roth.example")):
        start = text.index(mark)
        end = start + len(mark)
        assert restored[offsets.map(start) : offsets.map(end, is_end=True)] == value
        assert restored[offsets.map(start + 3) : offsets.map(end - 3, is_end=True)] == value


def test_between_placeholders_of_a_text_without_white_space_a_word_is_found() -> None:
    text = "关于[PERSON_7QK2]的信息，参见[EMAIL_4MN5]。完"
    restored, offsets = offsets_of(text)
    for part, value in (
        ("的信息", "的信息"),
        ("[PERSON_7QK2]", "Ada Roth"),
        ("[EMAIL_4MN5]", "ada@roth.example"),
        ("完", "完"),
    ):
        start = text.index(part)
        assert restored[offsets.map(start) : offsets.map(start + len(part), is_end=True)] == value


def test_where_nothing_changes_every_position_stays() -> None:
    _, offsets = offsets_of("plain [1] text")
    assert not offsets.changed
    assert [offsets.map(position) for position in range(14)] == list(range(14))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4), st.text(min_size=1, max_size=6)), max_size=5))
def test_offsets_that_undo_edits_lead_back_to_where_they_were_made(cuts: list[tuple[int, int, str]]) -> None:
    edits, end = [], 0
    for gap, length, replacement in cuts:
        edits.append(Edit(start=end + gap, end=end + gap + length, replacement=replacement))
        end += gap + length
    text = "".join(chr(ord("a") + place % 26) for place in range(end + 3))
    sent, offsets = splice(text, edits), Offsets.undoing(edits)
    assert offsets.map(len(sent)) == len(text)
    grown = 0
    for edit in edits:
        start = edit.start + grown
        assert offsets.map(start) == edit.start
        assert offsets.map(start + len(edit.replacement), is_end=True) == edit.end
        grown += len(edit.replacement) - (edit.end - edit.start)
