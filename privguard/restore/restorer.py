"""R, the context-restoration operator, over the values of one request."""

from collections.abc import Mapping

from privguard.core.audit import Cause
from privguard.core.restoring import Restored, RestoreTable
from privguard.core.segments import Channel
from privguard.restore.reader import Reader
from privguard.restore.stream import StreamRestorer


class Restorer:
    """Put back what one request carried, and nothing else. Immutable and thread-safe."""

    def __init__(self, table: RestoreTable, refused: Mapping[str, Cause] | None = None) -> None:
        """Take what may be put back.

        Args:
            table: the values by placeholder id.
            refused: ids of the table whose values may not stand in this text, and why: their placeholders stay.
        """
        self._table = table
        self._refused = {} if refused is None else refused
        self._reader = Reader(table)

    def restore(self, text: str, channel: Channel = Channel.TEXT, *, begun: str = "") -> Restored:
        """Restore a whole text."""
        stream = self.stream(channel, begun=begun)
        # Flushing alone would do, but `feed` is what a stream does: one path, one behaviour.
        restored = stream.feed(text) + stream.flush()
        return Restored(text=restored, events=stream.events)

    def stream(
        self, channel: Channel = Channel.TEXT, *, notes_extents: bool = False, begun: str = ""
    ) -> StreamRestorer:
        """Begin to restore a text that arrives in chunks.

        Args:
            channel: how values are escaped.
            notes_extents: whether it is noted where values and placeholders stand.
            begun: what the request had the model say before, as the caller reads it.
        """
        return StreamRestorer(
            self._table, self._reader, channel, self._refused, notes_extents=notes_extents, begun=begun
        )
