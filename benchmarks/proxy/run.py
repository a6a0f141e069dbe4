"""Measure the guardrail in LiteLLM's proxy: what a killed worker does, and what it costs beside the same proxy without.

    .venv-litellm/bin/python -m benchmarks.proxy.run [--only chaos|latency] [--requests 1000] [--calls 200]

Proxy, workers and caller are processes on one machine; the model is the scripted server, on the loopback interface.
"""

import argparse
import json
import os
import random
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from benchmarks.proxy.asking import SORTS, Sort, ask
from benchmarks.proxy.running import Proxy, config, redis, running
from privguard.testing import ModelServer

_FILLER = "The meeting was moved to the second floor, and the minutes say what was decided about the budget. "
_SIZE = 2048  # characters of a prompt of the latency run
_WARM = 20


def value_of(number: int) -> tuple[str, str]:
    """Return what a request hides: an address and a card of its own."""
    digits = f"4{number:014d}"
    total = sum(sum(divmod(int(d) * (2 - i % 2), 10)) for i, d in enumerate(digits))
    return f"user{number:05d}@mail{number:05d}.example", f"{digits}{-total % 10}"


@dataclass(slots=True)
class Chaos:
    """What became of the requests."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)


def chaos(proxy: Proxy, server: ModelServer, *, requests: int) -> Chaos:
    """Ask all sorts of calls, and kill a worker when half of them are done."""
    found = Chaos()

    def one(number: int) -> tuple[str, str]:
        if number == requests // 2:
            os.kill(proxy.workers[0], signal.SIGKILL)
        sort, stream = SORTS[number % len(SORTS)], bool(number // len(SORTS) % 2)
        mail, card = value_of(number)
        text = f"{number}: write to {mail} about card {card}, please."
        with httpx.Client(timeout=60) as client:
            try:
                said = ask(client, proxy.url, sort, text, stream=stream)
            except httpx.HTTPStatusError as error:
                error.response.read()
                clean = "@mail" not in error.response.text
                return ("failed" if clean else "failed with a value"), f"{sort.name} {error.response.status_code}"
            except (httpx.HTTPError, ValueError, KeyError) as error:
                return "failed", f"{sort.name} {type(error).__name__}"
        if sort.delta is None or said == text:
            return "completed", ""
        # A stream that breaks off may have no end; what it has is its own or a part of a placeholder.
        others = [each for each in said.split() if "@mail" in each and each != mail]
        return ("foreign" if others else "broken off"), sort.name

    with ThreadPoolExecutor(16) as pool:
        for outcome, failure in pool.map(one, range(requests)):
            found.outcomes[outcome] += 1
            if failure:
                found.failures[failure] += 1
    wire = server.wire
    found.outcomes["leaks"] = sum(any(each.encode() in wire for each in value_of(number)) for number in range(requests))
    return found


def latency(proxies: dict[str, Proxy], *, calls: int, seen: bool) -> dict[str, list[float]]:
    """Ask every proxy in turn for the same prompt, on one connection each; return milliseconds."""
    sort: Sort = SORTS[0]
    took: dict[str, list[float]] = {name: [] for name in proxies}
    randomness = random.Random(7)
    with ExitStack() as stack:
        clients = {name: stack.enter_context(httpx.Client(timeout=60)) for name in proxies}
        for number in range(calls + _WARM):
            text = prompt(0 if seen else number + 1)
            for name in randomness.sample(sorted(proxies), len(proxies)):
                began = time.perf_counter()
                ask(clients[name], proxies[name].url, sort, text, stream=False)
                if number >= _WARM:
                    took[name].append(1000 * (time.perf_counter() - began))
    return took


def prompt(number: int) -> str:
    """Return a prompt of 2 KB with four values that the rules find."""
    mail, card = value_of(number)
    head = f"Case {number}. Write to {mail}, card {card}, phone +44 20 7946 {number % 10_000:04d}. "
    return (head + _FILLER * 30)[:_SIZE]


def interval(values: list[float], at: Callable[[list[float]], float]) -> tuple[float, float, float]:
    """Return a figure and its 95 % interval by bootstrap."""
    randomness = random.Random(11)
    drawn = sorted(at(randomness.choices(values, k=len(values))) for _ in range(1000))
    return at(values), drawn[25], drawn[974]


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20)[18]


@contextmanager
def started(name: str, *, guardrail: str | None, workers: int, server: ModelServer, vault: str) -> Iterator[Proxy]:
    """Run a proxy with a guardrail, or with none."""
    with tempfile.TemporaryDirectory(prefix=f"pg{name}") as given:
        settings: list[dict[str, Any]] = []
        if guardrail is not None:
            path = {"guardrail": guardrail, "mode": ["pre_call", "post_call"], "default_on": True}
            settings = [{"guardrail_name": "privguard", "litellm_params": path}]
        environment = {
            "PRIVGUARD_KEY": "correct horse battery staple",
            "PRIVGUARD_VAULT": vault,
            "PRIVGUARD_VAULT_KEY": "an-invented-key-of-the-vault-and-a-long-one",
            "PRIVGUARD_AUDIT": str(Path(given, "audit.sqlite")),
        }
        whole = config(server.base_url, guardrails=settings)
        with running(Path(given), whole, workers=workers, environment=environment) as proxy:
            yield proxy


def run_chaos(requests: int) -> dict[str, Any]:
    """Run the 1,000 requests, and return what became of them."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder, redis(Path(folder)) as vault, ModelServer() as server:
        path = "benchmarks.proxy.parts.RulesGuardrail"
        with started("c", guardrail=path, workers=2, server=server, vault=vault) as proxy:
            found = chaos(proxy, server, requests=requests)
    return {"requests": requests, "outcomes": dict(found.outcomes), "failures": dict(found.failures)}


def run_latency(calls: int, guardrails: dict[str, str | None]) -> dict[str, Any]:
    """Run the proxies beside each other, and return what each adds to the one without a guardrail."""
    figures: dict[str, Any] = {"calls": calls}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pg"))
        vault = stack.enter_context(redis(Path(folder)))
        server = stack.enter_context(ModelServer())
        proxies = {
            name: stack.enter_context(started(name[:1], guardrail=path, workers=1, server=server, vault=vault))
            for name, path in guardrails.items()
        }
        for seen in (False, True):
            took = latency(proxies, calls=calls, seen=seen)
            for name, values in took.items():
                added = [a - b for a, b in zip(values, took["none"], strict=True)]
                figures[f"{name}, {'seen' if seen else 'new'}"] = {
                    "p50": [round(each, 1) for each in interval(values, statistics.median)],
                    "added p50": [round(each, 1) for each in interval(added, statistics.median)],
                    "added p95": [round(each, 1) for each in interval(added, p95)],
                }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=("chaos", "latency"))
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    if options.only != "latency":
        figures["chaos"] = run_chaos(options.requests)
        print(json.dumps(figures["chaos"]), flush=True)
    if options.only != "chaos":
        guardrails = {
            "none": None,
            "rules": "benchmarks.proxy.parts.RulesGuardrail",
            "small": "benchmarks.proxy.parts.ModelGuardrail",
        }
        figures["latency"] = run_latency(options.calls, guardrails)
        print(json.dumps(figures["latency"], indent=1), flush=True)
    if options.out:
        options.out.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
