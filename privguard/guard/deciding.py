"""One decision for what says the same: the strictest that any writing of it asks for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from privguard.core.entities import Category, EntityType
from privguard.core.letters import bare_letters
from privguard.core.patterns import lazy_pattern
from privguard.core.plan import Action, Choice, Need
from privguard.core.profile import Profile
from privguard.core.targets import TargetModel
from privguard.detect.ordinary import MIN_LETTERS, is_common_part, is_ordinary
from privguard.guard.entities import Entity
from privguard.minimizer.policy import EntityNeed, plan_choices
from privguard.replacements.normal import MEASURED

_WORD = lazy_pattern(r"[^\W\d_]+")
_PART = lazy_pattern(r"[^\W_]+")
_MIN_HELD = 6  # letters and digits of an identifier: shorter ones stand in other values by chance
_IDENTIFYING = frozenset({Category.DIRECT, Category.SECRET})


def decide(
    entities: Sequence[Entity], asked: Sequence[EntityNeed], model: TargetModel, profile: Profile
) -> tuple[Choice, ...]:
    """Choose one action per entity, so that no value leaves in one writing while another is hidden.

    Each notation of an age, a date or an amount is decided by its own mentions, and the strictest holds for all. So it
    does for entities of different types that share a spelling, a value whose type came to light in a later message,
    and for what holds a hidden identifier, or a part of the name of a person who is hidden. What the caller allows
    leaves nevertheless.

    Raises:
        PlanError: a need could not be estimated and the profile says `on_error = "block"`.
    """
    notations = [tuple(_by_notation(entity, need)) for entity, need in zip(entities, asked, strict=True)]
    chosen = iter(plan_choices([each for row in notations for each in row], model, profile))
    choices = [_strictest([next(chosen) for _ in row]) for row in notations]
    if len({choice.action for choice in choices}) > 1:
        for group in _of_one_spelling(entities):
            bound = [index for index in group if not asked[index].allowed]
            strictest = [_strictest([choices[index] for index in bound])] if bound else []
            for index in bound:
                choices[index] = _strictest([choices[index], *strictest])
        for index, choice in (*_named_apart(entities, choices), *_holding(entities, choices)):
            if not asked[index].allowed:
                choices[index] = _strictest([choices[index], choice])
    return tuple(choices)


def _strictest(choices: Sequence[Choice]) -> Choice:
    return max(choices, key=lambda choice: choice.action)


def _by_notation(entity: Entity, asked: EntityNeed) -> Iterator[EntityNeed]:
    if entity.kind not in MEASURED or not entity.forms or len(asked.needs) != len(entity.mentions):
        yield asked
        return
    by_form: dict[str, list[Need]] = {}
    for mention, need in zip(entity.mentions, asked.needs, strict=True):
        by_form.setdefault(mention.form, []).append(need)
    for needs in by_form.values():
        yield replace(asked, needs=tuple(needs))


def _of_one_spelling(entities: Sequence[Entity]) -> Iterator[list[int]]:
    """Yield the entities that share spellings, directly or through others.

    Bare digits bind across types alone: without their separators, amounts of one type are others.
    """
    holders: dict[str, list[int]] = {}
    for index, entity in enumerate(entities):
        for spelling in {bare_letters(surface) or surface for surface in entity.surfaces}:
            holders.setdefault(spelling, []).append(index)
    leader: dict[int, int] = {}

    def lead(index: int) -> int:
        while (above := leader.get(index, index)) != index:
            leader[index] = leader.get(above, above)
            index = above
        return index

    for spelling, indices in holders.items():
        kinds = {entities[index].kind for index in indices}
        if len(kinds) > 1 or (len(indices) > 1 and not spelling.isdecimal()):
            for index in indices:
                leader[lead(index)] = lead(indices[0])
    groups: dict[int, list[int]] = {}
    for index in leader:
        groups.setdefault(lead(index), []).append(index)
    yield from groups.values()


def _named_apart(entities: Sequence[Entity], choices: Sequence[Choice]) -> Iterator[tuple[int, Choice]]:
    """Yield what tells a part of the name of a hidden person, with the choice of that person.

    A detector may take a surname and the word beside it for something else: it would leave what is hidden elsewhere.
    """
    hidden: dict[str, Choice] = {}
    for entity, choice in zip(entities, choices, strict=True):
        if entity.kind is EntityType.PERSON and choice.action is Action.REDACT:
            hidden |= dict.fromkeys(_name_parts(entity), choice)
    if not hidden:
        return
    for index, entity in enumerate(entities):
        if choices[index].action is not Action.REDACT:
            found = hidden.keys() & {word for surface in entity.surfaces for word in _telling_words(surface)}
            if found:
                yield index, hidden[min(found)]


def _holding(entities: Sequence[Entity], choices: Sequence[Choice]) -> Iterator[tuple[int, Choice]]:
    """Yield what holds a hidden identifier, whatever is between its parts, with the choice of that identifier.

    A file that is named after an address (`ada@mail.example.pdf`) may be found as another value.
    """
    hidden: dict[tuple[str, ...], Choice] = {}
    for entity, choice in zip(entities, choices, strict=True):
        if entity.kind.category in _IDENTIFYING and choice.action is Action.REDACT:
            hidden |= dict.fromkeys(filter(_is_telling, map(_parts, entity.surfaces)), choice)
    lengths: dict[str, set[int]] = {}  # by the first part
    for parts in hidden:
        lengths.setdefault(parts[0], set()).add(len(parts))
    for index, entity in enumerate(entities):
        if choices[index].action is not Action.REDACT:
            for parts in map(_parts, entity.surfaces):
                runs = [parts[at : at + each] for at, part in enumerate(parts) for each in lengths.get(part, ())]
                yield from ((index, hidden[run]) for run in runs if run in hidden)


def _parts(surface: str) -> tuple[str, ...]:
    return tuple(_PART.findall(surface.casefold()))


def _is_telling(parts: tuple[str, ...]) -> bool:
    return sum(map(len, parts)) >= _MIN_HELD and not all(map(is_ordinary, parts))


def _name_parts(entity: Entity) -> Iterator[str]:
    for surface in entity.surfaces:
        for word in _words(surface):
            if len(word) >= MIN_LETTERS and not is_common_part(word):
                yield word


def _telling_words(surface: str) -> Iterator[str]:
    """Yield the words but for those that are ordinary and stand in lower case: `a brief summary` names nobody."""
    for word in _WORD.findall(surface):
        if not (word.islower() and is_ordinary(word)):
            yield word.casefold()


def _words(surface: str) -> list[str]:
    return _WORD.findall(surface.casefold())
