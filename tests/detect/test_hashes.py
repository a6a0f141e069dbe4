import random
import string

import pytest

from privguard.core.entities import EntityType
from privguard.detect.hashes import find_hashes
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared

_B64 = string.ascii_letters + string.digits + "./"


def _of(length: int, signs: str = _B64) -> str:
    draw = random.Random(length)  # noqa: S311 - no hash of anything
    return "".join(draw.choice(signs) for _ in range(length))


_HEX = "0123456789abcdef"
HASHES = (
    f"$argon2id$v=19$m=65536,t=3,p=4${_of(22)}${_of(43)}",
    f"$2b$12${_of(53)}",
    f"$2y$10${_of(53)}",
    f"$6$rounds=5000${_of(16)}${_of(86)}",
    f"$6${_of(16)}${_of(86)}",
    f"$5${_of(16)}${_of(43)}",
    f"$1${_of(8)}${_of(22)}",
    f"$apr1${_of(8)}${_of(22)}",
    f"$y$j9T${_of(22)}${_of(43)}",
    f"$P$B{_of(30)}",
    f"$krb5tgs$23$*svc$EXAMPLE$http*${_of(32, _HEX)}${_of(200, _HEX)}",
    f"pbkdf2_sha256$600000${_of(22, _HEX)}${_of(43, _HEX)}=",
    f"pbkdf2:sha256:600000${_of(16, _HEX)}${_of(64, _HEX)}",
    f"scrypt:32768:8:1${_of(16, _HEX)}${_of(128, _HEX)}",
    "{SSHA}" + _of(38, _HEX) + "==",
    "{CRYPT}" + f"$6${_of(8)}${_of(86)}",
    f"SCRAM-SHA-256$4096:{_of(22, _HEX)}==${_of(43, _HEX)}=:{_of(43, _HEX)}=",
    "*" + _of(40, "0123456789ABCDEF"),
    "md5" + _of(32, _HEX),
)


def _found(text: str) -> list[tuple[str, EntityType]]:
    return [(text[span.start : span.end], span.kind) for span in merge(find_hashes(Prepared(text=text)), text)]


@pytest.mark.parametrize("number", range(len(HASHES)))
@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("stored ", " there"), ('"', '",'), ("hash: ", "\n"), ("(", ")"), ("bcrypt_sha256$", "")],
)
def test_stored_passwords_are_found_whole(number: int, before: str, after: str) -> None:
    assert _found(before + HASHES[number] + after) == [(HASHES[number], EntityType.SECRET)]


def test_a_line_of_shadow_tells_whose_password_it_is() -> None:
    line = f"tala:{HASHES[4]}:19000:0:99999:7:::"
    assert _found(f"root:*:1:0:::\n{line}\n") == [("tala", EntityType.USERNAME), (HASHES[4], EntityType.SECRET)]


def test_both_hashes_of_windows_are_one_secret() -> None:
    pair = f"{_of(32, _HEX)}:{_of(32, _HEX)}"
    assert _found(f"Administrator:500:{pair}:::") == [(pair, EntityType.SECRET)]


def test_slashes_of_php_do_not_cut_a_hash() -> None:
    value = "$2y$10$" + "aB/" * 17 + "xY"
    escaped = value.replace("/", "\\/")
    assert _found(f'{{"hash":"{escaped}"}}') == [(escaped, EntityType.SECRET)]


@pytest.mark.parametrize(
    "text",
    [
        "it costs $5$ or $6, not $1$",
        "echo $1$HOME$2",
        "let $x$ be a number and $y$ another of them",
        "d41d8cd98f00b204e9800998ecf8427e  empty.txt",
        "md5 d41d8cd98f00b204e9800998ecf8427e",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "0x0200 and *0123ABCD* and {SHA}",
    ],
)
def test_amounts_checksums_and_formulas_are_no_stored_passwords(text: str) -> None:
    assert _found(text) == []
