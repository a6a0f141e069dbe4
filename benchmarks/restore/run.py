"""How fast R reads: whole texts and streams of 20-byte chunks, and what a long stream keeps in memory."""

import argparse
import gc
import json
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from privguard.core.entities import EntityType
from privguard.core.placeholders import ALPHABET, write_placeholder
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.restore import Restorer

# Of a reply in prose R keeps JSON valid that stands in it: `reply` holds none, `fenced` as much JSON as prose.
KINDS_OF_TEXT = ("prose", "code", "json", "reply", "fenced")
CHANNELS = {"json": Channel.JSON, "reply": Channel.REPLY, "fenced": Channel.REPLY}
CHUNK = 20
APART = 500  # code points from one placeholder to the next
KINDS = (EntityType.PERSON, EntityType.EMAIL, EntityType.LOCATION, EntityType.DATE, EntityType.RECORD_ID)
WORDS = """
the of and to in a is that for it as was with be by on not he his but at are this have from or had an they
which one you were all her she there would their we him been has when who will no more if out so up said
what its about than into them can only other time new some could these two may first then do now like my
made over did down way little people long great years where must before right too means old any same another
because three here
"""
LINES = (
    "    for index, (name, value) in enumerate(self._items.items()):",
    '        if value is None or name.startswith("_"):',
    "            continue  # not for us",
    "        result[name] = {key: str(part) for key, part in value}",
    "    return Result(path=os.path.join(root, name), size=len(value), ok=True)",
    "const total = rows.reduce((sum, row) => sum + row.count * row.price, 0);",
    'log.info("read %d rows from %s in %.2f s", count, file_name, seconds)',
)


def table(rng: random.Random) -> RestoreTable:
    """Return twenty values under random ids."""
    entries: dict[str, RestoreEntry] = {}
    while len(entries) < 20:
        placeholder_id = rng.choice("23456789") + "".join(rng.choices(ALPHABET[8:], k=4))
        kind = KINDS[len(entries) % len(KINDS)]
        entries[placeholder_id] = RestoreEntry(
            placeholder_id=placeholder_id, kind=kind, value=f"Invented value {len(entries)}"
        )
    return RestoreTable(entries=entries)


