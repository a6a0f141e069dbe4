"""Identity, tax and health numbers of some twenty-five countries, with right check digits and with wrong ones."""

from collections.abc import Callable
from random import Random

from stdnum import luhn, verhoeff

from privguard.research.training.check_digits import broken, grouped, weighted
from privguard.research.training.rendering import pattern

Maker = Callable[[Random], str]


def birth(rng: Random) -> tuple[int, int, int]:
    """Draw a date of birth of somebody alive: year, month, day."""
    return rng.randrange(1938, 2012), rng.randrange(1, 13), rng.randrange(1, 29)


def pesel(rng: Random) -> str:
    """Make a Polish PESEL."""
    year, month, day = birth(rng)
    body = f"{year % 100:02d}{month + (20 if year >= 2000 else 0):02d}{day:02d}" + pattern("####", rng)
    return body + str(-weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def cpf(rng: Random) -> str:
    """Make a Brazilian CPF."""
    body = pattern("#########", rng)
    for _ in range(2):
        rest = weighted(body, range(len(body) + 1, 1, -1)) * 10 % 11
        body += str(rest % 10)
    return rng.choice((body, f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"))


def dni(rng: Random) -> str:
    """Make a Spanish DNI or NIE."""
    digits = pattern("########", rng)
    letter = "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23]
    if rng.random() < 0.3:
        first = rng.randrange(3)
        letter = "TRWAGMYFPDXBNJZSQVHLCKE"[int(f"{first}{digits[1:]}") % 23]
        return f"{'XYZ'[first]}{rng.choice(('', '-'))}{digits[1:]}{rng.choice(('', '-'))}{letter}"
    return f"{digits}{rng.choice(('', '-', ' '))}{letter}"


def codice_fiscale(rng: Random) -> str:
    """Make an Italian codice fiscale; the last letter is drawn."""
    consonants = "BCDFGLMNPRSTVZ"
    year, _, day = birth(rng)
    name = "".join(rng.choice(consonants) for _ in range(6))
    woman = 40 if rng.random() < 0.5 else 0
    return f"{name}{year % 100:02d}{rng.choice('ABCDEHLMPRST')}{day + woman:02d}{pattern('A###A', rng)}"


def bsn(rng: Random) -> str:
    """Make a Dutch BSN."""
    while True:
        body = pattern("########", rng)
        rest = weighted(body, range(9, 1, -1)) % 11
        if rest < 10:
            return rng.choice((body + str(rest), f"{body[:4]}.{body[4:6]}.{body[6:]}{rest}"))


def personnummer(rng: Random) -> str:
    """Make a Swedish personnummer."""
    year, month, day = birth(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}" + pattern("###", rng)
    century = rng.choice((str(year // 100), ""))
    return f"{century}{body[:6]}{rng.choice(('-', '-', ''))}{body[6:]}{luhn.calc_check_digit(body)}"


def hetu(rng: Random) -> str:
    """Make a Finnish personal identity code."""
    year, month, day = birth(rng)
    date, count = f"{day:02d}{month:02d}{year % 100:02d}", rng.randrange(2, 900)
    sign = "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(f"{date}{count:03d}") % 31]
    return f"{date}{'A' if year >= 2000 else '-'}{count:03d}{sign}"


def cpr(rng: Random) -> str:
    """Make a Danish CPR number; the check was given up in 2007."""
    year, month, day = birth(rng)
    return f"{day:02d}{month:02d}{year % 100:02d}{rng.choice(('-', '', ' '))}{pattern('####', rng)}"


def cnp(rng: Random) -> str:
    """Make a Romanian CNP."""
    year, month, day = birth(rng)
    first = rng.choice((5, 6) if year >= 2000 else (1, 2))
    body = f"{first}{year % 100:02d}{month:02d}{day:02d}{rng.randrange(1, 47):02d}{pattern('###', rng)}"
    rest = weighted(body, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return body + ("1" if rest == 10 else str(rest))


def rodne_cislo(rng: Random) -> str:
    """Make a Czech birth number."""
    year, month, day = birth(rng)
    body = f"{year % 100:02d}{month + rng.choice((0, 50)):02d}{day:02d}{pattern('###', rng)}"
    return f"{body[:6]}{rng.choice(('/', '/', ''))}{body[6:]}{int(body) % 11 % 10}"


def aadhaar(rng: Random) -> str:
    """Make an Indian Aadhaar number."""
    body = rng.choice("23456789") + pattern("##########", rng)
    return grouped(body + verhoeff.calc_check_digit(body), rng, separators=(" ", " ", ""))


def tc_kimlik(rng: Random) -> str:
    """Make a Turkish identity number."""
    body = rng.choice("123456789") + pattern("########", rng)
    odd, even = sum(map(int, body[::2])), sum(map(int, body[1::2]))
    body += str((odd * 7 - even) % 10)
    return body + str(sum(map(int, body)) % 10)


def nir(rng: Random) -> str:
    """Make a French social security number."""
    year, month, _ = birth(rng)
    body = f"{rng.choice('12')}{year % 100:02d}{month:02d}{rng.randrange(1, 96):02d}{pattern('######', rng)}"
    key = f"{97 - int(body) % 97:02d}"
    if rng.random() < 0.4:
        return body + key
    return f"{body[0]} {body[1:3]} {body[3:5]} {body[5:7]} {body[7:10]} {body[10:]} {key}"


def insz(rng: Random) -> str:
    """Make a Belgian national number."""
    year, month, day = birth(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{pattern('###', rng)}"
    key = f"{97 - int(('2' if year >= 2000 else '') + body) % 97:02d}"
    return rng.choice((body + key, f"{body[:2]}.{body[2:4]}.{body[4:6]}-{body[6:]}.{key}"))


def ahv(rng: Random) -> str:
    """Make a Swiss AHV number."""
    body = "756" + pattern("#########", rng)
    key = str(-weighted(body, (1, 3) * 6) % 10)
    return rng.choice((f"{body[:3]}.{body[3:7]}.{body[7:11]}.{body[11:]}{key}", body + key))


def steuer_id(rng: Random) -> str:
    """Make a German tax id."""
    body = rng.choice("123456789") + pattern("#########", rng)
    product = 10
    for sign in body:
        rest = (int(sign) + product) % 10 or 10
        product = rest * 2 % 11
    number = body + str((11 - product) % 10)
    return rng.choice((number, f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}"))


def chinese_id(rng: Random) -> str:
    """Make a Chinese resident identity number."""
    year, month, day = birth(rng)
    region = rng.choice(("110105", "310104", "440305", "510107", "320106"))
    body = f"{region}{year}{month:02d}{day:02d}{pattern('###', rng)}"
    rest = weighted(body, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return body + "10X98765432"[rest]


def rrn(rng: Random) -> str:
    """Make a South Korean resident registration number."""
    year, month, day = birth(rng)
    first = rng.choice("34" if year >= 2000 else "12")
    body = f"{year % 100:02d}{month:02d}{day:02d}{first}{pattern('#####', rng)}"
    key = (11 - weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return f"{body[:6]}-{body[6:]}{key}"


def inn(rng: Random) -> str:
    """Make a Russian INN of a person."""
    body = pattern("##########", rng)
    body += str(weighted(body, (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10)
    return body + str(weighted(body, (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10)


def israeli_id(rng: Random) -> str:
    """Make an Israeli identity number."""
    body = pattern("########", rng)
    return body + luhn.calc_check_digit(body)


def nhs(rng: Random) -> str:
    """Make a British NHS number."""
    while True:
        body = pattern("#########", rng)
        key = 11 - weighted(body, range(10, 1, -1)) % 11
        if key != 10:
            number = body + str(key % 11)
            return rng.choice((number, f"{number[:3]} {number[3:6]} {number[6:]}"))


def sin(rng: Random) -> str:
    """Make a Canadian SIN."""
    body = rng.choice("1234567") + pattern("#######", rng)
    return grouped(body + luhn.calc_check_digit(body), rng, size=3)


def nino(rng: Random) -> str:
    """Make a British national insurance number."""
    prefix = rng.choice("ABCEGHJKLMNOPRSTWXYZ") + rng.choice("ABCEGHJKLMNPRSTWXYZ")
    digits, suffix = pattern("######", rng), rng.choice("ABCD")
    return rng.choice((f"{prefix}{digits}{suffix}", f"{prefix} {digits[:2]} {digits[2:4]} {digits[4:]} {suffix}"))


def ssn(rng: Random) -> str:
    """Make a US social security number, in or out of the ranges that were ever given."""
    digits = pattern("#########", rng)
    return grouped_ssn(digits, rng)


def grouped_ssn(digits: str, rng: Random) -> str:
    """Write nine digits the way a US social security number is written."""
    separator = rng.choice(("-", "-", "-", " ", ""))
    return separator.join((digits[:3], digits[3:5], digits[5:]))


GOV_IDS: tuple[Maker, ...] = (
    pesel, cpf, dni, codice_fiscale, bsn, personnummer, hetu, cpr, cnp, rodne_cislo, aadhaar, tc_kimlik, nir, insz,
    ahv, steuer_id, chinese_id, rrn, inn, israeli_id, nhs, sin, nino, ssn, ssn,
)  # fmt: skip
_GOV_SHAPES = (
    "A########", "AA######", "AA#######", "#########", "C##XXXXXX", "P#######A", "A#######", "AAAAA######A##AA",
    "##-#######", "AAAAA####A", "XXX ### ###", "########", "## ## ######", "A-###-###-##-###-#", "AAA######AA",
    "A### ### ###", "### ### ###", "GB ### #### ##", "DE#########", "ATU########", "##.###.###-#", "AAAA######HAAAAA##",
)  # fmt: skip


def gov_id(rng: Random) -> str:
    """Make an identity, tax, passport or licence number of some forty kinds, one in three with a broken check."""
    if rng.random() < 0.3:
        return pattern(rng.choice(_GOV_SHAPES), rng)
    made = rng.choice(GOV_IDS)(rng)
    return broken(made, rng) if rng.random() < 0.35 else made
