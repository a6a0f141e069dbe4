"""What a request hides: nothing of it may stand in a header, a query or an id of the same request either."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from privguard.core.entities import Category, EntityType
from privguard.core.letters import one_spaced, unaccented
from privguard.core.plan import Action
from privguard.core.remembered import remembered
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
        forms = _forms(text)
        if chosen:
            return _stands(self._telling, forms) or self._stands_squeezed(forms)
        if _stands(self.identifying, forms, joined=True) or _stands(self.quasi, forms, joined=True):
            return True
        return bool(self.values) and self._is_mentioned(text)

    def _is_mentioned(self, text: str) -> bool:
        scanner, prose = self._search
        hits = prose.mentioned(scanner.find(text, (), beside=True), text, beside=True)
        return any(hit.end - hit.start >= _MIN_WITHIN or _is_free(text, hit) for hit in hits)

    @remembered
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

    @remembered
    def _telling(self) -> frozenset[str]:
        """Return the forms that are no plain words."""
        return frozenset(form for form in self.identifying if not form.isalpha())

    @remembered
    def _squeezed(self) -> frozenset[str]:
        """Return the numbers and addresses without any signs between their parts."""
        numbers = [form for form in self.identifying if sum(map(str.isdecimal, form)) >= _DIGITS or "@" in form]
        return frozenset(form for form in map(_squeeze, numbers) if len(form) >= _DIGITS)

    def _stands_squeezed(self, texts: Iterable[str]) -> bool:
        """Find numbers and addresses with any signs or none between their parts: `card_4111…`."""
        return any(
            re.search(rf"(?<!\d){form}(?!\d)", text)
            for text in map(_squeeze, texts)
            for form in self._squeezed
            if form in text
        )


def _forms(text: str) -> set[str]:
    """Return a text in the forms in which it is compared: `Müller` is muller and mueller."""
    forms = {one_spaced(unaccented(form)) for form in shown_forms(text)}
    return {form for form in forms if len(form) >= _MIN_LENGTH}


def _squeeze(form: str) -> str:
    return re.sub(r"[\W_]+", "", form)


def _stands(forms: Iterable[str], texts: Iterable[str], *, joined: bool = False) -> bool:
    """Tell whether a form stands in a text; where asked, also with other signs or nothing for its spaces.

    A pattern is made only of what is there at all: nearly always that is nothing.
    """
    return any(
        re.search(_pattern(form, joined=joined), text)
        for text in texts
        for form in forms
        if all(word in text for word in form.split())
    )


def _pattern(form: str, *, joined: bool) -> str:
    """Return what finds a form as words of its own; `tobias.kern` is "tobias kern" where that is asked."""
    written = _JOINT.join(map(re.escape, form.split())) if joined and _is_long(form) else re.escape(form)
    # An underscore separates words here: names of tools are made of words with underscores.
    return rf"(?<![^\W_])(?:{written})(?![^\W_])"


def _is_free(text: str, hit: Hit) -> bool:
    """Tell whether a hit is a word of its own."""
    return not (text[hit.start - 1 : hit.start].isalnum() or text[hit.end : hit.end + 1].isalnum())


def _is_long(form: str) -> bool:
    """Tell whether a value is still itself without its spaces, and no short number."""
    return sum(map(str.isalpha, form)) >= _LETTERS or sum(map(str.isdecimal, form)) >= _DIGITS
