"""What a check of `privguard doctor` says."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check ended."""

    OK = "ok"
    NOTE = "note"  # works, but worth knowing
    ABSENT = "-"  # optional and not installed
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check; the detail holds no key and no credentials."""

    name: str
    status: Status
    detail: str
    remedy: str = ""
