"""From a worker thread to the task that waits for it, with nothing left open when the task is cancelled."""

import threading

from privguard_adapters.call import Call, Gate, HttpRequest


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
    try:
        await anyio.to_thread.run_sync(lambda: handover.give(gate.open(request)))
    except BaseException:
        # A cancelled task may be gone before the thread is done, so the thread looks after what it opens.
        handover.cancel()
        raise
    return handover.take()
