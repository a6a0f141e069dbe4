"""The command `privguard`: one module per sub-command."""

from privguard.cli.commands import app, main

__all__ = ["app", "main"]
