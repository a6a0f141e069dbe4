"""Entities: the mentions of one value in a request, which share one decision and one placeholder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from privguard.core.entities import EntityType
from privguard.core.placeholders import Form, write_form
from privguard.core.segments import Role, Segment
from privguard.core.spans import Span
from privguard.detect.linking import OrganizationForms, PersonForms, Surface
from privguard.replacements.normal import normal_form

_LINKED = (EntityType.PERSON, EntityType.ORGANIZATION)  # the types whose mentions may be parts of one another


class Mention(NamedTuple):
    """One span of an entity. A named tuple, since a request has one for every span."""

    segment: int  # index into the segments
    place: int  # index into the spans of that segment
    form: str = ""  # the hint that tells its spelling; "" where it is the plain one


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """All mentions of one value, in request order."""

    kind: EntityType
    normal_value: str = field(repr=False)  # what the id is derived from
    mentions: tuple[Mention, ...]
    surface: str = field(repr=False)  # what the plain placeholder stands for
    forms: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # the other spellings, each behind its form

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return every spelling, the plain one first."""
        return (self.surface, *(surface for _, surface in self.forms))


class _Forms(Protocol):
    """Tell which mentions of one type are one entity, batch by batch."""

    def link(self, batch: Sequence[Surface]) -> tuple[int, ...]: ...

    def identity_of(self, surface: Surface) -> str: ...

    def fullness(self, surface: Surface) -> tuple[int, ...]: ...

    def form_of(self, surface: Surface, plain: Surface) -> Form: ...


class _Spoken(NamedTuple):
    """A span with its text."""

    segment: int
    place: int
    kind: EntityType
    surface: Surface


def group_entities(
    segments: Sequence[Segment],
    spans: Sequence[Sequence[Span]],
    is_apart: Callable[[str], bool] | None = None,
) -> tuple[Entity, ...]:
    """Group spans by type and entity, in order of first mention.

    A batch, what was added to the conversation between two calls, is read as a whole; later ones change nothing of
    what was decided for it, so that text that has left leaves the same way again.

    Args:
        segments: the texts of the request.
        spans: their spans.
        is_apart: tells a value that is an entity of its own, whatever it resembles: a term of the allow list.
    """
    groups: dict[EntityType, _Group] = {}
    order: dict[tuple[EntityType, int], _Members] = {}
    for batch in _batches(segments, spans):
        by_kind: dict[EntityType, list[_Spoken]] = {}
        for spoken in batch:
            by_kind.setdefault(spoken.kind, []).append(spoken)
        for kind in by_kind.keys() - groups.keys():
            groups[kind] = _Group(kind, is_apart)
        numbers = {kind: iter(groups[kind].link([each.surface for each in found])) for kind, found in by_kind.items()}
        fresh: dict[tuple[EntityType, int], _Members] = {}
        for spoken in batch:
            key = (spoken.kind, next(numbers[spoken.kind]))
            if key not in order:
                order[key] = fresh[key] = _Members()
            order[key].spoken.append(spoken)
        for (kind, number), members in fresh.items():
            members.settle(groups[kind], apart=number < 0)
    return tuple(members.entity(groups[kind]) for (kind, _), members in order.items())


def _batches(segments: Sequence[Segment], spans: Sequence[Sequence[Span]]) -> Iterator[list[_Spoken]]:
    """Yield the spans of a request in the portions in which a conversation grows: a reply, and what follows it."""
    batch: list[_Spoken] = []
    replying = True
    for number, (segment, row) in enumerate(zip(segments, spans, strict=True)):
        if segment.role is Role.ASSISTANT and not replying and batch:
            yield batch
            batch = []
        replying = segment.role is Role.ASSISTANT
        batch += [_Spoken(number, place, span.kind, _surface(segment.text, span)) for place, span in enumerate(row)]
    if batch:
        yield batch


def _surface(text: str, span: Span) -> Surface:
    if span.kind in _LINKED:
        return Surface.of(text, span.start, span.end)
    return Surface(text[span.start : span.end])


