"""A placeholder in brackets that close: what is its own, and what in and around them is the text's."""

import re
from typing import NamedTuple

from privguard.core.audit import Cause, Match
from privguard.core.entities import EntityType
from privguard.core.placeholders import is_form, part_hint
from privguard.core.restoring import RestoreEntry
from privguard.restore import grammar
from privguard.restore.found import Found, Id, Ids, is_hint, match_of, own_start
from privguard.restore.seen import Seen, is_percent_encoded, see


class _Parts(NamedTuple):
    """Where its parts are, in what is seen."""

    start: int  # the opening bracket
    word: tuple[int, int]  # the type, or another word
    id: tuple[int, int]
    marks: tuple[int, int]  # emphasis in front
    marks_end: int  # of ending and emphasis behind the id
    close: int  # the closing bracket, with its escapes
    end: int
    hint: str  # as it was written


def ids_before_links(text: str) -> frozenset[str]:
    """Return the ids of the placeholders in a text of ours that stand right before a destination, as no link's text."""
    return frozenset(grammar.BEFORE_LINK.findall(see(text).text))


def read_square(seen: Seen, hit: re.Match[str], floor: int, ids: Ids) -> Found | None:
    """Read what `grammar.SQUARE` found; None where it is nothing of ours.

    Args:
        seen: the text.
        hit: the match.
        floor: what is seen before is read already.
        ids: those of the request.
    """
    start, end = hit.span()
    if hit[1] is not None:
        at = hit.start(1) + hit[1].rindex("_")
        close = end - 1
        parts = _Parts(start, (start + 1, at), (at + 1, close), (start, start), close, close, end, "")
        return _read(seen, parts, floor, ids)
    begun = grammar.BEGUN.match(seen.text, start)
    ended = grammar.ENDED.match(seen.text, begun.end()) if begun is not None and ids.is_known(begun[4]) else None
    if begun is None or ended is None:
        return None
    word = begun.span(2) if begun[2] is not None else begun.span(3)
    close, end = ended.span(4)
    parts = _Parts(start, word, begun.span(4), begun.span(1), ended.end(2), close, end, ended[3] or "")
    return _read(seen, parts, floor, ids)


def _read(seen: Seen, parts: _Parts, floor: int, ids: Ids) -> Found | None:
    text = seen.text
    words, written = text[slice(*parts.word)], text[slice(*parts.id)]
    kind = grammar.kind_of(words)
    start, end = seen.place(parts.start), seen.end(parts.end)
    if end - start + grammar.MAX_ESCAPES + grammar.LONGEST_LINK > grammar.MAX_FORM:
        return None
    found = ids.read(written)
    if found is None:
        foreign = kind is not None and ids.is_foreign(kind, written, seen.raw[start:end])
        return Found(start=start, end=end, match=Match.EXACT, cause=Cause.UNKNOWN) if foreign else None
    if kind is None and not _is_other_word(text, parts.start, words, found):
        return None
    if grammar.is_longer_id(text, parts.id[1]):
        return None
    link = _is_link(seen, parts.start, parts.end, ids, found.entry)
    return _placed(seen, parts, floor, found, kind, link=link)


def _placed(seen: Seen, parts: _Parts, floor: int, found: Id, kind: EntityType | None, *, link: bool) -> Found:
    entry, hint = found.entry, parts.hint
    id_end = parts.id[0] + found.length
    before, behind = seen.written(*parts.marks), seen.written(id_end, parts.marks_end)
    # The model's own: another word for the type, and what stands behind the id.
    own = [(seen.place(parts.word[0]), seen.end(parts.word[1]))] if kind is None else []
    if behind:
        own.append((seen.place(id_end), seen.end(parts.marks_end)))
    if not is_hint(hint, entry):
        # The bracket is the text's, and all that stands in it beside type and id.
        start, end, hint, before, behind = seen.place(parts.word[0]), seen.end(id_end), "", "", ""
        own = [part for part in own if part[0] < end]
    elif link or seen.is_quote(parts.start):
        start, end = seen.end(parts.start + 1), seen.place(parts.close)
    else:
        start, end = own_start(seen, parts.start, parts.end, floor), seen.end(parts.end)
    wrong = found.unclear or (kind is not None and kind is not entry.kind)
    return Found(
        start=start,
        end=end,
        match=match_of(seen.raw[start:end], kind or entry.kind, entry, hint),
        entry=entry,
        value=entry.value_of(hint),
        written=entry.written_of(hint),
        told=is_form(part_hint(hint).words.casefold()),
        cause=Cause.AMBIGUOUS if wrong else None,
        before=before,
        behind=behind,
        encoded=is_percent_encoded(seen.written(parts.start, parts.end)),
        own=tuple(own),
    )


def _is_link(seen: Seen, start: int, end: int, ids: Ids, entry: RestoreEntry) -> bool:
    if not seen.text.startswith("(", end) or not ids.may_be_link(entry) or not seen.is_square(start):
        return False
    return grammar.LINK.match(seen.text, end) is not None


def _is_other_word(text: str, start: int, words: str, found: Id) -> bool:
    """Tell whether words may stand for a type: a translation, beside an id that is intact.

    An index (`rows[name_7QK2]`) and a name with a type of ours in it are names of somebody's own, and what mixes
    alphabets that look alike is no word.
    """
    if not found.intact or grammar.is_indexed(text, start):
        return False
    return not grammar.names_type(words) and not grammar.mixes_alphabets(words)
