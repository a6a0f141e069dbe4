"""Write the replacements: ids, hints and phrases, chosen so that R reads back exactly what was written."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from privguard.core.edits import Edit, splice
from privguard.core.entities import EntityType
from privguard.core.errors import PlanError
from privguard.core.memory import Memory
from privguard.core.merging import clashes
from privguard.core.patterns import lazy_pattern
from privguard.core.placeholders import (
    ALPHABET,
    EXAMPLE_ID,
    MAX_HINT,
    MAX_ID,
    MIN_ID,
    is_form,
    join_hint,
    part_hint,
    write_placeholder,
)
from privguard.core.plan import Action, Decision
from privguard.core.profile import Profile, Rendering
from privguard.core.protocols import Abstractor
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Role, Segment
from privguard.guard.covering import cover
from privguard.guard.entities import Entity
from privguard.guard.hidden import Hidden
from privguard.guard.pronouns import speakable
from privguard.guard.proofread import Misread, Whole, proofread, wholes_of
from privguard.guard.provenance import is_said, unsaid_forms
from privguard.guard.request import Request
from privguard.replacements import Forbidden
from privguard.replacements.identity import IdentityScope, long_id
from privguard.replacements.key import Key
from privguard.restore import ids_before_links

_LOOK_ALIKE = lazy_pattern(rf"\[[A-Z_]+_([{ALPHABET}]{{{MIN_ID},{MAX_ID}}})[\]:]")
_HINT = lazy_pattern(rf"(?=\S)[^\[\]\"\\\0-\x1f]{{1,{MAX_HINT}}}(?<=\S)")  # nothing that JSON escapes
_MAX_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """What writing needs beside the request itself."""

    key: Key
    abstractor: Abstractor
    profile: Profile
    checked: Memory[bool] = field(default_factory=Memory, repr=False)  # segments that R is known to read back
    earlier: RestoreTable | None = field(default=None, repr=False)  # of requests that the provider still knows


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
    caller types never becomes somebody's value, and minimized text may pass a second time unchanged. In messages of the
    model they stay: a value that was withheld from an earlier reply comes back there as its placeholder.

    Raises:
        PlanError: no such ids exist.
    """
    phrases = _phrases(request, renderer)
    bare = _bare(request, renderer, phrases)
    wholes = wholes_of(request.segments)
    typed, repeated = (_look_alikes(request, wholes, replies=replies) for replies in (False, True))
    taken = set(typed)
    for _ in range(_MAX_ROUNDS):
        rendered = _write(request, renderer, phrases, bare, _Ids(taken, repeated))
        clashing = clashes(renderer.earlier, rendered.table) if renderer.earlier else frozenset()
        if clashing:
            taken |= clashing
            continue
        misread = proofread(wholes, rendered.outgoing, rendered.decisions, rendered.table, renderer.checked)
        if misread is None or not misread.segments:
            covered = cover(request, misread.stuck) if misread else None
            if covered is not None:
                return render(covered, renderer)
            # What stands behind a URL of its own stays in a reply, and is counted as refused.
            literals = (typed | repeated) - rendered.table.entries.keys()
            shown = {EXAMPLE_ID} if renderer.profile.note else frozenset()  # of a placeholder, and of no value
            return replace(rendered, table=replace(rendered.table, literals=literals | shown))
        taken |= misread.excess
        if not misread.excess and bare:
            bare = frozenset()
        elif not misread.excess:
            request = _told(request, misread)
    raise PlanError(f"the text imitates placeholders in {_MAX_ROUNDS} rounds of renaming; nothing was sent")


def _look_alikes(request: Request, wholes: Sequence[Whole], *, replies: bool) -> frozenset[str]:
    """Return the ids of what looks like a placeholder, in messages of the model or in all other texts."""
    texts = {segment.text for segment in request.segments if (segment.role is Role.ASSISTANT) is replies}
    texts |= {whole.text for whole in wholes if whole.is_reply is replies}
    return frozenset([hit for text in texts for hit in _LOOK_ALIKE.findall(text)])