class _ValueForms:
    """The values of a type whose spellings differ in nothing but what the normal form leaves out."""

    def __init__(self, kind: EntityType) -> None:
        self._kind = kind
        self._numbers: dict[str, int] = {}
        self._normal: dict[str, str] = {}

    def link(self, batch: Sequence[Surface]) -> tuple[int, ...]:
        return tuple([self._numbers.setdefault(self.identity_of(each), len(self._numbers)) for each in batch])

    def identity_of(self, surface: Surface) -> str:
        normal = self._normal.get(surface.text)
        if normal is None:
            normal = self._normal[surface.text] = normal_form(self._kind, surface.text)
        return normal

    def fullness(self, surface: Surface) -> tuple[int, ...]:  # noqa: ARG002 - the first one is as good as any
        return ()

    def form_of(self, surface: Surface, plain: Surface) -> Form:  # noqa: ARG002 - one form for all
        return Form.SPELLING


class _Group:
    """The entities of one type: how their mentions are linked, and the identities that they have so far."""

    def __init__(self, kind: EntityType, is_apart: Callable[[str], bool] | None) -> None:
        self.kind = kind
        self.forms: _Forms = _linker(kind)
        self._is_apart = is_apart if kind in _LINKED else None  # the other types link nothing
        self._apart = _ValueForms(kind)
        self._identities: set[str] = set()

    def link(self, batch: Sequence[Surface]) -> list[int]:
        """Return a number for each mention, negative for entities apart."""
        if self._is_apart is None:
            return list(self.forms.link(batch))
        apart = [self._is_apart(surface.text) for surface in batch]
        linked = iter(self.forms.link([each for each, alone in zip(batch, apart, strict=True) if not alone]))
        alone = iter(self._apart.link([each for each, alone in zip(batch, apart, strict=True) if alone]))
        return [-1 - next(alone) if is_apart else next(linked) for is_apart in apart]

    def identity(self, plain: Surface, *, apart: bool) -> str:
        """Return an identity that no other entity of the type has: Mr and Mrs of one name are two."""
        # What is apart takes no id from the entity that it resembles, whichever is mentioned first.
        written = f"{self._apart.identity_of(plain)}\0" if apart else self.forms.identity_of(plain)
        identity, number = written, 1
        while identity in self._identities:
            number += 1
            identity = f"{written}\0{number}"
        self._identities.add(identity)
        return identity


def _linker(kind: EntityType) -> _Forms:
    if kind is EntityType.PERSON:
        return PersonForms()
    return OrganizationForms() if kind is EntityType.ORGANIZATION else _ValueForms(kind)


class _Members:
    """The mentions of one entity while they are collected."""

    __slots__ = ("identity", "plain", "spoken")

    def __init__(self) -> None:
        self.spoken: list[_Spoken] = []
        self.plain = Surface("")
        self.identity = ""

    def settle(self, group: _Group, *, apart: bool) -> None:
        """Choose what the plain placeholder stands for: the fullest mention so far, the first of equals."""
        self.plain = self.spoken[0].surface
        if len(self.spoken) > 1:
            self.plain = max((each.surface for each in self.spoken), key=group.forms.fullness)
        self.identity = group.identity(self.plain, apart=apart)

    def entity(self, group: _Group) -> Entity:
        """Name the spelling of every mention."""
        first = self.spoken[0]
        if len(self.spoken) == 1:
            return Entity(
                kind=group.kind,
                normal_value=self.identity,
                mentions=(Mention(first.segment, first.place),),
                surface=self.plain.text,
            )
        forms: dict[str, str] = {self.plain.text: ""}
        counts: dict[Form, int] = {}
        for each in self.spoken:
            if each.surface.text not in forms:
                form = group.forms.form_of(each.surface, self.plain)
                counts[form] = counts.get(form, 0) + 1
                forms[each.surface.text] = write_form(form, counts[form])
        return Entity(
            kind=group.kind,
            normal_value=self.identity,
            mentions=tuple([Mention(each.segment, each.place, forms[each.surface.text]) for each in self.spoken]),
            surface=self.plain.text,
            forms=tuple((form, surface) for surface, form in forms.items() if form),
        )
