"""Questions about people, in which one who is not of public life is labelled; and words that look like secrets.

Texts about what everybody may know hold names that concern nobody. A network that has only seen those takes every name
in a question for one of them. Here the same questions ask about people of public life, who are not labelled, and about
invented ones, who are: the name alone tells. The second contrast is of the same kind: words joined by hyphens are a
secret where the text says so, and a branch, a release or a marker elsewhere.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from random import Random

from privguard.research.training.composing import join, plain
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.known import Known, is_known, known_names
from privguard.research.training.lexicon import FOLDER, Lexicon
from privguard.research.training.people import draw_person
from privguard.research.training.rendering import Rendered, choose
from privguard.research.training.scene import Scene
from privguard.research.training.words import WORDS

FILE = "asking.toml"
SLUGS = "slugs"  # the table of what is joined by hyphens
JOINED = 0.12  # of the texts
TASKS = 0.45  # of the texts of a language that has any
ALL_KNOWN, ALL_STRANGE = 0.35, 0.5  # of the other texts; in the rest each person may be either
OWN_SCRIPT = 0.85  # of the people of public life, where a language has letters of its own
SHORT = 0.12  # of them, by one name
AGAIN = 0.4  # of the questions after the first, about the same people
MOST_PEOPLE = 8  # the ninth of a scene is the one who is called by the surname
SHORTEST = 4  # letters of a surname that is cut
UNHEARD = 0.3  # of the invented people: with a surname that no list holds
SECRET_SLUG = 0.5  # of the passphrases that look like the slugs
_SLOT = re.compile(r"\{([a-z])\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """How one language asks: {a}, {b}, {c} are people, {s} the surname of one, {r} a role."""

    asks: tuple[str, ...]
    tasks: tuple[str, ...]  # in which a name may go
    roles: tuple[str, ...]
    starts: tuple[str, ...]
    talks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slugs:
    """Texts with words that are joined by hyphens, and the words."""

    asks: tuple[str, ...]
    secrets: tuple[str, ...]
    words: tuple[str, ...]


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((FOLDER / FILE).read_text("utf-8"))


@cache
def load_asks(lang: str) -> Asks:
    """Return how a language asks."""
    table = _tables()[lang]
    roles, starts, talks = (
        tuple(item.strip() for item in re.split(r"; |\n", table[name].strip())) for name in ("roles", "starts", "talks")
    )
    return Asks(
        asks=_lines(table["asks"]), tasks=_lines(table.get("tasks", "")), roles=roles, starts=starts, talks=talks
    )


@cache
def load_slugs() -> Slugs:
    """Return what is said of words that are joined by hyphens."""
    table = _tables()[SLUGS]
    return Slugs(
        asks=_lines(table["asks"]),
        secrets=_lines(table["secrets"]),
        words=(*dict.fromkeys((*table["words"].split(), *WORDS)),),
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.strip().split("\n") if line)


class Asker:
    """Draws texts of one language."""

    def __init__(self, *, rng: Random, lexicon: Lexicon, gazetteers: Gazetteers) -> None:
        self._rng = rng
        self._lexicon = lexicon
        self._gazetteers = gazetteers
        self._asks = load_asks(lexicon.lang)
        self._begin()

    def _begin(self) -> None:
        self._scene = Scene(rng=self._rng, lexicon=self._lexicon, gazetteers=self._gazetteers)
        self.needed = True  # whether what was drawn last asks about those whom it names
        self._known: Iterator[str] = self._draw_known()
        self._people: dict[int, str] = {}  # by number: a name of public life, or the template of an invented one

    def ask(self) -> Rendered:
        """Draw one text: a question, several, or one after a reply.

        It is drawn anew where chance has given an invented person the name of somebody of public life.
        """
        made = self._draw()
        while any(is_known(made.text[span.start : span.end]) for span in made.spans):
            self._begin()
            made = self._draw()
        return made

    def _draw(self) -> Rendered:
        rng = self._rng
        if rng.random() < JOINED:
            return self._joined()
        if self._asks.tasks and rng.random() < TASKS:
            return self._task()
        count = rng.choice((1, 1, 1, 1, 2, 2, 3, 4))
        questions = [self._question(rng.choice(self._asks.asks), first=place == 0) for place in range(count)]
        parts: list[Rendered] = []
        if count > 1 and rng.random() < 0.3:
            parts.append(plain(rng.choice(self._asks.starts)))
        if count == 1 and self._lexicon.negatives and rng.random() < 0.15:
            parts.append(self._scene.fill(rng.choice(self._lexicon.negatives)))
        for place, question in enumerate(questions):
            if place and rng.random() < 0.2:
                parts.append(plain(rng.choice(self._asks.talks)))
            parts.append(question)
        return join(parts, rng.choice((self._lexicon.glue or "\n", "\n", "\n\n")))

    def _task(self) -> Rendered:
        self.needed = False
        self._known = repeat("")
        return self._question(self._rng.choice(self._asks.tasks), first=True)

    def _question(self, template: str, *, first: bool) -> Rendered:
        asked = sorted(set(_SLOT.findall(template)) & set("abc"))
        taken = len(self._people)
        start = 0 if (first or self._rng.random() < AGAIN or taken + len(asked) > MOST_PEOPLE) else taken
        numbers = {letter: start + place + 1 for place, letter in enumerate(asked)}
        for number in numbers.values():
            if number not in self._people:
                self._people[number] = next(self._known) or self._stranger(number)
        template = choose(template, self._rng)
        return self._scene.fill(_SLOT.sub(lambda slot: self._slot(slot[1], numbers), template))

    def _slot(self, letter: str, numbers: Mapping[str, int]) -> str:
        if letter == "r":
            return self._rng.choice(self._asks.roles)
        if letter == "s":
            return "[[surname9]]"
        return self._people[numbers[letter]]

    def _stranger(self, number: int) -> str:
        if self._rng.random() >= UNHEARD:
            return f"[[name{number}]]"
        one, other = (draw_person(self._rng, self._lexicon, self._gazetteers) for _ in range(2))
        parts = [one.given, blend(one.surname, other.surname)]
        return f"[[PERSON:{self._lexicon.joiner.join(reversed(parts) if self._lexicon.surname_first else parts)}]]"

    def _draw_known(self) -> Iterator[str]:
        """Draw people of public life without end, an empty name for each who is not of it."""
        draw = self._rng.random()
        share = 1.0 if draw < ALL_KNOWN else 0.0 if draw < ALL_KNOWN + ALL_STRANGE else 0.5
        while True:
            yield self._known_name() if self._rng.random() < share else ""

    def _known_name(self) -> str:
        names, rng = known_names(), self._rng
        own = names.get(self._lexicon.lang)
        chosen: Known = own if own and rng.random() < OWN_SCRIPT else names[""]
        return rng.choice(chosen.short if chosen.short and rng.random() < SHORT else chosen.full)

    def _joined(self) -> Rendered:
        rng, slugs = self._rng, load_slugs()
        template = choose(rng.choice(slugs.asks if rng.random() < 0.6 else slugs.secrets), rng)
        if rng.random() < SECRET_SLUG:
            template = template.replace("[[passphrase]]", "[[SECRET:{w}]]")
        return self._scene.fill(_SLOT.sub(lambda slot: pod(rng) if slot[1] == "p" else slug(rng), template))


def blend(one: str, other: str) -> str:
    """Put the first half of a surname and the second half of another together; short ones stay as they are."""
    if min(len(one), len(other)) < SHORTEST or not (one + other).isalpha() or (one < "\u0250") != (other < "\u0250"):
        return one
    return one[: (len(one) + 1) // 2] + other[len(other) // 2 :].lower()


def slug(rng: Random) -> str:
    """Join two to six words by hyphens; a number may follow."""
    made = "-".join(rng.choice(load_slugs().words) for _ in range(rng.choice((2, 3, 3, 4, 4, 5, 5, 5, 6))))
    return made if rng.random() < 0.85 else f"{made}-{rng.randrange(1, 100)}"


def pod(rng: Random) -> str:
    """Name a pod as a cluster does: of its deployment, its set of replicas and itself."""
    letters = "bcdfghjklmnpqrstvwxz2456789"
    draw = ("".join(rng.choice(letters) for _ in range(count)) for count in (rng.choice((8, 9, 10)), 5))
    return "-".join((slug(rng), *draw))
