"""What may be told of the last exchange: no content, unless somebody has asked for it.

While an exchange is open it is looked at through a weak reference, so that nothing lives longer than the exchange.
When it has ended its audit record is left, which holds no content.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from weakref import ref

from privguard.core.audit import AuditRecord
from privguard.core.plan import Plan
from privguard.core.segments import Segment
from privguard.guard.exchange import Exchange, Out
from privguard.guard.life import Life
from privguard.guard.recording import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a request said, and what left of it."""

    given: tuple[Segment, ...] = field(repr=False)
    sent: tuple[Segment, ...] = field(repr=False)
    plan: Plan = field(repr=False)


class Trace:
    """One exchange, seen from outside."""

    __slots__ = ("_life", "_record", "content")

    def __init__(self, life: Life | None = None, record: AuditRecord | None = None) -> None:
        self._life = None if life is None else ref(life)
        self._record = record
        self.content: Content | None = None  # where it was asked for

    @property
    def ended(self) -> bool:
        """Tell whether the exchange has ended, so that its record is the last word."""
        return self._record is not None

    @property
    def record(self) -> AuditRecord | None:
        """Return the record so far; None of an exchange that nobody holds any more and nobody has closed."""
        life = None if self._life is None else self._life()
        if life is None:
            return self._record
        with life.lock:
            return life.record or record_of(life)

    def end(self, record: AuditRecord) -> None:
        """Take the record in the place of the exchange."""
        self._record, self._life = record, None


class Watch:
    """The last exchange of one client, whatever threads and tasks use it."""

    __slots__ = ("keeps", "trace")

    def __init__(self, *, keeps: bool = False) -> None:
        self.keeps = keeps  # whether it has its content too
        self.trace: Trace | None = None

    def note(self, trace: Trace) -> None:
        """Make a trace the last one, and forget the content of the one before."""
        if self.trace is not None:
            self.trace.content = None
        self.trace = trace

    def forget(self) -> None:
        """Keep no content from now on, and forget that of the last exchange."""
        self.keeps = False
        if self.trace is not None:
            self.trace.content = None


class _Slot:
    """The place of a trace in a context. A thread that works for a task has the same slot."""

    __slots__ = ("trace",)

    def __init__(self, trace: Trace | None = None) -> None:
        self.trace = trace


_slot: ContextVar[_Slot | None] = ContextVar("privguard_last_exchange", default=None)
_watch: ContextVar[Watch | None] = ContextVar("privguard_watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Have a watch note what begins inside the `with` block, in this thread or task."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def expect_trace() -> None:
    """Make room for the trace of a request that another thread will begin, in a copy of this context."""
    _slot.set(_Slot())


def note_trace(trace: Trace, content: Callable[[], Content] | None = None, *, is_real: bool = True) -> None:
    """Make a trace the last one of this context, and of the watch that is in force.

    Args:
        trace: of an exchange that begins, or of a request that was refused.
        content: of the request, for a watch that keeps it.
        is_real: whether the request may be sent; a rehearsal is noted by the watch alone.
    """
    watch = _watch.get()
    if watch is not None:
        if watch.keeps and content is not None:
            trace.content = content()
        watch.note(trace)
    if not is_real:
        return
    slot = _slot.get()
    if slot is None or slot.trace is not None:
        # A slot that is filled may be that of the task which has started this one.
        _slot.set(_Slot(trace))
    else:
        slot.trace = trace


def traced(
    exchange: Exchange[Out], content: Callable[[], Content] | None = None, *, is_real: bool = True
) -> Exchange[Out]:
    """Note the trace of an exchange that begins, with the arguments of `note_trace`, and return the exchange."""
    life = exchange._life  # noqa: SLF001 - its state is nobody's but the guard's
    trace = Trace(life)
    life.watch = trace.end
    note_trace(trace, content, is_real=is_real)
    return exchange


def last_trace() -> Trace | None:
    """Return the trace of the last exchange that began in this context, or None."""
    slot = _slot.get()
    return None if slot is None else slot.trace
