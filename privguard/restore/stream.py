"""R over a stream: the one implementation, of which restoring a whole text is the special case of one chunk."""

from collections.abc import Mapping
from urllib.parse import quote

from privguard.core.audit import Cause, RestoreEvent
from privguard.core.errors import RestoreError
from privguard.core.restoring import RestoreTable
from privguard.core.segments import Channel
from privguard.restore.counted import Happened, events_of
from privguard.restore.embedded import EmbeddedJson
from privguard.restore.found import Found
from privguard.restore.json_text import JsonContext, written_at
from privguard.restore.quotes import QuoteContext
from privguard.restore.reader import CONTEXT, Reader
from privguard.restore.urls import UrlContext

_ALL = 1 << 62  # while a text is read, which has its context itself
_BATCH = 4096  # code points of quiet text whose context is worked out together


class StreamRestorer:
    """Feed the chunks, flush at the end. The text is the same however it is cut.

    A text that cannot be the start of a placeholder passes at once; at most one placeholder's length is held back.
    Not thread-safe: one stream, one reader.
    """

    __slots__ = (
        "_before",
        "_brackets",
        "_counts",
        "_embedded",
        "_emitted",
        "_ended",
        "_extents",
        "_given",
        "_held",
        "_json",
        "_kept",
        "_last",
        "_quiet",
        "_quiet_length",
        "_quotes",
        "_reader",
        "_refused",
        "_url",
    )

    def __init__(
        self,
        table: RestoreTable,
        reader: Reader,
        channel: Channel,
        refused: Mapping[str, Cause],
        *,
        notes_extents: bool = False,
        begun: str = "",
    ) -> None:
        self._reader, self._refused = reader, refused
        self._json = JsonContext() if channel in (Channel.JSON, Channel.JSON_IN_JSON) else None
        self._embedded = EmbeddedJson(begun, table.url_hosts) if channel is Channel.REPLY else None
        self._quotes = QuoteContext() if reader.knows_written else None
        self._url = UrlContext(table.url_hosts)
        self._before = ""  # the last code points of the reply before what is held back, up to the last that was read
        self._kept = 0  # how many of the quiet chunks that covers
        self._last = ""  # the last chunk that passed
        self._held = ""
        self._quiet: list[str] = []  # passed on, but not yet looked at for its context
        self._quiet_length = 0
        self._emitted = ""  # as it reads without escapes, and not yet looked at for URLs
        self._brackets = 0  # square brackets that are open in the current line
        self._counts: dict[Happened, int] = {}
        self._ended = False
        self._given = 0  # code points that were given back
        self._extents: list[tuple[int, int]] | None = [] if notes_extents else None

    def take_extents(self) -> tuple[tuple[int, int], ...]:
        """Return where values, and placeholders of the request that stay, stand in what was given back; forget it.

        Half-open, in code points of all that `feed` and `flush` have returned so far, in order; none where the stream
        does not note them.
        """
        extents = tuple(self._extents or ())
        if self._extents is not None:
            self._extents.clear()
        return extents

    @property
    def holds(self) -> bool:
        """Tell whether anything is held back."""
        return bool(self._held)

    @property
    def events(self) -> tuple[RestoreEvent, ...]:
        """Return what happened so far, counted."""
        return events_of(self._counts, self._reader.kind_of)

    def feed(self, chunk: str) -> str:
        """Return the text that is certain now.

        Raises:
            RestoreError: the stream was flushed before.
        """
        if self._ended:
            raise RestoreError("the stream has ended: nothing can be fed after flush()")
        if not self._held and self._reader.is_quiet(chunk, self._last):
            if chunk:
                self._last = chunk
                self._given += len(chunk)
                self._note(chunk)
            return chunk
        return self._read(self._held + chunk, final=False)

    def pause(self) -> str:
        """Return the rest, whose reader may read no further, and go on: what comes next stands where it stood.

        A placeholder that the pause cuts is none.

        Raises:
            RestoreError: the stream was flushed before.
        """
        certain = self.feed("")
        return certain + self._read(self._held, final=True)

    def flush(self) -> str:
        """Return the rest and end the stream."""
        if self._ended:
            return ""
        self._ended = True
        rest = self._read(self._held, final=True)
        self._quiet.clear()
        return rest

    def _read(self, new: str, *, final: bool) -> str:
        # A little of what has passed stays in front, as the context of word boundaries.
        before = self._context()
        self._kept = _ALL
        text = before + new
        position = len(before)
        limit = len(text) if final else self._reader.held_from(text, position)
        out: list[str] = []
        for found in self._reader.find_all(text, position, limit):
            self._pass(text[position : found.start], out)
            position = found.end + self._replace(found, text[found.start : found.end], out)
        if final and position < limit:
            self._note_cut_off(text, position)
        self._pass(text[position:limit], out)
        limit = max(position, limit)
        self._held = text[limit:]
        self._before = self._last = text[max(0, limit - CONTEXT) : limit]
        self._kept = len(self._quiet)
        return "".join(out)

    def _context(self) -> str:
        """Return the last code points before what is held back, as the reply has them."""
        first, length = len(self._quiet), 0
        while length < CONTEXT and first > self._kept:
            first -= 1
            length += len(self._quiet[first])
        context = "".join(self._quiet[first:])
        return context[-CONTEXT:] if length >= CONTEXT else (self._before + context)[-CONTEXT:]

    def _replace(self, found: Found, written: str, out: list[str]) -> int:
        """Emit a value, or what stands there; return how many code points of debris behind it vanish."""
        self._arrive()
        cause = found.cause
        in_url = self._url.refuses_here() or (self._embedded is not None and self._embedded.refuses_here())
        if cause is None and found.entry is not None:
            cause = self._refused.get(found.entry.placeholder_id, Cause.URL if in_url else None)
        self._count(found, cause)
        if cause is not None or found.entry is None:
            if found.entry is not None:
                self._note_kept(found)
            self._pass(written, out)
            return 0
        if found.before:
            self._pass(found.before, out)
            self._arrive()
        is_plain = self._json is None and self._embedded is None and not (found.written or found.encoded)
        value = found.value if is_plain else self._spelled(found)
        self._emitted = value if self._json is None else self._json.read_value(value)
        if self._embedded is not None:
            self._embedded.read_value(value)
        out.append(value)
        self._note_extent(len(value))
        self._given += len(value)
        if found.behind:
            self._pass(found.behind, out)
        return 0 if self._brackets > 0 or self._is_syntax() else found.lone_close

    def _is_syntax(self) -> bool:
        """Tell whether brackets are those of a JSON document here."""
        if self._json is not None:
            return self._json.in_document
        return self._embedded is not None and self._embedded.in_gap

    def _arrive(self) -> None:
        """Work out what stands before a placeholder."""
        self._settle()
        if self._quotes is not None:
            self._quotes.value_follows()
        if self._embedded is not None:
            self._embedded.value_follows()
        if self._json is not None:
            self._say(self._json.value_follows())
        self._look_for_urls()

    def _spelled(self, found: Found) -> str:
        """Return a value in the form in which it may stand here."""
        if found.encoded:
            return quote(found.value, safe="", errors="replace")
        if self._json is not None and (self._json.in_string or self._json.in_document):
            return self._json.write(found.value, found.written, told=found.told)
        if self._embedded is not None and self._embedded.in_string:
            return self._embedded.write(found.value, found.written, told=found.told)
        if not found.written or self._quotes is None:
            return found.value
        # As it was written where a form tells that, or in quotes; elsewhere as it reads.
        if found.told:
            return found.written
        return written_at(self._quotes.level, found.value, found.written) if self._quotes.level else found.value

    def _note_extent(self, length: int) -> None:
        if self._extents is not None:
            self._extents.append((self._given, self._given + length))

    def _note_kept(self, found: Found) -> None:
        """Note a placeholder that stays, but for words of the model's own in it."""
        at = found.start
        for start, end in (*found.own, (found.end, found.end)):
            if self._extents is not None and at < start:
                self._extents.append((self._given + at - found.start, self._given + start - found.start))
            at = end

    def _count(self, found: Found, cause: Cause | None) -> None:
        happened = (found.entry.placeholder_id if found.entry else "", found.match, cause)
        self._counts[happened] = self._counts.get(happened, 0) + 1

    def _note_cut_off(self, text: str, position: int) -> None:
        start = self._reader.held_from(text, position)
        if self._reader.is_cut_off(text[start:]):
            self._counts["", None, Cause.TRUNCATED] = 1

    def _pass(self, text: str, out: list[str]) -> None:
        if text:
            out.append(text)
            self._given += len(text)
            self._note(text)

    def _note(self, text: str) -> None:
        self._quiet.append(text)
        self._quiet_length += len(text)
        if self._quiet_length > _BATCH:
            self._settle()
            self._look_for_urls()

    def _settle(self) -> None:
        """Work out the context of what has passed."""
        if not self._quiet:
            return
        text = "".join(self._quiet)
        if self._kept < _ALL:
            self._before, self._kept = self._context(), 0
        self._quiet.clear()
        self._quiet_length = 0
        if self._quotes is not None:
            self._quotes.advance(text)
        if self._embedded is not None:
            self._embedded.advance(text)
        if self._json is not None:
            reading = self._json.advance(text)
            text = reading.text
            if reading.begins:
                self._url.restart(in_string=self._json.in_string)
                self._brackets = 0
                self._emitted = ""
        self._say(text)

    def _say(self, text: str) -> None:
        """Take note of what the reply says."""
        self._emitted += text
        if "\n" in text:
            text = text[text.rindex("\n") :]
            self._brackets = 0
        if "[" in text or "]" in text:
            self._brackets += text.count("[") - text.count("]")

    def _look_for_urls(self) -> None:
        self._url.advance(self._emitted)
        self._emitted = ""
