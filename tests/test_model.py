import shutil
from pathlib import Path

import pytest

import privguard
from privguard.core.errors import ConfigError
from privguard.encoder.choosing import DEVICE_VARIABLE, MODEL_VARIABLE, THREADS_VARIABLE
from privguard.encoder.loading import default_model
from privguard.model import open_model

MODEL = Path(__file__).parent / "encoder" / "model"
TEXT = "translate the email of Ada Roth in Bern"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (MODEL_VARIABLE, DEVICE_VARIABLE, THREADS_VARIABLE):
        monkeypatch.delenv(name, raising=False)


def test_detector_and_need_share_one_encoder_for_all_guards() -> None:
    first, second = (privguard.load_guard(model=MODEL, audit="off", profiles={}) for _ in range(2))
    assert first.parts.detector is second.parts.detector
    assert first.parts.need is second.parts.need
    assert first.parts.detector.id.endswith(first.parts.need.id)


def test_the_model_reads_no_names_of_models_and_tools() -> None:
    parts = privguard.load_guard(model=MODEL, audit="off", profiles={}).parts
    assert parts.scanner is not None
    assert "encoder" in parts.detector.id
    assert "encoder" not in parts.scanner.id
    assert privguard.Guard(parts).scan("ada@roth.example")


def test_a_text_is_minimized_by_the_model() -> None:
    guard = privguard.load_guard(model=MODEL, audit="off", profiles={})
    with privguard.minimize(TEXT, target="gpt-5", guard=guard) as exchange:
        assert "Roth" not in exchange.outgoing
        assert "Bern" not in exchange.outgoing
        assert exchange.restore(exchange.outgoing) == TEXT
        assert any("encoder:tables-1-" in name for name in exchange.plan.artifact_ids)


ASKED = ("Who was {}?", "Is {} still alive?", "Which party does {} belong to?", "Compare two poets, {} and John Keats.")
STRANGERS = ("Marlene Osterkamp", "Trevor Haddick", "Yasemin Korkut", "Joanna Bielak")


def test_most_who_are_not_of_public_life_are_hidden_in_questions_where_people_have_a_floor() -> None:
    # By the model alone: the lists of the profile `strict` are off.
    guard = privguard.load_guard(audit="off", profiles={"defaults": {"floors": {"PERSON": "REDACT"}}})

    def sent(text: str) -> str:
        with privguard.minimize(text, target="gpt-5", guard=guard) as exchange:
            return exchange.outgoing

    hidden = [name.split()[1] not in sent(text.format(name)) for text in ASKED for name in STRANGERS]
    assert sum(hidden) >= 0.75 * len(hidden)
    assert sent("Who was William Wordsworth?") == "Who was William Wordsworth?"


@pytest.mark.parametrize(("threshold", "found"), [(0.5, False), (0.3, True)])
def test_the_threshold_of_the_profile_reaches_the_model(threshold: float, found: bool) -> None:
    guard = privguard.load_guard(
        model=MODEL, audit="off", profiles={"defaults": {"threshold": threshold, "gamma": 0.0}}
    )
    with privguard.minimize("My email", target="gpt-5", guard=guard) as exchange:
        assert ("My" not in exchange.outgoing) is found


def test_the_environment_names_model_device_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(MODEL))
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")
    monkeypatch.setenv(THREADS_VARIABLE, "2")
    parts = open_model()
    assert parts is not None
    assert parts.encoder.device == "cpu"
    assert open_model(default=False) is parts


@pytest.mark.parametrize("threads", ["many", "0", "99999999999", "\uff12", "-1", "1.5", "9" * 5000])
def test_a_number_of_threads_that_cannot_be_had_is_refused(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, threads)
    with pytest.raises(ConfigError, match=f"{THREADS_VARIABLE} is not a whole number from 1 to"):
        open_model(MODEL)


def test_a_device_without_a_model_has_no_effect_wherever_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_model("off", "cpu") is None
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")
    assert open_model("off") is None
    monkeypatch.setenv(DEVICE_VARIABLE, "gpu")
    with pytest.raises(ConfigError, match=f"{DEVICE_VARIABLE} is not one of auto, cpu, cuda; did you mean cuda"):
        open_model("off")


def test_an_empty_variable_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (MODEL_VARIABLE, DEVICE_VARIABLE, THREADS_VARIABLE):
        monkeypatch.setenv(name, "")
    parts = open_model(MODEL)
    assert parts is not None
    assert open_model(default=False) is None


@pytest.mark.parametrize(
    ("model", "device", "told"),
    [
        (5, None, "model is a name or a folder, a str or a Path, not int"),
        (b"tiny", None, "not bytes"),
        ("", None, "model is empty"),
        (MODEL, "", "device is not one of"),
        (MODEL, 5, "device is not one of"),
        (MODEL / "manifest.json", None, "a model is a folder"),
    ],
)
def test_what_is_no_name_is_told_apart(model: object, device: object, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        open_model(model, device)  # type: ignore[arg-type] # on purpose


def test_without_a_model_there_are_no_parts() -> None:
    assert open_model("off") is None
    assert open_model(default=False) is None
    assert (open_model() is None) == (default_model() is None)


@pytest.mark.parametrize(
    ("model", "device"), [("off", "gpu"), ("no-such-model", None), (MODEL, "tpu"), (MODEL, "cuda")]
)
def test_what_cannot_be_had_is_refused(model: str | Path, device: str | None) -> None:
    with pytest.raises(ConfigError):
        open_model(model, device)


def test_a_folder_is_another_one_in_another_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(MODEL, tmp_path / "here" / "model")
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert open_model("./model", "cpu") is not None
    monkeypatch.chdir(tmp_path / "there")
    with pytest.raises(ConfigError, match="does not exist"):
        open_model("./model", "cpu")
