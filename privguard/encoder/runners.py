"""How rows reach a session: one by one on the CPU, gathered across concurrent requests on CUDA."""

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from privguard.core.errors import DetectionError
from privguard.encoder.batching import MAX_TOKENS, Row, plan_batches, stack
from privguard.encoder.session import Session

FloatArray = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOutput:
    """What the graph says of one row of `T` tokens, special ones included."""

    tags: FloatArray = field(repr=False)  # (T, TAG_COUNT + 1) logits
    features: FloatArray = field(repr=False)  # (T, features)


class Runner(Protocol):
    """Send rows through a session. Thread-safe."""

    def run(self, rows: Sequence[Row]) -> list[RowOutput]:
        """Return one output per row.

        Raises:
            DetectionError: the session failed.
        """
        ...


class SingleRunner:
    """One row per call, never padded: what else is in a request cannot change an answer."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def run(self, rows: Sequence[Row]) -> list[RowOutput]:
        """Return one output per row."""
        results = []
        for row in rows:
            out = self._session.run(row.ids[None], row.shapes[None], np.ones((1, len(row)), dtype=np.int64))
            results.append(RowOutput(tags=out.tags[0], features=out.features[0]))
        return results


@dataclass(slots=True)
class _Ticket:
    rows: Sequence[Row] = field(repr=False)
    results: list[RowOutput | None] = field(repr=False)
    left: int
    failed: bool = False


class SharedRunner:
    """Rows of all requests that wait share calls.

    There is no thread and no timer: the first request to come runs the device, and takes along whatever has queued up
    meanwhile; a lone request waits for nobody. Under load, calls fill up by themselves.
    """

    def __init__(self, session: Session, pad_id: int, max_tokens: int = MAX_TOKENS) -> None:
        self._session = session
        self._pad_id = pad_id
        self._max_tokens = max_tokens
        self._queue: deque[tuple[_Ticket, int]] = deque()
        self._changed = threading.Condition()
        self._running = False

    @property
    def waiting(self) -> int:
        """Return how many rows wait for a call."""
        return len(self._queue)

    def run(self, rows: Sequence[Row]) -> list[RowOutput]:
        """Return one output per row.

        Raises:
            DetectionError: the session failed in a call that held one of the rows.
        """
        ticket = _Ticket(rows=rows, results=[None] * len(rows), left=len(rows))
        with self._changed:
            self._queue.extend((ticket, number) for number in range(len(rows)))
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._running or _is_done(ticket))
                if _is_done(ticket):
                    break
                self._running = True
                batch = self._take()
            self._serve(batch)
        done = [result for result in ticket.results if result is not None]
        if ticket.failed or len(done) != len(rows):
            raise DetectionError("the model failed on a shared call; nothing was sent")
        return done

    def _take(self) -> list[tuple[_Ticket, int]]:
        """Take the oldest row and those of like length that fit beside it."""
        waiting = list(self._queue)
        lengths = [len(ticket.rows[number]) for ticket, number in waiting]
        chosen = next(batch for batch in plan_batches(lengths, self._max_tokens) if 0 in batch)
        taken = set(chosen)
        self._queue = deque(item for place, item in enumerate(waiting) if place not in taken)
        return [waiting[place] for place in chosen]

    def _serve(self, batch: Sequence[tuple[_Ticket, int]]) -> None:
        failed = True
        try:
            rows = [ticket.rows[number] for ticket, number in batch]
            out = self._session.run(*stack(rows, self._pad_id))
            for place, (ticket, number) in enumerate(batch):
                end = len(rows[place])
                ticket.results[number] = RowOutput(tags=out.tags[place, :end], features=out.features[place, :end])
            failed = False
        except Exception:  # noqa: BLE001, S110 - told to every request whose rows were in the call, where it waits
            pass
        finally:
            with self._changed:
                for ticket, _ in batch:
                    ticket.left -= 1
                    ticket.failed = ticket.failed or failed
                self._running = False
                self._changed.notify_all()


def _is_done(ticket: _Ticket) -> bool:
    return ticket.left == 0
