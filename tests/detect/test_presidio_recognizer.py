import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.detect.presidio_names import kind_of
from privguard.detect.presidio_recognizer import PrivguardRecognizer, name_of
from privguard.encoder.choosing import DEVICE_VARIABLE, MODEL_VARIABLE, THREADS_VARIABLE
from privguard.encoder.loading import default_model

MODEL = Path(__file__).parents[1] / "encoder" / "model"
TEXT = "Ada Roth in Bern, 555123"


class Blank(NlpEngine):  # type: ignore[misc] # Presidio is untyped
    """An engine that says nothing of a text: no pipeline is installed for it."""

    def load(self) -> None:
        pass

    def is_loaded(self) -> bool:
        return True

    def process_text(self, text: str, language: str) -> Any:  # noqa: ANN401 - Presidio is untyped
        return NlpArtifacts(entities=[], tokens=[], tokens_indices=[], lemmas=[], nlp_engine=self, language=language)

    def process_batch(self, texts: Iterable[str], language: str, **_: object) -> Iterator[tuple[str, Any]]:
        for text in texts:
            yield text, self.process_text(text, language)

    def is_stopword(self, word: str, language: str) -> bool:
        return False

    def is_punct(self, word: str, language: str) -> bool:
        return False

    def get_supported_entities(self) -> list[str]:
        return []

    def get_supported_languages(self) -> list[str]:
        return ["en"]


@pytest.fixture(scope="module")
def recognizer() -> PrivguardRecognizer:
    return PrivguardRecognizer(MODEL, device="cpu")


@pytest.mark.parametrize("threshold", [2, 0.0, 1.0, 0.33, "0.5"])
def test_a_threshold_outside_of_its_range_is_refused(threshold: Any) -> None:  # noqa: ANN401 - on purpose
    with pytest.raises(ConfigError, match=r"threshold is not a number from 0\.1 to 0\.95"):
        PrivguardRecognizer(MODEL, device="cpu", threshold=threshold)


@pytest.mark.parametrize(("options", "told"), [({"model": ""}, "model"), ({"device": "gpu"}, "did you mean cuda")])
def test_a_wrong_model_or_device_is_named(options: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        PrivguardRecognizer(**{"model": MODEL, **options})  # type: ignore[arg-type] # a str or a Path


def found(results: Iterable[Any]) -> list[tuple[str, str]]:
    return sorted((TEXT[result.start : result.end], result.entity_type) for result in results)


def test_an_analyzer_takes_it_as_one_of_its_own(recognizer: PrivguardRecognizer) -> None:
    registry = RecognizerRegistry(recognizers=[recognizer], supported_languages=["en"])
    engine = AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["en"])
    results = engine.analyze(text=TEXT, language="en")
    assert found(results) == [("555123", "PHONE_NUMBER"), ("Ada Roth", "PERSON"), ("Bern", "LOCATION")]
    assert found(engine.analyze(text=TEXT, language="en", entities=["PERSON"])) == [("Ada Roth", "PERSON")]
    assert all(0 < result.score <= 1 for result in results)
    assert not engine.analyze(text=TEXT, language="en", score_threshold=1.0)


def test_entities_go_by_the_names_of_presidio_and_come_back_as_ours(recognizer: PrivguardRecognizer) -> None:
    assert {"PERSON", "EMAIL_ADDRESS", "PHONE_NUMBER", "DATE_TIME", "NRP", "HEALTH"} <= set(
        recognizer.supported_entities
    )
    assert len(recognizer.supported_entities) == len(EntityType)
    assert found(recognizer.analyze(TEXT, ["PHONE_NUMBER"], None)) == [("555123", "PHONE_NUMBER")]
    assert recognizer.version.startswith("encoder:tables-1-")


COPIES: tuple[Callable[[PrivguardRecognizer], PrivguardRecognizer], ...] = (
    lambda recognizer: PrivguardRecognizer.from_dict(recognizer.to_dict()),
    copy.deepcopy,
    copy.copy,
    lambda recognizer: pickle.loads(pickle.dumps(recognizer)),  # noqa: S301 - its own
)


@pytest.mark.parametrize("copied", COPIES, ids=["dict", "deepcopy", "copy", "pickle"])
def test_a_copy_finds_the_same(copied: Callable[[PrivguardRecognizer], PrivguardRecognizer]) -> None:
    first = PrivguardRecognizer(MODEL, device="cpu", supported_language="de", threshold=0.1)
    first.name = "Ours"
    second = copied(first)
    assert second is not first
    assert second.id != first.id
    assert second.to_dict() == first.to_dict()
    assert found(second.analyze(TEXT, [], None)) == found(first.analyze(TEXT, [], None)) != []


@pytest.mark.parametrize("settings", [{"modle": "x"}, {"context": []}], ids=range(2))
def test_an_unknown_setting_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="device, model, name"):
        PrivguardRecognizer.from_dict({"model": str(MODEL), **settings})


def test_what_is_no_text_is_refused(recognizer: PrivguardRecognizer) -> None:
    with pytest.raises(TypeError, match="of type NoneType, not str"):
        recognizer.analyze(None, [])  # type: ignore[arg-type] # on purpose


@pytest.mark.parametrize("kind", EntityType)
def test_every_name_leads_back_to_its_type(kind: EntityType) -> None:
    assert kind_of(name_of(kind)) is kind


def test_a_lower_threshold_gives_the_outermost_spans() -> None:
    results = PrivguardRecognizer(MODEL, device="cpu", threshold=0.1).analyze("My Ada Roth", [], None)
    assert [(result.start, result.end) for result in results] == [(0, 11)]


@pytest.mark.skipif(default_model() is not None, reason="a model is shipped")
def test_without_a_shipped_model_one_must_be_named() -> None:
    with pytest.raises(ConfigError, match="pass the folder"):
        PrivguardRecognizer()


def test_without_presidio_the_extra_is_named() -> None:
    statement = (
        "import sys; sys.modules['presidio_analyzer'] = None\n"
        "from privguard.core.errors import ConfigError\n"
        "try:\n    from privguard.detect import PrivguardRecognizer\n"
        "except ConfigError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", statement], check=True, capture_output=True, text=True)
    assert "pip install 'privguard[presidio]'" in done.stdout


def test_the_environment_chooses_what_no_argument_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(MODEL))
    monkeypatch.setenv(THREADS_VARIABLE, "2")
    assert PrivguardRecognizer().version == PrivguardRecognizer(MODEL).version
    monkeypatch.setenv(DEVICE_VARIABLE, "gpu")
    with pytest.raises(ConfigError, match=DEVICE_VARIABLE):
        PrivguardRecognizer()
    assert PrivguardRecognizer(device="cpu").version == PrivguardRecognizer(MODEL, device="cpu").version
    monkeypatch.setenv(THREADS_VARIABLE, "none")
    with pytest.raises(ConfigError, match=THREADS_VARIABLE):
        PrivguardRecognizer(MODEL, device="cpu")


def test_a_model_that_is_neither_a_name_nor_a_folder_is_refused() -> None:
    with pytest.raises(ConfigError, match="not int"):
        PrivguardRecognizer(5)  # type: ignore[arg-type]
