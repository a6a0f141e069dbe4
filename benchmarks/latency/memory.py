"""What a guard keeps in memory: loaded, and over many distinct prompts. Runs in a process of its own.

python -m benchmarks.latency.memory [--model NAME|FOLDER] [--prompts N]      prints one line of JSON
"""

import argparse
import json
import time
from pathlib import Path
from random import Random

from benchmarks.latency.texts import make_text

EVERY = 1_000
SIZE = 300  # characters of a prompt


def rss_mb() -> float:
    """Return the resident memory of this process in MB; the largest so far where the system tells no more."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024
    import resource
    import sys

    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def main() -> None:
    """Load, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--prompts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = Random(options.seed)
    bare = rss_mb()
    started = time.perf_counter()
    # Imported here, so that what they bring along counts.
    from benchmarks.guards import build_guard, build_rules_guard
    from benchmarks.latency.timing import begin_ms, user, warm

    guard = build_rules_guard() if options.rules else build_guard(options.model)
    loaded_s = time.perf_counter() - started
    loaded = rss_mb()
    first_ms, _ = begin_ms(guard, [user(make_text(rng, SIZE))])
    warm(guard, rng)
    warmed, curve = rss_mb(), []
    for number in range(1, options.prompts + 1):
        begin_ms(guard, [user(make_text(rng, SIZE))])
        if number % EVERY == 0:
            curve.append(round(rss_mb(), 1))
    figures = {
        "bare_mb": round(bare, 1),
        "loaded_mb": round(loaded, 1),
        "warm_mb": round(warmed, 1),
        "every_1000_mb": curve,
        "load_s": round(loaded_s, 3),
        "first_ms": round(first_ms, 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
