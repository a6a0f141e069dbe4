"""Presidio's analyzer as it is installed, with one spaCy pipeline. Runs in the peer's own environment."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.peers.serving import Spans, one_thread, serve


def build() -> tuple[str, Callable[[str], Spans]]:
    """Load the analyzer with the configuration that Presidio ships, but for the name of the pipeline.

    With the argument `organizations` it reports them, too; Presidio leaves them out by default.
    """
    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    # Its list of public suffixes is fetched otherwise; the one that comes with the package does as well.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    pipeline = import_module(sys.argv[1])
    yaml: Any = import_module("yaml")
    shipped = Path(str(import_module("presidio_analyzer").__file__)).parent / "conf" / "default.yaml"
    settings: dict[str, Any] = yaml.safe_load(shipped.read_text(encoding="utf-8"))
    path = str(pipeline.model_path()) if hasattr(pipeline, "model_path") else sys.argv[1]
    settings["models"] = [{"lang_code": "en", "model_name": path}]
    if "organizations" in sys.argv:
        settings["ner_model_configuration"]["labels_to_ignore"].remove("ORGANIZATION")
    engine = AnalyzerEngine(
        nlp_engine=NlpEngineProvider(nlp_configuration=settings).create_engine(), supported_languages=["en"]
    )

    def detect(text: str) -> Spans:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return [(each.start, each.end, each.entity_type, each.score) for each in engine.analyze(clean, "en")]

    names = ("presidio-analyzer", "spacy", sys.argv[1].replace("_", "-"))
    return ", ".join(f"{name} {version(name)}" for name in names), detect


if __name__ == "__main__":
    one_thread()
    serve(build)
