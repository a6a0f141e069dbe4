"""Keep audit records in a file of JSON lines, with the head of the chain in a small file beside it.

The lines are written first and the head after them, so a killed process leaves the head a few rows behind, and at most
one unfinished line. Both are put right by the next writer; the unfinished line stays where it is and is reported.
"""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import NoReturn

from privguard.audit.chain import ORIGIN, SALT_SIZE, Hasher, Head, Row, chain_id_of
from privguard.audit.checkpoints import Checkpoint, Notary
from privguard.audit.codec import encode
from privguard.audit.erasing import Erasure
from privguard.audit.files import cannot, inode, make_private
from privguard.audit.jsonl_erase import copy_erased, replacing, rows_to_erase
from privguard.audit.jsonl_files import (
    BINARY,
    MAX_LAG,
    last_checkpoint,
    load_head,
    locked,
    read_at,
    rows_from,
    store_checkpoint,
    store_head,
    write_all,
)
from privguard.audit.lines import format_row, parse_row
from privguard.core.audit import AuditRecord
from privguard.core.errors import AuditError

_GENESIS = b'{"seq":0,"previous":"%s",' % ORIGIN.encode("ascii")  # how a log begins, torn or whole
_LONGEST_GENESIS = 4096  # bytes


class JsonlSink:
    """Append records to `path`, one line each.

    Threads and, where the system has `flock` (not on Windows), processes share one chain.

    Args:
        path: created with mode 0600, missing directories with 0700.
        key: at least 16 bytes; makes every hash an HMAC. A chain is written with one key or with none.
        notary: signs checkpoints.

    Raises:
        AuditError: the path cannot be opened, or the log does not end where its head says.
        ConfigError: the key is too short.
    """

    def __init__(self, path: str | Path, *, key: bytes | None = None, notary: Notary | None = None) -> None:
        self._path = Path(path).expanduser().absolute()
        self._hasher, self._notary = Hasher(key), notary
        self._lock = Lock()
        self._closed = False
        self._file = -1  # the descriptor, -1 while there is none
        self._inode = 0
        self._pid = os.getpid()
        self._head: Head | None = None
        self._size = -1  # of the file when `_head` was its head
        self._signed = -1  # the row of the newest checkpoint that is known, -1 before one was looked for
        with self._opened():
            self._tip()

    def write(self, record: AuditRecord) -> None:
        """Append one record."""
        self.append((encode(record),))

    def append(self, bodies: Sequence[bytes]) -> None:
        """Append a row for each body; more than 64 are written in several steps, each all or none."""
        with self._used():
            for start in range(0, len(bodies), MAX_LAG):
                head = self._append(bodies[start : start + MAX_LAG])
                if self._notary is not None and self._notary.is_due(head, self._last_signed()):
                    self._attest(head, self._notary)

    def sign(self) -> Checkpoint | None:
        """Sign the end of the chain where it is not, and return its newest checkpoint."""
        with self._used():
            return self._sign()

    def erase(self, erasure: Erasure, now: datetime | None = None) -> int:
        """Erase bodies, and return of how many rows: the log is written anew, and other writers wait.

        Raises:
            AuditError: a row does not verify, which erasing would hide; or the log cannot be written.
        """
        with self._used():
            tip = self._tip()
            rows = rows_to_erase(self._path, erasure, self._hasher)
            if not rows:
                return 0
            body = erasure.entry(rows, now or datetime.now(UTC))
            row = self._hasher.follow(tip, body, secrets.token_hex(SALT_SIZE))
            with replacing(self._path) as copy:
                copy_erased(self._path, copy, erasure, self._hasher)
                write_all(copy, format_row(row) + b"\n")
            store_head(self._path, self._hasher.head(row))
            return len(rows)

    def close(self) -> None:
        """Sign and close the file; a second time does nothing."""
        try:
            if self._notary is not None and not self._closed:
                self.sign()
        finally:
            if os.getpid() != self._pid:
                self._leave_parent()
            with self._lock:
                self._closed = True
                self._close_file()

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            self.close()

    @contextmanager
    def _used(self) -> Iterator[None]:
        """Hold the lock of this sink and that of the file."""
        if os.getpid() != self._pid:
            self._leave_parent()
        with self._lock:
            if self._closed:
                raise AuditError(f"the audit log {self._path} is closed")
            with self._opened():
                yield

    def _leave_parent(self) -> None:
        # The lock of a file is shared with the parent as long as its descriptor is.
        self._close_file()
        self._lock = Lock()  # a thread of the parent may have held the old one
        self._pid = os.getpid()

    def _close_file(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file, self._size, self._signed = -1, -1, -1

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Hold the lock of the file that `path` names now: a file that was moved would swallow the records."""
        try:
            while True:
                if self._file < 0 or inode(self._path) != self._inode:
                    self._close_file()
                    make_private(self._path)
                    self._file = os.open(self._path, os.O_RDWR | os.O_APPEND | BINARY)
                    self._inode = os.fstat(self._file).st_ino
                with locked(self._file):
                    # It may have been replaced while we waited for the lock.
                    if inode(self._path) == self._inode:
                        yield
                        return
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
        if head is not None and not self._hasher.vouches_for_head(head):
            self._refuse("has a head that was written with another key, or changed")
        rows = rows_from(self._file, size, 0 if head is None else head.seq)
        if not rows and (head is not None or not _GENESIS.startswith(read_at(self._file, 0, len(_GENESIS)))):
            self._refuse("has no row to go on from")
        if head is None and rows and rows[-1].seq > 0:
            self._refuse("has no head")
        if rows and not self._may_adopt(rows, head):
            self._refuse("does not end where its head says")
        if size and read_at(self._file, size - 1, 1) != b"\n":
            # An unfinished line keeps its bytes; its line break keeps it apart from the next row.
            write_all(self._file, b"\n")
        last = rows[-1] if rows else self._hasher.genesis(secrets.token_hex(16))
        if not rows:
            write_all(self._file, format_row(last) + b"\n")
        found = self._hasher.head(last)
        if found != head:
            store_head(self._path, found)
        return found

    def _may_adopt(self, rows: Sequence[Row], head: Head | None) -> bool:
        """Tell whether a writer was killed after it wrote the last of the rows and before it moved the head."""
        begins = head is None or (rows[0].seq, rows[0].hash) == (head.seq, head.hash)
        links = all(after.seq == row.seq + 1 and after.previous == row.hash for row, after in pairwise(rows))
        fresh = rows if head is None else rows[1:]
        return begins and links and len(fresh) <= MAX_LAG and all(map(self._hasher.vouches_for, fresh))

    def _append(self, bodies: Sequence[bytes]) -> Head:
        row: Row | Head = self._tip()
        lines = []
        for body in bodies:
            row = self._hasher.follow(row, body, secrets.token_hex(SALT_SIZE))
            lines.append(format_row(row) + b"\n")
        if isinstance(row, Head):
            return row
        before, head = self._size, self._hasher.head(row)
        self._size = -1
        try:
            write_all(self._file, b"".join(lines))
            store_head(self._path, head)
        except BaseException:
            # The caller learns that the records were not kept: then no part of them stays.
            if not self._is_stored(head):
                os.ftruncate(self._file, before)
            raise
        self._head, self._size = head, os.fstat(self._file).st_size
        return head

    def _is_stored(self, head: Head) -> bool:
        try:
            return load_head(self._path) == head
        except OSError:
            return False

    def _sign(self) -> Checkpoint | None:
        head, last = self._tip(), last_checkpoint(self._path)
        if self._notary is None or (last is not None and (last.seq, last.hash) == (head.seq, head.hash)):
            return last
        return self._attest(head, self._notary)

    def _attest(self, head: Head, notary: Notary) -> Checkpoint:
        genesis = parse_row(read_at(self._file, 0, _LONGEST_GENESIS).partition(b"\n")[0])
        if genesis is None:
            self._refuse("has no first row")
        checkpoint = notary.sign(head, chain_id_of(genesis))
        store_checkpoint(self._path, checkpoint)
        self._signed = head.seq
        return checkpoint

    def _last_signed(self) -> int:
        if self._signed < 0:
            last = last_checkpoint(self._path)
            self._signed = 0 if last is None else last.seq
        return self._signed

    def _refuse(self, fault: str) -> NoReturn:
        raise AuditError(
            f"the audit log {self._path} {fault}: run `privguard audit verify`, then move it and its head away "
            "to start a new one"
        )
