import random
import string

import pytest

from privguard.core.entities import EntityType
from privguard.detect.prepared import Prepared
from privguard.detect.published import find_published

_HEX = "0123456789abcdef"
_ANY = string.ascii_letters + string.digits
_SMALL = string.ascii_lowercase + string.digits
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE32 = string.ascii_uppercase + "234567"
_UUID = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"

# The keys are drawn here so that no scanner takes this file for a leak: literal parts, and how many of which signs.
FORMS: tuple[tuple[str | tuple[int, str], ...], ...] = (
    ("xprv9", (106, _BASE58)),
    ("v1.0-", (24, _HEX), "-", (146, _HEX)),
    ("ops_eyJ", (300, _ANY)),
    ("access_token$production$", (16, _SMALL), "$", (32, _HEX)),
    ("1/", (16, string.digits), ":", (32, _HEX)),
    ("2/", (16, string.digits), "/", (16, string.digits), ":", (32, _HEX)),
    ("sbp_", (40, _HEX)),
    ("sntryu_", (64, _HEX)),
    ("sntrys_eyJ", (140, _ANY), "=_", (43, _ANY)),
    ("dapi", (32, _HEX)),
    ("dapi", (32, _HEX), "-2"),
    ("hvs.", (90, _ANY)),
    ("hvb.", (160, _ANY)),
    ("dp.pt.", (43, _ANY)),
    ("dp.st.dev_eu.", (43, _ANY)),
    ("doo_v1_", (64, _HEX)),
    ("dor_v1_", (64, _HEX)),
    ("dop_v1_", (64, _HEX)),
    ("fo1_", (43, _ANY)),
    ("fm2_", (120, _ANY), "=="),
    ("glsa_", (32, _ANY), "_", (8, _HEX)),
    ("glc_", (120, _ANY), "=="),
    ("pul-", (40, _HEX)),
    ("xai-", (80, _ANY)),
    ("pplx-", (48, _ANY)),
    ("lsv2_pt_", (32, _HEX), "_", (10, _HEX)),
    ("xkeysib-", (64, _HEX), "-", (16, _ANY)),
    ("HRKU-", (36, _ANY)),
    ("rubygems_", (48, _HEX)),
    ("oy2", (43, _SMALL)),
    ((3, _ANY), "8Q~", (34, _ANY)),
    ("5", (50, _BASE58)),
    ("K", (51, _BASE58)),
    ("M", (25, _ANY), ".", (6, _ANY), ".", (38, _ANY)),
    (
        "A3-",
        (6, _BASE32),
        "-",
        (6, _BASE32),
        "-",
        (5, _BASE32),
        "-",
        (5, _BASE32),
        "-",
        (5, _BASE32),
        "-",
        (5, _BASE32),
    ),
    ("pat", (14, _ANY), ".", (64, _HEX)),
    ("ATBB", (32, _ANY)),
    ("NRAK-", (27, _BASE32)),
    ("dt0c01.", (24, _BASE32), ".", (64, _BASE32)),
    ((14, _ANY), ".atlasv1.", (67, _ANY)),
    ((76, _ANY), "AZDO", (4, _ANY)),
    ("re_", (8, _ANY), "_", (24, _ANY)),
    ("rzp_live_", (14, _ANY)),
    ("ntn_", (46, _ANY)),
    ("nsec1", (58, "023456789acdefghjklmnpqrstuvwxyz")),
    ("SU", (56, _BASE32)),
    ("glpat-", (27, _ANY), ".01.", (9, _SMALL)),
    ("1//0", (90, _ANY)),
)


def _key(form: tuple[str | tuple[int, str], ...], seed: int) -> str:
    draw = random.Random(seed)  # noqa: S311 - no key of anybody
    return "".join(
        part if isinstance(part, str) else "".join(draw.choice(part[1]) for _ in range(part[0])) for part in form
    )


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_published(Prepared(text=text))]


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_published_forms_are_found_whole_wherever_they_stand(number: int) -> None:
    for seed in range(8):
        key = _key(FORMS[number], seed)
        for before, after in (("", ""), ("use ", " now"), ('"', '",'), ("=", "\n"), ("(", ")."), ("sent ", ", then")):
            assert key in _found(before + key + after)


def test_they_are_certain_secrets() -> None:
    (span,) = find_published(Prepared(text=_key(FORMS[9], 1)))
    assert (span.kind, span.score) == (EntityType.SECRET, 0.95)


def test_the_groups_of_an_authenticator_are_one_secret() -> None:
    groups = "ua6n 75kc 6xfo 2fko u4mv vayg nruy k2ab"
    assert _found(f"scan failed, so type: {groups}, please") == [groups]


@pytest.mark.parametrize(
    "text",
    [
        "pa-this-is-how-to-write-the-name-of-the-longest",
        "use hvs.xxxxxxxxxxxxxxxxxxxxxxxxxxxx for now",
        "export HRKU-your-token-from-the-settings-page-of-it",
        "secret_access_key and re_exported names in glc_settings",
        "upgrade to v1.0-rc1, 1/2 of 1/1234567890 pages",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "some text that only ends here with four long word sets",
        "DE44 5001 0517 5407 3249 31",
        "QmYwAPJzv5CZsnAzt8auVTLpBcXNmMzKKQNMn9FmGaBc1",
        "pattern patients patio cio ciocolata SCW",
        "mfa.example and sl.SomeClass.some_method",
    ],
)
def test_words_hashes_and_versions_are_no_keys(text: str) -> None:
    assert _found(text) == []
