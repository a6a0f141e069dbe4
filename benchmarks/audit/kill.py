"""Kill a process that writes the log, at random points, again and again, and look at what is left.

    python -m benchmarks.audit.kill --rounds 200

A child makes requests one after another and keeps a diary that no kill can take from it: what it is about to do, and
what it has done. After each kill the chain must hold; of the records that the child had handed over at most those are
missing that were not written yet, and the log itself must say so. The next child goes on with the same log.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.audit.records import make_intent, make_record
from privguard.audit.background import BackgroundSink
from privguard.audit.entries import is_entry, request_of
from privguard.audit.faults import FaultKind
from privguard.audit.read import read_rows, verify_file
from privguard.audit.sinks import open_store
from privguard.core.audit import AuditMode

ROOT = Path(__file__).parents[2]
LONGEST_S = 0.15  # from the first request to the kill
MANY = 10**9
OF_ONE_LOG = 50  # kills


@dataclass(frozen=True, slots=True, kw_only=True)
class Diary:
    """What a child says that it did, by request id."""

    sent: tuple[str, ...]  # the log had been told before
    handed_over: tuple[str, ...]  # the record had been given to the sink


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What was left after one kill."""

    holds: bool  # whether the chain has no fault
    sent: int
    lost: int  # records that were handed over and are not in the log
    lost_in_between: int  # of these, the ones that are not the last: there must be none
    unseen: int  # requests without a record of which the log says nothing; there must be none
    is_unclosed: bool  # whether the log says that the writer did not end

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing vanished without a trace."""
        return self.holds and not self.lost_in_between and not self.unseen and (self.is_unclosed or not self.lost)


def play(path: Path, diary: Path, mode: AuditMode, first: int) -> None:
    """Make requests until somebody ends this process."""
    file = os.open(diary, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with closing(BackgroundSink(open_store(path), mode)) as sink:
        print("ready", flush=True)
        for number in range(first, first + MANY):
            record = make_record(number)
            sink.begin(make_intent(record))
            os.write(file, b"sent %s\n" % record.request_id.encode())
            sink.write(record)
            os.write(file, b"done %s\n" % record.request_id.encode())


def read_diary(diary: Path) -> Diary:
    """Read what a child wrote down."""
    lines = [line.split() for line in diary.read_text(encoding="ascii").splitlines()] if diary.exists() else []
    return Diary(
        sent=tuple(name for word, name in lines if word == "sent"),
        handed_over=tuple(name for word, name in lines if word == "done"),
    )


def judge(path: Path, diary: Diary, mode: AuditMode, before: int) -> Round:
    """Compare the log with the diary of a child that found `before` rows in it."""
    begun: set[str] = set()
    recorded: set[str] = set()
    for row in read_rows(path):
        if row is not None and row.seq >= max(before, 1):
            (begun if is_entry(row.body) else recorded).add(request_of(row.body).decode("ascii"))
    verdict = verify_file(path)
    noted = sum(
        note.last - max(note.first, before) + 1
        for note in verdict.notes
        if note.kind is FaultKind.UNRECORDED and note.last >= before
    )
    lost = [name for name in diary.handed_over if name not in recorded]
    last = max((place for place, name in enumerate(diary.handed_over) if name in recorded), default=-1)
    required = mode is AuditMode.REQUIRED
    return Round(
        holds=verdict.ok,
        sent=len(diary.sent),
        lost=len(lost),
        lost_in_between=sum(name in lost for name in diary.handed_over[: last + 1]),
        unseen=len(set(diary.sent) - recorded - begun) + len(begun - recorded - {""}) - noted if required else 0,
        is_unclosed=any(note.kind is FaultKind.UNCLOSED and note.first >= before for note in verdict.notes),
    )


def kill_once(path: Path, folder: Path, mode: AuditMode, number: int, delay_s: float) -> Round:
    """Start a child, kill it after a time, and judge."""
    diary = folder / f"{path.name}.diary-{number}"
    before = verify_file(path).rows if path.exists() else 0
    command = [sys.executable, "-m", "benchmarks.audit.kill", "--child", str(path), str(diary), mode.value, str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(delay_s)
        child.kill()
    return judge(path, read_diary(diary), mode, before)


def kill_often(folder: Path, mode: AuditMode, suffix: str, rounds: int, seed: int) -> list[Round]:
    """Kill writers, some fifty of each log."""
    draw = random.Random(seed)
    return [
        kill_once(
            folder / f"{mode.value}-{number // OF_ONE_LOG}.{suffix}",
            folder,
            mode,
            number * 10**6,
            draw.uniform(0, LONGEST_S),
        )
        for number in range(1, rounds + 1)
    ]


def report(name: str, rounds: Sequence[Round]) -> None:
    """Print what was left, in a line."""
    print(
        f"{name}: {len(rounds)} kills, {sum(each.sent for each in rounds):,} requests; chain holds after "
        f"{sum(each.holds for each in rounds)}, most records lost in a kill {max(each.lost for each in rounds)}, "
        f"kills that lost one {sum(each.lost > 0 for each in rounds)}, lost in between "
        f"{sum(each.lost_in_between for each in rounds)}, absences that the log does not show "
        f"{sum(not each.is_sound for each in rounds)}",
        flush=True,
    )


def main() -> None:
    """Kill, and print what was left; exit code 1 where something vanished without a trace."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="kills of each mode and format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=4, metavar=("LOG", "DIARY", "MODE", "FIRST"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        log, diary, mode, first = options.child
        play(Path(log), Path(diary), AuditMode(mode), int(first))
        return
    sound = True
    with tempfile.TemporaryDirectory() as directory:
        for suffix in ("sqlite", "jsonl"):
            for each in AuditMode:
                rounds = kill_often(Path(directory), each, suffix, options.rounds, options.seed)
                report(f"{suffix}, {each.value}", rounds)
                sound = sound and all(one.is_sound for one in rounds)
    raise SystemExit(0 if sound else 1)


if __name__ == "__main__":
    main()
