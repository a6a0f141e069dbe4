"""R, the context-restoration operator, over the values of one request."""

from privguard.core.restoring import Restored, RestoreTable
from privguard.core.segments import Channel
from privguard.restore.reader import Reader
from privguard.restore.stream import StreamRestorer


class Restorer:
    """Put back what one request carried, and nothing else. Immutable and thread-safe."""

    def __init__(self, table: RestoreTable) -> None:
        self._table = table
        self._reader = Reader(table)

    def restore(self, text: str, channel: Channel = Channel.TEXT) -> Restored:
        """Restore a whole text."""
        stream = self.stream(channel)
        # Flushing alone would do, but `feed` is what a stream does: one path, one behaviour.
        restored = stream.feed(text) + stream.flush()
        return Restored(text=restored, events=stream.events)

    def stream(self, channel: Channel = Channel.TEXT) -> StreamRestorer:
        """Begin to restore a text that arrives in chunks."""
        return StreamRestorer(self._table, self._reader, channel)
