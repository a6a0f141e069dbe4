"""The command `privguard`: one module per sub-command."""

from privguard.cli.app import app, main

__all__ = ["app", "main"]
