"""What it costs to keep a table, to get it back, and to bind it: each store, ten entities a table.

A Redis server is started for the time of the measurement where `redis-server` is on the path.
"""

import argparse
import json
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from privguard.core.entities import EntityType
from privguard.core.holding import Owner
from privguard.core.restoring import RestoreEntry, RestoreTable
from privguard.vault import MemoryStore, RedisStore, SealedVault, SqliteStore, Store, VaultKeys

ENTITIES = 10
OWNER = Owner(tenant="an invented tenant", scope="an invented conversation")


def make_table(number: int) -> RestoreTable:
    """Return a table of one request."""
    entries = [
        RestoreEntry(
            placeholder_id=f"7QK{2 + index % 8}{'ABCDEFGHJK'[index]}",
            kind=EntityType.PERSON,
            value=f"Person {number}-{index}",
            forms=(("last name", f"{number}-{index}"),),
        )
        for index in range(ENTITIES)
    ]
    return RestoreTable(entries={entry.placeholder_id: entry for entry in entries})


@contextmanager
def redis_server(folder: Path) -> Iterator[str | None]:
    """Run a Redis server on a socket, and give its URL; None where there is none."""
    server = shutil.which("redis-server")
    if server is None:
        yield None
        return
    socket = folder / "redis.sock"
    options = ("--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no", "--dir", str(folder))
    process = subprocess.Popen([server, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert any("eady to accept connections" in line for line in process.stdout)
        yield f"unix://{socket}"
    finally:
        process.terminate()
        process.communicate()


def times_of(work: Callable[[int], object], count: int) -> list[float]:
    """Run some work for each number, and return what each time took, in microseconds, sorted."""
    times = []
    for number in range(count):
        started = time.perf_counter()
        work(number)
        times.append(1e6 * (time.perf_counter() - started))
    return sorted(times)


def steps(vault: SealedVault, number_of: str, count: int) -> dict[str, list[float]]:
    """Take the steps in the life of requests whose reply comes later."""
    tables = [make_table(number) for number in range(count)]

    def bind(number: int) -> None:
        table = vault.get(OWNER, f"request-{number_of}-{number}")
        assert table is not None
        vault.put(OWNER, f"resp_{number_of}-{number}", table)
        vault.delete(OWNER, f"request-{number_of}-{number}")

    return {
        "put": times_of(lambda number: vault.put(OWNER, f"request-{number_of}-{number}", tables[number]), count),
        "bind": times_of(bind, count),
        "get": times_of(lambda number: vault.get(OWNER, f"resp_{number_of}-{number}"), count),
        "get, not there": times_of(lambda number: vault.get(OWNER, f"none-{number_of}-{number}"), count),
    }


def measure(name: str, store: Store, count: int, repeat: int) -> dict[str, object]:
    """Measure a store, print its line of the table, and return its figures."""
    vault = SealedVault(store, VaultKeys.random())
    rounds = [steps(vault, str(number), count) for number in range(repeat)]
    vault.close()
    figures: dict[str, object] = {"store": name, "n": repeat * count}
    cells = []
    for step in rounds[0]:
        medians = sorted(statistics.median(each[step]) for each in rounds)
        late = statistics.median(each[step][round(0.99 * count) - 1] for each in rounds)
        figures[step] = {"p50_us": statistics.median(medians), "of_rounds_us": medians, "p99_us": late}
        cells.append(f"{statistics.median(medians):,.0f} ({medians[0]:,.0f} to {medians[-1]:,.0f}) / {late:,.0f}")
    print(f"| {name} | {' | '.join(cells)} |")
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1_000, help="in each round")
    parser.add_argument("--repeat", type=int, default=7, help="how many rounds")
    parser.add_argument("--out", type=Path, help="write the figures down as JSON")
    given = parser.parse_args()
    print(f"Median of {given.repeat} rounds (least to most) / 99th percentile, in microseconds;")
    print(f"n = {given.repeat} x {given.tables:,} tables of {ENTITIES} entities")
    print("| store | put | bind | get | get, not there |")
    figures = []
    with tempfile.TemporaryDirectory(prefix="pgv") as name:
        folder = Path(name)
        figures.append(measure("memory", MemoryStore(), given.tables, given.repeat))
        figures.append(measure("SQLite", SqliteStore(folder / "vault.sqlite"), given.tables, given.repeat))
        with redis_server(folder) as url:
            if url is None:
                print("redis-server is not on the path: Redis is left out")
            else:
                figures.append(measure("Redis", RedisStore.from_url(url), given.tables, given.repeat))
    if given.out:
        setting = {"python": platform.python_version(), "system": platform.platform(), "entities": ENTITIES}
        given.out.write_text(json.dumps({"setting": setting, "stores": figures}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
