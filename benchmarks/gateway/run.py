"""What the gateway adds to the time until the first event of a stream, beside direct calls in the same run.

    python -m benchmarks.gateway.run [--systems rules,tiny,small] [--n 400] [--seed 7] [--out FILE.json]

Client, gateway and scripted model server are a process each, on the loopback interface; direct calls and those through
the gateway take turns on one connection each. `new` sends a conversation of six messages that were seen before, 200
characters each, and a seventh of 84 that was not; `same` repeats one conversation; `same, busy` does so while two other
callers have texts of 8,000 characters embedded, new ones without a pause.
"""

import argparse
import json
import os
import platform
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.gateway.probing import Conversation, Message, Probe, figure_of, keep_embedding
from benchmarks.gateway.processes import gateway, started
from benchmarks.intervals import Estimate, bootstrap
from privguard import __version__

SYSTEMS = ("rules", "tiny", "small")
WARM_UP = 50
CALLERS = 2  # that send long texts
BAR_MS = 5.0
PROFILES = Path(__file__).parent / "privguard.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What the gateway adds for one sort of prompt."""

    system: str
    prompts: str
    direct_ms: Sequence[float]
    through_ms: Sequence[float]  # in turn with the direct ones
    protect_ms: float  # mean of detection, need and rendering

    @property
    def p50(self) -> Estimate:
        """Return the difference of the medians, with its interval."""
        return self._difference(lambda values: float(np.median(values)))

    @property
    def p95(self) -> Estimate:
        """Return the difference of the 95th percentiles, with its interval."""
        return self._difference(lambda values: float(np.percentile(values, 95)))

    def _difference(self, of: Callable[[Any], float]) -> Estimate:
        direct, through = np.array(self.direct_ms), np.array(self.through_ms)
        return bootstrap(np.arange(len(direct)), lambda rows: of(through[rows]) - of(direct[rows]), seed=1)

    def as_json(self) -> dict[str, Any]:
        """Return every figure."""
        return {
            "system": self.system,
            "prompts": self.prompts,
            "n": len(self.direct_ms),
            "direct_p50_ms": round(median(self.direct_ms), 3),
            "through_p50_ms": round(median(self.through_ms), 3),
            "added_p50_ms": self.p50.as_json(),
            "added_p95_ms": self.p95.as_json(),
            "protect_mean_ms": round(self.protect_ms, 3),
        }


def measure(system: str, *, n: int, seed: int) -> Iterator[Added]:
    """Measure one system with each sort of prompts."""
    with ExitStack() as stack:
        upstream = stack.enter_context(started([sys.executable, "-m", "benchmarks.gateway.upstream"]))
        url = stack.enter_context(gateway(system, upstream, profiles=PROFILES))
        direct, through = stack.enter_context(Probe(upstream)), stack.enter_context(Probe(url))
        talk = Conversation(Random(seed))
        for _ in range(WARM_UP):
            direct.first_event_ms(talk.new())
            through.first_event_ms(talk.new())
        yield _added(system, "new", talk.new, n, direct=direct, through=through, url=url)
        for _ in range(WARM_UP):
            through.first_event_ms(talk.same)
        yield _added(system, "same", lambda: talk.same, n, direct=direct, through=through, url=url)
        with busy(url, seed=seed):
            yield _added(system, "same, busy", lambda: talk.same, n, direct=direct, through=through, url=url)


def _added(  # noqa: PLR0913 - what is measured, and with what
    system: str, prompts: str, make: Callable[[], list[Message]], n: int, *, direct: Probe, through: Probe, url: str
) -> Added:
    before = _protect(url)
    pairs = [(direct.first_event_ms(messages), through.first_event_ms(messages)) for messages in _many(make, n)]
    count, total_s = (after - then for after, then in zip(_protect(url), before, strict=True))
    return Added(
        system=system,
        prompts=prompts,
        direct_ms=[pair[0] for pair in pairs],
        through_ms=[pair[1] for pair in pairs],
        protect_ms=1000 * total_s / count,
    )


@contextmanager
def busy(url: str, *, seed: int) -> Iterator[None]:
    """Let other callers send long texts, one after the other, for the time of a block."""
    done = threading.Event()
    callers = [
        threading.Thread(target=keep_embedding, args=(url, Random(seed + number + 1), done))
        for number in range(CALLERS)
    ]
    for caller in callers:
        caller.start()
    try:
        yield
    finally:
        done.set()
        for caller in callers:
            caller.join()


def _many(make: Callable[[], list[Message]], n: int) -> Iterator[list[Message]]:
    for _ in range(n):
        yield make()


def _protect(gateway: str) -> tuple[float, float]:
    """Return how many requests were protected, and the seconds that took."""
    with urllib.request.urlopen(gateway.removesuffix("/v1") + "/metrics") as response:  # noqa: S310 - loopback
        text = response.read().decode()
    name, route = "privguard_protect_seconds", "openai.chat.completions"
    return figure_of(text, f"{name}_count", route=route), figure_of(text, f"{name}_sum", route=route)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--n", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    table = Table(title=f"Time to the first event, ms; bar: {BAR_MS:g} ms added at p50")
    for column in ("system", "prompts", "n", "direct p50", "through p50", "added p50", "added p95", "protecting, mean"):
        table.add_column(column)
    found = []
    for system in options.systems.split(","):
        for added in measure(system, n=options.n, seed=options.seed):
            found.append(added.as_json())
            table.add_row(
                system,
                added.prompts,
                str(len(added.direct_ms)),
                f"{median(added.direct_ms):.2f}",
                f"{median(added.through_ms):.2f}",
                str(added.p50),
                str(added.p95),
                f"{added.protect_ms:.2f}",
            )
    Console(width=140).print(table)
    if options.out is not None:
        told = {
            "version": __version__,
            "seed": options.seed,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "processors": os.cpu_count(),
            "found": found,
        }
        options.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
