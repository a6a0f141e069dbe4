"""The loop that every peer answers in: JSON lines in, JSON lines out. Standard library only, any Python.

    out, once:  {"version": "...", "load_s": 1.2}
    in:         {"text": "...", "repeat": 1}
    out:        {"spans": [[start, end, label, score], ...], "ms": [3.2]}      or {"error": "class name"}

`ms` is measured around the detector alone; `repeat` runs it several times.
"""

import json
import os
import sys
import time
from collections.abc import Callable

Spans = list[tuple[int, int, str, float]]


def one_thread() -> None:
    """Keep the process on one core, where the system allows that; call before a runtime counts them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


def serve(build: Callable[[], tuple[str, Callable[[str], Spans]]]) -> None:
    """Build a detector, then answer until the input ends."""
    # Whatever a library prints must not mix with the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    started = time.perf_counter()
    version, detect = build()
    detect("Ada Roth met Ben Kole.")
    _write(answers, {"version": version, "load_s": time.perf_counter() - started})
    for line in sys.stdin:
        request = json.loads(line)
        text, times = request["text"], []
        spans: Spans = []
        try:
            for _ in range(request.get("repeat", 1)):
                begun = time.perf_counter()
                spans = detect(text)
                times.append(1000 * (time.perf_counter() - begun))
        except Exception as error:  # noqa: BLE001 - a peer that fails is counted, not hidden
            _write(answers, {"error": type(error).__name__})
        else:
            _write(answers, {"spans": spans, "ms": times})


def _write(answers: object, row: dict[str, object]) -> None:
    print(json.dumps(row), file=answers, flush=True)  # type: ignore[call-overload]  # a text stream
