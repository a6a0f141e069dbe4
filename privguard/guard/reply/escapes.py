"""Escapes in prose that an edit must take whole or leave: half of one breaks the JSON, or the program, around it."""

from privguard.core.json_escapes import ESCAPE, LONGEST

_RUN = 64  # backslashes in a row that are counted


def around_escapes(text: str, start: int, end: int) -> tuple[int, int]:
    """Return an interval of a text, widened by the escapes that its ends cut."""
    first, last = _cut_at(text, start), _cut_at(text, end)
    return (start if first is None else first[0]), (end if last is None else last[1])


def _cut_at(text: str, place: int) -> tuple[int, int] | None:
    """Return the escape that a place cuts, None where it cuts none."""
    for at in range(place - 1, max(-1, place - LONGEST), -1):
        if text[at] == "\\" and _begins(text, at) and (escape := ESCAPE.match(text, at)) and place < escape.end():
            return escape.span()
    return None


def _begins(text: str, at: int) -> bool:
    """Tell whether a backslash begins an escape, and ends none."""
    before = text[max(0, at - _RUN) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 0
