import re
from pathlib import Path

import pytest

from privguard.cli.check import Check, Status
from privguard.cli.model_checks import check_model
from privguard.cli.settings import DetectorName, Wanted

MODEL = Path(__file__).parents[1] / "encoder" / "model"


def by_name(wanted: Wanted) -> dict[str, Check]:
    return {check.name: check for check in check_model(wanted)}


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [("PRIVGUARD_DEVICE", "gpu", "device"), ("PRIVGUARD_THREADS", "99999999999", "threads")],
)
def test_the_variable_that_is_wrong_is_the_one_to_correct(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, name: str
) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", str(MODEL))
    monkeypatch.setenv(variable, value)
    (check,) = check_model(Wanted())
    assert (check.name, check.status) == (name, Status.FAIL)
    assert variable in check.detail
    assert check.remedy.startswith(f"set {variable} to")


def test_a_cuda_that_is_not_there_is_told_by_the_variable_that_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", str(MODEL))  # it has no graph for CUDA
    monkeypatch.setenv("PRIVGUARD_DEVICE", "cuda")
    (check,) = check_model(Wanted())
    assert check.status is Status.FAIL
    assert "PRIVGUARD_DEVICE to auto or cpu" in check.remedy


def test_the_model_is_named_with_its_device_and_the_time_that_loading_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", str(MODEL))
    checks = by_name(Wanted())
    assert re.fullmatch(r"tables-1-[0-9a-f]{12}, loaded in \d+ ms", checks["model"].detail)
    assert checks["device"].detail == "cpu"


def test_a_model_that_cannot_be_opened_is_a_failure_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", "no-such-model")
    (check,) = check_model(Wanted())
    assert check.status is Status.FAIL
    assert "no model is called no-such-model" in check.detail
    assert "PRIVGUARD_MODEL" in check.remedy


def test_rules_alone_run_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PRIVGUARD_MODEL", raising=False)
    assert by_name(Wanted(detector=DetectorName.RULES))["device"].detail.startswith("none needed")


def test_what_is_asked_for_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVGUARD_MODEL", "no-such-model")
    monkeypatch.setenv("PRIVGUARD_DEVICE", "gpu")
    checks = by_name(Wanted(model=str(MODEL), device="cpu"))
    assert (checks["model"].status, checks["device"].detail) == (Status.OK, "cpu")
    assert by_name(Wanted(model="off", device="cpu"))["model"].detail == "none"


@pytest.mark.parametrize(
    ("wanted", "remedy"),
    [
        (Wanted(model="no-such-model", device="cpu"), "in --model"),
        (Wanted(model=str(MODEL), device="gpu"), "give --device one of"),
        (Wanted(model=str(MODEL), device="cuda"), "give --device auto or cpu"),
    ],
    ids=["model", "no device", "no cuda"],
)
def test_an_option_that_is_wrong_is_the_one_to_correct(wanted: Wanted, remedy: str) -> None:
    (check,) = check_model(wanted)
    assert check.status is Status.FAIL
    assert remedy in check.remedy
    assert "PRIVGUARD" not in check.remedy
