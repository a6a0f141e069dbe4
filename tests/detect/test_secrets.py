import socket
from collections.abc import Callable
from importlib import import_module

import pytest

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.detect.secrets import SecretDetector

Find = Callable[[str], list[tuple[str, EntityType]]]

# Keys are put together here so that no scanner takes this file for a leak.
_A = "a1B2c3D4e5F6g7H8i9J0"
KEYS = (
    "sk-" + _A * 2,
    "sk-proj-" + _A + "_" + _A,
    "sk-ant-" + "api03-" + _A + "-" + _A,
    "ghp_" + _A[:18] * 2,
    "github_pat_" + _A + "_" + _A,
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + _A + _A[:15],
    "xoxb-" + "123456789012-" + _A,
    "sk_live_" + _A + _A[:4],
    "glpat-" + _A,
    "hf_" + _A,
    "npm_" + _A + _A[:16],
    "SG." + _A + "ab." + _A * 2 + "abc",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0." + "c2lnbmF0dXJlLXBhcnQ",
    "1234567890:AA" + _A + _A[:13],
    "pypi-" + "AgEIcHlwaS5vcmc" + _A * 4,
)
_BODY = "MIIEowIBAAKCAQEA" * 4


def _values(find: Find, text: str) -> list[str]:
    found = find(text)
    assert all(kind is EntityType.SECRET for _, kind in found)
    return [value for value, _ in found]


@pytest.mark.parametrize("number", range(len(KEYS)))
@pytest.mark.parametrize(("before", "after"), [("", ""), ("use ", " now"), ('"', '",'), ("=", "\n"), ("(", ").")])
def test_provider_keys_are_found_whole(secrets_in: Find, number: int, before: str, after: str) -> None:
    assert _values(secrets_in, before + KEYS[number] + after) == [KEYS[number]]


@pytest.mark.parametrize("kind", ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_a_private_key_is_one_span(secrets_in: Find, kind: str) -> None:
    block = f"-----BEGIN {kind}-----\n{_BODY}\n{_BODY}\n-----END {kind}-----"
    assert _values(secrets_in, f"key:\n{block}\nthanks") == [block]


def test_a_private_key_whose_end_is_missing_is_covered_as_far_as_it_goes(secrets_in: Find) -> None:
    block = f"-----BEGIN RSA PRIVATE KEY-----\n{_BODY}\n{_BODY}"
    assert _values(secrets_in, block) == [block]


def test_escaped_line_breaks_do_not_cut_a_private_key(secrets_in: Find) -> None:
    block = f"-----BEGIN PRIVATE KEY-----\\n{_BODY}\\n-----END PRIVATE KEY-----"
    assert _values(secrets_in, f'{{"private_key": "{block}"}}') == [block]


def test_a_public_key_is_no_secret(secrets_in: Find) -> None:
    assert _values(secrets_in, f"-----BEGIN PUBLIC KEY-----\n{_BODY}\n-----END PUBLIC KEY-----") == []


def test_the_settings_of_detect_secrets_stay_as_they_are() -> None:
    settings = import_module("detect_secrets.settings").get_settings()
    before = settings.json()
    text = "password: hunter2, AKIA" + "ABCDEFGHIJKLMNOP"
    segment = Segment(path="a", role=Role.USER, channel=Channel.TEXT, text=text)
    assert len(SecretDetector().detect([segment])[0]) >= 2
    assert settings.json() == before


def test_nothing_is_verified_over_the_network(secrets_in: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "__init__", refuse)
    assert len(_values(secrets_in, "\n".join(KEYS))) == len(KEYS)
