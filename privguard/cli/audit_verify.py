"""`privguard audit verify`: whether the log is as it was written, and what it lacks."""

import typer
from rich.console import Console

from privguard.audit.faults import FaultKind, Verdict
from privguard.audit.read import verify_file
from privguard.audit.settings import AUDIT_KEY_VARIABLE
from privguard.audit.wording import describe, number
from privguard.cli.audit_options import (
    FAULTY,
    CheckpointOption,
    KeyEnvOption,
    PathOption,
    PublicKeyOption,
    key_of,
    place_of,
    stop,
    witnesses_of,
)
from privguard.core.errors import AuditError, ConfigError


def verify(
    path: PathOption = None,
    key_env: KeyEnvOption = AUDIT_KEY_VARIABLE,
    public_key: PublicKeyOption = None,
    checkpoint: CheckpointOption = None,
) -> None:
    """Check the whole log, or an export: exit code 1 when a row was changed, removed, moved or cut off."""
    place, key = place_of(path), key_of(key_env)
    try:
        keys, kept = witnesses_of(public_key or (), checkpoint or ())
        verdict = verify_file(place, key, public_keys=keys, checkpoints=kept)
    except (AuditError, ConfigError) as exc:
        raise stop(str(exc)) from None
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for note in verdict.notes:
        console.print(describe(note), style="yellow")
    for fault in verdict.faults:
        console.print(describe(fault), style="red")
    if not verdict.ok:
        if key and _is_all_changed(verdict):
            console.print("every row: was the log written with this key?", style="yellow")
        raise typer.Exit(FAULTY)
    _praise(console, verdict)
    if not key and not keys:
        console.print("without a key: whoever can write the file could have written it anew", style="dim")


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


def _is_all_changed(verdict: Verdict) -> bool:
    return any(
        fault.kind is FaultKind.CHANGED and fault.last - fault.first + 1 >= verdict.rows for fault in verdict.faults
    )
