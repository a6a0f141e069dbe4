"""`privguard audit`: what was kept of each request, whether somebody touched it, and how long it stays."""

import typer

from privguard.cli.audit_keep import checkpoint, export, keygen, purge
from privguard.cli.audit_report import report
from privguard.cli.audit_show import show
from privguard.cli.audit_verify import verify

app = typer.Typer(
    help="Show, verify, report, export and purge the audit log.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
for command in (show, verify, report, export, purge, keygen, checkpoint):
    app.command()(command)
