"""Server-sent events: bytes cut anywhere into frames and back, without changing what is not ours.

A frame keeps its raw bytes, so whatever is not restored passes as it came: comments, ids, retry fields, line ends.
"""

import re
from dataclasses import dataclass, field

_LINE_END = re.compile(rb"\r\n|\n|\r")
_TEXT_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The bytes up to and including the blank line that ends an event."""

    raw: bytes = field(repr=False)
    data: str | None = field(default=None, repr=False)  # None where the frame carries no data
    event: str = ""
    is_cut: bool = False  # whether the stream ended within it, before the blank line


def with_data(frame: Frame, data: str) -> bytes:
    """Write a frame again with other data; all its other lines stay."""
    new = [b"data: " + line.encode("utf-8") for line in _TEXT_LINE_END.split(data)]
    lines: list[bytes] = []
    position = 0
    ends = [(match.start(), match.end()) for match in _LINE_END.finditer(frame.raw)]
    for start, end in [*ends, (len(frame.raw), len(frame.raw))]:
        line, line_end = frame.raw[position:start], frame.raw[start:end]
        position = end
        if not _is_data(line):
            lines.append(line + line_end)
        elif new:
            lines.append((line_end or b"\n").join(new) + line_end)
            new = []
    return b"".join(lines)


def write_frame(data: str, event: str = "") -> bytes:
    """Write a frame that holds data, and the name of the event where it has one."""
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {data}\n\n".encode()


def with_end(raw: bytes) -> bytes:
    """Return the bytes of an event with the blank line that it lacks."""
    return raw + (b"\n" if raw.endswith(b"\n") else b"\n\n")


def _is_data(line: bytes) -> bool:
    line = line.removeprefix(_BOM)
    return line == b"data" or line.startswith(b"data:")


class SseParser:
    """Cut a byte stream into frames. Linear in its length, whatever the size of the chunks."""

    def __init__(self) -> None:
        self._raw: list[bytes] = []  # of the frame so far, in pieces
        self._line: list[bytes] = []  # of the line so far
        self._data: list[str] = []
        self._has_data = False
        self._event = ""
        self._after_cr = False  # a line feed that comes next belongs to the line end before
        self._first_line = True

    def feed(self, chunk: bytes) -> list[Frame]:
        """Return the frames that the chunk completes."""
        frames: list[Frame] = []
        position = 0
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk.startswith(b"\n"):
                position = 1
                self._keep_line_feed(frames)
        for match in _LINE_END.finditer(chunk, position):
            self._line.append(chunk[position : match.start()])
            self._raw.append(chunk[position : match.end()])
            position = match.end()
            self._after_cr = match.group() == b"\r" and position == len(chunk)
            self._end_line(frames)
        if position < len(chunk):
            self._line.append(chunk[position:])
            self._raw.append(chunk[position:])
        return frames

    def end(self) -> list[Frame]:
        """Return what is left when the stream ends inside a frame."""
        if not self._raw:
            return []
        frames: list[Frame] = []
        if self._line:
            self._take_line(b"".join(self._line))
        self._dispatch(frames, is_cut=True)
        return frames

    def _keep_line_feed(self, frames: list[Frame]) -> None:
        if self._raw:
            self._raw.append(b"\n")
        else:
            frames.append(Frame(raw=b"\n"))

    def _end_line(self, frames: list[Frame]) -> None:
        line = b"".join(self._line)
        self._line.clear()
        if self._first_line:
            self._first_line = False
            line = line.removeprefix(_BOM)
        if line:
            self._take_line(line)
        else:
            self._dispatch(frames)

    def _take_line(self, line: bytes) -> None:
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._has_data = True
            self._data.append(value)
        elif name == "event":
            self._event = value

    def _dispatch(self, frames: list[Frame], *, is_cut: bool = False) -> None:
        data = "\n".join(self._data) if self._has_data else None
        frames.append(Frame(raw=b"".join(self._raw), data=data, event=self._event, is_cut=is_cut))
        self._raw.clear()
        self._line.clear()
        self._data.clear()
        self._has_data = False
        self._event = ""
