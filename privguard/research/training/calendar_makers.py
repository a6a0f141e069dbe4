"""Dates as people and machines write them, and amounts of money."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

_EPOCH = datetime(1935, 1, 1, tzinfo=UTC)
_SYMBOLS = ("€", "$", "£", "zł", "Kč", "kr", "Ft", "lei", "₺", "₽", "₴", "₹", "¥", "₩", "₪", "฿", "₫", "₦")
_CODES = (
    "EUR",
    "USD",
    "GBP",
    "CHF",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "HUF",
    "INR",
    "JPY",
    "CAD",
    "AUD",
    "AED",
    "KES",
    "BRL",
    "MXN",
    "TRY",
    "ZAR",
    "IDR",
    "Rp",
)

_LEADING = ("R$", "Rp", "KSh", "TSh")
_FIRST_UNSPACED = "\u3000"  # from here on, scripts that write no spaces


def moment(rng: Random, *, birth: bool = False) -> datetime:
    """Draw a moment: of late years, or of a life if it is a birth."""
    if birth:
        return _EPOCH + timedelta(days=rng.randrange(28000), minutes=rng.randrange(1440))
    recent = datetime(2016, 1, 1, tzinfo=UTC)
    return recent + timedelta(days=rng.randrange(4300), minutes=rng.randrange(1440), seconds=rng.randrange(60))


def numeric_date(rng: Random, *, birth: bool = False) -> str:
    """Write a date in digits."""
    day = moment(rng, birth=birth)
    shapes = (
        "%d.%m.%Y",
        "%d/%m/%Y",
        "%m/%d/%Y",
        "%Y-%m-%d",
        "%Y-%m-%d",
        "%d-%m-%Y",
        "%d.%m.%y",
        "%d/%m/%y",
        "%Y/%m/%d",
        "%Y%m%d",
        "%d.%m.",
        "%d/%m",
        "%Y.%m.%d",
    )
    text = day.strftime(rng.choice(shapes if not birth else shapes[:9]))
    return text.lstrip("0") if rng.random() < 0.2 else text


def stamp(rng: Random) -> str:
    """Write a time stamp as machines do."""
    shapes = (
        "%Y-%m-%dT%H:%M:%SZ",
        "%Y-%m-%d %H:%M:%S",
        "%Y-%m-%dT%H:%M:%S+02:00",
        "%Y-%m-%d %H:%M",
        "%d/%b/%Y:%H:%M:%S +0000",
        "%Y-%m-%d",
    )
    return moment(rng).strftime(rng.choice(shapes))


def written_date(rng: Random, months: Sequence[str], shapes: Sequence[str]) -> str:
    """Write a date with the name of its month; `{d}`, `{m}`, `{y}`, `{yy}` and `{o}` (ordinal) stand in the shapes."""
    day = moment(rng)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day not in (11, 12, 13) else 0, "th")
    month = months[day.month - 1]
    fields: Mapping[str, object] = {
        "d": day.day,
        "m": month,
        "y": day.year,
        "yy": f"{day.year % 100:02d}",
        "o": f"{day.day}{ending}",
        "n": day.month,
    }
    return rng.choice(shapes).format(**fields)


def _digits(rng: Random) -> str:
    size = rng.choice((1, 2, 3, 3, 4, 4, 5, 6))
    value = rng.randrange(10 ** (size - 1), 10**size)
    if rng.random() < 0.4 and size > 2:
        value = value // 50 * 50 or 50
    whole = str(value)
    if size > 3:
        separator = rng.choice((",", ".", " ", "", "'"))
        whole = f"{whole[:-3]}{separator}{whole[-3:]}"
        decimal = {",": ".", ".": ",", " ": ",", "'": ".", "": "."}[separator]
    else:
        decimal = rng.choice(",.")
    return whole + (f"{decimal}{rng.randrange(100):02d}" if rng.random() < 0.3 else "")


def money(rng: Random, symbols: Sequence[str] = ()) -> str:
    """Write an amount with its currency: signs and codes stand on either side, words after the number."""
    digits = _digits(rng)
    symbol = rng.choice(symbols or _SYMBOLS) if rng.random() < 0.75 or symbols else rng.choice(_CODES)
    if len(symbol) == 1 and rng.random() < 0.08:
        return f"{symbol}{rng.randrange(1, 900)}{rng.choice(('k', 'k', 'm', 'K'))}"
    if len(symbol) == 1:
        return rng.choice((f"{symbol}{digits}", f"{digits} {symbol}", f"{digits}{symbol}", f"{symbol}{digits}"))
    if symbol in _LEADING:
        return f"{symbol} {digits}"
    if symbol.isascii() and symbol.isupper():
        return rng.choice((f"{digits} {symbol}", f"{symbol} {digits}"))
    unspaced = symbol[0] > _FIRST_UNSPACED
    return f"{digits}{symbol}" if unspaced else f"{digits} {symbol}"
