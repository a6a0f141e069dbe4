"""Load a guard and make one request of it, in a process of its own.

python -m benchmarks.startup.one [--rules] [--model NAME|FOLDER]      prints one line of JSON, in milliseconds
"""

import argparse
import json
import time
from random import Random

from benchmarks.latency.texts import make_text

SIZE = 300  # characters of the request
SEED = 7


def main() -> None:
    """Load, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model")
    parser.add_argument("--rules", action="store_true")
    options = parser.parse_args()
    text = make_text(Random(SEED), SIZE)
    started = _now()
    # Imported here, so that what they bring along counts.
    from benchmarks.guards import build_guard, build_rules_guard
    from benchmarks.latency.timing import begin_ms, user

    guard = build_rules_guard() if options.rules else build_guard(options.model)
    loaded = _now()
    begin_ms(guard, [user(text)])
    asked = _now()
    figures = {
        f"{stage}{clock}": 1000 * (end[clock] - begin[clock])
        for stage, begin, end in (("load", started, loaded), ("first", loaded, asked), ("both", started, asked))
        for clock in ("", "_cpu")
    }
    print(json.dumps(figures))


def _now() -> dict[str, float]:
    return {"": time.perf_counter(), "_cpu": time.process_time()}


if __name__ == "__main__":
    main()
