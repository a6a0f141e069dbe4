"""One scene: the people and things that the slots of a text speak about."""

import re
from collections.abc import Callable, Mapping
from random import Random

from privguard.research.training import national_makers, number_makers
from privguard.research.training.calendar_makers import money, numeric_date, stamp, written_date
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.lexicon import Lexicon, load_labels
from privguard.research.training.people import Person, draw_domain, draw_person, email, link, login
from privguard.research.training.rendering import Rendered, Slot, render
from privguard.research.training.secret_makers import MAKERS as SECRETS

_NUMBERS: Mapping[str, Callable[[Random], str]] = {
    "gov_id": national_makers.gov_id,
    "account": number_makers.fin_account,
    "card": number_makers.card,
    "wallet": number_makers.wallet,
    "iban": number_makers.iban,
    "device": number_makers.device_id,
    "ip": number_makers.ip_address,
    "host": number_makers.host,
    "plate": number_makers.plate,
    "vin": number_makers.vin,
    "imei": number_makers.imei,
    "mac": number_makers.mac,
    "stamp": stamp,
    "domain": draw_domain,
    **SECRETS,
}
_PEOPLE: Mapping[str, Callable[[Person, Random], str]] = {
    "name": lambda p, _: p.full,
    "given": lambda p, _: re.sub(r" \w\.?$", "", p.given),
    "surname": lambda p, _: p.surname,
    "initialed": lambda p, _: f"{p.given[0]}. {p.surname}",
    "listed": lambda p, _: f"{p.surname}, {p.given.removesuffix('.')}",
    "upname": lambda p, _: p.full.upper(),
    "lowname": lambda p, _: p.full.lower(),
    "user": login,
    "handle": lambda p, rng: f"{rng.choice(('@', '@', 'u/', '@'))}{login(p, rng)}",
    "email": email,
    "link": link,
}
_LISTS: Mapping[str, Callable[[Gazetteers], tuple[str, ...]]] = {
    "company": lambda g: g.organizations,
    "hospital": lambda g: g.hospitals,
    "university": lambda g: g.universities,
    "job": lambda g: g.occupations,
    "illness": lambda g: g.illnesses,
    "symptom": lambda g: g.symptoms,
    "drugname": lambda g: g.drugs,
    "region": lambda g: g.regions,
    "country": lambda g: g.countries,
    "nationality": lambda g: g.nationalities,
}
FROM_LIST = 0.5  # of the kinds that a gazetteer and a lexicon both know
NEUTRAL = 0.12  # dates in digits stand in texts of every language


LABELS: Mapping[str, str] = load_labels() | dict.fromkeys(SECRETS, "SECRET")


class Scene:
    """Resolves slots, keeping each person the same throughout one text."""

    def __init__(self, *, rng: Random, lexicon: Lexicon, gazetteers: Gazetteers) -> None:
        self._rng = rng
        self._lexicon = lexicon
        self._gazetteers = gazetteers
        self._people: dict[int, Person] = {}

    def fill(self, template: str) -> Rendered:
        """Render a template with values of this scene."""
        return render(template, self._resolve, self._rng)

    def _resolve(self, slot: Slot) -> tuple[str, str | None]:
        return self._value(slot), LABELS.get(slot.kind)

    def _value(self, slot: Slot) -> str:
        kind, rng = slot.kind, self._rng
        if kind in _PEOPLE:
            return _PEOPLE[kind](self._person(slot.person), rng)
        if kind == "anyname":
            styles = ("name", "name", "name", "given", "initialed", "lowname", "upname", "listed")
            return _PEOPLE[rng.choice(styles)](self._person(slot.person), rng)
        if kind in _NUMBERS:
            return _NUMBERS[kind](rng)
        return self._dated(kind) or self._listed(kind)

    def _person(self, index: int) -> Person:
        if index not in self._people:
            self._people[index] = draw_person(self._rng, self._lexicon, self._gazetteers)
        return self._people[index]

    def _dated(self, kind: str) -> str | None:
        rng, lexicon = self._rng, self._lexicon
        if kind == "birthdate":
            return numeric_date(rng, birth=True)
        if kind == "money":
            return money(rng, lexicon.values.get("currency", ()) if rng.random() < 0.7 else ())
        if kind == "date" and lexicon.months and rng.random() < 0.6:
            return written_date(rng, lexicon.months, lexicon.date_shapes)
        if kind == "date" and ("day" not in lexicon.values or rng.random() < 0.6):
            return numeric_date(rng)
        return None

    def _listed(self, kind: str) -> str:
        rng, own = self._rng, self._lexicon.values.get("day" if kind == "date" else kind, ())
        english = self._lexicon.lang == "en"
        if kind == "city" and (not own or rng.random() < FROM_LIST * (not self._lexicon.women)):
            countries = [c for c in self._lexicon.countries if c in self._gazetteers.cities]
            foreign = not countries or rng.random() < 0.2
            return (
                self._gazetteers.any_city(rng)
                if foreign
                else rng.choice(self._gazetteers.cities[rng.choice(countries)])
            )
        if kind in _LISTS and (not own or (english and rng.random() < FROM_LIST)):
            return rng.choice(_LISTS[kind](self._gazetteers))
        if not own:
            raise KeyError(f"the language {self._lexicon.lang} knows no kind {kind!r}")
        return rng.choice(own)
