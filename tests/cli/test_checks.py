import re
from pathlib import Path

import pytest

from privguard.api import load_guard
from privguard.cli.checks import (
    Check,
    Status,
    check_extras,
    check_key,
    check_model,
    check_proxies,
    check_setup,
    check_target,
    check_vault,
    describe_parts,
    installed_extras,
    needed_extras,
)
from privguard.cli.settings import DetectorName
from privguard.core.targets import Provenance
from privguard.encoder.loading import default_model
from privguard.testing import FakeDetector, FakeProfiles

MODEL = Path(__file__).parents[1] / "encoder" / "model"
GUARD = load_guard(detector=FakeDetector({}), profiles={}, audit="off")


def by_name(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_two_runtimes_exclude_each_other() -> None:
    both = {"cpu": {"onnxruntime": "1.31.0"}, "gpu": {"onnxruntime-gpu": "1.31.0"}}
    *_, runtime = check_extras(both)
    assert runtime.status is Status.FAIL
    assert "uninstall" in runtime.remedy
    one = {"cpu": {"onnxruntime": "1.31.0"}, "gpu": {"onnxruntime-gpu": ""}}
    assert [check.status for check in check_extras(one)] == [Status.OK, Status.ABSENT]


def test_an_extra_that_is_half_installed_is_worth_a_word_where_it_is_needed() -> None:
    half = {"presidio": {"spacy": "3.8", "model": ""}}
    [check] = check_extras(half, {"presidio"})
    assert (check.status, check.detail) == (Status.NOTE, "spacy 3.8; missing: model")
    assert "privguard[presidio]" in check.remedy
    [check] = check_extras(half)
    assert (check.status, check.remedy) == (Status.ABSENT, "")


def test_presidio_is_needed_where_no_model_finds_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRIVGUARD_MODEL", raising=False)
    assert needed_extras(DetectorName.RULES) == frozenset()
    assert (needed_extras(DetectorName.DEFAULT) == frozenset()) is (default_model() is not None)
    monkeypatch.setenv("PRIVGUARD_MODEL", "off")
    assert needed_extras(DetectorName.DEFAULT) == {"presidio"}


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [("PRIVGUARD_DEVICE", "gpu", "device"), ("PRIVGUARD_THREADS", "99999999999", "threads")],
)
def test_the_variable_that_is_wrong_is_the_one_to_correct(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, name: str
) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", str(MODEL))
    monkeypatch.setenv(variable, value)
    (check,) = check_model()
    assert (check.name, check.status) == (name, Status.FAIL)
    assert variable in check.detail
    assert check.remedy.startswith(f"set {variable} to")


def test_a_cuda_that_is_not_there_is_told_by_the_variable_that_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", str(MODEL))  # it has no graph for CUDA
    monkeypatch.setenv("PRIVGUARD_DEVICE", "cuda")
    (check,) = check_model()
    assert check.status is Status.FAIL
    assert "PRIVGUARD_DEVICE to auto or cpu" in check.remedy


def test_the_extras_come_from_the_metadata_of_the_package() -> None:
    extras = installed_extras()
    assert {"cpu", "gpu", "openai", "presidio"} <= extras.keys()
    assert "dev" not in extras
    assert extras["openai"].keys() == {"openai"}


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


def test_the_model_is_named_with_its_device_and_the_time_that_loading_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", str(MODEL))
    checks = by_name(tuple(check_model()))
    assert re.fullmatch(r"tables-1-[0-9a-f]{12}, loaded in \d+ ms", checks["model"].detail)
    assert checks["device"].detail == "cpu"


def test_a_model_that_cannot_be_opened_is_a_failure_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", "no-such-model")
    (check,) = check_model()
    assert check.status is Status.FAIL
    assert "no model is called no-such-model" in check.detail
    assert "PRIVGUARD_MODEL" in check.remedy


def test_rules_alone_run_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRIVGUARD_MODEL", raising=False)
    assert by_name(tuple(check_model(DetectorName.RULES)))["device"].detail.startswith("none needed")


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
