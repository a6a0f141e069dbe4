"""A vault is named by a text, and what is wrong with the text is told."""

import sys
from pathlib import Path

import pytest

from privguard.core.errors import ConfigError
from privguard.core.holding import Owner
from privguard.vault import VaultKeys, open_vault
from privguard.vault.opening import vault_file
from tests.vault.homes import make_table

KEY = "an-invented-key-of-the-vault-no-1"


@pytest.mark.parametrize("name", ["vault.sqlite", "vault.SQLITE3", "vault.db", "sqlite"])
def test_a_file_is_a_database(tmp_path: Path, name: str) -> None:
    spec = f"sqlite:///{tmp_path}/plain" if name == "sqlite" else tmp_path / name
    vault = open_vault(spec, KEY)
    vault.put(Owner(), "resp_1", make_table())
    vault.close()
    again = open_vault(str(spec), VaultKeys.from_text(KEY))
    assert again.get(Owner(), "resp_1") == make_table()
    again.close()


def test_a_vault_in_memory_makes_a_key_of_its_own() -> None:
    vault = open_vault("memory:")
    vault.put(Owner(), "resp_1", make_table())
    assert vault.get(Owner(), "resp_1") == make_table()
    assert open_vault("memory:").get(Owner(), "resp_1") is None


def test_redis_is_named_by_its_url(redis_socket: str) -> None:
    first, second = (open_vault(f"unix://{redis_socket}?db=4", KEY.encode()) for _ in range(2))
    first.put(Owner(), "resp_1", make_table())
    assert second.get(Owner(), "resp_1") == make_table()
    first.close()
    second.close()


@pytest.mark.parametrize("spec", ["vault.sqlite", "redis://127.0.0.1/0", "sqlite:///vault"])
@pytest.mark.parametrize("keys", [None, "", b""])
def test_a_vault_that_outlives_the_process_needs_a_key(spec: str, keys: str | bytes | None) -> None:
    with pytest.raises(ConfigError, match="PRIVGUARD_VAULT_KEY to at least 32 random characters, such as from python"):
        open_vault(spec, keys)


@pytest.mark.parametrize("spec", ["", "vault", "memory", "vault.txt", "postgres://host", ":memory:", "off"])
def test_a_name_of_no_vault_is_told(spec: str) -> None:
    with pytest.raises(ConfigError, match="names no vault"):
        open_vault(spec, KEY)


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigError, match=r"privguard\[redis\]"):
        open_vault("redis://127.0.0.1/0", KEY)


def test_nothing_is_written_where_the_key_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        open_vault(tmp_path / "vault.sqlite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("a/vault.sqlite", "a/vault.sqlite"),
        ("vault.DB", "vault.DB"),
        ("sqlite:////a/vault", "/a/vault"),
        ("memory:", None),
        ("redis://127.0.0.1/vault.db", None),
        ("vault.txt", None),
    ],
)
def test_the_file_of_a_vault_is_known(spec: str, path: str | None) -> None:
    assert vault_file(spec) == path
