"""`privguard doctor`: what is installed and in force, and the proof that the guard is on."""

from typing import TYPE_CHECKING, Annotated

import typer

from privguard.cli.settings import (
    DetectorName,
    DetectorOption,
    DeviceOption,
    JsonOption,
    ModelOption,
    ProfileOption,
    ProfilesOption,
    Wanted,
)

if TYPE_CHECKING:
    from privguard.cli.check import Check

FAILED = 1  # exit code
_TARGET = "privguard-doctor"  # an unknown model: that of the canaries when none is asked for

TargetOption = Annotated[
    str | None, typer.Option("--target", "-t", metavar="MODEL", help="Also say what is known of this model.")
]


def doctor(
    *,
    target: TargetOption = None,
    profile: ProfileOption = None,
    profiles: ProfilesOption = None,
    detector: DetectorOption = DetectorName.DEFAULT,
    model: ModelOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the installation, and send canaries through the whole path to prove that the guard is on.

    Nothing leaves this machine. The exit code is 1 when a check failed.
    """
    from privguard.cli.check import Status
    from privguard.cli.checks import check_setup
    from privguard.cli.proof import prove_by_hand, prove_with_sdk

    wanted = Wanted(detector=detector, model=model, device=device)
    findings = check_setup(target=target, profile=profile, profiles=profiles, wanted=wanted)
    checks = findings.checks
    if findings.guard is not None:
        for prove in (prove_by_hand, prove_with_sdk):
            checks += (prove(findings.guard, target=target or _TARGET, profile=profile),)
    ok = all(check.status is not Status.FAIL for check in checks)
    if as_json:
        import json
        from dataclasses import asdict

        typer.echo(json.dumps({"ok": ok, "checks": [asdict(check) for check in checks]}, ensure_ascii=False))
    else:
        _print(checks, ok=ok)
    if not ok:
        raise typer.Exit(FAILED)


def _print(checks: "tuple[Check, ...]", *, ok: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from privguard.cli.check import Status

    styles = {Status.OK: "green", Status.NOTE: "yellow", Status.ABSENT: "dim", Status.FAIL: "bold red"}
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        told = Text(check.detail)
        if check.remedy:
            told.append(f"\n-> {check.remedy}", style=styles[check.status])
        table.add_row(Text(check.status.value, style=styles[check.status]), Text(check.name), told)
    console = Console(highlight=False)
    console.print(table)
    console.print()
    console.print("the guard is on" if ok else "something needs your attention", style="green" if ok else "bold red")
