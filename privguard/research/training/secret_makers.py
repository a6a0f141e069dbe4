"""Secrets of well-known shapes and of the shapes that people invent, all drawn at random."""

import base64
import json
import string
from collections.abc import Callable, Sequence
from random import Random

from privguard.research.training.rendering import pattern
from privguard.research.training.words import FOREIGN_WORDS, WORDS

_SYMBOLS = "!@#$%&*?_-.+="
_ALNUM = string.ascii_letters + string.digits


def _draw(rng: Random, signs: str, count: int) -> str:
    return "".join(rng.choice(signs) for _ in range(count))


def password(rng: Random) -> str:
    """Make a password: a word and a number most often, a random string now and then."""
    word = rng.choice((*WORDS, *FOREIGN_WORDS))
    other = rng.choice(WORDS)
    leet = word.translate(str.maketrans("aeois", "4301$"))
    year, small = rng.randrange(1950, 2027), rng.randrange(0, 1000)
    symbol = rng.choice(_SYMBOLS)
    return rng.choice(
        (
            f"{word.title()}{year}{symbol}",
            f"{word}{small}",
            f"{word.title()}{small}{symbol}",
            f"{leet}{symbol}{small}",
            f"{word.title()}{symbol}{other}{small % 100}",
            f"{word}-{other}-{small}",
            f"{word}.{other}.{rng.choice(WORDS)}",
            f"{symbol}{word.title()}_{other.title()}{small % 100:02d}",
            f"{leet.title()}{year % 100:02d}{symbol}{symbol}",
            f"ilove{word}{small % 100}",
            f"{word}{other.title()}{symbol}{year}",
            f"{word.upper()}{small}",
            _draw(rng, _ALNUM + _SYMBOLS, rng.randrange(8, 20)),
            _draw(rng, _ALNUM, rng.randrange(8, 16)),
            f"{_draw(rng, string.ascii_letters, 2)}{small % 10}-{word}-{_draw(rng, _ALNUM, 4)}",
            f"qwer{small % 10000}{symbol}" if small % 2 else f"P@ssw0rd{small % 100}",
        )
    )


def passphrase(rng: Random) -> str:
    """Make a passphrase of three to six words."""
    return rng.choice((" ", " ", "-", ".", "_")).join(rng.choice(WORDS) for _ in range(rng.randrange(3, 7)))


def seed_phrase(rng: Random) -> str:
    """Make twelve or more words, as a wallet gives them."""
    return " ".join(rng.choice(WORDS) for _ in range(rng.choice((12, 12, 24, 15))))


def pin(rng: Random) -> str:
    """Make a PIN or a door code."""
    digits = pattern("#" * rng.choice((4, 4, 4, 5, 6)), rng)
    return rng.choice((digits, digits, digits, f"{digits}#", f"#{digits}", f"*{digits}#", "-".join(digits[:3])))


def one_time_code(rng: Random) -> str:
    """Make a one-time code."""
    digits = pattern("######", rng)
    return rng.choice(
        (
            digits,
            digits,
            f"{digits[:3]} {digits[3:]}",
            f"{digits[:3]}-{digits[3:]}",
            f"G-{digits}",
            pattern("########", rng),
        )
    )


def recovery_code(rng: Random) -> str:
    """Make a recovery, backup or licence code."""
    shapes = (
        "BBBBB-BBBBB",
        "bbbb-bbbb",
        "xxxxx-xxxxx",
        "#### ####",
        "BBBB-BBBB-BBBB-BBBB",
        "BBBBB-BBBBB-BBBBB-BBBBB-BBBBB",
        "xxxxxxxx",
        "BBBB BBBB BBBB",
    )
    return pattern(rng.choice(shapes), rng)


def _b64(rng: Random, count: int) -> str:
    return _draw(rng, _ALNUM + "+/", count)


def jwt(rng: Random) -> str:
    """Make a JSON web token over invented claims."""
    parts = (
        {"alg": rng.choice(("HS256", "RS256")), "typ": "JWT"},
        {"sub": pattern("bbbbbbbb", rng), "iat": 1700000000 + rng.randrange(9**8)},
    )
    encoded = [
        base64.urlsafe_b64encode(json.dumps(p, separators=(",", ":")).encode()).decode().rstrip("=") for p in parts
    ]
    return ".".join((*encoded, _draw(rng, _ALNUM + "-_", 43)))


