"""What a request hides: nothing of it may stand in a header, a query or an id of the same request either."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from privguard.core.entities import Category, EntityType
from privguard.core.letters import one_spaced, unaccented
from privguard.core.plan import Action
from privguard.core.spans import Span
from privguard.detect.forms import shown_forms
from privguard.detect.ordinary import is_ordinary
from privguard.detect.prose import Prose
from privguard.detect.scanning import Carried, Hit, Scanner
from privguard.detect.spread import name_parts
from privguard.guard.request import Request

_MIN_LENGTH = 3  # code points: shorter values stand everywhere
_MIN_WITHIN = 4  # letters of what is known within a word: three of an id that was rolled may be a name by chance
_LETTERS, _DIGITS = 4, 7  # either of them makes a value that is known without its spaces
_JOINT = r"[\W_]*"


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Every form of every value that the plan abstracts or redacts, in unaccented letters."""

    identifying: frozenset[str] = field(default=frozenset(), repr=False)  # direct, secret and sensitive types
    quasi: frozenset[str] = field(default=frozenset(), repr=False)
    values: Mapping[str, EntityType] = field(default_factory=dict, repr=False)  # as they are written

    @classmethod
    def of(cls, request: Request) -> "Hidden":
        """Collect the hidden values of a request."""
        forms: dict[bool, set[str]] = {True: set(), False: set()}
        values: dict[str, EntityType] = {}
        for entity, choice in zip(request.entities, request.choices, strict=True):
            if choice.action is not Action.RETAIN:
                for mention in entity.mentions:
                    span = request.spans[mention.segment][mention.place]
                    value = request.segments[mention.segment].text[span.start : span.end]
                    known = _forms(value)
                    forms[entity.kind.category is Category.QUASI] |= known
                    if known:
                        values[value] = entity.kind
        return cls(identifying=frozenset(forms[False]), quasi=frozenset(forms[True]), values=values)

    def stands_in(self, text: str, *, chosen: bool) -> bool:
        """Tell whether a hidden value stands in `text`, in any form in which it would be known in the content.

        That is no running text: a single word of a name counts in lower case and with initials as well.

        Args:
            text: a header value, a query value, an id or a name.
            chosen: whether the developer chose it, as the names of models and tools: plain words, "claude" and "max"
                among them, and values of quasi-identifying types say nothing about a person there.
        """
        patterns = (self._telling,) if chosen else (self._identifying, self._quasi)
        if any(pattern.search(form) for pattern in patterns if pattern for form in _forms(text)):
            return True
        if chosen:
            pattern = self._squeezed
            return pattern is not None and any(pattern.search(_squeeze(form)) for form in _forms(text))
        return bool(self.values) and self._is_mentioned(text)

    def _is_mentioned(self, text: str) -> bool:
        scanner, prose = self._search
        hits = prose.mentioned(scanner.find(text, (), beside=True), text, beside=True)
        return any(hit.end - hit.start >= _MIN_WITHIN or _is_free(text, hit) for hit in hits)

    @cached_property
    def _search(self) -> tuple[Scanner, Prose]:
        """Return what looks for the values and for the words of names that are none besides."""
        sought = dict.fromkeys([*self.values.items(), *((part, EntityType.PERSON) for part in self._parts())])
        carried = {
            b"%d" % number: Carried(value, Span(start=0, end=len(value), kind=kind, score=1.0, source="hidden"))
            for number, (value, kind) in enumerate(sought)
        }
        return Scanner(carried), Prose(carried)

    def _parts(self) -> Iterator[str]:
        for value, kind in self.values.items():
            for start, end in name_parts(value) if kind is EntityType.PERSON else ():
                if not is_ordinary(value[start:end]):
                    yield value[start:end]

    @cached_property
    def _identifying(self) -> re.Pattern[str] | None:
        return _pattern(self.identifying, joined=True)

    @cached_property
    def _telling(self) -> re.Pattern[str] | None:
        return _pattern(frozenset(form for form in self.identifying if not form.isalpha()))

    @cached_property
    def _squeezed(self) -> re.Pattern[str] | None:
        """Return what finds numbers and addresses with any signs or none between their parts: `card_4111…`."""
        squeezed = {
            _squeeze(form) for form in self.identifying if sum(map(str.isdecimal, form)) >= _DIGITS or "@" in form
        }
        ends = {rf"(?<!\d){form}(?!\d)" for form in squeezed if len(form) >= _DIGITS}
        return re.compile("|".join(sorted(ends))) if ends else None

    @cached_property
    def _quasi(self) -> re.Pattern[str] | None:
        return _pattern(self.quasi, joined=True)


def _forms(text: str) -> set[str]:
    """Return a text in the forms in which it is compared: `Müller` is muller and mueller."""
    forms = {one_spaced(unaccented(form)) for form in shown_forms(text)}
    return {form for form in forms if len(form) >= _MIN_LENGTH}


def _squeeze(form: str) -> str:
    return re.sub(r"[\W_]+", "", form)


def _pattern(forms: frozenset[str], *, joined: bool = False) -> re.Pattern[str] | None:
    """Return what finds the forms, where asked also with other signs or nothing for their spaces: `tobias.kern`."""
    if not forms:
        return None
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    written = [
        _JOINT.join(map(re.escape, form.split())) if joined and _is_long(form) else re.escape(form)
        for form in longest_first
    ]
    # An underscore separates words here: names of tools are made of words with underscores.
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(written)})(?![^\W_])")


def _is_free(text: str, hit: Hit) -> bool:
    """Tell whether a hit is a word of its own."""
    return not (text[hit.start - 1 : hit.start].isalnum() or text[hit.end : hit.end + 1].isalnum())


def _is_long(form: str) -> bool:
    """Tell whether a value is still itself without its spaces, and no short number."""
    return sum(map(str.isalpha, form)) >= _LETTERS or sum(map(str.isdecimal, form)) >= _DIGITS
