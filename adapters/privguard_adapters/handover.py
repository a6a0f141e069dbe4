"""Between threads: a call on its way to the task that waits for it, its reply, and its end that nobody waits for."""

import threading
from _thread import start_new_thread
from collections.abc import Callable
from typing import TypeVar

from privguard.guard import expect_trace
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.gate import Gate

Restored = TypeVar("Restored")

_PATIENCE_S = 0.5


class _Handover:
    """A call on its way from the worker thread: taken by the task, or left where the task was cancelled meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._call: Call | None = None
        self._cancelled = False

    def give(self, call: Call) -> None:
        with self._lock:
            self._call = call
            cancelled = self._cancelled
        if cancelled:
            call.leave()

    def take(self) -> Call:
        if self._call is None:
            raise RuntimeError("nothing was handed over")
        return self._call

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            call = self._call
        if call is not None:
            call.leave()


async def open_in_thread(gate: Gate, request: HttpRequest) -> Call:
    """Protect a request in a worker thread, so that no detector blocks the loop.

    The context of the task, and with it the profile in force, goes along.
    """
    import anyio.to_thread

    handover = _Handover()
    expect_trace()
    try:
        await anyio.to_thread.run_sync(lambda: handover.give(gate.open(request)))
    except BaseException:
        # A cancelled task may be gone before the thread is done, so the thread looks after what it opens.
        handover.cancel()
        raise
    return handover.take()


async def restore_beside_loop(call: Call, restore: Callable[[], Restored]) -> Restored:
    """Restore a piece of a reply, in a worker thread where that may take long enough to block the loop.

    A cancelled task waits for the thread: nothing else touches the reply before it is done.
    """
    if not call.is_slow:
        return restore()
    import anyio.to_thread

    return await anyio.to_thread.run_sync(restore)


def drop_in_thread(call: Call) -> None:
    """Close a call whose body was collected.

    That may happen in the midst of anything, also of writing a record: the thread at hand may hold the lock that
    closing needs. So another thread closes, and this one waits for it no longer than it takes where the lock is free.
    """
    if call.is_closed:
        return
    done = threading.Lock()
    done.acquire()

    def drop() -> None:
        try:
            call.drop()
        finally:
            done.release()

    try:
        start_new_thread(drop, ())
    except RuntimeError:
        call.drop()  # the interpreter ends and starts no thread any more
    else:
        done.acquire(timeout=_PATIENCE_S)