def api_key(rng: Random) -> str:
    """Make a key or token with the prefix of one of some forty services, or with none."""
    shapes: Sequence[Callable[[], str]] = (
        lambda: f"sk-{_draw(rng, _ALNUM, 48)}",
        lambda: f"sk-proj-{_draw(rng, _ALNUM + '_-', rng.choice((40, 64, 120)))}",
        lambda: f"sk-ant-api03-{_draw(rng, _ALNUM + '_-', 80)}AA",
        lambda: f"AKIA{pattern('B' * 16, rng)}",
        lambda: f"ASIA{pattern('B' * 16, rng)}",
        lambda: _b64(rng, 40),
        lambda: f"{rng.choice(('ghp_', 'gho_', 'ghs_'))}{_draw(rng, _ALNUM, 36)}",
        lambda: f"github_pat_{pattern('B' * 22, rng)}_{_draw(rng, _ALNUM, 59)}",
        lambda: f"glpat-{_draw(rng, _ALNUM + '-_', 20)}",
        lambda: f"xoxb-{pattern('###########-############', rng)}-{_draw(rng, _ALNUM, 24)}",
        lambda: f"xapp-1-A{pattern('BBBBBBBBBB', rng)}-{pattern('#############', rng)}-{pattern('x' * 32, rng)}",
        lambda: f"{rng.choice(('sk', 'pk', 'rk'))}_{rng.choice(('live', 'test'))}_{_draw(rng, _ALNUM, 24)}",
        lambda: f"whsec_{_draw(rng, _ALNUM, 32)}",
        lambda: f"AIza{_draw(rng, _ALNUM + '-_', 35)}",
        lambda: f"ya29.{_draw(rng, _ALNUM + '-_', 60)}",
        lambda: f"GOCSPX-{_draw(rng, _ALNUM + '-_', 28)}",
        lambda: f"SG.{_draw(rng, _ALNUM + '-_', 22)}.{_draw(rng, _ALNUM + '-_', 43)}",
        lambda: f"key-{pattern('x' * 32, rng)}",
        lambda: f"npm_{_draw(rng, _ALNUM, 36)}",
        lambda: f"pypi-AgEIcHlwaS5vcmc{_draw(rng, _ALNUM + '-_', 60)}",
        lambda: f"hf_{_draw(rng, string.ascii_letters, 34)}",
        lambda: f"dop_v1_{pattern('x' * 64, rng)}",
        lambda: f"SK{pattern('x' * 32, rng)}",
        lambda: f"{pattern('##########', rng)}:AA{_draw(rng, _ALNUM + '-_', 33)}",
        lambda: f"shpat_{pattern('x' * 32, rng)}",
        lambda: f"EAA{_draw(rng, _ALNUM, 60)}",
        lambda: f"hvs.{_draw(rng, _ALNUM, 24)}",
        lambda: f"glsa_{_draw(rng, _ALNUM, 32)}_{pattern('xxxxxxxx', rng)}",
        lambda: f"dckr_pat_{_draw(rng, _ALNUM + '-_', 27)}",
        lambda: f"tskey-auth-{_draw(rng, _ALNUM, 12)}-{_draw(rng, _ALNUM, 32)}",
        lambda: f"lin_api_{_draw(rng, _ALNUM, 40)}",
        lambda: f"sq0atp-{_draw(rng, _ALNUM + '-_', 22)}",
        lambda: f"r8_{_draw(rng, _ALNUM, 37)}",
        lambda: f"gsk_{_draw(rng, _ALNUM, 52)}",
        lambda: f"NRAK-{pattern('B' * 27, rng)}",
        lambda: pattern("x" * rng.choice((32, 40, 64)), rng),
        lambda: pattern("xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx", rng),
        lambda: _draw(rng, _ALNUM, rng.choice((20, 24, 32, 43))),
        lambda: _b64(rng, rng.choice((43, 86))) + "=",
        lambda: jwt(rng),
    )
    return rng.choice(shapes)()


def private_key(rng: Random) -> str:
    """Make a private key block; the body is noise."""
    kind = rng.choice(("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "))
    lines = [_b64(rng, 64) for _ in range(rng.randrange(1, 4))]
    return "\n".join(
        (f"-----BEGIN {kind}PRIVATE KEY-----", *lines, _b64(rng, 38) + "==", f"-----END {kind}PRIVATE KEY-----")
    )


def public_key_body(rng: Random) -> str:
    """Make the body of an SSH key."""
    return f"AAAA{rng.choice(('C3NzaC1lZDI1NTE5AAAAI', 'B3NzaC1yc2EAAAADAQAB'))}{_b64(rng, 43)}"


def webhook(rng: Random) -> str:
    """Make the secret tail of a webhook path."""
    return pattern("T########/B########/", rng).replace("#", "") + _draw(rng, _ALNUM, 24)


MAKERS: dict[str, Callable[[Random], str]] = {
    "password": password,
    "passphrase": passphrase,
    "seed_phrase": seed_phrase,
    "pin": pin,
    "one_time_code": one_time_code,
    "recovery_code": recovery_code,
    "api_key": api_key,
    "jwt": jwt,
    "private_key": private_key,
    "public_key": public_key_body,
    "webhook": webhook,
}
