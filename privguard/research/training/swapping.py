"""Other values in the place of those of a text, in the same surface style and the same for the same value."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from privguard.research.training.edits import Augmented, Edit, LabelledSpan, apply_edits
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.swapping_dates import swap_date
from privguard.research.training.swapping_names import WORD, NameSwaps, styled
from privguard.research.training.swapping_numbers import swap_number, swap_signs
from privguard.research.training.words import STOP_WORDS, STREETS

_FRESH_SHARE = 0.6  # of organisations, places and illnesses, so that the old ones stay beside new ones
_HEALTH_SHARE = 0.5  # of the above: the listed illnesses are rare ones
_ENGLISH_SHARE = 0.12
_LAST_LATIN = "\u0250"
_STREET_ENDS = ("straße", "strasse", "straat", "gatan", "vägen", "weg", "gasse", "laan", "katu", "allee", "platz")


def is_english(text: str) -> bool:
    """Guess from the small words whether a text is English."""
    words = re.findall(r"[a-z]+", text.lower())
    return bool(words) and sum(word in STOP_WORDS for word in words) / len(words) >= _ENGLISH_SHARE


class Swaps:
    """New values for old ones. Keep one for all texts of a conversation, and its people keep their new names."""

    def __init__(self, rng: Random, gazetteers: Gazetteers) -> None:
        self._rng = rng
        self._gazetteers = gazetteers
        self._names = NameSwaps(rng, gazetteers)
        self._values: dict[tuple[str, str], str] = {}
        self._streets: dict[str, str] = {}
        self._english = False
        years = rng.choice((-3, -2, -1, 1, 2, 3))
        by_sign = ("PHONE", "GOV_ID", "RECORD_ID", "FIN_ACCOUNT", "DEVICE_ID", "SECRET")
        by_number = ("AGE", "FINANCE")
        self._makers: Mapping[str, Callable[[str], str]] = {
            "PERSON": self._names.person,
            "USERNAME": self._names.login,
            "EMAIL": self._names.login,
            "URL": self._names.login,
            "DATE": lambda value: swap_date(value, rng, years),
            "ADDRESS": self._address,
            "LOCATION": self._place,
            "ORGANIZATION": self._organization,
            "ORIGIN": self._origin,
            "HEALTH": self._health,
            "OCCUPATION": lambda value: self._listed(value, (gazetteers.occupations,)),
            **dict.fromkeys(by_number, lambda value: swap_number(value, rng)),
            **dict.fromkeys(by_sign, lambda value: swap_signs(value, rng)),
        }

    def swap(self, text: str, spans: Sequence[LabelledSpan], labels: Iterable[str] | None = None) -> Augmented:
        """Replace the values of the spans with these labels (None: of all that can be), whole names first."""
        wanted = self._makers.keys() if labels is None else self._makers.keys() & set(labels)
        self._english = is_english(text)
        order = sorted(spans, key=lambda span: (span.label != "PERSON", span.start - span.end))
        made = {s.start: self._new(s.label, text[s.start : s.end]) for s in order if s.label in wanted}
        edits = [
            Edit(start=span.start, end=span.end, text=made[span.start])
            for span in sorted(spans, key=lambda span: span.start)
            if made.get(span.start)
        ]
        return apply_edits(text, spans, edits)

    def _new(self, label: str, value: str) -> str:
        key = (label, value.casefold())
        if key not in self._values:
            self._values[key] = self._makers[label](value)
        kept = self._values[key]
        return styled(kept, value) if label in ("LOCATION", "ORGANIZATION", "PERSON") else kept

    def _fresh(self, value: str, most_spaces: int) -> bool:
        latin = all(sign < _LAST_LATIN for sign in value)
        return latin and value.count(" ") <= most_spaces and self._rng.random() < _FRESH_SHARE

    def _listed(self, value: str, lists: Sequence[Sequence[str]]) -> str:
        plain = value.isascii() and value.islower() and value.replace(" ", "").isalpha()
        if not (self._english and plain and self._fresh(value, 2)):
            return value
        return self._rng.choice(self._rng.choice(lists)).lower()

    def _health(self, value: str) -> str:
        lists = (self._gazetteers.illnesses, self._gazetteers.symptoms)
        return self._listed(value, lists) if self._rng.random() < _HEALTH_SHARE else value

    def _address(self, value: str) -> str:
        return WORD.sub(lambda match: self._street(match[0]), swap_number(value, self._rng))

    def _street(self, word: str) -> str:
        """Rename what is named in an address: `Elm Road` to `Kole Road`."""
        called = word.istitle() and len(word) > 3 and word < _LAST_LATIN
        if not called or word.lower() in STREETS or word.lower().endswith(_STREET_ENDS):
            return word
        if word not in self._streets:
            surname = self._rng.choice(self._gazetteers.any_names(self._rng).surnames)
            self._streets[word] = surname if self._rng.random() < _FRESH_SHARE else word
        return self._names.known(word) or self._streets[word]

    def _origin(self, value: str) -> str:
        known = value.title() in self._gazetteers.nationalities
        return styled(self._rng.choice(self._gazetteers.nationalities), value) if known else value

    def _place(self, value: str) -> str:
        named = len(value) > 3 and not any(sign.isdigit() or sign == "," for sign in value)
        return styled(self._gazetteers.any_city(self._rng), value) if named and self._fresh(value, 1) else value

    def _organization(self, value: str) -> str:
        if any(self._names.known(word) for word in WORD.findall(value)):
            return WORD.sub(lambda match: self._names.known(match[0]) or match[0], value)
        if not self._fresh(value, 4):
            return value
        rare = self._rng.random() < 0.15
        return styled(self._rng.choice(self._gazetteers.hospitals if rare else self._gazetteers.organizations), value)


def swap_entities(
    text: str,
    spans: Sequence[LabelledSpan],
    rng: Random,
    gazetteers: Gazetteers,
    labels: Iterable[str] | None = None,
) -> Augmented:
    """Replace the values of one text; everything outside of the spans stays as it is."""
    return Swaps(rng, gazetteers).swap(text, spans, labels)
