"""Keep a record of every request, in a chain that shows what was changed, and nothing of the content."""

from typing import TYPE_CHECKING

from privguard.core.lazy import lazy_exports

if TYPE_CHECKING:
    from privguard.audit.background import BackgroundSink
    from privguard.audit.chain import Head, Row
    from privguard.audit.checkpoints import Checkpoint
    from privguard.audit.faults import Fault, FaultKind, Verdict
    from privguard.audit.jsonl import JsonlSink
    from privguard.audit.memory import MemorySink, NullSink
    from privguard.audit.read import read_records, read_rows, verify_file
    from privguard.audit.signing import load_public_key
    from privguard.audit.sinks import default_audit_path, open_sink, open_store
    from privguard.audit.sqlite import SqliteSink
    from privguard.audit.store import Store

_HOMES = {
    "BackgroundSink": "background",
    "Checkpoint": "checkpoints",
    "Fault": "faults",
    "FaultKind": "faults",
    "Head": "chain",
    "JsonlSink": "jsonl",
    "MemorySink": "memory",
    "NullSink": "memory",
    "Row": "chain",
    "SqliteSink": "sqlite",
    "Store": "store",
    "Verdict": "faults",
    "default_audit_path": "sinks",
    "load_public_key": "signing",
    "open_sink": "sinks",
    "open_store": "sinks",
    "read_records": "read",
    "read_rows": "read",
    "verify_file": "read",
}

__all__ = [
    "BackgroundSink",
    "Checkpoint",
    "Fault",
    "FaultKind",
    "Head",
    "JsonlSink",
    "MemorySink",
    "NullSink",
    "Row",
    "SqliteSink",
    "Store",
    "Verdict",
    "default_audit_path",
    "load_public_key",
    "open_sink",
    "open_store",
    "read_records",
    "read_rows",
    "verify_file",
]

__getattr__ = lazy_exports(__name__, _HOMES)
