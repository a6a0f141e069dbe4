import pytest

from privguard.cli.check import Status
from privguard.cli.extras import check_extras, installed_extras, needed_extras
from privguard.cli.settings import DetectorName, Wanted
from privguard.encoder.loading import default_model


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
    assert needed_extras(Wanted(detector=DetectorName.RULES)) == frozenset()
    assert (needed_extras(Wanted()) == frozenset()) is (default_model() is not None)
    monkeypatch.setenv("PRIVGUARD_MODEL", "off")
    assert needed_extras(Wanted()) == {"presidio"}
    assert needed_extras(Wanted(model="tiny")) == frozenset()
    monkeypatch.delenv("PRIVGUARD_MODEL")
    assert needed_extras(Wanted(model="off")) == {"presidio"}


def test_the_extras_come_from_the_metadata_of_the_package() -> None:
    extras = installed_extras()
    assert {"cpu", "gpu", "openai", "presidio"} <= extras.keys()
    assert "dev" not in extras
    assert extras["openai"].keys() == {"openai"}
