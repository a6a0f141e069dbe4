"""The values of the model's own in a reply that streams: none of them passes in part, however the reply is cut.

Prose is held back unit by unit. Each unit is judged twice, with the unit before it and with the one behind it, and
passes once both is done: so it lags by one unit. A JSON document is held to its end, since only a whole one can be
read: where the text must be JSON, to that of the document, and else to that of the text. Where a profile only flags,
nothing is held back.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import takewhile

from privguard.core.audit import Event, RestoreEvent
from privguard.core.errors import RestoreError, UnknownContentError
from privguard.core.json_leaves import parse
from privguard.core.profile import OnReply
from privguard.core.segments import Channel
from privguard.guard.reply.documents import DocumentEnd
from privguard.guard.reply.judging import Brought, Extent, Judge
from privguard.guard.reply.units import unit_end

_DOCUMENTS = (Channel.JSON, Channel.JSON_IN_JSON)


class Screen:
    """Feed what R gives back, flush at the end. Not thread-safe: one stream, one reader."""

    def __init__(self, judge: Judge, channel: Channel) -> None:
        self._judge = judge
        self._redacts = judge.profile.on_reply is OnReply.REDACT
        # None: the text has not yet told whether it is a document.
        self._is_document: bool | None = True if channel in _DOCUMENTS else None
        # None: only the end of the text ends it.
        self._end = DocumentEnd() if channel in _DOCUMENTS else None
        self._pieces: list[str] = []  # of a document
        self._text = ""  # what came last
        self._base = 0  # where that stands in the reply
        self._start = 0  # where in it what is not released yet begins: with a unit
        self._unit: int | None = None  # where that unit ends in it
        self._is_judged = False  # whether the first unit was judged together with the one before it
        self._kept: deque[Extent] = deque()  # in the reply, as all that follows
        self._brought: list[Brought] = []
        self._counts: Counter[tuple[str, int]] = Counter()

    @property
    def events(self) -> tuple[RestoreEvent, ...]:
        """Return what was found so far, counted. No type: a text that could not be judged, where that only flags."""
        event = Event.REDACTED if self._redacts else Event.FLAGGED
        return tuple(
            [RestoreEvent(event=event, kind=kind, length=length, count=n) for (kind, length), n in self._counts.items()]
        )

    def feed(self, text: str, kept: Iterable[Extent] = ()) -> str:
        """Return what may pass now.

        Args:
            text: more of the reply, as the caller would read it.
            kept: what R has put in or left there, in code points of the whole reply.

        Raises:
            RestoreError: the detector failed, and the profile redacts. Nothing that was not judged has passed.
        """
        self._kept += kept
        if self._is_document:
            passed = self._collect(text)
            return passed if self._redacts else text
        self._text += text
        passed = self._advance(final=False)
        return passed if self._redacts else text

    def flush(self) -> str:
        """Return the rest.

        Raises:
            RestoreError: as for `feed`.
        """
        self._take_pieces()
        passed = self._advance(final=True)
        return passed if self._redacts else ""

    @property
    def holds(self) -> bool:
        """Tell whether anything is held back."""
        return self._redacts and bool(self._text or any(self._pieces))

    def _collect(self, text: str) -> str:
        """Keep more of a document, which is read at its end; return what is whole."""
        out: list[str] = []
        while self._end is not None and (end := self._end.find(text)) is not None:
            self._pieces.append(text[:end])
            text = text[end:]
            self._take_pieces()
            if _is_whole(self._text):
                out.append(self._pass_document())
            else:
                self._end = None
        self._pieces.append(text)
        return "".join(out)

    def _take_pieces(self) -> None:
        self._text += "".join(self._pieces)
        self._pieces.clear()

    def _pass_document(self) -> str:
        if not self._text:
            return ""
        self._look(len(self._text))
        passed = self._release(len(self._text))
        self._forget()
        return passed

    def _advance(self, *, final: bool) -> str:
        if self._is_document is None:
            self._is_document = _is_document(self._text, final=final)
        if self._is_document is None or (self._is_document and not final):
            return ""
        if self._is_document:
            return self._pass_document()
        out: list[str] = []
        while self._start < len(self._text):
            if self._unit is None:
                self._unit = unit_end(self._text, self._start, final=final)
            if self._unit is None:
                break
            behind = unit_end(self._text, self._unit, final=final)
            if behind is None:
                break
            if behind > self._unit or not self._is_judged:
                self._look(behind)
            self._is_judged = True
            out.append(self._release(self._unit))
            self._unit = behind if behind > self._unit else None
        self._forget()
        return "".join(out)

    def _forget(self) -> None:
        """Drop the text that was released."""
        if self._unit is not None:
            self._unit -= self._start
        self._base += self._start
        self._text = self._text[self._start :]
        self._start = 0

    def _look(self, end: int) -> None:
        """Judge what is not released, up to `end` in the text."""
        base, limit = self._base + self._start, self._base + end
        near = takewhile(lambda extent: extent[0] < limit, self._kept)
        kept = [(max(low, base) - base, min(high, limit) - base) for low, high in near]
        failure = ""
        try:
            found = self._judge.judge(self._text[self._start : end], kept, is_document=self._is_document is True)
        except Exception as error:  # noqa: BLE001 - a foreign detector may raise anything
            failure = type(error).__name__
        if not failure:
            moved = [each._replace(start=each.start + base, end=each.end + base) for each in found]
            self._brought = _united([*self._brought, *moved], base)
        elif self._redacts:
            # Raised out here, since its text may hold content and the context of an exception keeps it reachable.
            raise RestoreError(
                f"the reply could not be searched for values of the model's own ({failure}); the request was sent, "
                "minimized, and what was not searched is withheld"
            )
        else:
            self._counts["", 0] += 1

    def _release(self, end: int) -> str:
        """Let what is not released pass, up to `end` in the text, but for what the model brought."""
        base, limit = self._base + self._start, self._base + end
        position = base
        out: list[str] = []
        waiting: list[Brought] = []
        for each in self._brought:
            if each.start < limit:
                # What began before has its marker there.
                if each.start >= base:
                    out += self._text[position - self._base : each.start - self._base], each.marker
                position = min(each.end, limit)
            if each.end > limit:
                waiting.append(each)
            else:
                self._counts[each.kind.value, each.length] += 1
        out.append(self._text[position - self._base : end])
        self._start = end
        self._brought = waiting
        while self._kept and self._kept[0][1] <= limit:
            self._kept.popleft()
        return "".join(out)


def _is_document(text: str, *, final: bool) -> bool | None:
    """Tell whether a text begins as a JSON document of objects, lists or strings; None where that is not certain."""
    head = text.lstrip()
    if head[:1] == "{":
        return True
    if head and head[0] != "[":
        return False
    behind = head[1:].lstrip()
    if not behind:
        return False if final else None
    return behind[0] in '{["'


def _is_whole(text: str) -> bool:
    """Tell whether a text is a JSON document, as those read it who are least strict."""
    try:
        parse(text, lenient=True)
    except UnknownContentError:
        return False
    return True


def _united(brought: Sequence[Brought], base: int) -> list[Brought]:
    """Return what overlaps as one, of the type of the longest; what began before `base` has its marker already."""
    united: list[Brought] = []
    for each in sorted(brought, key=lambda each: (each.start, -each.end)):
        last = united[-1] if united else None
        if last is None or each.start >= last.end:
            united.append(each)
        elif each.end > last.end:
            chief = last if last.start < base or last.length >= each.length else each
            length = last.length + each.end - last.end
            united[-1] = chief._replace(start=last.start, end=each.end, length=length)
    return united
