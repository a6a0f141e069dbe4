"""The sink that a guard writes to: a queue, a thread, and a store behind them. It survives forks and ends in order."""

import atexit
import logging
import os
import sys
import threading
from contextlib import suppress
from weakref import WeakSet

# Of the hooks that run before a fork the last to be registered is called first. Ours has to be called before the one
# of the connections, which closes what our threads still write to.
import privguard.storage.connection  # noqa: F401
from privguard.audit.queued import Pace
from privguard.audit.store import Store
from privguard.audit.writer import Writer
from privguard.core.audit import AuditMode, AuditRecord, Intent
from privguard.core.errors import AuditError

_FORK_PATIENCE_S = 5.0
_LOGGER = logging.getLogger("privguard.audit")


class BackgroundSink:
    """Take records and have them written in order, by a thread of this sink.

    Args:
        store: what keeps the chain; it is closed with the sink.
        mode: what happens to a request that cannot be recorded.
        pace: how much waits, and for how long.
    """

    def __init__(self, store: Store, mode: AuditMode = AuditMode.BEST_EFFORT, pace: Pace | None = None) -> None:
        self._store = store
        self._writer = Writer(store, mode, pace)
        self._mode = mode
        _PROCESS.watch(self._writer)

    @property
    def mode(self) -> AuditMode:
        """Return what happens to a request that cannot be recorded."""
        return self._mode

    @property
    def is_failing(self) -> bool:
        """Tell whether the last attempt to write to the log failed; it is tried again as long as something waits."""
        return self._writer.is_failing

    @property
    def store(self) -> Store:
        """Return what keeps the chain."""
        return self._store

    def begin(self, intent: Intent) -> None:
        """Note a request that is about to leave.

        Raises:
            AuditError: the sink is closed; or the audit is required, and the request could not be recorded.
        """
        _PROCESS.arrive()
        self._writer.begin(intent)

    def write(self, record: AuditRecord) -> None:
        """Take a record to be written; where the queue is full, count it as lost.

        Raises:
            AuditError: the sink is closed.
        """
        _PROCESS.arrive()
        self._writer.write(record)

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until all that was taken is in the log; tell whether it is."""
        return self._writer.flush(timeout_s)

    def close(self) -> None:
        """Write what is left and close the log; a second time does nothing.

        Raises:
            AuditError: some records could not be written.
        """
        self._writer.close()

    def __del__(self) -> None:
        # Nobody closes the sink of a client that is simply dropped. At the end of the interpreter anything may fail.
        with suppress(Exception):
            _end(self._writer)


class _Process:
    """All writers of this process, on their way through forks and at its end."""

    def __init__(self) -> None:
        self._writers: WeakSet[Writer] = WeakSet()
        self._adding = threading.Lock()
        self._pid = os.getpid()
        self._held: list[Writer] = []
        self._is_told_of_its_end = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._before, after_in_parent=self._release, after_in_child=self._begin_anew)
        atexit.register(self.end)

    def watch(self, writer: Writer) -> None:
        """Include a writer."""
        with self._adding:
            self._writers.add(writer)

    def arrive(self) -> None:
        """Notice a fork that ran no hooks, and see to it that this process is told when it ends."""
        if os.getpid() != self._pid:
            self._begin_anew()
        if not self._is_told_of_its_end:
            self._is_told_of_its_end = True
            self._end_with_multiprocessing()

    def end(self) -> None:
        """Write what is left in this process."""
        for writer in self._all():
            _end(writer)

    def _all(self) -> list[Writer]:
        with self._adding:
            return list(self._writers)

    def _before(self) -> None:
        for writer in self._all():
            # A log that fails is not waited for: its records stay with the parent. The time limits are for a signal
            # handler that forks while its own thread holds the lock.
            if writer.flush(_FORK_PATIENCE_S) and writer.writing.acquire(timeout=_FORK_PATIENCE_S):
                self._held.append(writer)

    def _release(self) -> None:
        while self._held:
            self._held.pop().writing.release()

    def _begin_anew(self) -> None:
        self._pid = os.getpid()
        self._held.clear()
        self._adding = threading.Lock()
        self._is_told_of_its_end = False
        for writer in self._all():
            writer.reset()

    def _end_with_multiprocessing(self) -> None:
        """Register with `multiprocessing`, whose workers run no exit handlers of `atexit`."""
        if "multiprocessing" not in sys.modules:
            return
        import multiprocessing
        from multiprocessing.util import Finalize

        if multiprocessing.parent_process() is not None:
            Finalize(None, self.end, exitpriority=0)


def _end(writer: Writer) -> None:
    try:
        writer.close()
    except AuditError as error:
        _LOGGER.warning("%s", error)


_PROCESS = _Process()
