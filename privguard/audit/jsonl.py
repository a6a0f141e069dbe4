"""Keep audit records in a file of JSON lines, with the head of the chain in a small file beside it.

The line is written first and the head after it, so a killed process leaves the head at most one row behind, and at most
one unfinished line. Both are put right by the next writer; the unfinished line stays where it is and is reported.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import NoReturn

from privguard.audit.chain import ORIGIN, Hasher, Head, Row, format_head, format_row, parse_head, parse_row
from privguard.audit.codec import encode
from privguard.audit.files import cannot, inode, make_private
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError

_TAIL = 1 << 14  # bytes; read first when looking for the last row
_GENESIS = b'{"seq":0,"previous":"%s",' % ORIGIN.encode("ascii")  # how a log begins, torn or whole
_HEAD_SIZE = 256  # bytes; always the same, so that a head covers the one before it
_BINARY = getattr(os, "O_BINARY", 0)  # Windows alone has it


def head_path(path: Path) -> Path:
    """Return the place of the head of the log at `path`."""
    return path.with_name(f"{path.name}.head")


class JsonlSink:
    """Append records to `path`, one line each.

    Threads and, where the system has `flock` (not on Windows), processes share one chain.

    Args:
        path: created with mode 0600, missing directories with 0700.
        key: at least 16 bytes; makes every hash an HMAC. A chain is written with one key or with none.

    Raises:
        AuditError: the path cannot be opened, or the log does not end where its head says.
        ConfigError: the key is too short.
    """

    def __init__(self, path: str | Path, *, key: bytes | None = None) -> None:
        self._path = Path(path).expanduser().absolute()
        self._head_path = str(head_path(self._path))
        self._hasher = Hasher(key)
        self._lock = Lock()
        self._closed = False
        self._file = -1  # the descriptor, -1 while there is none
        self._inode = 0
        self._pid = os.getpid()
        self._head: Head | None = None
        self._size = -1  # of the file when `_head` was its head
        with self._opened():
            self._tip()

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        body = encode(record)
        if os.getpid() != self._pid:
            self._leave_parent()
        with self._lock:
            if self._closed:
                raise AuditError(f"the audit log {self._path} is closed")
            with self._opened():
                self._append(self._hasher.follow(self._tip(), body))

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        if os.getpid() != self._pid:
            self._leave_parent()
        with self._lock:
            self._closed = True
            self._close_file()

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()

    def _leave_parent(self) -> None:
        # The lock of a file is shared with the parent as long as its descriptor is.
        self._close_file()
        self._lock = Lock()  # a thread of the parent may have held the old one
        self._pid = os.getpid()

    def _close_file(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file, self._size = -1, -1

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Hold the lock of the file that `path` names now: a moved file would swallow the records."""
        try:
            while self._file < 0 or inode(self._path) != self._inode:
                self._close_file()
                make_private(self._path)
                self._file = os.open(self._path, os.O_RDWR | os.O_APPEND | _BINARY)
                self._inode = os.fstat(self._file).st_ino
            with locked(self._file):
                yield
        except OSError as exc:
            raise cannot("write to", self._path, exc) from None

    def _tip(self) -> Head:
        """Return the head that the next row follows; looks at the files again when another writer was there."""
        size = os.fstat(self._file).st_size
        if self._head is None or size != self._size:
            self._head = self._resume(size)
            self._size = os.fstat(self._file).st_size
        return self._head

    def _resume(self, size: int) -> Head:
        """Find the end of the chain, and put right what a killed writer left."""
        head = load_head(self._path)
        last = _last_row(self._file, size)
        if last is None and (head is not None or not _GENESIS.startswith(_read(self._file, 0, len(_GENESIS)))):
            self._refuse("has no row to go on from")
        if head is None and last is not None and last.seq > 0:
            self._refuse("has no head")
        if head is not None and not self._hasher.vouches_for_head(head):
            self._refuse("has a head that was written with another key, or changed")
        at_head = head is not None and last is not None and (head.seq, head.hash) == (last.seq, last.hash)
        if last is not None and not at_head and not self._may_adopt(last, head):
            self._refuse("does not end where its head says")
        if size and _read(self._file, size - 1, 1) != b"\n":
            # An unfinished line keeps its bytes; its line break keeps it apart from the next row.
            _write_all(self._file, b"\n")
        if last is None:
            last = self._hasher.genesis(secrets.token_hex(16))
            _write_all(self._file, format_row(last) + b"\n")
        return head if head is not None and at_head else self._store_head(self._hasher.head(last))

    def _may_adopt(self, last: Row, head: Head | None) -> bool:
        """Tell whether a writer was killed after it wrote `last` and before it moved the head."""
        follows = head is None or (last.seq == head.seq + 1 and last.previous == head.hash)
        return follows and self._hasher.vouches_for(last)

    def _append(self, row: Row) -> None:
        before, head = self._size, self._hasher.head(row)
        self._size = -1
        try:
            _write_all(self._file, format_row(row) + b"\n")
            self._store_head(head)
        except BaseException:
            # The caller learns that the record was not kept: then no half of it stays.
            if not self._is_stored(head):
                os.ftruncate(self._file, before)
            raise
        self._head, self._size = head, os.fstat(self._file).st_size

    def _is_stored(self, head: Head) -> bool:
        try:
            return load_head(self._path) == head
        except OSError:
            return False

    def _store_head(self, head: Head) -> Head:
        """Write the head in place: within one disk sector, so neither a kill nor a power cut leaves half of it."""
        file = os.open(self._head_path, os.O_WRONLY | os.O_CREAT | _BINARY, 0o600)
        try:
            _write_all(file, format_head(head).ljust(_HEAD_SIZE - 1) + b"\n")
        finally:
            os.close(file)
        return head

    def _refuse(self, fault: str) -> NoReturn:
        raise AuditError(
            f"the audit log {self._path} {fault}: run `privguard audit verify`, then move it and its head away "
            "to start a new one"
        )


def load_head(path: Path) -> Head | None:
    """Read the head of the log at `path`; None where there is none that can be read.

    Raises:
        OSError: there is one, and it cannot be opened.
    """
    try:
        return parse_head(head_path(path).read_bytes().rstrip())
    except FileNotFoundError:
        return None


@contextmanager
def locked(file: int, *, shared: bool = False) -> Iterator[None]:
    """Hold the advisory lock of an open file; does nothing where the system has none."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _last_row(file: int, size: int) -> Row | None:
    """Return the last line that is a row, reading backwards."""
    length = min(_TAIL, size)
    while length:
        lines = _read(file, size - length, length).split(b"\n")
        whole = lines if length == size else lines[1:]  # the first may have begun before what was read
        for line in reversed(whole):
            row = parse_row(line)
            if row is not None:
                return row
        if length == size:
            return None
        length = min(length * 8, size)
    return None


def _read(file: int, at: int, length: int) -> bytes:
    os.lseek(file, at, os.SEEK_SET)
    return os.read(file, length)


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
