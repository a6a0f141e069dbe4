"""The life of an exchange: the state that it shares with its streams, and R over each of them."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from privguard.core.audit import AuditRecord, RestoreEvent
from privguard.core.errors import RestoreError
from privguard.core.plan import Plan
from privguard.core.profile import Profile
from privguard.core.restoring import Restored, RestoreTable
from privguard.core.segments import Channel
from privguard.core.views import View, user_view
from privguard.guard.hidden import Hidden
from privguard.guard.holding import Holding
from privguard.guard.reply import Judge, Screen
from privguard.restore import Restorer, StreamRestorer


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Life:
    """The state that an exchange shares with its streams: the one mutable thing of a request."""

    request_id: str
    at: str
    route: str
    plan: Plan
    profile: Profile
    paths: tuple[str, ...]  # of the segments
    table: RestoreTable = field(repr=False)
    hidden: Hidden = field(repr=False)
    emit: Callable[[AuditRecord], None] = field(repr=False)
    watch: Callable[[AuditRecord], None] = field(default=lambda _record: None, repr=False)  # told of the end as well
    timer: Callable[[], float] = field(repr=False)
    stage_ms: dict[str, float]
    holding: Holding = field(default_factory=Holding)
    begun: str = field(default="", repr=False)  # what the request had the model say last: the reply goes on there
    judge: Judge | None = field(default=None, repr=False)  # of what the model brings; None where all of it passes
    restorers: dict[View, Restorer] = field(default_factory=dict, repr=False)  # by the view that each has written for
    events: Counter[RestoreEvent] = field(default_factory=Counter, repr=False)
    streams: list["ExchangeStream"] = field(default_factory=list, repr=False)
    record: AuditRecord | None = field(default=None, repr=False)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def open_restorer(self, view: View | None = None) -> Restorer:
        """Return R for a view, by default the user's, while the exchange is open."""
        wanted = user_view(self.profile) if view is None else view
        with self.lock:
            if self.record is not None:
                raise RestoreError("the exchange is closed: its values are gone")
            if wanted not in self.restorers:
                shown = wanted.show(self.table)
                self.restorers[wanted] = Restorer(shown.table, shown.refused)
            return self.restorers[wanted]

    def note(self, events: tuple[RestoreEvent, ...], path: str) -> None:
        """Count events under a path."""
        with self.lock:
            for event in events:
                self.events[replace(event, path=path, count=1)] += event.count

    def add_time(self, stage: str, seconds: float) -> None:
        """Add to the time of a stage."""
        with self.lock:
            self.stage_ms[stage] = self.stage_ms.get(stage, 0.0) + 1000 * seconds


class ExchangeStream:
    """R over one stream of text: feed the chunks, flush at the end."""

    __slots__ = ("_life", "_path", "_screen", "_stream")

    def __init__(self, life: Life, stream: StreamRestorer, path: str, screen: Screen | None = None) -> None:
        self._life, self._stream, self._path, self._screen = life, stream, path, screen

    @property
    def holds(self) -> bool:
        """Tell whether anything is held back."""
        return self._stream.holds or (self._screen is not None and self._screen.holds)

    def feed(self, chunk: str | None) -> str:
        """Return what is certain now.

        Args:
            chunk: what comes next; None for nothing, as in the first and the last delta of many streams.

        Raises:
            RestoreError: the chunk is not a text, the stream was flushed, or the profile redacts values of the model's
                own, and they could not be looked for.
        """
        if not isinstance(chunk, str | None):
            raise RestoreError(f"feed() takes the next piece of a text, not {type(chunk).__name__}")
        restored = self._stream.feed(chunk or "")
        return restored if self._screen is None else self._screened(self._screen, restored, final=False)

    def pause(self) -> str:
        """Return the rest, since the reader may read no further, and go on where the text stands.

        A placeholder, or a value of the model's own, that the pause cuts is not recognised.

        Raises:
            RestoreError: as for `feed`.
        """
        rest = self._stream.pause()
        return rest if self._screen is None else self._screened(self._screen, rest, final=True)

    def flush(self) -> str:
        """Return the rest, and count what happened. A second flush returns nothing.

        Raises:
            RestoreError: as for `feed`.
        """
        if not self._end():
            return ""
        try:
            rest = self._stream.flush()
            return rest if self._screen is None else self._screened(self._screen, rest, final=True)
        finally:
            self._note()

    def leave(self) -> None:
        """Count what happened where nobody reads the rest."""
        if self._end():
            self._stream.flush()
            self._note()

    def _end(self) -> bool:
        with self._life.lock:
            if self not in self._life.streams:
                return False
            self._life.streams.remove(self)
            return True

    def _note(self) -> None:
        self._life.note(self._stream.events, self._path)
        if self._screen is not None:
            self._life.note(self._screen.events, self._path)

    def _screened(self, screen: Screen, restored: str, *, final: bool) -> str:
        started = self._life.timer()
        passed = screen.feed(restored, self._stream.take_extents())
        if final:
            passed += screen.flush()
        self._life.add_time("reply", self._life.timer() - started)
        return passed


def restore_screened(restorer: Restorer, text: str, channel: Channel, judge: Judge, *, begun: str = "") -> Restored:
    """Restore a whole text and look at what the model brought, as a stream of one chunk does."""
    stream, screen = restorer.stream(channel, notes_extents=True, begun=begun), Screen(judge, channel)
    given = stream.feed(text) + stream.flush()
    passed = screen.feed(given, stream.take_extents()) + screen.flush()
    return Restored(text=passed, events=(*stream.events, *screen.events))
