"""What lets an interrupted run go on: a small file beside the output that says what made it.

The n-th row of the output belongs to the n-th line of the input that holds a row and did not fail. So the output itself
says how far the run came, and the ledger needs to keep only the settings and the numbers of the lines that failed.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from privguard.core.errors import ConfigError

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What decides the rows of the output."""

    input_sha256: str
    target: str
    profile_id: str
    artifact_ids: tuple[str, ...]
    key_id: str  # a fingerprint of a key that outlives the run, "" for a random one


class Ledger:
    """Append the rows of one output, and remember which lines failed."""

    def __init__(self, out: Path, settings: Settings, *, fresh: bool = False) -> None:
        """Open the output at the place where the last run ended.

        Raises:
            ConfigError: the output was made by something else, and `fresh` does not allow to start over.
        """
        self.path = ledger_path(out)
        self.failed: set[int] = set()
        self.rows = 0
        self.last_row = b""
        self.other_random_key = False
        try:
            if fresh or not (out.exists() or self.path.exists()):
                self.path.write_text(json.dumps(asdict(settings)) + "\n", encoding="utf-8")
                self._out = out.open("wb")
            else:
                self._resume(out, settings)
                self._out = out.open("ab")
            self._log = self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"{out} cannot be written: {error.strerror or type(error).__name__}") from None

    def write(self, line: str) -> None:
        """Append one row, whole."""
        self._out.write(line.encode() + b"\n")

    def note_failure(self, number: int) -> None:
        """Remember that a line has no row, before any later row is written."""
        self._out.flush()
        self._log.write(json.dumps({"failed": number}) + "\n")
        self._log.flush()
        self.failed.add(number)

    def flush(self) -> None:
        """Hand all rows to the operating system."""
        self._out.flush()

    def close(self) -> None:
        """Close both files, on the disk."""
        self._out.flush()
        os.fsync(self._out.fileno())
        self._out.close()
        self._log.close()

    def _resume(self, out: Path, settings: Settings) -> None:
        if not self.path.exists():
            raise ConfigError(f"{out} exists and there is no {self.path.name} beside it: name another, or use --fresh")
        try:
            first, *rest = _whole_lines(self.path)
            stored = json.loads(first)
            self.failed = {int(json.loads(line)["failed"]) for line in rest}
        except (ValueError, KeyError, TypeError):
            raise ConfigError(f"{self.path} is damaged: use --fresh to start over") from None
        self._check(stored, asdict(settings), out)
        if out.exists():
            self.rows, self.last_row = _repair(out)
        self.other_random_key = bool(self.rows) and not settings.key_id

    def _check(self, stored: object, wanted: dict[str, object], out: Path) -> None:
        if not isinstance(stored, dict) or stored.keys() != wanted.keys():
            raise ConfigError(f"{self.path} is damaged: use --fresh to start over")
        for name, value in wanted.items():
            if stored[name] != (list(value) if isinstance(value, tuple) else value):
                what = name.removesuffix("_sha256").removesuffix("_ids").removesuffix("_id")
                raise ConfigError(f"{out} was begun with another {what}: name another output, or use --fresh")


def ledger_path(out: Path) -> Path:
    """Return where the ledger of an output lies."""
    return out.with_name(out.name + ".progress")


def _whole_lines(path: Path) -> list[bytes]:
    """Return the lines that were written to their end, and cut off what was not."""
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        os.truncate(path, len(whole))
    return whole.splitlines() or [b""]


def _repair(out: Path) -> tuple[int, bytes]:
    """Cut off a torn last line; return the number of rows and the last of them."""
    rows = whole = 0
    last = b""
    with out.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            rows, whole, last = rows + 1, whole + len(line), line
    os.truncate(out, whole)
    return rows, last
