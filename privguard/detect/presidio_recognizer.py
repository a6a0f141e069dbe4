"""The encoder as a recognizer of Presidio's: for those who use Presidio and want nothing else of ours."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError

if find_spec("presidio_analyzer") is None:
    raise ConfigError("a recognizer of Presidio's needs Presidio: pip install 'privguard[presidio]'")

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult

from privguard.core.segments import Channel, Role, Segment
from privguard.detect.encoded import EncoderDetector
from privguard.detect.presidio_names import kind_of
from privguard.encoder.choosing import NO_MODEL, chosen_device, chosen_model, chosen_threads
from privguard.encoder.loading import default_model, load_encoder
from privguard.encoder.thresholds import DEFAULT, RANGE, is_threshold

if TYPE_CHECKING:
    from presidio_analyzer.nlp_engine import NlpArtifacts

# Presidio's names; types that it has no name for go by ours.
_NAMES = {
    EntityType.EMAIL: "EMAIL_ADDRESS",
    EntityType.PHONE: "PHONE_NUMBER",
    EntityType.DATE: "DATE_TIME",
    EntityType.ORIGIN: "NRP",
}

_SETTINGS = frozenset({"model", "device", "supported_language", "threshold"})
_NAMED = frozenset({"name", "supported_entities"})  # what Presidio sets


def name_of(kind: EntityType) -> str:
    """Return the entity name under which a type is reported."""
    return _NAMES.get(kind, kind.value)


class PrivguardRecognizer(EntityRecognizer):  # type: ignore[misc] # Presidio is untyped
    """Recognize 26 entity types in one pass. Languages are not told apart: one instance for each that is configured.

    `registry.add_recognizer(PrivguardRecognizer())` is all it takes. Presidio's own names are used where it has one
    (`PERSON`, `EMAIL_ADDRESS`, `DATE_TIME`, ...), ours for the rest (`HEALTH`, `FAMILY`, ...).
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        device: str | None = None,
        supported_language: str = "en",
        threshold: float = DEFAULT,
    ) -> None:
        """Load the model.

        Args:
            model: the name of a shipped model or a folder; default: `PRIVGUARD_MODEL` unless that says "off", else the
                shipped default.
            device: auto, cpu or cuda; default: `PRIVGUARD_DEVICE`, else auto.
            supported_language: the language code under which Presidio runs it.
            threshold: the least score, 0.1 to 0.95 in steps of 0.05; 0.5 is what the artifact sets for each type.

        Raises:
            ConfigError: an extra is missing, no such model or device, or no such threshold.
            ArtifactError: the model is damaged.
        """
        if not is_threshold(threshold):
            raise ConfigError(f"threshold is not {RANGE}")
        self._model = model
        self._device = device
        self._threshold = threshold
        super().__init__(
            supported_entities=[name_of(kind) for kind in EntityType],
            name="PrivguardRecognizer",
            supported_language=supported_language,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings, from which `from_dict` makes an equal recognizer."""
        model = None if self._model is None else str(self._model)
        return {**super().to_dict(), "model": model, "device": self._device, "threshold": self._threshold}

    @classmethod
    def from_dict(cls, entity_recognizer_dict: Mapping[str, Any]) -> Self:
        """Open the model anew by the settings that `to_dict` returns; the version is that of what is opened.

        Raises:
            ConfigError: there is a setting that is none, or see `__init__`.
            ArtifactError: the model is damaged.
        """
        settings = dict(entity_recognizer_dict)
        named = {key: settings.pop(key) for key in _NAMED if key in settings}
        settings.pop("version", None)
        if not settings.keys() <= _SETTINGS:
            raise ConfigError(f"the settings of the recognizer are {', '.join(sorted(_SETTINGS | _NAMED))}")
        recognizer = cls(**settings)
        recognizer.__dict__.update(named)
        return recognizer

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but the open model, which copies and pickles open anew."""
        return {name: value for name, value in vars(self).items() if name != "_detector"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Open the model by the settings; see `__init__` for the errors."""
        self.__dict__.update(state)
        self._id = f"{self.name}_{id(self)}"  # Presidio's own, one for each instance
        self.load()

    def load(self) -> None:
        """Open the model; Presidio calls this once."""
        model = chosen_model(self._model)
        if model is None or (self._model is None and model == NO_MODEL):
            model = default_model()
        if model is None:
            raise ConfigError("no model is shipped with this version; pass the folder of one")
        encoder = load_encoder(model, device=chosen_device(self._device), threads=chosen_threads())
        self._detector = EncoderDetector(encoder, self._threshold)
        self.version = self._detector.id

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: "NlpArtifacts | None" = None,  # noqa: ARG002 - Presidio passes it; the encoder reads the text
    ) -> list[RecognizerResult]:
        """Return the entities of a text.

        Args:
            text: the text.
            entities: names of those that are wanted, Presidio's or ours; empty: all.
            nlp_artifacts: not used.

        Raises:
            TypeError: the text is not a string.
            DetectionError: the network failed.
        """
        if not isinstance(text, str):
            raise TypeError(f"the text is of type {type(text).__name__}, not str")
        wanted = {kind_of(name) for name in entities} if entities else set(EntityType)
        segment = Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)
        results = []
        end = 0
        # Spans of higher thresholds lie inside those of lower ones: the outermost comes first.
        for span in sorted(self._detector.detect((segment,))[0], key=lambda span: (span.start, -span.end)):
            if span.start < end:
                continue
            end = span.end
            if span.kind in wanted:
                explanation = AnalysisExplanation(recognizer=self.name, original_score=span.score)
                results.append(
                    RecognizerResult(
                        entity_type=name_of(span.kind),
                        start=span.start,
                        end=span.end,
                        score=span.score,
                        analysis_explanation=explanation,
                    )
                )
        return results
