"""Keep a record of every request, in a chain that shows what was changed, and nothing of the content."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privguard.audit.chain import Head, Row
    from privguard.audit.jsonl import JsonlSink
    from privguard.audit.memory import MemorySink, NullSink
    from privguard.audit.read import read_rows, verify_file
    from privguard.audit.sinks import default_audit_path, open_sink
    from privguard.audit.sqlite import SqliteSink
    from privguard.audit.verify import Fault, FaultKind, Verdict

_HOMES = {
    "Fault": "verify",
    "FaultKind": "verify",
    "Head": "chain",
    "JsonlSink": "jsonl",
    "MemorySink": "memory",
    "NullSink": "memory",
    "Row": "chain",
    "SqliteSink": "sqlite",
    "Verdict": "verify",
    "default_audit_path": "sinks",
    "open_sink": "sinks",
    "read_rows": "read",
    "verify_file": "read",
}

__all__ = [
    "Fault",
    "FaultKind",
    "Head",
    "JsonlSink",
    "MemorySink",
    "NullSink",
    "Row",
    "SqliteSink",
    "Verdict",
    "default_audit_path",
    "open_sink",
    "read_rows",
    "verify_file",
]


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that an unused sink costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'privguard.audit' has no attribute {name!r}")
    return getattr(importlib.import_module(f"privguard.audit.{_HOMES[name]}"), name)
