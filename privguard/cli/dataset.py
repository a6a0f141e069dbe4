"""Minimize a data set: row by row, in order, in several processes, and on from where an interrupted run ended."""

import json
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import BinaryIO, Protocol

from privguard.cli.ledger import Ledger, Settings
from privguard.cli.lines import BATCH_LINES, Line, batches, digest_lines, is_blank, open_input
from privguard.cli.rows import Finished, finish_line
from privguard.core.errors import ConfigError, PrivguardError
from privguard.guard import Guard

_AHEAD = 4  # batches that wait per worker: memory stays bounded

MakeGuard = Callable[[], Guard]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run over a data set. Without a path, standard input or output is used and nothing can be resumed."""

    source: Path | None
    out: Path | None
    target: str
    profile: str | None = None
    workers: int = 1
    fresh: bool = False
    has_stable_key: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What became of all lines."""

    written: int = 0  # rows of this run
    failed: int = 0  # lines without a row, those of earlier runs included
    resumed: int = 0  # rows that were there already
    other_random_key: bool = False  # they have placeholders of another random key


class Sink(Protocol):
    """Where rows go."""

    def write(self, line: str) -> None:
        """Append one row, whole."""
        ...

    def note_failure(self, number: int) -> None:
        """Remember that a line has no row."""
        ...

    def flush(self) -> None:
        """Hand all rows to the operating system."""
        ...

    def close(self) -> None:
        """Close what was opened."""
        ...


class StreamSink:
    """Write the rows to a stream: nothing is remembered, such a run cannot be resumed."""

    def __init__(self, stream: BinaryIO, *, owned: bool) -> None:
        self._stream, self._owned = stream, owned

    def write(self, line: str) -> None:
        """Append one row."""
        self._stream.write(line.encode() + b"\n")

    def note_failure(self, number: int) -> None:
        """Keep nothing."""

    def flush(self) -> None:
        """Hand all rows on."""
        self._stream.flush()

    def close(self) -> None:
        """Hand all rows on, and close what is ours."""
        self._stream.flush()
        if self._owned:
            self._stream.close()


def run_dataset(
    job: Job,
    make_guard: MakeGuard,
    *,
    report: Callable[[Finished], None],
    begin: Callable[[int | None], None] = lambda _lines: None,
) -> Summary:
    """Minimize every row of the input.

    Args:
        job: input, output and settings.
        make_guard: builds the guard, once here and once in each worker; picklable when there are several.
        report: called for every line, in order, with what became of it.
        begin: called once before the first line with the number of lines that are left, None when it is not known.

    Raises:
        ConfigError: the files or settings are wrong, or the output cannot be resumed.
    """
    _check_paths(job)
    guard = make_guard()
    profile, _ = guard.parts.profiles.resolve(job.target, job.profile)
    with ExitStack() as stack:
        lines = enumerate(stack.enter_context(open_input(job.source)), start=1)
        summary, total = Summary(), None
        if job.source is None or job.out is None:
            sink: Sink = stack.enter_context(closing(_open_stream(job)))
        else:
            digest, count = digest_lines(job.source)
            ledger = Ledger(job.out, _settings(job, guard, profile.id, digest), fresh=job.fresh)
            sink = stack.enter_context(closing(ledger))
            total = count - _skip(lines, ledger)
            summary = Summary(failed=len(ledger.failed), resumed=ledger.rows, other_random_key=ledger.other_random_key)
        begin(total)
        finished = stack.enter_context(closing(_finished(job, guard, make_guard, lines)))
        written, failed = _write_all(finished, sink, report)
        return replace(summary, written=written, failed=summary.failed + failed)


def _write_all(finished: Iterator[Finished], sink: Sink, report: Callable[[Finished], None]) -> tuple[int, int]:
    """Write rows as they come, and return how many there were and how many lines failed."""
    written = failed = 0
    for each in finished:
        if each.output is None:
            failed += 1
            sink.note_failure(each.number)
        else:
            written += 1
            sink.write(each.output)
        if not (written + failed) % BATCH_LINES:
            sink.flush()
        report(each)
    return written, failed


def _finished(job: Job, guard: Guard, make_guard: MakeGuard, lines: Iterator[Line]) -> Generator[Finished]:
    """Minimize line by line, in order."""
    if job.workers == 1:
        for number, line in lines:
            if not is_blank(line):
                yield finish_line(guard, number, line, target=job.target, profile=job.profile)
        return
    pool = ProcessPoolExecutor(
        job.workers, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(make_guard,)
    )
    try:
        waiting: deque[Future[list[Finished]]] = deque()
        for batch in batches(lines):
            waiting.append(pool.submit(_finish_batch, batch, job.target, job.profile))
            if len(waiting) > _AHEAD * job.workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise PrivguardError("a worker process died; run the same command again to go on from here") from None
    finally:
        pool.shutdown(cancel_futures=True)


_worker_guard: Guard | None = None


def _start_worker(make_guard: MakeGuard) -> None:
    """Build the guard of a worker process, which leaves interrupts to its parent."""
    global _worker_guard  # noqa: PLW0603 - the one way in which a pool hands state to its processes
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_guard = make_guard()


def _end_with_parent() -> None:
    """End the worker when its parent was killed: it would wait for work forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _finish_batch(batch: list[Line], target: str, profile: str | None) -> list[Finished]:
    if _worker_guard is None:
        raise RuntimeError("the worker was not started")
    return [finish_line(_worker_guard, number, line, target=target, profile=profile) for number, line in batch]


def _skip(lines: Iterator[Line], ledger: Ledger) -> int:
    """Pass over the lines of the rows that are there already; return how many of them hold a row or failed."""
    rows = passed = number = 0
    line = b""
    while rows < ledger.rows:
        number, line = next(lines, (0, b""))
        if not number:
            raise ConfigError("the output has more rows than the input: use --fresh to start over")
        passed += not is_blank(line)
        rows += not is_blank(line) and number not in ledger.failed
    if rows and _row_id(line) != _row_id(ledger.last_row):
        raise ConfigError("the last row of the output is not that of its line in the input: use --fresh to start over")
    ledger.failed = {failed for failed in ledger.failed if failed <= number}  # later ones are tried again
    return passed


def _row_id(line: bytes) -> object:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row.get("id") if isinstance(row, dict) else None


def _settings(job: Job, guard: Guard, profile_id: str, digest: str) -> Settings:
    parts = guard.parts
    return Settings(
        input_sha256=digest,
        target=job.target,
        profile_id=profile_id,
        artifact_ids=(parts.detector.id, parts.need.id, parts.abstractor.id),
        key_id=parts.key.mac("data set").hex()[:16] if job.has_stable_key else "",
    )


def _check_paths(job: Job) -> None:
    if job.workers < 1:
        raise ConfigError("--workers needs at least one")
    if job.source is None or job.out is None:
        return
    if job.out.exists() and job.source.exists() and job.out.samefile(job.source):
        raise ConfigError("--out names the input itself")
    if job.out.suffix == ".gz":
        raise ConfigError("the output cannot be compressed while it is written: leave out .gz")


def _open_stream(job: Job) -> StreamSink:
    if job.out is None:
        return StreamSink(sys.stdout.buffer, owned=False)
    if job.out.exists() and not job.fresh:
        raise ConfigError(f"{job.out} exists, and a run over standard input cannot be resumed: use --fresh")
    try:
        return StreamSink(job.out.open("wb"), owned=True)
    except OSError as error:
        raise ConfigError(f"{job.out} cannot be written: {error.strerror or type(error).__name__}") from None
