"""What a request hides: nothing of it may stand in a header, a query or an id of the same request either."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from privguard.core.entities import Category
from privguard.core.letters import one_spaced, unaccented
from privguard.core.plan import Action
from privguard.detect.forms import shown_forms
from privguard.guard.request import Request

_MIN_LENGTH = 3  # code points: shorter values stand everywhere
_LETTERS, _DIGITS = 4, 7  # either of them makes a value that is known without its spaces
_JOINT = r"[\W_]*"


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Every form of every value that the plan abstracts or redacts, in unaccented letters."""

    identifying: frozenset[str] = field(default=frozenset(), repr=False)  # direct, secret and sensitive types
    quasi: frozenset[str] = field(default=frozenset(), repr=False)

    @classmethod
    def of(cls, request: Request) -> "Hidden":
        """Collect the hidden values of a request."""
        forms: dict[bool, set[str]] = {True: set(), False: set()}
        for entity, choice in zip(request.entities, request.choices, strict=True):
            if choice.action is not Action.RETAIN:
                for mention in entity.mentions:
                    span = request.spans[mention.segment][mention.place]
                    value = request.segments[mention.segment].text[span.start : span.end]
                    forms[entity.kind.category is Category.QUASI] |= _forms(value)
        return cls(identifying=frozenset(forms[False]), quasi=frozenset(forms[True]))

    def stands_in(self, text: str, *, chosen: bool) -> bool:
        """Tell whether a hidden value stands in `text` as a word of its own, whatever the form of its letters.

        Args:
            text: a header value, a query value, an id or a name.
            chosen: whether the developer chose it, as the names of models and tools: plain words, "claude" and "max"
                among them, and values of quasi-identifying types say nothing about a person there.
        """
        patterns = (self._telling,) if chosen else (self._identifying, self._quasi)
        return any(pattern.search(form) for pattern in patterns if pattern for form in _forms(text))

    @cached_property
    def _identifying(self) -> re.Pattern[str] | None:
        return _pattern(self.identifying, joined=True)

    @cached_property
    def _telling(self) -> re.Pattern[str] | None:
        return _pattern(frozenset(form for form in self.identifying if not form.isalpha()))

    @cached_property
    def _quasi(self) -> re.Pattern[str] | None:
        return _pattern(self.quasi, joined=True)


def _forms(text: str) -> set[str]:
    """Return a text in the forms in which it is compared: `Müller` is muller and mueller."""
    forms = {one_spaced(unaccented(form)) for form in shown_forms(text)}
    return {form for form in forms if len(form) >= _MIN_LENGTH}


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


def _is_long(form: str) -> bool:
    """Tell whether a value is still itself without its spaces, and no short number."""
    return sum(map(str.isalpha, form)) >= _LETTERS or sum(map(str.isdecimal, form)) >= _DIGITS
