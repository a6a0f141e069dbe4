"""What it costs to search replies for values of the model's own: rules and the shipped models, whole and streamed.

Times are those of the processor, so that other programs on the machine count little. The lag is how much of a stream
is held back: what has come, less what has passed, after each chunk.
"""

import argparse
import json
import platform
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.guards import TARGET, build_guard, build_rules_guard
from privguard.core.profile import OnReply, Profile
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import text_segments

CHUNK = 20  # characters
LENGTH = 2000  # of a reply, about
ASKED = "Who looks after the order of Ada Kernwald, ada@kernwald.example?"
PLAIN = (
    "The order left the warehouse in the morning and should arrive within a few days.",
    "If the parcel is damaged, take a picture of it before you open it.",
    "Nothing else has to be signed, and the old form is no longer needed.",
    "That is why the second invoice shows a smaller sum than the first one.",
    "Let me know whether the date suits you, or propose another one.",
)
BROUGHT = (
    "Ask {first} {last}, who knows the case.",
    "Write to {mail} and name the number of the order.",
    "The line is open all day: +49 30 {number}.",
    "The deposit goes to DE89 3704 0044 0532 0130 00, as always.",
)
WORDS = (
    *("blue", "broad", "dry", "early", "fresh", "green", "heavy", "late", "light", "long", "low", "narrow", "open"),
    *("board", "box", "cover", "folder", "form", "frame", "label", "list", "note", "page", "paper", "shelf", "table"),
)
FIRST = ("Marta", "Jonas", "Ines", "Pavel", "Zoe", "Tariq")
LAST = ("Hellmer", "Okonjo", "Lindqvist", "Sandoval", "Wojcik", "Marquart")


@dataclass(slots=True)
class Figures:
    """What was measured of one system, one entry per reply."""

    whole_ms: list[float] = field(default_factory=list)  # per 1,000 characters
    streamed_ms: list[float] = field(default_factory=list)  # likewise
    again_ms: list[float] = field(default_factory=list)  # likewise, of a text that was judged before
    longest_ms: list[float] = field(default_factory=list)  # the slowest chunk
    lag: list[int] = field(default_factory=list)  # characters, one entry per chunk
    hidden: int = 0


def make_reply(rng: random.Random) -> str:
    """Return a reply of invented sentences, a value of the model's own in every sixth."""
    sentences: list[str] = []
    while sum(map(len, sentences)) < LENGTH:
        sentence = rng.choice(BROUGHT) if len(sentences) % 6 == 4 else rng.choice(PLAIN)
        first, last = rng.choice(FIRST), rng.choice(LAST)
        mail = f"{first}.{last}{rng.randrange(100)}@post.example".lower()
        filled = sentence.format(first=first, last=last, mail=mail, number=rng.randrange(10**7, 10**8))
        # No two replies are alike: what was judged once is remembered.
        sentences.append(f"{filled[:-1]}, as the {' '.join(rng.choices(WORDS, k=3))} shows.")
    return " ".join(sentences)


def take(work: Callable[[], str]) -> tuple[str, float]:
    """Return the result and the milliseconds of the processor."""
    started = time.process_time()
    result = work()
    return result, 1000 * (time.process_time() - started)


def begin(guard: Guard, on_reply: OnReply) -> Exchange[Any]:
    """Open an exchange under the shipped profile with another rule for replies."""
    settled = guard.parts.profiles.resolve(TARGET)[0]
    values = {name: getattr(settled, name) for name in Profile.__slots__}
    return guard.begin(text_segments(ASKED), target=TARGET, profile=Profile(**values | {"on_reply": on_reply}))


def measure(guard: Guard, replies: int, seed: int) -> Figures:
    """Measure one system."""
    rng, figures, thousands = random.Random(seed), Figures(), 1000 / LENGTH
    begin(guard, OnReply.REDACT).restore(make_reply(rng))  # what is built at first use
    for _ in range(replies):
        text, exchange = make_reply(rng), begin(guard, OnReply.REDACT)
        passed, spent = take(partial(exchange.restore, text))
        figures.whole_ms.append(spent * thousands)
        figures.again_ms.append(take(partial(exchange.restore, text))[1] * thousands)
        figures.hidden += passed.count("[REDACTED")
        measure_stream(begin(guard, OnReply.REDACT), make_reply(rng), figures)
    return figures


def measure_stream(exchange: Exchange[Any], text: str, figures: Figures) -> None:
    """Measure a reply in chunks."""
    stream, passed, spent = exchange.stream(), 0, []
    for at in range(0, len(text), CHUNK):
        new, ms = take(partial(stream.feed, text[at : at + CHUNK]))
        passed += len(new)
        spent.append(ms)
        figures.lag.append(max(0, min(at + CHUNK, len(text)) - passed))
    spent.append(take(stream.flush)[1])
    figures.streamed_ms.append(sum(spent) * 1000 / LENGTH)
    figures.longest_ms.append(max(spent))


def shown(values: list[float]) -> str:
    """Return the median, and the least to the most."""
    return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"


def main() -> None:
    """Print the table, and write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=15)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--systems", nargs="+", default=["rules", "tiny", "small"])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    results = {}
    print("| system | whole | streamed | judged before | slowest chunk, ms | lag, characters: median, most | hidden |")
    print("|---|---|---|---|---|---|---|")
    for system in options.systems:
        guard = build_rules_guard() if system == "rules" else build_guard(system, device="cpu")
        figures = measure(guard, options.replies, options.seed)
        print(
            f"| {system} | {shown(figures.whole_ms)} | {shown(figures.streamed_ms)} | {shown(figures.again_ms)} "
            f"| {shown(figures.longest_ms)} | {statistics.median(figures.lag):.0f}, {max(figures.lag)} "
            f"| {figures.hidden} |",
            flush=True,
        )
        results[system] = {
            "whole_ms": figures.whole_ms,
            "streamed_ms": figures.streamed_ms,
            "again_ms": figures.again_ms,
            "longest_ms": figures.longest_ms,
            "lag": figures.lag,
        }
    if options.out is not None:
        settings = {"replies": options.replies, "seed": options.seed, "python": platform.python_version()}
        options.out.write_text(json.dumps({**settings, "privguard": version("privguard"), "systems": results}))


if __name__ == "__main__":
    main()
