from typing import Any

import pytest

from privguard.core.errors import ConfigError
from privguard_adapters.gateway.settings import Settings, is_loopback

UPSTREAM = "https://api.model.example/v1"


def test_a_slash_at_the_end_of_the_upstream_changes_nothing() -> None:
    assert Settings(upstream=UPSTREAM + "/").base_url == Settings(upstream=UPSTREAM).base_url == UPSTREAM


@pytest.mark.parametrize(
    "upstream",
    [
        "",
        "api.model.example/v1",
        "ftp://model.example",
        "https://",
        "https://model.example:0/v1",
        "https://model.example:x/v1",
        "https://[::1/v1",
        "https://model.example/v1?tenant=hunter2",
        "https://model.example/v1#hunter2",
        "https://ada:hunter2@model.example/v1",
        "https://model.example/ v1",
        "https://model.example/\nv1",
    ],
    ids=range(12),
)
def test_a_wrong_upstream_is_refused_without_repeating_it(upstream: str) -> None:
    with pytest.raises(ConfigError, match="upstream") as caught:
        Settings(upstream=upstream)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": -1},
        {"port": 65536},
        {"max_body_bytes": 0},
        {"max_requests": 0},
        {"body_timeout_s": 0},
        {"connect_timeout_s": 0},
        {"read_timeout_s": -1},
        {"write_timeout_s": 0},
        {"grace_s": -1},
        {"forward_headers": ("X-Team",)},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_wrong_number_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        Settings(upstream=UPSTREAM, **wrong)


@pytest.mark.parametrize("host", ["::", "192.0.2.1", "gateway.example", ""])
def test_an_address_that_others_reach_must_be_wanted(host: str) -> None:
    with pytest.raises(ConfigError, match="--allow-public"):
        Settings(upstream=UPSTREAM, host=host)
    assert Settings(upstream=UPSTREAM, host=host, allow_public=True).host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "LOCALHOST"])
def test_loopback_addresses_are_this_machine_alone(host: str) -> None:
    assert is_loopback(host)
    assert Settings(upstream=UPSTREAM, host=host).host == host


def test_an_upstream_without_tls_is_known_unless_it_is_here() -> None:
    assert Settings(upstream="http://model.example/v1").upstream_in_clear
    assert not Settings(upstream="http://127.0.0.1:1/v1").upstream_in_clear
    assert not Settings(upstream=UPSTREAM).upstream_in_clear


def test_a_repr_does_not_show_the_upstream() -> None:
    assert "model.example" not in repr(Settings(upstream=UPSTREAM))
