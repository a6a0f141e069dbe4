"""Cards, accounts and wallets; addresses, numbers and names of devices."""

from random import Random

from stdnum import luhn

from privguard.research.training.check_digits import broken, grouped
from privguard.research.training.rendering import pattern

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "023456789acdefghjklmnpqrstuvwxyz"
_ROLES = ("db", "web", "mail", "nas", "jump", "app", "build", "ws", "lt", "edge", "vpn", "print", "cam")
_SITES = ("osl", "fra", "lon", "prod", "stg", "hq", "lab", "eu1", "nyc", "sin", "osprey", "heron")
_SERIALS = (
    "5CD####BBB",
    "C02BB###BBBB",
    "SN-########",
    "AAA#####AA",
    "FBFA####BBBB",
    "##BB-#####",
    "PF#AB###",
    "AABB########",
    "D-####-AAA",
)
IBANS = {
    "DE": "##################",
    "FR": "##########***********##".replace("*", "B"),
    "GB": "AAAA##############",
    "NL": "AAAA##########",
    "ES": "####################",
    "IT": "A######################",
    "PL": "########################",
    "AT": "################",
    "CH": "#################",
    "BE": "############",
    "PT": "#####################",
    "SE": "####################",
    "NO": "###########",
    "DK": "##############",
    "FI": "##############",
    "CZ": "####################",
    "RO": "AAAABBBBBBBBBBBBBBBB",
    "HU": "########################",
    "GR": "#######BBBBBBBBBBBBBBBB",
    "IE": "AAAA##############",
    "TR": "######BBBBBBBBBBBBBBBB",
    "AE": "###################",
    "SA": "##BBBBBBBBBBBBBBBBBB",
    "IL": "###################",
    "UA": "######BBBBBBBBBBBBBBBBBBB",
    "LT": "################",
    "HR": "#################",
    "BG": "AAAA######BBBBBBBB",
}


def card(rng: Random) -> str:
    """Make a payment card number of a common brand."""
    prefix = rng.choice(("4", "51", "53", "55", "2221", "6011", "3528", "62", "37"))
    length = 15 if prefix == "37" else 16
    body = prefix + pattern("#" * (length - 1 - len(prefix)), rng)
    number = body + luhn.calc_check_digit(body)
    if length == 15:
        return rng.choice((number, f"{number[:4]} {number[4:10]} {number[10:]}"))
    return grouped(number, rng)


def iban(rng: Random) -> str:
    """Make an IBAN with right check digits."""
    country = rng.choice(tuple(IBANS))
    account = pattern(IBANS[country], rng)
    digits = "".join(str(int(sign, 36)) for sign in account + country + "00")
    number = f"{country}{98 - int(digits) % 97:02d}{account}"
    return grouped(number, rng, separators=(" ", " ", ""))


def imei(rng: Random) -> str:
    """Make an IMEI."""
    body = "35" + pattern("############", rng)
    number = body + luhn.calc_check_digit(body)
    return rng.choice((number, f"{number[:2]}-{number[2:8]}-{number[8:14]}-{number[14]}", f"{number[:6]} {number[6:]}"))


def vin(rng: Random) -> str:
    """Make a vehicle identification number, without its check digit."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
    maker = rng.choice(("WVW", "1HG", "WBA", "JTD", "VF1", "KMH", "5YJ", "1FT", "ZFA", "SAL", "TMB", "YV1"))
    return maker + "".join(rng.choice(letters) for _ in range(8)) + pattern("######", rng)


def plate(rng: Random) -> str:
    """Make a number plate in the pattern of one of many countries."""
    shape = rng.choice(
        (
            "AA## AAA", "AA##AAA", "A-AA ###", "AA-A ####", "AAA-AA ##", "AA-###-AA", "AA ### AA", "#### AAA",
            "AAA ####", "AAA-####", "#AAA###", "AAA ###", "AA-##-AA", "##-AA-##", "AAA#A##", "AA #####", "A ### AA ##",
            "## A #####", "AA ## AAA", "A ####", "##A-#####",
        )
    )  # fmt: skip
    return pattern(shape, rng)


def fin_account(rng: Random) -> str:
    """Make a card, an IBAN, a domestic account or a wallet, some with a broken check."""
    draw = rng.random()
    if draw < 0.6:
        made = card(rng) if draw < 0.3 else iban(rng)
        return broken(made, rng) if rng.random() < 0.35 else made
    shapes = (
        "##-##-## ########", "######## / ##-##-##", "#########", "############", "#### #### ##", "###-######",
        "##########", "021###### ##########", "###-###-######", "##########/####", "######### ########",
        "JISA-####-####", "AA-#####-##", "0####-#####-#", "####.##.#####",
    )  # fmt: skip
    if draw < 0.85:
        return pattern(rng.choice(shapes), rng)
    return wallet(rng)


def wallet(rng: Random) -> str:
    """Make the address of a wallet of one of four currencies."""
    kind = rng.randrange(4)
    if kind == 0:
        return "0x" + pattern("x" * 40, rng)
    if kind == 1:
        return "bc1q" + "".join(rng.choice(_BECH32) for _ in range(38))
    return rng.choice(("1", "3", "T")) + "".join(rng.choice(_BASE58) for _ in range(33))


def mac(rng: Random) -> str:
    """Make a hardware address of a network card."""
    return pattern(rng.choice((":", ":", "-")).join([rng.choice(("xx", "XX"))] * 6), rng)


def serial(rng: Random) -> str:
    """Make the serial number of an appliance."""
    return pattern(rng.choice(_SERIALS), rng)


def device_id(rng: Random) -> str:
    """Make an address, a hardware number, a host name, a plate or a serial number."""
    makers = (ip_address, mac, imei, vin, plate, serial, host)
    made = rng.choices(makers, (30, 12, 12, 10, 18, 10, 8))[0](rng)
    return broken(made, rng) if rng.random() < 0.1 and any(sign.isdigit() for sign in made) else made


def ip_address(rng: Random) -> str:
    """Make an IPv4 or IPv6 address, some with a prefix length."""
    if rng.random() < 0.25:
        groups = [pattern("x" * rng.randrange(1, 5), rng) for _ in range(8)]
        if rng.random() < 0.6:
            return "2001:db8:" + ":".join(groups[: rng.randrange(1, 4)]) + "::" + groups[7]
        return ":".join(groups)
    first = rng.choice((10, 192, 172, 203, 198, 185, 84, 91, 141, 78, rng.randrange(1, 224)))
    rest = (168 if first == 192 else rng.randrange(256), rng.randrange(256), rng.randrange(1, 255))
    suffix = rng.choice(("/24", "/32", "/16", "/28")) if rng.random() < 0.12 else ""
    return ".".join(map(str, (first, *rest))) + suffix


def host(rng: Random) -> str:
    """Make the name of a machine, as logs and configuration files give it."""
    role, place = rng.choice(_ROLES), rng.choice(_SITES)
    number = rng.randrange(1, 40)
    name = rng.choice((f"{role}-{place}-{number:02d}", f"{role}{number}", f"{place}-{role}{number % 9 + 1}"))
    return name + rng.choice(("", "", ".lan", ".local", ".internal", ".corp.example"))
