"""Link the mentions of people: full names first, then what can only be one of them.

A request grows by batches, its messages. A batch is read as a whole, so that the full name may stand behind the short
one, but nothing that comes later changes what an earlier batch was linked to: placeholders that have left stay as they
are, and provider caches stay warm.
"""

from collections.abc import Iterable, Iterator, Sequence

from privguard.core.letters import plain as plain_text
from privguard.core.placeholders import Form
from privguard.detect.linking.contrasts import contrasts
from privguard.detect.linking.glued import Letters, letters_of
from privguard.detect.linking.matching import abbreviates, compatible
from privguard.detect.linking.person import Person
from privguard.detect.linking.person_name import Context, Name, read_context, read_name, whole_text
from privguard.detect.linking.surfaces import Surface

MAX_NAMESAKES = 16  # of more people who share a word, none is looked up by it: it bounds the cost and tells nothing


class PersonForms:
    """The people of one request. Cost: linear in the number of different mentions."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, Context], Name] = {}
        self._distinct: dict[tuple[object, ...], Name] = {}
        self._placed: dict[Name, tuple[int, int]] = {}  # the number that was found, and after how many changes
        self._changes = 0  # of what is known
        self._words: dict[Name, tuple[str, ...]] = {}
        self._people: list[Person] = []
        self._by_word: dict[str, list[Person]] = {}
        self._by_words: dict[tuple[str, ...], list[Person]] = {}
        self._letters = Letters()
        self._alone: dict[tuple[tuple[str, ...], str, str, str, bool], Person] = {}
        self._sentences: dict[tuple[str, ...], set[int]] = {}  # that hold a full name
        self._sexes: dict[str, set[str]] = {}  # of the titles that stood before a lone surname
        self._offices: dict[str, set[str]] = {}  # likewise
        self._contrasts: dict[Name, set[Name]] = {}  # whom a sentence tells apart
        self._batch: list[Name] = []  # the one that is being read
        self._fuller: dict[str, list[Name]] = {}  # its full names, once they are asked for

    def link(self, batch: Sequence[Surface]) -> tuple[int, ...]:
        """Return the number of the person that each mention is of, counted from 0 in order of discovery."""
        names = [self._read(surface) for surface in batch]
        distinct = dict.fromkeys(names)
        self._note(distinct)
        self._note_sentences(batch, names)
        self._note_contrasts(batch, names)
        for name in sorted(distinct, key=self._precedence, reverse=True):
            if name not in self._placed or self._placed[name][1] != self._changes:
                number = self._place(name)
                self._placed[name] = (number, self._changes)
        return tuple([self._placed[name][0] for name in names])

    def _precedence(self, name: Name) -> tuple[object, ...]:
        """Put full names first, so that a part is judged by all of them; of equals those that tell more."""
        told = name in self._contrasts or bool(name.office)
        return (name.rank, len(name.parts), bool(name.generation), not name.is_genitive, told)

    def identity_of(self, surface: Surface) -> str:
        """Return what the id of a person first known by this mention is derived from: the name without its title."""
        return self._read(surface).identity

    def fullness(self, surface: Surface) -> tuple[int, int, bool]:
        """Return how much of a name a mention is, to be compared with another; of equals the plainer one is more."""
        name = self._read(surface)
        return (*name.rank, not surface.text.isupper() and surface.text.casefold().endswith(name.words[-1]))

    def form_of(self, surface: Surface, plain: Surface) -> Form:
        """Return how a mention differs from the one that the plain placeholder stands for."""
        name, full = self._read(surface), self._read(plain)
        titled = self._has_title(surface)
        if name.parts == full.parts:
            its = self._has_title(plain)
            return Form.TITLED if titled and not its else Form.SHORT if its and not titled else Form.SPELLING
        if name.rank > full.rank:
            return Form.FULL
        return Form.TITLED if titled else _part_of(name, full)

    def _has_title(self, surface: Surface) -> bool:
        """Tell whether the mention itself begins with a title."""
        name = self._read(surface)
        if not name.titled and not name.gender:
            return False
        alone = self._named(surface.text, Context())
        return alone.titled or bool(alone.gender)

    def _read(self, surface: Surface) -> Name:
        return self._named(surface.text, read_context(surface))

    def _named(self, text: str, context: Context) -> Name:
        name = self._names.get((text, context))
        if name is None:
            shown = plain_text(text)
            name = read_name(shown, context) or whole_text(shown)
            told = (name.gender, name.titles, name.titled, name.generation, name.is_genitive, name.apart)
            mark = (name.words, name.identity, *told)
            name = self._names[text, context] = self._distinct.setdefault(mark, name)
        return name

    def _words_of(self, name: Name) -> tuple[str, ...]:
        words = self._words.get(name)
        if words is None:
            words = self._words[name] = tuple(_words_of(name))
        return words

    def _note(self, names: Iterable[Name]) -> None:
        self._batch, self._fuller = list(names), {}
        for name in self._batch:
            if not name.titled or name.is_full:
                continue
            for told, known in ((name.gender, self._sexes), (name.office, self._offices)):
                if told and told not in (those := known.setdefault(min(name.keys[0]), set())):
                    those.add(told)
                    self._changes += 1

    def _note_sentences(self, batch: Sequence[Surface], names: Sequence[Name]) -> None:
        """Note which full names stand in which sentence: two that stand in one are contrasted."""
        held: dict[int, set[tuple[str, ...]]] = {}
        for surface, name in zip(batch, names, strict=True):
            if surface.sentence is not None and name.is_full:
                held.setdefault(surface.sentence, set()).add(name.words)
        for sentence, together in held.items():
            if len(together) > 1:
                self._changes += 1
                for words in together:
                    self._sentences.setdefault(words, set()).add(sentence)

    def _note_contrasts(self, batch: Sequence[Surface], names: Sequence[Name]) -> None:
        for one, other in contrasts(batch, names):
            if other not in (those := self._contrasts.setdefault(one, set())):
                those.add(other)
                self._contrasts.setdefault(other, set()).add(one)
                self._changes += 1
                self._part(*sorted((other, one), key=lambda name: name.rank))

    def _part(self, lesser: Name, fuller: Name) -> None:
        """Tell two apart that an earlier batch took for one: the fuller name keeps its number."""
        number = self._placed.get(lesser, (-1, 0))[0]
        if number >= 0 and fuller in self._people[number].names:
            self._people[number].names.discard(lesser)

    def _place(self, name: Name) -> int:
        known = [each for each in self._by_words.get(name.parts, ()) if not each.alone and self._admits(each, name)]
        if name.is_full and len(known) == 1 and not self._is_claimed_by_others(known[0], name):
            return self._join(known[0], name)
        found, crowded = self._candidates(name)
        if not found and (number := self._find_by_letters(name)) is not None:
            return number
        same = [each for each in found if not each.is_like(name)]
        told = [each for each in same if name.generation in each.generations]
        fitting = told or same or found
        if len(fitting) == 1 and not self._is_claimed_by_others(fitting[0], name):
            return self._join(fitting[0], name)
        mark = (name.words, name.gender, name.office, name.generation, name.apart)
        if mark in self._alone:
            return self._alone[mark].number
        # A full name is somebody, though it resembles others; a part that fits several tells nobody.
        doubtful = len(same) > 1 if name.is_full else bool(found) or crowded
        person = self._new(name, alone=name.apart or doubtful)
        if person.alone:
            self._alone[mark] = person
        return person.number

    def _candidates(self, name: Name) -> tuple[list[Person], bool]:
        """Return who it may be, and whether more share a word of the name than are looked at."""
        found: dict[int, Person] = {}
        crowded = False
        for word in () if name.apart else self._words_of(name):
            bucket = self._by_word.get(word)
            if bucket is None:
                continue
            crowded |= len(bucket) > MAX_NAMESAKES
            if len(bucket) <= MAX_NAMESAKES:
                found |= {each.number: each for each in bucket if self._admits(each, name)}
        return list(found.values()), crowded

    def _find_by_letters(self, name: Name) -> int | None:
        """Return whom a mention without a single word of a known name spells."""
        known = not name.apart and any(word in self._by_word for word in self._words_of(name))
        return None if known else self._letters.find(name)

    def _admits(self, person: Person, name: Name) -> bool:
        if person.alone or (name.sex and person.genders - {name.sex}) or not compatible(name, person.name):
            return False
        if (name.generation and person.generations - {name.generation}) or self._is_contrasted(person, name):
            return False
        if not person.names.isdisjoint(self._contrasts.get(name, ())):
            return False
        if name.office and not (name.is_full and person.name.is_full) and person.offices - {name.office}:
            return False
        if not name.titled or name.is_full:
            return True
        # Mr and Mrs of one surname, and no telling which of them the full name is; likewise an attorney and a judge.
        rivals = (self._sexes, name.sex, person.genders), (self._offices, name.office, person.offices)
        surname = min(name.keys[0])
        return all(told in its or len(known.get(surname, ())) < 2 for known, told, its in rivals)

    def _is_contrasted(self, person: Person, name: Name) -> bool:
        """Tell whether a full name stands in one sentence with one that it merely resembles: two people then."""
        if not name.is_full or name.words == person.name.words or not (its := self._sentences.get(name.words)):
            return False
        return any(
            words != name.words and not abbreviates(name, other) and not its.isdisjoint(self._sentences.get(words, ()))
            for words, other in person.full_names.items()
        )

    def _is_claimed_by_others(self, person: Person, name: Name) -> bool:
        """Tell whether another full name has as good a claim to a person: Alexandra Kim to the one called Alex Kim."""
        by_likeness = person.is_like(name)
        by_generation = bool(name.generation) and not person.generations
        if person.name.rank >= name.rank and not (by_likeness or by_generation):
            return False
        if not self._fuller:
            for each in self._batch:
                for word in self._words_of(each) if each.is_full or each.east_asian else ():
                    self._fuller.setdefault(word, []).append(each)
        rivals: dict[Name, None] = {}
        for word in self._words_of(person.name):
            rivals |= dict.fromkeys(self._fuller.get(word, ())[: MAX_NAMESAKES + 1])
            if by_likeness:
                rivals |= dict.fromkeys(each.name for each in self._by_word.get(word, ()) if each is not person)
        return any(
            compatible(rival, person.name) and not compatible(rival, name)
            for rival in rivals
            if rival is not name and not (by_likeness and person.is_surely(rival))
        )

    def _join(self, person: Person, name: Name) -> int:
        self._changes += person.take(name)
        if name.rank > person.name.rank:
            person.name = name
            self._index(person)
        return person.number

    def _new(self, name: Name, *, alone: bool) -> Person:
        person = Person(len(self._people), name, alone=alone)
        self._people.append(person)
        self._index(person)
        return person

    def _index(self, person: Person) -> None:
        if person.alone:
            return
        self._changes += 1
        self._by_words.setdefault(person.name.parts, []).append(person)
        self._letters.note(person.number, person.name)
        for word in self._words_of(person.name):
            bucket = self._by_word.setdefault(word, [])
            if person not in bucket[: MAX_NAMESAKES + 1] and len(bucket) <= MAX_NAMESAKES:
                bucket.append(person)


def _words_of(name: Name) -> Iterator[str]:
    """Yield what a name is looked up by: its words in every spelling, and the names that its first may stand for."""
    if name.east_asian:
        text = name.words[0]
        yield from {text[:1], text[:2], text[1:], text[2:], text} - {""}
        return
    seen: set[str] = set()
    for word, keys in zip(name.words, name.keys, strict=True):
        if len(word) > 1:
            seen |= keys
    seen |= name.rows(0)
    if name.is_genitive:
        seen |= {key.removesuffix("s") for key in name.keys[-1]}
    yield from seen


def _part_of(name: Name, full: Name) -> Form:
    spelled_out = len(name.words) > 2 and all(len(word) == 1 for word in name.words)  # `A d a`
    if (len(full.words) == 1 and not name.east_asian) or spelled_out or letters_of(name) == letters_of(full):
        return Form.SPELLING
    if any(len(word) == 1 for word in name.words):
        return Form.INITIALS
    if len(name.words) > 1 or name.east_asian:
        return Form.SHORT
    if not name.keys[0].isdisjoint(full.keys[-1]):
        return Form.LAST
    if not name.keys[0].isdisjoint(full.keys[0]):
        return Form.FIRST
    return Form.SHORT if name.rows(0).isdisjoint(full.rows(0)) else Form.NICKNAME
