"""A placeholder whose brackets are lost, or have become those of a template or a tag."""

import re

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.restoring import RestoreEntry
from privguard.restore import grammar
from privguard.restore.found import Found, Ids, own_start
from privguard.restore.seen import Seen, is_percent_encoded

_IN_ANGLES = frozenset({EntityType.EMAIL, EntityType.URL})  # there they are the text's: Ada <ada@roth.example>


def read_bare(seen: Seen, anchor: re.Match[str], floor: int, ids: Ids) -> Found | None:
    """Read what `grammar.ANCHOR` matched outside of brackets that close; None where it is nothing of ours.

    Args:
        seen: the text.
        anchor: the match.
        floor: what is seen before is read already.
        ids: those of the request.
    """
    found = ids.read(anchor[1])
    if found is None:
        return None
    text = seen.text
    left = grammar.LEFT.search(text, max(floor, anchor.start() - grammar.LEFT_WINDOW), anchor.start())
    if left is None or grammar.is_longer_id(text, anchor.end()):
        return None
    start, end = left.start(2), anchor.start(1) + found.length
    begin, cause, lone = seen.place(start), None, 0
    if left[1]:
        cause = ids.cut_short(found.entry, text, anchor.end())
        if _is_lost(seen, left.start(), anchor.end()):
            begin = own_start(seen, left.start(), anchor.end(), floor)
    elif grammar.SPACED.search(text, start, anchor.start()):
        return None  # nothing but the underscore behind its type tells a placeholder without brackets
    elif end == anchor.end():
        lone = _lone_close(seen, end)
        start, end = _paired(text, start, end, floor, found.entry)
        if seen.end(end) + 1 - seen.place(start) > grammar.MAX_FORM:
            start, end = left.start(2), anchor.end()
        begin = seen.place(start)
    if seen.end(anchor.end()) + 1 - begin > grammar.MAX_FORM:
        return None
    wrong = found.unclear or grammar.kind_of(left[2]) is not found.entry.kind
    return Found(
        start=begin,
        end=seen.end(end),
        match=Match.TOLERANT,
        entry=found.entry,
        value=found.entry.value,
        written=found.entry.written_of(""),
        cause=Cause.AMBIGUOUS if wrong else cause,
        lone_close=lone,
        encoded=is_percent_encoded(seen.raw[begin : seen.end(end) + lone]),
    )


def _is_lost(seen: Seen, bracket: int, end: int) -> bool:
    """Tell whether the bracket before an id never closes, so that it can only be the placeholder's."""
    if not seen.is_square(bracket) or grammar.LISTED.match(seen.text, end):
        return False
    closing, decided = grammar.closes(seen.text, end)
    return closing < 0 and seen.end(decided) + 1 - seen.place(bracket) + grammar.MAX_ESCAPES <= grammar.MAX_FORM


def _lone_close(seen: Seen, end: int) -> int:
    lone = grammar.LONE_CLOSE.match(seen.text, end)
    if lone is None or not seen.is_square(lone.end() - 1):
        return 0
    return seen.end(lone.end()) - seen.end(end)


def _paired(text: str, start: int, end: int, floor: int, entry: RestoreEntry) -> tuple[int, int]:
    """Return where a placeholder begins and ends with the braces or angles that it has for its brackets."""
    near = max(floor, start - grammar.LONGEST_PAIR)
    braces = grammar.BRACES_LEFT.search(text, near, start)
    if braces:
        closing = grammar.BRACES_RIGHT.match(text, end)
        depth = min(len(braces[1]), len(closing[1])) if closing else 0
        return (braces.end(1) - depth, closing.start(1) + depth) if closing else (start, end)
    tag = start > near and text[end : end + 1] == ">" and grammar.ANGLE_LEFT.match(text, start - 1) is not None
    return (start - 1, end + 1) if tag and entry.kind not in _IN_ANGLES else (start, end)
