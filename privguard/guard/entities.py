"""Entities: the mentions of one value in a request, which share one decision and one placeholder."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, Protocol

from privguard.core.entities import EntityType
from privguard.core.placeholders import Form, write_form
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.linking import NumberForms, OrganizationForms, PersonForms, Surface
from privguard.guard.spoken import IN_CONTEXT, History, Spoken, batches_of, told_pronoun
from privguard.replacements.normal import MEASURED, normal_form

_NUMBERED = frozenset({EntityType.PHONE, EntityType.RECORD_ID})  # those that may be written with less than they have


class Mention(NamedTuple):
    """One span of an entity. A named tuple, since a request has one for every span."""

    segment: int  # index into the segments
    place: int  # index into the spans of that segment
    form: str = ""  # the hint that tells its spelling; "" where it is the plain one
    pronoun: str = ""  # of the person, where this is the mention that tells it


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """All mentions of one value, in the order in which they came to be known."""

    kind: EntityType
    normal_value: str = field(repr=False)  # what the id is derived from
    mentions: tuple[Mention, ...]
    surface: str = field(repr=False)  # what the plain placeholder stands for
    forms: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # the other spellings, each behind its form
    written: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # by form, those that stand with escapes

    @property
    def pronoun(self) -> str:
        """Return the pronoun that a mention tells, "" where none does."""
        return next((each.pronoun for each in self.mentions if each.pronoun), "")

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return every spelling, the plain one first."""
        return (self.surface, *(surface for _, surface in self.forms))

    def told(self, segments: Container[int]) -> "Entity":
        """Return the entity with a form for its plain spelling in some segments, where that was written with escapes.

        Elsewhere it keeps its plain placeholder: what has left there leaves the same way again.
        """
        written = dict(self.written)
        if "" not in written or not any(not each.form and each.segment in segments for each in self.mentions):
            return self
        form = write_form(Form.ESCAPED)
        return replace(
            self,
            mentions=tuple(
                [
                    each if each.form or each.segment not in segments else each._replace(form=form)
                    for each in self.mentions
                ]
            ),
            forms=self.forms if form in written else (*self.forms, (form, self.surface)),
            written=tuple((written | {form: written[""]}).items()),
        )


class _Forms(Protocol):
    """Tell which mentions of one type are one entity, batch by batch."""

    def link(self, batch: Sequence[Surface]) -> tuple[int, ...]: ...

    def identity_of(self, surface: Surface) -> str: ...

    def fullness(self, surface: Surface) -> tuple[int, ...]: ...

    def form_of(self, surface: Surface, plain: Surface) -> Form: ...


def group_entities(
    segments: Sequence[Segment],
    spans: Sequence[Sequence[Span]],
    is_apart: Callable[[str], bool] | None = None,
    history: History | None = None,
) -> tuple[Entity, ...]:
    """Group spans by type and entity, in the order in which they came to be known.

    A message is read as a whole; later ones change nothing of what was decided for it, so that text that has left
    leaves the same way again.

    Args:
        segments: the texts of the request.
        spans: their spans.
        is_apart: tells a value that is an entity of its own, whatever it resembles: a term of the allow list.
        history: when the spans came to be known; default: each with the message that holds it.
    """
    groups: dict[EntityType, _Group] = {}
    found: list[_Members] = []
    for batch in batches_of(segments, spans, history):
        owners = []
        for spoken in batch:
            group = groups.get(spoken.kind)
            if group is None:
                group = groups[spoken.kind] = _Group(spoken.kind, is_apart)
            group.batch.append(spoken)
            owners.append(group)
        for group in groups.values():
            group.link()
        fresh = [members for spoken, group in zip(batch, owners, strict=True) if (members := group.take(spoken))]
        for members in fresh:
            members.settle()
        found += fresh
    return tuple([members.entity() for members in found if members.stand])


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
        self.batch: list[Spoken] = []  # what is to be linked next
        self._numbers: Iterator[int] = iter(())
        self._members: dict[int, _Members] = {}
        # The other types link nothing but what is the same.
        self._is_apart = is_apart if kind in IN_CONTEXT | _NUMBERED | MEASURED else None
        self._apart = _ValueForms(kind)
        self._identities: set[str] = set()

    def link(self) -> None:
        """Number the mentions of the batch, with negative numbers for entities apart."""
        if not self.batch:
            return
        surfaces = [each.surface for each in self.batch]
        self.batch = []
        if self._is_apart is None:
            self._numbers = iter(self.forms.link(surfaces))
            return
        apart = [self._is_apart(surface.text) for surface in surfaces]
        linked = iter(self.forms.link([each for each, alone in zip(surfaces, apart, strict=True) if not alone]))
        alone = iter(self._apart.link([each for each, alone in zip(surfaces, apart, strict=True) if alone]))
        self._numbers = iter([-1 - next(alone) if is_apart else next(linked) for is_apart in apart])

    def take(self, spoken: Spoken) -> "_Members | None":
        """Note the next mention of the batch; return its entity where this is its first."""
        number = next(self._numbers)
        members = self._members.get(number)
        if members is not None:
            members.spoken.append(spoken)
            return None
        self._members[number] = fresh = _Members(self, spoken, apart=number < 0)
        return fresh

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
    if kind in _NUMBERED:
        return NumberForms(kind, partial(normal_form, kind))
    return OrganizationForms() if kind is EntityType.ORGANIZATION else _ValueForms(kind)


