"""Say in plain words what a scan of a chain found: on the terminal and in reports."""

from privguard.audit.faults import Fault, FaultKind

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


def describe(fault: Fault) -> str:
    """Write a fault or a note as half a sentence, without a full stop."""
    several = fault.last > fault.first
    rows = f"rows {fault.first} to {fault.last}" if several else f"row {fault.first}"
    sentence = _SENTENCES.get(fault.kind)
    if sentence is None:
        return f"{rows} {_FAULTS[fault.kind][several]}"
    requests, records = number(fault.count, "request"), number(fault.count, "record")
    return sentence.format(rows=rows, first=fault.first, requests=requests, records=records)


def number(count: int, noun: str) -> str:
    """Write how many there are of something."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
