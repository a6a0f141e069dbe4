"""What `import privguard` costs over a bare interpreter: best of n, in milliseconds."""

import argparse
import subprocess
import sys
import time

from benchmarks.fresh import fresh_env


def best_ms(statement: str, repetitions: int) -> float:
    """Run a statement in fresh interpreters and return the fastest wall time in ms."""
    times = []
    for _ in range(repetitions):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True, env=fresh_env())
        times.append(time.perf_counter() - started)
    return 1000 * min(times)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=9)
    repetitions = parser.parse_args().repetitions
    bare = best_ms("pass", repetitions)
    for statement in ("import privguard", "import privguard; privguard.wrap", "import privguard; privguard.Exchange"):
        print(f"{statement}: {best_ms(statement, repetitions) - bare:.1f} ms over bare Python (best of {repetitions})")


if __name__ == "__main__":
    main()
