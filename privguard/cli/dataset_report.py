"""Show on standard error how a run over a data set goes."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from privguard.cli.dataset import Job, Summary, run_dataset
from privguard.cli.rows import Finished
from privguard.guard import Guard


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM: it stops as it does at an interrupt."""


def run_with_progress(job: Job, make_guard: Callable[[], Guard]) -> Summary:
    """Run with a progress bar on a terminal; report every bad row by its line number, and the sum at the end."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    columns = (TextColumn("rows"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("rows", total=None)

        def report(finished: Finished) -> None:
            progress.advance(task)
            if finished.problem:
                console.print(f"line {finished.number}: {finished.problem}", style="red")

        try:
            with _termination_as_interrupt():
                summary = run_dataset(
                    job, make_guard, report=report, begin=lambda total: progress.update(task, total=total)
                )
        except KeyboardInterrupt:
            if job.source is not None and job.out is not None:
                console.print("interrupted: run the same command again to go on from here", style="yellow")
            raise
    if summary.other_random_key:
        console.print(
            "the rows that were there have placeholders of another random key: set PRIVGUARD_KEY for the same ones",
            style="yellow",
        )
    earlier = f", {summary.resumed} were there already" if summary.resumed else ""
    failed = f", {summary.failed} lines failed" if summary.failed else ""
    console.print(f"{summary.written} rows written{earlier}{failed}", style="red" if summary.failed else "green")
    return summary


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Raise `Terminated` at SIGTERM: the default would leave the workers and what they share behind."""

    def stop(_number: int, _frame: object) -> NoReturn:
        raise Terminated

    before = None
    with suppress(ValueError):  # outside the main thread no handler can be set
        before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)