class _Members:
    """The mentions of one entity while they are collected."""

    __slots__ = ("_apart", "_group", "_identity", "_plain", "_written", "spoken")

    def __init__(self, group: _Group, first: Spoken, *, apart: bool) -> None:
        self.spoken = [first]
        self._group, self._apart = group, apart
        self._plain = first.surface
        self._written = first.written
        self._identity = ""

    @property
    def stand(self) -> bool:
        """Tell whether a mention stands in the request, not only one that a longer span has taken the place of."""
        return any(not each.is_past for each in self.spoken)

    def settle(self) -> None:
        """Choose what the plain placeholder stands for: the fullest mention so far, the first of equals."""
        if len(self.spoken) > 1:
            distinct = {each.surface.text: each.surface for each in reversed(self.spoken)}
            self._plain = max(reversed(distinct.values()), key=self._group.forms.fullness)
            # Without escapes, where it was ever written so.
            self._written = min(
                [each.written for each in self.spoken if each.surface.text == self._plain.text], key=bool
            )
        self._identity = self._group.identity(self._plain, apart=self._apart)

    def entity(self) -> Entity:
        """Name the spelling of every mention."""
        teller, pronoun = told_pronoun(self.spoken)
        if len(self.spoken) == 1:
            return self._entity((Mention(self.spoken[0].segment, self.spoken[0].place, "", pronoun),), {})
        forms: dict[tuple[str, str], str] = {(self._plain.text, self._written): ""}
        counts: dict[Form, int] = {}
        for each in self.spoken:
            if each.spelling not in forms:
                form = self._form_of(each.surface)
                counts[form] = counts.get(form, 0) + 1
                forms[each.spelling] = write_form(form, counts[form])
        mentions = tuple(
            [
                Mention(each.segment, each.place, forms[each.spelling], pronoun if number == teller else "")
                for number, each in enumerate(self.spoken)
                if not each.is_past
            ]
        )
        return self._entity(mentions, forms)

    def _form_of(self, surface: Surface) -> Form:
        same = surface.text == self._plain.text
        return Form.SPELLING if same else self._group.forms.form_of(surface, self._plain)

    def _entity(self, mentions: tuple[Mention, ...], forms: Mapping[tuple[str, str], str]) -> Entity:
        written = {"": self._written} | {form: written for (_, written), form in forms.items()}
        return Entity(
            kind=self._group.kind,
            normal_value=self._identity,
            mentions=mentions,
            surface=self._plain.text,
            forms=tuple((form, text) for (text, _), form in forms.items() if form),
            written=tuple((form, written) for form, written in written.items() if written),
        )
