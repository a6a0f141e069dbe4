"""Canaries: invented values that are unique, so that finding one on the wire proves a leak.

Every value is a pure function of its type and its seed. Numbers come from ranges that are reserved for examples, or
have a valid checksum over a prefix that no bank uses, so that checksum-minded detectors take them for real.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from privguard.core.entities import EntityType

_ONSETS = ("Ald", "Bram", "Corv", "Dun", "Elm", "Fen", "Grim", "Hal", "Ing", "Jas", "Kel", "Lor", "Mar", "Nor", "Ost")
_CODAS = ("acre", "beck", "combe", "dale", "ering", "field", "garth", "holt", "ick", "low", "mere", "stead", "wick")
_FIRST = ("Ada", "Ben", "Clara", "David", "Emma", "Frank", "Grace", "Henry", "Irene", "Jack", "Laura", "Martin")
_MONTHS = ("January", "March", "April", "May", "June", "August", "September", "October", "November", "December")
_AREA_CODES = ("202", "212", "213", "303", "305", "312", "404", "415", "503", "512", "602", "617", "702", "713", "808")
_ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """One invented value. Values of one type differ for seeds from 0 to 999."""

    kind: EntityType
    value: str = field(repr=False)

    @classmethod
    def person(cls, seed: int = 0) -> "Canary":
        """Make a first name and an invented surname."""
        return cls(kind=EntityType.PERSON, value=f"{_FIRST[seed % len(_FIRST)]} {_surname(seed)}")

    @classmethod
    def username(cls, seed: int = 0) -> "Canary":
        """Make a user name with digits."""
        return cls(kind=EntityType.USERNAME, value=f"{_surname(seed).lower()}_{_number('username', seed, 4)}")

    @classmethod
    def email(cls, seed: int = 0) -> "Canary":
        """Make an address under `.example`."""
        local = f"{_FIRST[seed % len(_FIRST)]}.{_surname(seed)}".lower()
        return cls(kind=EntityType.EMAIL, value=f"{local}@{_CODAS[seed % len(_CODAS)]}.example")

    @classmethod
    def phone(cls, seed: int = 0) -> "Canary":
        """Make a number of the range 555-01xx, which is reserved for fiction."""
        area, line = divmod(_shuffled(seed, len(_AREA_CODES) * 100), 100)
        return cls(kind=EntityType.PHONE, value=f"+1 {_AREA_CODES[area]} 555 01{line:02d}")

    @classmethod
    def address(cls, seed: int = 0) -> "Canary":
        """Make a house number and an invented street."""
        return cls(kind=EntityType.ADDRESS, value=f"{seed % 97 + 2} {_surname(seed)} Lane")

    @classmethod
    def card(cls, seed: int = 0) -> "Canary":
        """Make sixteen digits in groups of four with a valid Luhn digit."""
        body = "411111" + _number("card", seed, 5) + f"{_shuffled(seed, 10_000):04d}"
        digits = body + luhn_digit(body)
        grouped = " ".join(digits[start : start + 4] for start in range(0, 16, 4))
        return cls(kind=EntityType.FIN_ACCOUNT, value=grouped)

    @classmethod
    def iban(cls, seed: int = 0) -> "Canary":
        """Make a British account number with valid check digits at a bank that does not exist."""
        account = "WEST" + _number("iban", seed, 10) + f"{_shuffled(seed, 10_000):04d}"
        numeric = "".join(str(int(letter, 36)) for letter in account + "GB00")
        return cls(kind=EntityType.FIN_ACCOUNT, value=f"GB{98 - int(numeric) % 97:02d}{account}")

    @classmethod
    def gov_id(cls, seed: int = 0) -> "Canary":
        """Make a United States social security number of the never issued 900 range."""
        serial = _shuffled(seed, 9_000) + 1
        return cls(kind=EntityType.GOV_ID, value=f"9{seed % 90 + 10}-{seed % 47 + 2:02d}-{serial:04d}")

    @classmethod
    def record_id(cls, seed: int = 0) -> "Canary":
        """Make a reference such as stands on a policy."""
        return cls(kind=EntityType.RECORD_ID, value=f"PN-{_number('record', seed, 4)}-{_shuffled(seed, 10_000):04d}")

    @classmethod
    def ip(cls, seed: int = 0) -> "Canary":
        """Make an address of a network that is reserved for documentation."""
        network, host = divmod(_shuffled(seed, 1_000), 250)
        prefix = ("192.0.2", "198.51.100", "203.0.113", "233.252.0")[network]
        return cls(kind=EntityType.DEVICE_ID, value=f"{prefix}.{host + 2}")

    @classmethod
    def url(cls, seed: int = 0) -> "Canary":
        """Make a link that carries a token."""
        value = f"https://{_surname(seed).lower()}.example/u/{seed}?t={_token('url', seed, 16)}"
        return cls(kind=EntityType.URL, value=value)

    @classmethod
    def secret(cls, seed: int = 0) -> "Canary":
        """Make an access token in a well-known form."""
        return cls(kind=EntityType.SECRET, value=f"ghp_{_token('secret', seed, 36)}")

    @classmethod
    def organization(cls, seed: int = 0) -> "Canary":
        """Make an invented company."""
        return cls(kind=EntityType.ORGANIZATION, value=f"{_surname(seed)} Instruments {_shuffled(seed, 1_000)} Ltd")

    @classmethod
    def location(cls, seed: int = 0) -> "Canary":
        """Make an invented village."""
        return cls(kind=EntityType.LOCATION, value=f"{_surname(seed)}-on-{_surname(seed + 1)}")

    @classmethod
    def date(cls, seed: int = 0) -> "Canary":
        """Make a date between 1940 and 2006."""
        year, rest = divmod(_shuffled(seed, 67 * 280), 280)
        return cls(kind=EntityType.DATE, value=f"{rest % 28 + 1} {_MONTHS[rest // 28]} {1940 + year}")


def all_canaries(seed: int = 0) -> tuple[Canary, ...]:
    """Make one canary of every sort."""
    sorts = (
        Canary.person, Canary.username, Canary.email, Canary.phone, Canary.address, Canary.card, Canary.iban,
        Canary.gov_id, Canary.record_id, Canary.ip, Canary.url, Canary.secret, Canary.organization, Canary.location,
        Canary.date,
    )  # fmt: skip
    return tuple(make(seed) for make in sorts)


def values_of(canaries: Iterable[Canary]) -> dict[str, EntityType]:
    """Return the values with their types: what `FakeDetector` takes."""
    return {canary.value: canary.kind for canary in canaries}


def luhn_digit(digits: str) -> str:
    """Compute the check digit that follows `digits`."""
    doubled = (int(digit) * (2 - position % 2) for position, digit in enumerate(reversed(digits)))
    return str(-sum(number // 10 + number % 10 for number in doubled) % 10)


def _shuffled(seed: int, size: int) -> int:
    """Map seeds one to one onto 0 … `size` - 1, as long as there are no more of them than `size`."""
    return (seed * 7_919 + 271) % size  # a prime, so coprime with every size used here


def _surname(seed: int) -> str:
    onset, rest = _ONSETS[seed % len(_ONSETS)], seed // len(_ONSETS)
    return onset + _CODAS[rest % len(_CODAS)] + "sby" * (rest // len(_CODAS))


def _number(sort: str, seed: int, length: int) -> str:
    digest = hashlib.sha256(f"{sort}:{seed}".encode()).digest()
    return "".join(str(byte % 10) for byte in digest[:length])


def _token(sort: str, seed: int, length: int) -> str:
    digest = hashlib.shake_256(f"{sort}:{seed}".encode()).digest(length)
    return "".join(_ALPHANUMERIC[byte % len(_ALPHANUMERIC)] for byte in digest)
