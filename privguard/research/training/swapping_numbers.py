"""Other digits and letters in the pattern of a number, a key or an amount."""

import re
import string
from random import Random

from privguard.research.training.words import WORDS

_DIGIT_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_QUAD = re.compile(r"(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)")
_HEX = re.compile(r"(?:[0-9a-f]{1,4}[:-]){4,}[0-9a-f:]{1,6}", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+")
# The known heads of keys and blocks tell what they are; only what follows is secret.
_HEAD = re.compile(
    r"sk-(?:proj-|ant-(?:api03-)?)?|(?:sk|pk|rk)_(?:live|test)_|gh[pousr]_|github_pat_|xox[abprs]-|xapp-1-|AKIA|ASIA|AIza|hf_|"
    r"glpat-|npm_|pypi-|SG\.|eyJ|AAAA[BC]3NzaC1\w{6}|glsa_|whsec_|dop_v1_|hvs\.|"
    r"https?://|(?:postgres|postgresql|mysql|mongodb|redis|amqp)(?:\+\w+)?://|-----BEGIN [A-Z ]+-----\s|"
    r"\+\d{2}|00\d{2}(?= )|\+(?=\d)"
)
_TAIL = re.compile(r"\s-----END [A-Z ]+-----$")


def swap_signs(value: str, rng: Random) -> str:
    """Draw a value of the same pattern: digit for digit, letter for letter of the same case, word for word."""
    if all(word in {*_DIGIT_WORDS, "plus", "double", "dash", "oh", "triple"} for word in value.lower().split()):
        return " ".join(rng.choice(_DIGIT_WORDS) if w.lower() in _DIGIT_WORDS else w for w in value.split())
    head = _HEAD.match(value)
    tail = _TAIL.search(value)
    start, end = head.end() if head else 0, tail.start() if tail else len(value)
    body = value[start:end]
    if _HEX.fullmatch(body):
        return value[:start] + _hex(body, rng) + value[end:]
    body = _QUAD.sub(lambda match: _quad(match[0], rng), body) if _QUAD.search(body) else _scrambled(body, rng)
    return value[:start] + body + value[end:]


def _scrambled(body: str, rng: Random) -> str:
    digits = "".join(_digit(sign, body[place - 1 : place], rng) for place, sign in enumerate(body))
    return _WORD.sub(lambda match: _letters(match[0], rng), digits)


def _digit(sign: str, before: str, rng: Random) -> str:
    if not (sign.isascii() and sign.isdigit()):
        return sign
    lone = not before.isdigit()
    if lone and sign == "0":
        return sign
    return rng.choice("123456789" if lone else string.digits)


def _letters(run: str, rng: Random) -> str:
    if len(run) >= 4 and (run.islower() or run.istitle()):
        word = rng.choice(WORDS)
        return word.title() if run.istitle() else word
    return "".join(rng.choice(string.ascii_uppercase if sign.isupper() else string.ascii_lowercase) for sign in run)


def _hex(body: str, rng: Random) -> str:
    signs = "0123456789ABCDEF" if body.isupper() else "0123456789abcdef"
    return "".join(rng.choice(signs) if sign.isalnum() else sign for sign in body)


def _quad(value: str, rng: Random) -> str:
    first, *rest = value.split(".")
    return ".".join((first, *(str(rng.randrange(0, 256)) for _ in rest)))


def swap_number(value: str, rng: Random) -> str:
    """Draw other digits for an amount, an age or the numbers of an address: as many of them, never more of zeros."""
    coded = re.compile(r"(?<![^\W_])(?=[A-Z0-9]*\d)[A-Z0-9]*[A-Z][A-Z0-9]*(?![^\W_])")
    value = coded.sub(lambda match: swap_signs(match[0], rng), value)
    return re.sub(r"[0-9]+", lambda match: _nearby(match[0], rng), value)


def _nearby(digits: str, rng: Random) -> str:
    if not digits.strip("0"):
        return digits
    if len(digits) <= 2:
        number = int(digits)
        low = max(1, number - 7) if number < 10 else max(10, number - 7)
        drawn = rng.randint(min(low, number), min(number + 7, 10 ** len(digits) - 1))
        return str(drawn).zfill(len(digits)) if digits[0] == "0" else str(drawn)
    zeros = len(digits) - len(digits.rstrip("0"))
    kept = len(digits) - zeros
    return (
        "".join(_digit(sign, digits[place - 1 : place], rng) for place, sign in enumerate(digits[:kept])) + "0" * zeros
    )
