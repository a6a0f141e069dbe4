"""`privguard audit verify`: whether the log is as it was written, and what it lacks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from privguard.audit.checkpoints import Checkpoint
from privguard.audit.faults import Fault, FaultKind, Verdict
from privguard.audit.jsonl_files import read_checkpoints
from privguard.audit.read import verify_file
from privguard.audit.settings import AUDIT_KEY_VARIABLE
from privguard.audit.signing import Ed25519Checker, load_public_key
from privguard.cli.audit_options import FAULTY, KeyEnvOption, PathOption, key_of, number, place_of, stop
from privguard.core.errors import AuditError, ConfigError

_FAULTS = {
    FaultKind.CHANGED: ("was changed", "were changed"),
    FaultKind.REMOVED: ("is missing", "are missing"),
    FaultKind.REORDERED: ("stands out of order", "stand out of order"),
    FaultKind.DUPLICATED: ("stands there more than once", "stand there more than once"),
    FaultKind.TRUNCATED: ("is missing at the end", "are missing at the end"),
    FaultKind.ERASED: ("was erased, and no entry says so", "were erased, and no entry says so"),
    FaultKind.REWRITTEN: (
        "is not the row that was signed: all before it may be written anew",
        "are not the rows that were signed: all before them may be written anew",
    ),
    FaultKind.UNRECORDED: (
        "begins a request that has no record: it is still open, or its process was killed",
        "begin requests that have no record: they are still open, or their process was killed",
    ),
    FaultKind.UNERASED: (
        "was to be erased, and its body is there: was the log put back from a copy?",
        "were to be erased, and their bodies are there: was the log put back from a copy?",
    ),
}
_SENTENCES = {
    FaultKind.HEAD_MISSING: "the head of the log is missing: rows after {first} may have been cut off",
    FaultKind.HEAD_CHANGED: "the head of the log was changed, or does not belong to it: it names row {first}",
    FaultKind.FOREIGN: "something that is no row of this log stands before row {first}",
    FaultKind.FORGED: "the checkpoint of {rows} is not signed with its key",
    FaultKind.OTHER_CHAIN: "the checkpoint of {rows} belongs to another log",
    FaultKind.UNSIGNED: "no checkpoint that holds is signed with the key that was given",
    FaultKind.UNFINISHED: "an unfinished line stands before row {first}: a writer was killed, no row is missing",
    FaultKind.UNCLOSED: (
        "the writer that begins in row {first} has not ended, with {requests} open: it still writes, or was killed"
    ),
    FaultKind.UNENDED: "{requests} of the writer that ends in row {first} never ended",
    FaultKind.DROPPED: "{records} before row {first} could not be written",
}


def verify(
    path: PathOption = None,
    key_env: KeyEnvOption = AUDIT_KEY_VARIABLE,
    public_key: Annotated[
        list[Path] | None,
        typer.Option("--public-key", metavar="FILE", help="The public key of the checkpoints. May be given again."),
    ] = None,
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option("--checkpoint", metavar="FILE", help="A checkpoint that was kept elsewhere. May be given again."),
    ] = None,
) -> None:
    """Check the whole log, or an export: exit code 1 when a row was changed, removed, moved or cut off."""
    place, key = place_of(path), key_of(key_env)
    if checkpoint and not public_key:
        raise stop("a checkpoint proves nothing without the public key: give --public-key too")
    try:
        keys = [load_public_key(file) for file in public_key or ()]
        kept = [each for file in checkpoint or () for each in _read(file, keys)]
        verdict = verify_file(place, key, public_keys=keys, checkpoints=kept)
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for note in verdict.notes:
        console.print(_describe(note), style="yellow")
    for fault in verdict.faults:
        console.print(_describe(fault), style="red")
    if not verdict.ok:
        if key and _is_all_changed(verdict):
            console.print("every row: was the log written with this key?", style="yellow")
        raise typer.Exit(FAULTY)
    _praise(console, verdict)
    if not key and not keys:
        console.print("without a key: whoever can write the file could have written it anew", style="dim")


def _read(file: Path, keys: Sequence[Ed25519Checker]) -> Sequence[Checkpoint]:
    """Read checkpoints that were kept elsewhere.

    Raises:
        AuditError: there is none, or none of the keys signed one of them.
    """
    known = {key.key_id: key for key in keys}
    found = tuple(read_checkpoints(file)) if file.is_file() else ()
    if not found:
        raise AuditError(f"there is no checkpoint in {file}")
    for each in found:
        if each.key_id not in known or not known[each.key_id].accepts(each.message, each.signature):
            raise AuditError(f"a checkpoint in {file} was not signed with a key that was given")
    return found


def _praise(console: Console, verdict: Verdict) -> None:
    erased = f", {number(verdict.erased, 'row')} erased" if verdict.erased else ""
    console.print(f"{number(verdict.records, 'record')}, no fault{erased}", style="green")
    if verdict.head is not None:
        console.print(f"ends with row {verdict.head.seq}, hash {verdict.head.hash}")
    if verdict.signed is not None:
        signed = verdict.signed
        rest = verdict.rows - 1 - signed.seq
        behind = f"; {number(rest, 'row')} behind it can be written anew unnoticed" if rest > 0 else ""
        console.print(f"signed up to row {signed.seq} at {signed.at[:19]} with key {signed.key_id}{behind}")


def _describe(fault: Fault) -> str:
    several = fault.last > fault.first
    rows = f"rows {fault.first} to {fault.last}" if several else f"row {fault.first}"
    sentence = _SENTENCES.get(fault.kind)
    if sentence is None:
        return f"{rows} {_FAULTS[fault.kind][several]}"
    requests, records = number(fault.count, "request"), number(fault.count, "record")
    return sentence.format(rows=rows, first=fault.first, requests=requests, records=records)


def _is_all_changed(verdict: Verdict) -> bool:
    return any(
        fault.kind is FaultKind.CHANGED and fault.last - fault.first + 1 >= verdict.rows for fault in verdict.faults
    )
