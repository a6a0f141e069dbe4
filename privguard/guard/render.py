"""Write the replacements: ids, hints and phrases, chosen so that R reads back exactly what was written."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from privguard.core.audit import Event
from privguard.core.errors import PlanError
from privguard.core.memory import Memory
from privguard.core.placeholders import ALPHABET, MAX_ID, MIN_ID, write_placeholder
from privguard.core.plan import Action, Decision
from privguard.core.profile import Profile, Rendering
from privguard.core.protocols import Abstractor
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Segment
from privguard.guard.hidden import Hidden
from privguard.guard.request import Request
from privguard.replacements import Forbidden
from privguard.replacements.identity import IdentityScope
from privguard.replacements.key import Key
from privguard.replacements.render import Edit, splice
from privguard.restore import Restorer

_LOOK_ALIKE = re.compile(rf"\[[A-Z_]+_([{ALPHABET}]{{{MIN_ID},{MAX_ID}}})[\]:]")
_WORD = re.compile(r"[0-9A-Za-z]+")
_MAX_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """What writing needs beside the request itself."""

    key: Key
    abstractor: Abstractor
    profile: Profile
    checked: Memory[bool] = field(default_factory=Memory, repr=False)  # segments that R is known to read back


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """The minimized request and all that R needs to undo it."""

    outgoing: tuple[Segment, ...]
    decisions: tuple[tuple[Decision, ...], ...]
    table: RestoreTable
    hidden: Hidden


def render(request: Request, renderer: Renderer) -> Rendered:
    """Write every replacement.

    Ids that R would also read somewhere in the caller's own text are lengthened until it reads none there: what a
    caller types never becomes somebody's value, and minimized text may pass a second time unchanged.

    Raises:
        PlanError: no such ids exist.
    """
    phrases = _phrases(request, renderer)
    bare = _bare(request, renderer, phrases)
    literals = frozenset(hit for segment in request.segments for hit in _LOOK_ALIKE.findall(segment.text))
    taken = set(literals)
    for _ in range(_MAX_ROUNDS):
        rendered = _write(request, renderer, phrases, bare, taken)
        misread = _misread(request, rendered, renderer.checked)
        if misread is None or not (misread or bare):
            return replace(rendered, table=replace(rendered.table, literals=literals))
        if not misread:
            bare = frozenset()
        taken |= misread
    raise PlanError(f"the text imitates placeholders in {_MAX_ROUNDS} rounds of renaming; nothing was sent")


def _phrases(request: Request, renderer: Renderer) -> dict[int, str]:
    """Return the abstract phrase of each abstracted entity, by its index: one that names nothing hidden or denied."""
    if all(choice.action is not Action.ABSTRACT for choice in request.choices):
        return {}
    hidden = Forbidden(
        {
            *renderer.profile.deny,
            *(
                surface
                for entity, choice in zip(request.entities, request.choices, strict=True)
                if choice.action is not Action.RETAIN
                for surface in entity.surfaces
            ),
        }
    )
    return {
        index: renderer.abstractor.abstract(entity.kind, entity.surface, hidden).phrase
        for index, (entity, choice) in enumerate(zip(request.entities, request.choices, strict=True))
        if choice.action is Action.ABSTRACT
    }


def _bare(request: Request, renderer: Renderer, phrases: Mapping[int, str]) -> frozenset[int]:
    """Return the entities whose phrase may stand bare: it is theirs alone, and so is the one spelling behind it."""
    if renderer.profile.rendering is not Rendering.PHRASE:
        return frozenset()
    uses = Counter(phrase.casefold() for phrase in phrases.values())
    texts = [segment.text.casefold() for segment in request.segments]
    return frozenset(
        index
        for index, phrase in phrases.items()
        if uses[phrase.casefold()] == 1
        and not request.entities[index].forms
        and not any(phrase.casefold() in text for text in texts)
        and not any(other != index and phrase.casefold() in longer.casefold() for other, longer in phrases.items())
    )


def _write(
    request: Request, renderer: Renderer, phrases: Mapping[int, str], bare: Collection[int], taken: Collection[str]
) -> Rendered:
    scope = IdentityScope(renderer.key, taken)
    rows: list[list[Decision | None]] = [[None] * len(row) for row in request.spans]
    entries: dict[str, RestoreEntry] = {}
    for index, (entity, choice) in enumerate(zip(request.entities, request.choices, strict=True)):
        placeholder_id = None
        if choice.action is not Action.RETAIN:
            placeholder_id = scope.assign(entity.kind, entity.normal_value)
            entries[placeholder_id] = RestoreEntry(
                placeholder_id=placeholder_id,
                kind=entity.kind,
                value=entity.surface,
                hint="" if index in bare else phrases.get(index, ""),
                phrase=phrases[index] if index in bare else "",
                forms=entity.forms,
            )
        hint = phrases.get(index, "")  # it stands once, at the first plain mention
        for mention in entity.mentions:
            replacement = None
            if placeholder_id is not None:
                told = mention.form or hint
                replacement = phrases[index] if index in bare else write_placeholder(entity.kind, placeholder_id, told)
                hint = hint if mention.form else ""
            rows[mention.segment][mention.place] = Decision(
                span=request.spans[mention.segment][mention.place],
                action=choice.action,
                reason=choice.reason,
                p_survive=choice.p_survive,
                placeholder_id=placeholder_id,
                replacement=replacement,
            )
    decisions = tuple(tuple(decision for decision in row if decision is not None) for row in rows)
    return Rendered(
        outgoing=tuple(_apply(segment, row) for segment, row in zip(request.segments, decisions, strict=True)),
        decisions=decisions,
        table=RestoreTable(entries=entries, url_hosts=renderer.profile.url_hosts),
        hidden=Hidden.of(request),
    )


def _apply(segment: Segment, decisions: Sequence[Decision]) -> Segment:
    edits = [
        Edit(start=decision.span.start, end=decision.span.end, replacement=decision.replacement)
        for decision in decisions
        if decision.replacement is not None
    ]
    return replace(segment, text=splice(segment.text, edits)) if edits else segment


def _misread(request: Request, rendered: Rendered, checked: Memory[bool]) -> set[str] | None:
    """Let R read the outgoing text: None where it gives back the original, else the ids that it reads too often.

    An empty set where it reads too little: a bare phrase that it cannot tell from its surroundings, or a value inside
    something that it takes for a URL. A segment that it read back before is not read again: see `_mark`.
    """
    entries = rendered.table.entries
    if not entries:
        return None
    restorer: Restorer | None = None
    told = {} if any(entry.phrase for entry in entries.values()) else _told(entries)
    excess: set[str] = set()
    exact = True
    for segment, outgoing, row in zip(request.segments, rendered.outgoing, rendered.decisions, strict=True):
        mark = _mark(segment, outgoing, told, rendered.table, checked) if told else b""
        if told and checked.get(mark):
            continue
        restorer = restorer or Restorer(rendered.table)
        restored = restorer.restore(outgoing.text)
        if restored.text == segment.text:
            if told:
                checked.put(mark, True)
            continue
        exact = False
        written = Counter(decision.placeholder_id for decision in row if decision.placeholder_id)
        read: Counter[str] = Counter()
        for event in restored.events:
            if event.event is not Event.UNRESTORED:
                read[event.placeholder_id] += event.count
        excess |= {placeholder_id for placeholder_id in read if read[placeholder_id] > written[placeholder_id]}
    return None if exact else excess


def _told(entries: Mapping[str, RestoreEntry]) -> dict[str, str]:
    """Return all that R knows of each entity, in one text."""
    told = {}
    for placeholder_id, entry in entries.items():
        forms = "".join([f"\0{form}\0{len(spelling)}\0{spelling}" for form, spelling in entry.forms])
        told[placeholder_id] = (
            f"{placeholder_id}\0{entry.kind.value}\0{len(entry.value)}\0{entry.value}\0{entry.hint}{forms}"
        )
    return told


def _mark(
    segment: Segment, outgoing: Segment, told: Mapping[str, str], table: RestoreTable, checked: Memory[bool]
) -> bytes:
    """Name all that decides how R reads a segment: the texts, and what it knows of the ids that it may find there.

    R finds ids in any letter case, and no others than those that stand in the text.
    """
    text = outgoing.text
    # Two forms of a separator end in a letter: an id behind one of these looks like the end of a longer word.
    glued = "%" in text or "\\u005" in text
    words = text.upper() if glued else {word.upper() for word in _WORD.findall(text)}
    known = [each for placeholder_id, each in told.items() if placeholder_id in words]
    parts = (segment.text, text, *table.url_hosts, *known)
    return checked.mark("\0".join([f"{len(part)}\0{part}" for part in parts]))
