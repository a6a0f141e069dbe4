"""What is remembered of the segments of earlier requests, so that a conversation costs its new messages only.

Keys are keyed hashes, and values hold offsets, types and keyed hashes: nothing of any text is kept.
"""

import hashlib
import secrets
import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Value = TypeVar("Value")

CAPACITY = 4096  # segments


class Remembered(Generic[Value]):
    """The latest value under each mark, the least recently used forgotten first. Thread-safe."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._secret = secrets.token_bytes(32)
        self._values: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    def marks(self) -> tuple[bytes, ...]:
        """Return what values are kept under, the least recently used first."""
        with self._lock:
            return tuple(self._values)

    def mark(self, text: str, salt: bytes = b"") -> bytes:
        """Return a hash of a text under a secret of this memory.

        Args:
            text: what is hashed.
            salt: up to 16 bytes; texts under different salts have different marks.
        """
        raw = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(raw, key=self._secret, digest_size=16, salt=salt).digest()

    def get(self, mark: bytes) -> Value | None:
        """Return what is kept under a mark, None where nothing is."""
        with self._lock:
            value = self._values.get(mark)
            if value is not None:
                self._values.move_to_end(mark)
            return value

    def put(self, mark: bytes, value: Value) -> None:
        """Keep a value in the place of what was kept under its mark."""
        with self._lock:
            self._values[mark] = value
            self._values.move_to_end(mark)
            while len(self._values) > self._capacity:
                self._values.popitem(last=False)
