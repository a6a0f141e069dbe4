"""What the gateway adds to the time until the first event of a stream, beside direct calls in the same run.

    python -m benchmarks.gateway.run [--systems rules,tiny,small] [--n 400] [--seed 7] [--out FILE.json]

Client, gateway and scripted model server are a process each, on the loopback interface; direct calls and those through
the gateway take turns on one connection each. `new` sends a conversation of six messages that were seen before, 200
characters each, and a seventh of 84 that was not; `same` repeats one conversation.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
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

from benchmarks.gateway.probing import Conversation, Message, Probe, figure_of
from benchmarks.intervals import Estimate, bootstrap

SYSTEMS = ("rules", "tiny", "small")
WARM_UP = 50
BAR_MS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What the gateway adds for one sort of prompt."""

    system: str
    prompts: str
    direct_ms: Sequence[float]
    through_ms: Sequence[float]  # in turn with the direct ones
    protect_ms: float  # mean, of which all but the waiting for a thread is detection, need and rendering

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


@contextmanager
def started(command: Sequence[str], marker: str = "http", **options: Any) -> Iterator[str]:  # noqa: ANN401 - of Popen
    """Start a process and yield the URL that it prints behind `marker`; end it by closing its input and a signal."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True, **options)
    try:
        assert process.stdout is not None
        url = next(line for line in process.stdout if marker in line).split()[-1]
        yield url
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.terminate()
        process.wait(30)


def gateway_command(system: str, upstream: str) -> list[str]:
    """Return the command of a gateway that records into nothing, so that the disk is not what is measured."""
    chosen = ["--detector", "rules"] if system == "rules" else ["--model", system]
    command = [sys.executable, "-m", "privguard", "serve", "--upstream", upstream, "--port", "0", "--audit", "off"]
    return [*command, "--profiles", str(Path(__file__).parent / "privguard.toml"), *chosen]


def measure(system: str, *, n: int, seed: int) -> Iterator[Added]:
    """Measure one system with both sorts of prompts."""
    with ExitStack() as stack:
        upstream = stack.enter_context(started([sys.executable, "-m", "benchmarks.gateway.upstream"]))
        environment = os.environ | {"PRIVGUARD_KEY": "a key for benchmarks, no secret!"}
        command = gateway_command(system, upstream)
        gateway = stack.enter_context(started(command, "listening on", env=environment))
        direct, through = stack.enter_context(Probe(upstream)), stack.enter_context(Probe(gateway))
        talk = Conversation(Random(seed))
        sorts: tuple[tuple[str, Callable[[], list[Message]]], ...] = (("new", talk.new), ("same", lambda: talk.same))
        for name, make in sorts:
            for _ in range(WARM_UP):
                direct.first_event_ms(make())
                through.first_event_ms(make())
            before = _protect(gateway)
            pairs = [(direct.first_event_ms(messages), through.first_event_ms(messages)) for messages in _many(make, n)]
            count, total_s = (after - then for after, then in zip(_protect(gateway), before, strict=True))
            yield Added(
                system=system,
                prompts=name,
                direct_ms=[pair[0] for pair in pairs],
                through_ms=[pair[1] for pair in pairs],
                protect_ms=1000 * total_s / count,
            )


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
        machine = {"processors": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
        options.out.write_text(json.dumps({"machine": machine, "found": found}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
