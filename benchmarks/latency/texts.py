"""Invented prose with names and ids in it, a different text at every call, so that nothing can be remembered."""

from collections.abc import Iterator
from random import Random

SIZES = (84, 500, 2_000, 8_000)
LAST_NAME = "Ottilie Varenholt"  # stands in the last line of the long text, and nowhere else

_GIVEN = "Ada Ben Carla Dario Edda Femi Greta Hugo Ines Jonas Kaya Lev Mira Nils Oda Pavel Rosa Sami Tilda Yusuf"
_FAMILY = "Roth Kole Varga Lind Okoye Tamm Sorel Haas Brandt Ilic Moreau Quist Rana Serra Thorne Ueda Weiss Zeman"
_PLACES = "Lisbon Oslo Turin Gdansk Porto Leeds Malmo Ghent Cork Basel Lyon Bergen Graz Varna Utrecht Aarhus"
_FIRMS = "Norvik Brightmoor Castellan Delmar Eastfold Farrow Glenhaven Hartwell Ivory Juniper Kestrel Lumen"
_PLAIN = (
    "The meeting took longer than anybody had planned, and most of it went into the budget.",
    "Please keep the tone friendly, but do not promise anything that we cannot deliver.",
    "It rained all week, so the work on the roof had to wait once more.",
    "There is nothing wrong with the numbers as such; the way they are shown is the problem.",
    "A shorter version would do, as long as the main argument is still easy to follow.",
    "We tried three ways of doing it, and the second one was clearly better than the others.",
    "Nobody remembers who suggested it first, which is why the list was made.",
    "If that does not work, start again from the last version and change one thing at a time.",
)
_TELLING = (
    "{name} moved to {place} in {year} and has worked for {firm} since.",
    "Write to {mail} or call {phone} before {day}.",
    "The order {order} was sent to {name} in {place}.",
    "{name}, {age}, told {other} about the offer from {firm}.",
    "Card 4111 1111 1111 1111 was charged {money} on {day} for {name}.",
    "The server at {address} was set up by {other} of {firm}.",
    "{name} has been a nurse in {place} for {small} years.",
)


def sentences(rng: Random) -> Iterator[str]:
    """Yield sentences without end, every second one with values in it."""
    while True:
        yield rng.choice(_PLAIN)
        yield rng.choice(_TELLING).format_map(_values(rng))


def make_text(rng: Random, size: int) -> str:
    """Return a text of exactly so many characters, in paragraphs of five sentences."""
    parts: list[str] = []
    length = 0
    for number, sentence in enumerate(sentences(rng), start=1):
        parts.append(sentence + ("\n\n" if number % 5 == 0 else " "))
        length += len(parts[-1])
        if length >= size:
            break
    return "".join(parts)[: size - 1] + "."


def make_long(rng: Random, size: int) -> str:
    """Return a text of about so many characters whose last line names somebody."""
    return make_text(rng, size) + f"\nSigned by {LAST_NAME} in Lisbon."


def _values(rng: Random) -> dict[str, object]:
    name, other = (f"{rng.choice(_GIVEN.split())} {rng.choice(_FAMILY.split())}" for _ in range(2))
    given, _, family = name.lower().partition(" ")
    return {
        "name": name,
        "other": other,
        "place": rng.choice(_PLACES.split()),
        "firm": f"{rng.choice(_FIRMS.split())} {rng.choice(('Bank', 'Labs', 'Logistics', 'Insurance'))}",
        "mail": f"{given}.{family}{rng.randrange(1000)}@{rng.choice(_FIRMS.split()).lower()}.example",
        "phone": f"+1 202 555 01{rng.randrange(100):02d}",
        "order": f"ORD-{rng.randrange(10**7, 10**8)}",
        "address": f"203.0.113.{rng.randrange(256)}",
        "money": f"${rng.randrange(10, 9000)}.{rng.randrange(100):02d}",
        "day": f"{rng.randrange(1, 29)} {rng.choice(('March', 'May', 'July', 'October'))} {rng.randrange(2015, 2027)}",
        "year": rng.randrange(1990, 2026),
        "age": rng.randrange(18, 90),
        "small": rng.randrange(2, 30),
    }
