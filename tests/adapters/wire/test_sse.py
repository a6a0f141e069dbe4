from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard_adapters.wire.sse import Frame, SseParser, with_data, with_end, write_frame

ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=8)
LINES = st.one_of(
    TEXT.map(lambda text: f"data: {text}".encode()),
    TEXT.map(lambda text: f"data:{text}".encode()),
    TEXT.map(lambda text: f": {text}".encode()),
    st.sampled_from([b"data", b"event: error", b"id: 7", b"retry: 10", b"strange: field", "data: é😀".encode()]),
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Draw a stream with one sort of line end per line."""
    parts = [draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))]
    for _ in range(draw(st.integers(0, 5))):
        end = draw(ENDS)
        lines = draw(st.lists(LINES, max_size=3))
        parts += [line + end for line in lines] + [end]
    parts.append(draw(st.sampled_from([b"", b"data: cut of", b"event: x\n"])))
    return b"".join(parts)


def parse(chunks: list[bytes]) -> list[Frame]:
    parser = SseParser()
    frames = [frame for chunk in chunks for frame in parser.feed(chunk)]
    return [*frames, *parser.end()]


def events(frames: list[Frame]) -> list[tuple[str | None, str]]:
    return [(frame.data, frame.event) for frame in frames if frame.data is not None]


@given(raw=streams(), cuts=st.lists(st.integers(0, 80), max_size=8))
def test_no_cut_loses_a_byte_or_changes_an_event(raw: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    chunks = [raw[start:end] for start, end in pairwise(places)]
    frames = parse(chunks)
    assert b"".join(frame.raw for frame in frames) == raw
    assert events(frames) == events(parse([raw]))


def test_every_cut_of_a_stream_with_mixed_line_ends_gives_the_same_events() -> None:
    raw = "data: é\r\n\r\n: hi\ndata: 1\rdata: 2\r\revent: error\ndata:😀\n\ndata: [DONE]\r\n\r\n".encode()
    expected = [("é", ""), ("1\n2", ""), ("😀", "error"), ("[DONE]", "")]
    for first in range(len(raw) + 1):
        for second in range(first, len(raw) + 1):
            frames = parse([raw[:first], raw[first:second], raw[second:]])
            assert events(frames) == expected
            assert b"".join(frame.raw for frame in frames) == raw


def test_an_event_comes_out_as_soon_as_it_is_complete() -> None:
    parser = SseParser()
    assert parser.feed(b"data: 1\n") == []
    assert [frame.data for frame in parser.feed(b"\n")] == ["1"]
    assert [frame.data for frame in parser.feed(b"data: 2\r\r")] == ["2"]
    assert [frame.data for frame in parser.feed(b"data: 3\r\n\r")] == ["3"]
    assert [(frame.raw, frame.data) for frame in parser.feed(b"\n")] == [(b"\n", None)]


def test_a_stream_that_ends_inside_an_event_still_gives_it() -> None:
    assert events(parse([b"data: 1\n\ndata: 2"])) == [("1", ""), ("2", "")]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b": note\nid: 1\ndata: old\nretry: 5\n\n", b": note\nid: 1\ndata: new\nretry: 5\n\n"),
        (b"data: a\r\ndata: b\r\n\r\n", b"data: new\r\n\r\n"),
        (b"data: a", b"data: new"),
        (b"data:a\revent: x\r\r", b"data: new\revent: x\r\r"),
    ],
)
def test_new_data_leaves_all_other_lines(raw: bytes, expected: bytes) -> None:
    (frame,) = parse([raw])
    assert with_data(frame, "new") == expected


@given(raw=streams(), data=TEXT, more=TEXT)
def test_written_data_is_read_again(raw: bytes, data: str, more: str) -> None:
    for frame in parse([raw]):
        if frame.data is not None:
            again = [each for each in parse([with_data(frame, f"{data}\n{more}")]) if each.data is not None]
            assert [(each.data, each.event) for each in again] == [(f"{data}\n{more}", frame.event)]


def test_a_written_frame_is_one_event() -> None:
    assert events(parse([write_frame('{"a": 1}')])) == [('{"a": 1}', "")]


def test_a_long_line_in_small_chunks_costs_linear_time() -> None:
    parser = SseParser()
    for _ in range(50_000):
        parser.feed(b"x" * 40)
    parser.feed(b"\ndata: 1\n")
    assert [frame.data for frame in parser.feed(b"\n")] == ["1"]


def test_the_repr_of_a_frame_shows_no_data() -> None:
    assert "canary" not in repr(Frame(raw=b"data: canary\n\n", data="canary"))


@pytest.mark.parametrize(
    "raw", [b"data: x", b"data: x\n", b"data: x\r", b"data: x\r\n", b"data: x\nid: 1"], ids=range(5)
)
def test_an_event_that_breaks_off_is_ended_by_one_blank_line(raw: bytes) -> None:
    parser = SseParser()
    assert parser.feed(raw) == []
    (cut,) = parser.end()
    assert (cut.is_cut, cut.data) == (True, "x")
    parser = SseParser()
    (whole,) = parser.feed(with_end(raw))
    assert (whole.is_cut, whole.data) == (False, "x")
    assert parser.end() == []


def test_a_frame_may_name_its_event() -> None:
    assert write_frame('{"é": 1}', "ping") == 'event: ping\ndata: {"é": 1}\n\n'.encode()
    assert SseParser().feed(write_frame("1", "ping"))[0].event == "ping"
