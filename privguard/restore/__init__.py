"""R, the context-restoration operator."""

from privguard.restore.restorer import Restorer
from privguard.restore.seen import word_ends
from privguard.restore.square import ids_before_links
from privguard.restore.stream import StreamRestorer

__all__ = ["Restorer", "StreamRestorer", "ids_before_links", "word_ends"]
