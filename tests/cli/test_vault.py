"""`privguard vault status`, `rotate` and `purge`, as a user sees them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from privguard.cli.commands import app
from privguard.core.holding import Owner
from privguard.vault import SealedVault, SqliteStore, VaultKeys, open_vault
from tests.vault.homes import make_table

OLD, NEW, OTHER = "old" * 16, "new" * 16, "oth" * 16
OWNER = Owner(tenant="acme-tenant", scope="chat-scope")
PRIVATE = ("Ada Roth", "acme-tenant", "chat-scope", "resp_", OLD, NEW)


def invoke(*arguments: str, key: str = NEW) -> Result:
    result = CliRunner().invoke(app, ["vault", *arguments], env={"PRIVGUARD_VAULT_KEY": key, "PRIVGUARD_VAULT": ""})
    assert not any(text in result.output for text in PRIVATE)
    return result


def fill(path: Path, keys: str, *references: str) -> None:
    vault = open_vault(path, keys)
    for reference in references:
        vault.put(OWNER, reference, make_table())
    vault.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    fill(tmp_path / "vault.sqlite", OLD, "resp_1", "resp_2", "resp_3")
    fill(tmp_path / "vault.sqlite", NEW, "resp_4")
    return tmp_path / "vault.sqlite"


def expire(path: Path) -> None:
    """Keep one more table, whose time was over long ago."""
    vault = SealedVault(SqliteStore(path), VaultKeys.from_text(OLD), now=lambda: 1_000_000_000.0)
    vault.put(OWNER, "resp_5", make_table())
    vault.close()


def test_the_status_counts_tables_by_their_keys(path: Path) -> None:
    expire(path)
    shown = invoke("status", "--vault", str(path), "--json", key=f"{NEW},{OLD}")
    assert shown.exit_code == 0
    told = json.loads(shown.stdout)
    assert {name: told[name] for name in ("tables", "expired", "newest", "older", "foreign")} == {
        "tables": 5,
        "expired": 1,
        "newest": 1,
        "older": 4,
        "foreign": 0,
    }
    assert told["first_expiry"] < told["last_expiry"]
    told = json.loads(invoke("status", "--vault", str(path), "--json", key=OTHER).stdout)
    assert (told["newest"], told["older"], told["foreign"]) == (0, 0, 5)


def test_the_status_says_what_to_do(path: Path) -> None:
    for key, words in ((f"{NEW},{OLD}", "privguard vault rotate"), (NEW, "no key"), (OTHER, "no key")):
        shown = invoke("status", "--vault", str(path), key=key)
        assert shown.exit_code == 0
        assert words in " ".join(shown.stdout.split())
    fill(path.with_name("other.sqlite"), NEW)
    shown = invoke("status", "--vault", str(path.with_name("other.sqlite")))
    assert "empty" in shown.stdout
    assert "rotate" not in shown.stdout


def test_tables_are_put_under_the_newest_key_and_stay_what_they_are(path: Path) -> None:
    done = invoke("rotate", "--vault", str(path), key=f"{NEW},{OLD}")
    assert (done.exit_code, done.stdout) == (0, "3 tables moved under the newest key; the older keys may go\n")
    again = invoke("rotate", "--vault", str(path), key=f"{NEW},{OLD}")
    assert (again.exit_code, again.stdout) == (0, "0 tables moved under the newest key; the older keys may go\n")
    assert open_vault(path, NEW).get(OWNER, "resp_1") == make_table()


def test_what_no_key_opens_is_left_and_said(path: Path) -> None:
    done = invoke("rotate", "--vault", str(path))
    assert (done.exit_code, done.stdout) == (1, "0 tables moved under the newest key\n")
    assert "3 tables" in done.stderr
    assert open_vault(path, OLD).get(OWNER, "resp_1") == make_table()


def test_what_has_expired_is_removed(path: Path) -> None:
    expire(path)
    assert (done := invoke("purge", "--vault", str(path))).exit_code == 0
    assert done.stdout == "1 table removed\n"
    assert invoke("purge", "--vault", str(path)).stdout == "0 tables removed\n"


@pytest.mark.parametrize("command", ["status", "rotate", "purge"])
def test_what_cannot_be_used_is_exit_code_2(command: str, tmp_path: Path, path: Path) -> None:
    missing = tmp_path / "none.sqlite"
    text = tmp_path / "text.sqlite"
    text.write_text("no database of anybody, but a text that is long enough to look like one")
    for place, key, words in (
        ("", NEW, "PRIVGUARD_VAULT"),
        ("off", NEW, "PRIVGUARD_VAULT"),
        ("memory:", NEW, "process"),
        ("notes.txt", NEW, "names no vault"),
        (str(missing), NEW, "there is no vault"),
        (str(text), NEW, "text.sqlite"),
        (str(path), "", "PRIVGUARD_VAULT_KEY"),
        (str(path), "short", "32"),
        ("redis://:an-invented-password@127.0.0.1:1/0", NEW, "vault"),
    ):
        result = invoke(command, *(["--vault", place] if place else []), key=key)
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr
        assert "an-invented-password" not in result.output
        assert len(result.stderr.splitlines()) == 1
    assert not missing.exists()


def test_the_key_may_have_another_name(path: Path) -> None:
    result = CliRunner().invoke(app, ["vault", "purge", "--vault", str(path), "--key-env", "OTHER"], env={"OTHER": NEW})
    assert result.exit_code == 0
    result = CliRunner().invoke(app, ["vault", "purge", "--vault", str(path), "--key-env", "OTHER"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "OTHER is not set" in result.stderr
