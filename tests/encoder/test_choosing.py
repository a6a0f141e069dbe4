import pytest

from privguard.core.errors import ConfigError
from privguard.encoder.choosing import (
    DEVICE_VARIABLE,
    MODEL_VARIABLE,
    THREADS_VARIABLE,
    chosen_device,
    chosen_model,
    chosen_threads,
)


def test_an_argument_counts_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, "small")
    monkeypatch.setenv(DEVICE_VARIABLE, "cuda")
    assert (chosen_model(), chosen_model("tiny")) == ("small", "tiny")
    assert (chosen_device(), chosen_device("cpu")) == ("cuda", "cpu")


def test_without_either_there_is_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (MODEL_VARIABLE, DEVICE_VARIABLE, THREADS_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    assert (chosen_model(), chosen_device(), chosen_threads()) == (None, "auto", 1)


@pytest.mark.parametrize("number", ["0", "257", "1.0", "two", "\u0662", "-1"])
def test_what_is_no_number_of_threads_is_refused(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, number)
    with pytest.raises(ConfigError, match=THREADS_VARIABLE):
        chosen_threads()
