from pathlib import Path

import pytest

from privguard.api import load_guard
from privguard.cli.check import Check, Status
from privguard.cli.checks import check_key, check_proxies, check_setup, check_target, check_vault, describe_parts
from privguard.core.targets import Provenance
from privguard.testing import FakeDetector, FakeProfiles

GUARD = load_guard(detector=FakeDetector({}), profiles={}, audit="off")


def by_name(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.name: check for check in checks}


@pytest.mark.parametrize(
    ("key", "status"), [(None, Status.NOTE), ("", Status.NOTE), ("zebra", Status.FAIL), ("zebra" * 9, Status.OK)]
)
def test_a_key_is_judged_and_never_shown(key: str | None, status: Status) -> None:
    check = check_key(key)
    assert check.status is status
    assert "zebra" not in repr(check)


def test_proxies_are_named_without_their_credentials() -> None:
    check = check_proxies({"https_proxy": "http://me:zebra@proxy.example:8080", "HTTP_PROXY": "zebra"})
    assert check.status is Status.NOTE
    assert "https_proxy=proxy.example" in check.detail
    assert "zebra" not in repr(check)
    assert check_proxies({}).status is Status.OK


def test_an_unknown_target_is_a_note_and_a_missing_profile_a_failure() -> None:
    assert check_target(GUARD, "gpt-5", None).status is Status.OK
    unknown = check_target(GUARD, "no-such-model", None)
    assert unknown.status is Status.NOTE
    assert "unknown model" in unknown.remedy
    assert check_target(GUARD, "gpt-5", "no-such-profile").status is Status.FAIL
    own = load_guard(detector=FakeDetector({}), profiles=FakeProfiles(provenance=Provenance.CALIBRATED), audit="off")
    assert "calibrated" in check_target(own, "m", None).detail


def test_the_parts_of_the_guard_are_named() -> None:
    parts = by_name(tuple(describe_parts(GUARD)))
    assert parts["detector"].detail == "fake-detector/1"


def test_a_broken_profile_file_and_an_unwritable_log_fail_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "profiles.toml"
    broken.write_text("zebra zebra")
    monkeypatch.setenv("PRIVGUARD_AUDIT", str(tmp_path / "profiles.toml" / "audit.jsonl"))
    findings = check_setup(target=None, profile=None, profiles=broken)
    checks = by_name(findings.checks)
    assert findings.guard is None
    for name in ("profiles", "audit log", "guard"):
        assert checks[name].status is Status.FAIL
        assert checks[name].remedy
    assert "zebra" not in repr(findings)


def test_a_log_that_is_switched_off_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_AUDIT", "off")
    findings = check_setup(target="gpt-5", profile=None, profiles=None)
    checks = by_name(findings.checks)
    assert checks["audit log"].status is Status.NOTE
    assert checks["target"].status is Status.OK
    assert findings.guard is not None


@pytest.mark.parametrize(
    ("place", "key", "status", "told"),
    [
        ("", "", Status.ABSENT, "PRIVGUARD_VAULT names one"),
        ("off", "", Status.ABSENT, "none"),
        ("memory:", "", Status.OK, "memory:, writable"),
        ("vault.sqlite", "k" * 32, Status.OK, "vault.sqlite, writable"),
        ("vault.sqlite", "", Status.FAIL, "set PRIVGUARD_VAULT_KEY"),
        ("vault.sqlite", "short", Status.FAIL, "(PRIVGUARD_VAULT_KEY) has 5 bytes"),
        ("vault.txt", "k" * 32, Status.FAIL, "PRIVGUARD_VAULT) names no vault"),
        ("redis://:hunter2@127.0.0.1:1/0", "k" * 32, Status.FAIL, "cannot reach the vault in Redis"),
    ],
    ids=["none", "off", "memory", "file", "no key", "short key", "no vault", "no server"],
)
def test_the_vault_is_tried_and_what_is_wrong_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str, key: str, status: Status, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRIVGUARD_VAULT", place)
    monkeypatch.setenv("PRIVGUARD_VAULT_KEY", key)
    check = check_vault()
    assert (check.name, check.status) == ("vault", status)
    assert told in check.detail
    assert ("PRIVGUARD_VAULT" in check.remedy) is (status is Status.FAIL)
    assert "hunter2" not in check.detail + check.remedy
