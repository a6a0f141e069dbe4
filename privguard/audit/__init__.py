"""Keep a record of every request, in a chain that shows what was changed, and nothing of the content."""

from typing import TYPE_CHECKING

from privguard.core.lazy import lazy_exports

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

__getattr__ = lazy_exports(__name__, _HOMES)
