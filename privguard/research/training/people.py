"""Invented people: names in the manner of a language, and the logins and addresses that go with them."""

import re
import unicodedata
from dataclasses import dataclass
from random import Random

from privguard.research.training.gazetteers import Gazetteers, Names
from privguard.research.training.lexicon import Lexicon
from privguard.research.training.words import ENDINGS, PROVIDERS, SYLLABLES, WORDS

OTHER_CULTURE = 0.3
OTHER_SCRIPT = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A name, and its Latin letters for logins."""

    given: str
    surname: str
    full: str
    login: tuple[str, str]
    domain: str


def draw_person(rng: Random, lexicon: Lexicon, gazetteers: Gazetteers) -> Person:
    """Draw a person; one in three has the name of another culture, one in ten where that means other letters."""
    names = _own_names(rng, lexicon, gazetteers)
    foreign = names is None or rng.random() < (OTHER_SCRIPT if lexicon.women else OTHER_CULTURE)
    if names is None or foreign:
        names = gazetteers.any_names(rng)
    given, surname = rng.choice(names.given), rng.choice(names.surnames)
    if foreign or not lexicon.women:
        given, surname = _longer(given, surname, names, rng)
    order = (surname, given) if lexicon.surname_first and not foreign else (given, surname)
    spelled = gazetteers.any_names(rng)
    login = (
        _slug(given) or _slug(rng.choice(spelled.given)) or "kim",
        _slug(surname) or _slug(rng.choice(spelled.surnames)) or "roth",
    )
    joiner = " " if foreign else lexicon.joiner
    return Person(given=given, surname=surname, full=joiner.join(order), login=login, domain=draw_domain(rng))


def _longer(given: str, surname: str, names: Names, rng: Random) -> tuple[str, str]:
    """Give some people a second surname, a second given name or an initial."""
    draw = rng.random()
    if draw < 0.08:
        surname = f"{surname}{rng.choice(('-', ' '))}{rng.choice(names.surnames)}"
    elif draw < 0.14:
        given = f"{given}{rng.choice((' ', '-'))}{rng.choice(names.given)}"
    elif draw < 0.18:
        given = f"{given} {rng.choice('ABCDEFGHJKLMNPRSTW')}."
    return given, surname


def _own_names(rng: Random, lexicon: Lexicon, gazetteers: Gazetteers) -> Names | None:
    if lexicon.women:
        return Names(women=lexicon.women, men=lexicon.men, surnames=lexicon.surnames)
    countries = [country for country in lexicon.countries if country in gazetteers.latin]
    return gazetteers.latin[rng.choice(countries)] if countries else None


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z]", "", plain.lower())


def draw_domain(rng: Random) -> str:
    """Draw the domain of an invented organisation; reserved and odd endings are common."""
    stem = rng.choice(
        (
            f"{rng.choice(SYLLABLES)}{rng.choice(SYLLABLES)}",
            f"{rng.choice(WORDS)}-{rng.choice(SYLLABLES)}",
            f"{rng.choice(WORDS)}{rng.choice(WORDS)}",
        )
    )
    return f"{rng.choice(('', '', '', 'mail.', 'corp.', 'eu.'))}{stem}.{rng.choice(ENDINGS)}"


def login(person: Person, rng: Random) -> str:
    """Make a login, a handle or a gamertag, of the name or of words."""
    first, last = person.login
    word, other, digits = rng.choice(WORDS), rng.choice(WORDS), str(rng.randrange(1, 2030))
    return rng.choice(
        (
            f"{first}.{last}",
            f"{first[0]}{last}",
            f"{first}_{last}",
            f"{first}{digits}",
            f"{last}{first[:1]}",
            f"{first}{last[:1]}",
            f"{first[0]}.{last}",
            f"{last}_{digits[:2]}",
            f"{word}_{other}",
            f"{word.title()}{other.title()}{digits[:2]}",
            f"xX_{word.title()}{other.title()}_Xx",
            f"{word}{digits}",
            f"the_real_{first}",
            f"{first}.the.{word}",
            f"{word}-{first}",
            f"{first[:2]}{last[:3]}{digits[:2]}",
            f"{word.title()}{rng.choice(('Queen', 'King', 'Lord', 'Girl', 'Dad'))}{digits[:3]}",
            f"{first}ontour",
            f"svc_{word}",
            f"{first[0]}{last[0]}{digits}",
            f"not_{word}_{digits[:2]}",
            f"{first}{last}",
            f"{last}.{first}",
            f"adm-{first[:1]}{last}",
            f"{word}__{first[:4]}",
        )
    )


def email(person: Person, rng: Random) -> str:
    """Make an address of a person: plus parts, letters outside ASCII and odd endings among them."""
    first, last = person.login
    local = rng.choice(
        (
            f"{first}.{last}",
            f"{first[0]}.{last}",
            f"{first}",
            f"{first}{last}",
            f"{last}",
            f"{first}_{last}{rng.randrange(100)}",
            login(person, rng),
        )
    )
    draw = rng.random()
    if draw < 0.08:
        local += f"+{rng.choice(('shop', 'news', 'bank', 'work', rng.choice(WORDS)))}"
    elif draw < 0.12:
        local = re.sub(r"[^\w.\-]", "", f"{person.given}.{person.surname}".lower())
    elif draw < 0.2:
        local = rng.choice(("info", "billing", "office", "support", "hr", "kontakt", "accounts", "reception"))
    domain = rng.choice(PROVIDERS) if rng.random() < 0.35 else person.domain
    made = f"{local}@{domain}"
    return made.upper() if rng.random() < 0.02 else made


def link(person: Person, rng: Random) -> str:
    """Make a link that identifies: a profile, a shared document, a page with a token."""
    name, word = login(person, rng), rng.choice(WORDS)
    token = "".join(rng.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(rng.randrange(5, 24)))
    domain = person.domain.split(".", 1)[-1] if person.domain.startswith(("mail.", "corp.", "eu.")) else person.domain
    return rng.choice(
        (
            f"linkedin.com/in/{name}",
            f"https://www.linkedin.com/in/{name}-{token[:6]}/",
            f"github.com/{name}",
            f"https://github.com/{name}/{word}-{rng.choice(WORDS)}",
            f"https://www.facebook.com/{name}",
            f"https://instagram.com/{name}",
            f"https://x.com/{name}/status/{rng.randrange(10**17, 10**18)}",
            f"t.me/{name}",
            f"https://t.me/+{token}",
            f"https://docs.google.com/document/d/{token}{token}/edit?usp=sharing",
            f"https://drive.google.com/file/d/{token}{token}/view",
            f"https://www.dropbox.com/s/{token}/{word}.pdf?dl=0",
            f"https://{domain}/{word}",
            f"{domain}",
            f"www.{domain}",
            f"https://{domain}/u/{name}",
            f"https://{word}.{domain}/share/{token}",
            f"http://{domain}:{rng.randrange(1000, 9999)}/{word}?id={rng.randrange(10**5)}",
            f"https://{domain}/reset?token={token}&user={name}",
            f"https://zoom.us/j/{rng.randrange(10**9, 10**10)}?pwd={token}",
            f"https://{domain}/~{name}/",
            f"{domain}/{name}",
            f"https://meet.{domain}/{word}-{token[:4]}",
            f"https://calendly.com/{name}/30min",
            f"https://youtube.com/@{name}",
            f"https://{domain}/invoice/{rng.randrange(10**6)}.pdf",
            f"https://wa.me/{rng.randrange(10**10, 10**11)}",
        )
    )
