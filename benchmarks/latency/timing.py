"""How long a guard takes: whole requests, conversations, long texts. Milliseconds."""

import gc
import statistics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.guards import TARGET
from benchmarks.latency.texts import LAST_NAME, make_long, make_text
from privguard.core.segments import Channel, Role, Segment
from privguard.guard import Guard

MESSAGE = 400  # characters of a message; the first is twice as long, so that every turn brings as much
TURNS = 10
LONG = (25_000, 50_000, 100_000, 200_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of several runs."""

    ms: tuple[float, ...]

    @property
    def p50(self) -> float:
        """Return the median."""
        return statistics.median(self.ms)

    @property
    def p95(self) -> float:
        """Return the value that one run in twenty exceeds."""
        return sorted(self.ms)[min(len(self.ms) - 1, int(0.95 * len(self.ms)))]

    def as_json(self) -> dict[str, Any]:
        """Return what is reported."""
        return {
            "p50_ms": round(self.p50, 3),
            "p95_ms": round(self.p95, 3),
            "min_ms": round(min(self.ms), 3),
            "n": len(self.ms),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """Whole requests of one size, and where the time went."""

    whole: Times
    stages: dict[str, Times]


@dataclass(frozen=True, slots=True, kw_only=True)
class Long:
    """One long text."""

    characters: int
    ms: float
    last_found: bool  # the plan has a decision on every letter of the name in its last line


def user(text: str) -> Segment:
    """Return a request of one text."""
    return Segment(path="messages[0].content", role=Role.USER, channel=Channel.TEXT, text=text)


def begin_ms(guard: Guard, segments: Sequence[Segment]) -> tuple[float, dict[str, float]]:
    """Return how long one request takes, and its stages."""
    started = time.perf_counter()
    exchange = guard.begin(segments, target=TARGET, profile="default")
    taken = 1000 * (time.perf_counter() - started)
    return taken, dict(exchange.close().stage_ms or {})


def warm(guard: Guard, rng: Random, requests: int = 8) -> None:
    """Run what is loaded at first use, for all lengths that will come."""
    for number in range(requests):
        begin_ms(guard, [user(make_text(rng, 300 * (number + 1)))])


def measure_whole(guard: Guard, texts: Iterable[str]) -> Whole:
    """Time one request per text."""
    taken, stages = [], dict[str, list[float]]()
    gc.collect()
    for text in texts:
        whole, split = begin_ms(guard, [user(text)])
        taken.append(whole)
        for stage, duration in split.items():
            stages.setdefault(stage, []).append(duration)
    return Whole(whole=Times(ms=tuple(taken)), stages={stage: Times(ms=tuple(each)) for stage, each in stages.items()})


def measure_turns(guard: Guard, rng: Random, conversations: int) -> list[Times]:
    """Time the requests of growing conversations, by turn."""
    taken: list[list[float]] = [[] for _ in range(TURNS)]
    for _ in range(conversations):
        said: list[Segment] = []
        for turn in range(TURNS):
            if turn:
                said.append(_message(len(said), Role.ASSISTANT, make_text(rng, MESSAGE)))
            said.append(_message(len(said), Role.USER, make_text(rng, MESSAGE if turn else 2 * MESSAGE)))
            taken[turn].append(begin_ms(guard, said)[0])
    return [Times(ms=tuple(each)) for each in taken]


def measure_long(guard: Guard, rng: Random) -> list[Long]:
    """Time long texts, each once."""
    found = []
    for size in LONG:
        text = make_long(rng, size)
        started = time.perf_counter()
        exchange = guard.begin([user(text)], target=TARGET, profile="default")
        taken = 1000 * (time.perf_counter() - started)
        at = text.rindex(LAST_NAME)
        covered = {place for each in exchange.plan.decisions[0] for place in range(each.span.start, each.span.end)}
        name = {place for place in range(at, at + len(LAST_NAME)) if text[place] != " "}
        found.append(Long(characters=len(text), ms=taken, last_found=name <= covered))
    return found


def _message(number: int, role: Role, text: str) -> Segment:
    return Segment(path=f"messages[{number}].content", role=role, channel=Channel.TEXT, text=text)
