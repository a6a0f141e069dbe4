"""R, the context-restoration operator."""

from privguard.restore.restorer import Restorer
from privguard.restore.stream import StreamRestorer

__all__ = ["Restorer", "StreamRestorer"]