def _told(request: Request, misread: Misread) -> Request:
    """Give a form to each spelling that R could not tell from where it stands.

    Raises:
        PlanError: there is none; no way of writing them can be read back.
    """
    doubtful = set(misread.segments)
    entities = [entity.told(doubtful) for entity in request.entities]
    if all(new is old for new, old in zip(entities, request.entities, strict=True)):
        path = request.segments[misread.segments[0]].path
        raise PlanError(f"{path} holds a value that could not be put back where it stands; nothing was sent")
    return replace(request, entities=entities)


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
        index: _as_hint(renderer.abstractor.abstract(entity.kind, entity.surface, hidden).phrase, entity.kind)
        for index, (entity, choice) in enumerate(zip(request.entities, request.choices, strict=True))
        if choice.action is Action.ABSTRACT
    }


def _as_hint(phrase: str, kind: EntityType) -> str:
    """Return the phrase, or the noun of its type where R would not read it as a hint: a ladder may say anything."""
    readable = _HINT.fullmatch(phrase) is not None and not is_form(phrase.casefold())
    readable = readable and not part_hint(phrase).pronoun
    return phrase if readable else kind.noun


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
        and not request.entities[index].written
        and not any(phrase.casefold() in text for text in texts)
        and not any(other != index and phrase.casefold() in longer.casefold() for other, longer in phrases.items())
    )


class _Ids(NamedTuple):
    """Ids that stand in the texts of a request before anything is written."""

    taken: Collection[str]  # what R must not read
    repeated: Collection[str]  # what the model said


def _write(
    request: Request, renderer: Renderer, phrases: Mapping[int, str], bare: Collection[int], ids: _Ids
) -> Rendered:
    scope = IdentityScope(renderer.key, ids.taken)
    rows: list[list[Decision | None]] = [[None] * len(row) for row in request.spans]
    entries: dict[str, RestoreEntry] = {}
    said = [is_said(segment) for segment in request.segments]
    speaking = speakable(request, renderer.profile) - frozenset(bare)
    for index, (entity, choice) in enumerate(zip(request.entities, request.choices, strict=True)):
        placeholder_id = None
        hint = phrases.get(index, "")  # it stands once, at the first plain mention
        if choice.action is not Action.RETAIN:
            placeholder_id = scope.assign(entity.kind, entity.normal_value)
        known_id = placeholder_id or (_said_before(entity, renderer.key, ids) if ids.repeated else None)
        if known_id is not None:
            entries[known_id] = RestoreEntry(
                placeholder_id=known_id,
                kind=entity.kind,
                value=entity.surface,
                hint="" if index in bare else join_hint(hint, entity.pronoun if index in speaking else ""),
                phrase=phrases[index] if index in bare else "",
                forms=entity.forms,
                written=entity.written,
                unsaid=unsaid_forms(request, entity, said),
            )
        for mention in entity.mentions:
            replacement = None
            if placeholder_id is not None:
                told = join_hint(mention.form or hint, mention.pronoun if index in speaking else "")
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
    outgoing = tuple([_apply(segment, row) for segment, row in zip(request.segments, decisions, strict=True)])
    before_links = frozenset().union(*[ids_before_links(segment.text) for segment in outgoing]) & entries.keys()
    return Rendered(
        outgoing=outgoing,
        decisions=decisions,
        table=RestoreTable(entries=entries, url_hosts=renderer.profile.url_hosts, before_links=before_links),
        hidden=Hidden.of(request),
    )


def _said_before(entity: Entity, key: Key, ids: _Ids) -> str | None:
    """Return the id by which the model spoke of a value that an earlier plan hid, None if it did not."""
    letters = long_id(key, entity.kind, entity.normal_value)
    known = [letters[:length] for length in range(MIN_ID, MAX_ID + 1) if letters[:length] in ids.repeated]
    return next((each for each in known if each not in ids.taken), None)


def _apply(segment: Segment, decisions: Sequence[Decision]) -> Segment:
    edits = tuple(
        [
            Edit(start=decision.span.start, end=decision.span.end, replacement=decision.replacement)
            for decision in decisions
            if decision.replacement is not None
        ]
    )
    return replace(segment, text=splice(segment.text, edits), edits=edits) if edits else segment