def prose(rng: random.Random) -> str:
    """Return a paragraph with punctuation."""
    words = rng.choices(WORDS.split(), k=APART // 5)
    for start in range(0, len(words) - 12, 12):
        words[start] = words[start].title()
        words[start + 5] += rng.choice(",,,,,,;:")
        words[start + 11] += "."
    return " ".join(words)[: APART - 20] + rng.choice([" ", " ", "\n\n"])


def code(rng: random.Random) -> str:
    """Return lines of code, dense in brackets, quotes and underscores."""
    return "\n".join(rng.choices(LINES, k=8))[: APART - 20] + "\n"


def make_text(kind: str, rng: random.Random, values: RestoreTable, length: int) -> str:
    """Return a text of about so many code points with a placeholder in every `APART`."""
    entries = list(values.entries.values())
    write = code if kind == "code" else prose
    blocks = []
    size = 0
    while size < length:
        entry = rng.choice(entries)
        blocks.append(write(rng) + write_placeholder(entry.kind, entry.placeholder_id))
        size += len(blocks[-1])
    if kind == "fenced":
        return "\n".join(f"{block}\n```json\n{json.dumps({'note': block})}\n```" for block in blocks)
    if kind != "json":
        return " ".join(blocks)
    return json.dumps({"rows": [{"id": number, "note": block} for number, block in enumerate(blocks)]})


def timed(run: Callable[[], object], repeat: int) -> list[float]:
    """Return the seconds of the processor for each repetition, after one that does not count.

    The bars are for one core; the clock would measure what else the machine does.
    """
    run()
    seconds = []
    gc.disable()
    for _ in range(repeat):
        started = time.process_time()
        run()
        seconds.append(time.process_time() - started)
    gc.enable()
    return seconds


def spread(figures: list[float]) -> dict[str, float]:
    """Return median and range."""
    return {"median": statistics.median(figures), "min": min(figures), "max": max(figures)}


def measure(kind: str, seed: int, megabytes: float, repeat: int) -> dict[str, dict[str, float]]:
    """Measure one kind of text, and check that whole and streamed are the same."""
    rng = random.Random(seed)
    values = table(rng)
    channel = CHANNELS.get(kind, Channel.TEXT)
    text = make_text(kind, rng, values, int(megabytes * 1e6))
    chunks = [text[start : start + CHUNK] for start in range(0, len(text) // 4, CHUNK)]
    restorer = Restorer(values)

    def stream() -> str:
        running = restorer.stream(channel)
        feed = running.feed
        return "".join([feed(chunk) for chunk in chunks]) + running.flush()

    assert stream() == restorer.restore("".join(chunks), channel).text
    assert len(restorer.restore(text, channel).events) == len(values.entries)
    whole = timed(lambda: restorer.restore(text, channel), repeat)
    streamed = timed(stream, repeat)
    size = len(text) / 1e6
    streamed_size = sum(map(len, chunks)) / 1e6
    return {
        "whole_mb_s": spread([size / seconds for seconds in whole]),
        "streamed_mb_s": spread([streamed_size / seconds for seconds in streamed]),
        "us_per_chunk": spread([1e6 * seconds / len(chunks) for seconds in streamed]),
    }


def memory_growth(kind: str, seed: int, megabytes: float) -> dict[str, float]:
    """Return what a stream keeps at its first megabyte and at its end, and the most that it ever used, in KiB."""
    rng = random.Random(seed)
    values = table(rng)
    channel = CHANNELS.get(kind, Channel.TEXT)
    text = make_text(kind, rng, values, 1_000_000)
    stream = Restorer(values).stream(channel)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    early = 0
    for turn in range(max(1, int(megabytes))):
        for start in range(0, len(text), 1000):
            stream.feed(text[start : start + 1000])
        if turn == 0:
            early = tracemalloc.get_traced_memory()[0]
    late, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {"after_1_mb": (early - before) / 1024, "growth": (late - early) / 1024, "peak": (peak - before) / 1024}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10.0, help="length of the whole text; a quarter is streamed")
    parser.add_argument(
        "--stream-megabytes", type=float, default=50.0, help="length of the stream that memory is watched over"
    )
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write the figures to a file, too")
    options = parser.parse_args()
    speed, memory = {}, {}
    print(
        f"median (least to most) of {options.repeat}; {options.megabytes:g} MB, a placeholder every {APART} characters"
    )
    for kind in KINDS_OF_TEXT:
        speed[kind] = found = measure(kind, options.seed, options.megabytes, options.repeat)
        print(
            f"{kind:6}  whole {shown(found['whole_mb_s'])} MB/s   streamed by {CHUNK}: "
            f"{shown(found['streamed_mb_s'])} MB/s, {shown(found['us_per_chunk'])} us a chunk"
        )
    for kind in ("prose", "json", "fenced"):
        memory[kind] = kept = memory_growth(kind, options.seed, options.stream_megabytes)
        print(
            f"{kind:6}  {options.stream_megabytes:g} MB stream: {kept['after_1_mb']:.1f} KiB kept after 1 MB, "
            f"{kept['growth']:+.1f} KiB at the end, peak {kept['peak']:.1f} KiB"
        )
    if options.out:
        setting = {"seed": options.seed, "n": options.repeat, "megabytes": options.megabytes, "python": sys.version}
        figures = {"setting": setting, "speed": speed, "memory_kib": memory}
        options.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def shown(figures: dict[str, float]) -> str:
    """Write median and range."""
    return f"{figures['median']:.1f} ({figures['min']:.1f} to {figures['max']:.1f})"


if __name__ == "__main__":
    main()
