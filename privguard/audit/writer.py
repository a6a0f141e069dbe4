"""Write records in a thread of its own, in batches, so that nobody who makes a request waits for a file.

All methods may be called from any thread. What a fork and the end of the process need stands in `background`.
"""

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic

from privguard.audit.queued import Item, Pace
from privguard.audit.session import Batch, Session
from privguard.audit.store import Store
from privguard.core.audit import AuditMode, AuditRecord, Intent
from privguard.core.errors import AuditError

_LOGGER = logging.getLogger("privguard.audit")


class Writer:
    """The queue in front of a store, and the thread behind the queue."""

    def __init__(
        self,
        store: Store,
        mode: AuditMode,
        pace: Pace | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store, self._mode, self._pace, self._now = store, mode, pace or Pace(), now
        self._closed = self._is_orphan = False
        self.reset()

    def reset(self) -> None:
        """Begin a session without a thread, as in a new process: what waits in the old one is left to that."""
        self.writing = threading.Lock()  # held by whoever writes what waits
        self._session = Session(secrets.token_hex(8), self._mode)
        self._wake = threading.Condition()  # reentrant: a signal handler may make a request
        self._is_announced = False  # whether somebody has told the log of the session, or tried to
        self._pending: deque[Item] = deque()
        self._in_hand = 0  # items that the thread is writing
        self._thread: threading.Thread | None = None
        self._sleeps_deep = False  # whether nothing but a call wakes the thread
        self._failure: AuditError | None = None  # of the last attempt
        self._pause_s = 0.0  # until the next one
        self._has_told_of_drops = False
        self._tallied_at = self._appended_at = monotonic()
        self._is_signed = True

    @property
    def is_failing(self) -> bool:
        """Tell whether the last attempt to write failed."""
        return self._failure is not None

    def begin(self, intent: Intent) -> None:
        """Note a request that is about to leave.

        Raises:
            AuditError: the log is closed; or the audit is required, and the request could not be recorded.
        """
        if self._mode is AuditMode.BEST_EFFORT:
            self._announce()
            with self._wake:
                self._check_open()
                self._session.begin(intent.request_id)
                self._rouse(urgent=False)
            return
        done = threading.Event()
        item = Item(content=intent, done=done)
        with self._wake:
            self._check_open()
            self._check_room()
            self._session.begin(intent.request_id)
            self._pending.append(item)
            # Who has to wait for the log writes it, unless somebody else is at it: the thread would have to wake up.
            is_writer = self.writing.acquire(blocking=False)
            if not is_writer:
                self._rouse(urgent=True)
        if is_writer:
            self._write_here()
        self._await(item, done, intent)

    def write(self, record: AuditRecord) -> None:
        """Take a record to be written; where the queue is full, count it as lost.

        Where the audit is required, a request that was let go has its record written in any case: there are no more of
        them than requests that are open at the same time.

        Raises:
            AuditError: the log is closed.
        """
        self._announce()
        with self._wake:
            self._check_open()
            was_open = self._session.end(record.request_id)
            if len(self._pending) < self._pace.limit or (was_open and self._mode is AuditMode.REQUIRED):
                self._pending.append(Item(content=record))
                self._rouse(urgent=True)
            else:
                self._session.drop()
                self._tell_of_drops()

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until all that was taken is written; False when the time is over or the log fails."""

        def is_written() -> bool:
            return not self._pending and not self._in_hand

        with self._wake:
            self._wake.wait_for(lambda: is_written() or self._failure is not None, timeout_s)
            return is_written()

    def close(self) -> None:
        """Write what is left, end the session, and close the store; a second time does nothing.

        Raises:
            AuditError: some records could not be written.
        """
        with self._wake:
            if self._closed:
                return
            self._closed = True
            self._wake.notify_all()
            thread = self._thread
            # Dropped by the garbage collector in the thread itself, it has to end by itself.
            self._is_orphan = thread is threading.current_thread()
        if self._is_orphan:
            return
        if thread is not None:
            thread.join()
        else:
            self._run()
        self._store.close()
        if self._pending:
            raise AuditError(f"{len(self._pending)} audit records could not be written: {self._failure}")

    def _announce(self) -> None:
        """Tell the log of this session, once and at once: what it loses from here on is missed."""
        if self._is_announced:
            return
        with self.writing:
            self._check_open()
            if not self._is_announced:
                self._step(may_end=False, opens=True)
                self._is_announced = True

    def _check_open(self) -> None:
        if self._closed:
            raise AuditError("the audit log is closed")

    def _check_room(self) -> None:
        """Let no request go behind records that cannot be written, nor into a queue that stays full."""
        if self._failure is not None and self._pending:
            raise AuditError(str(self._failure))
        if not self._wake.wait_for(lambda: len(self._pending) < self._pace.limit, self._pace.patience_s):
            raise AuditError("the audit log is too slow: its queue is full")

    def _await(self, item: Item, done: threading.Event, intent: Intent) -> None:
        if not done.wait(self._pace.patience_s):
            with self._wake:
                if item in self._pending:
                    self._pending.remove(item)
            item.error = AuditError("the audit log could not be written in time")
        if item.error is not None:
            with self._wake:
                self._session.take_back(intent.request_id)
            raise AuditError(str(item.error))

    def _rouse(self, *, urgent: bool) -> None:
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="privguard-audit", daemon=True)
            # At the end of the interpreter no thread can be started any more: `close` writes what waits then.
            with suppress(RuntimeError):
                thread.start()
                self._thread = thread
        elif urgent or self._sleeps_deep:
            self._wake.notify_all()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._sleep()
            with self.writing:
                if self._step(may_end=True):
                    break
        if self._is_orphan:
            self._store.close()

    def _write_here(self) -> None:
        """Write what waits in the thread of the caller, who has the right to write and gives it back."""
        try:
            self._step(may_end=False)
        finally:
            self.writing.release()
        with self._wake:
            if self._pending:
                self._rouse(urgent=True)

    def _step(self, *, may_end: bool, opens: bool = False) -> bool:
        """Write one batch, and tell whether it was the last."""
        with self._wake:
            items = [self._pending.popleft() for _ in range(min(self._pace.batch, len(self._pending)))]
            self._in_hand = len(items)
            ends = may_end and self._closed and not self._pending
        error = self._attempt(items, opens=opens, ends=ends)
        with self._wake:
            self._settle(items, error)
            self._wake.notify_all()
            return may_end and self._closed and (ends or error is not None)

    def _sleep(self) -> None:
        """Wait for something to do; after a failure, until the pause is over or the end has come."""
        if self._pause_s:
            self._wake.wait_for(lambda: self._closed or not self._pause_s, self._pause_s)
            return
        while not self._pending and not self._closed:
            nap_s = self._nap_s()
            self._sleeps_deep = nap_s is None
            is_woken = self._wake.wait(nap_s)
            self._sleeps_deep = False
            if not is_woken:
                return

    def _nap_s(self) -> float | None:
        """Return how long it may sleep while nothing comes in, None for ever."""
        ends = []
        if self._session.wants_tally:
            ends.append(self._tallied_at + self._pace.tally_s)
        if not self._is_signed:
            ends.append(self._appended_at + self._pace.rest_s)
        return max(0.0, min(ends) - monotonic()) if ends else None

    def _attempt(self, items: Sequence[Item], *, opens: bool, ends: bool) -> AuditError | None:
        """Write the items and what the log must hear besides; return what went wrong."""
        whole = [item for item in items if item.encode()]
        bodies = [item.body for item in whole if item.body is not None]
        with self._wake:
            self._session.drop(len(items) - len(whole))
            if self._session.wants_tally and monotonic() >= self._tallied_at + self._pace.tally_s:
                self._session.ask_for_tally()
            records = sum(isinstance(item.content, AuditRecord) for item in whole)
            batch = self._session.compose(bodies, records, self._now().isoformat(), opens=opens, ends=ends)
        try:
            if batch.rows:
                self._store.append(batch.rows)
            elif not ends:
                self._store.sign()
        except AuditError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a foreign store may raise anything, and the thread must live on
            return AuditError(f"the audit log failed ({type(error).__name__})")
        with self._wake:
            self._learn(batch)
        return None

    def _learn(self, batch: Batch) -> None:
        self._session.learn(batch)
        self._is_signed = not batch.rows
        if batch.rows:
            self._appended_at = monotonic()
        if batch.tally is not None:
            self._tallied_at = monotonic()

    def _settle(self, items: Sequence[Item], error: AuditError | None) -> None:
        """Tell everybody how it went, and say how long to pause before the next attempt."""
        self._in_hand = 0
        if error is None:
            if self._failure is not None:
                _LOGGER.warning("the audit log can be written again")
            self._failure, self._has_told_of_drops, self._pause_s = None, False, 0.0
            for item in items:
                item.settle()
            return
        if self._failure is None:
            _LOGGER.warning("%s; records are kept until it can be written", error)
        self._failure = error
        for item in items:
            if isinstance(item.content, Intent):
                item.settle(error)
        kept = [item for item in items if isinstance(item.content, AuditRecord) and item.body is not None]
        self._pending.extendleft(reversed(kept))
        first, most = self._pace.retry_s
        # With nothing to write again, the next request is the next attempt.
        self._pause_s = min(most, 2 * self._pause_s or first) if self._pending else 0.0

    def _tell_of_drops(self) -> None:
        if not self._has_told_of_drops:
            self._has_told_of_drops = True
            _LOGGER.warning("audit records are lost: the queue of the log is full; the log will say how many")
