"""Remember encoded texts by keyed hash, so that a conversation costs its new messages only. No text is kept."""

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """Values by mark, the least recently used forgotten first. Thread-safe.

    A mark is a hash of a text under a secret of this memory: it tells nothing to whoever does not hold the text and
    the secret.
    """

    def __init__(self, capacity: int, size_of: Callable[[Value], int]) -> None:
        """Start empty.

        Args:
            capacity: the most that all values together may weigh.
            size_of: weighs a value; one that exceeds the capacity by itself is not kept.
        """
        self._capacity = capacity
        self._size_of = size_of
        self._secret = secrets.token_bytes(32)
        self._values: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = threading.Lock()
        self._size = 0

    @property
    def size(self) -> int:
        """Return what all values together weigh."""
        return self._size

    def mark(self, text: str) -> bytes:
        """Return the keyed hash of a text."""
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=self._secret, digest_size=20).digest()

    def get(self, mark: bytes) -> Value | None:
        """Return what is remembered under a mark, None where nothing is."""
        with self._lock:
            value = self._values.get(mark)
            if value is not None:
                self._values.move_to_end(mark)
            return value

    def put(self, mark: bytes, value: Value) -> None:
        """Remember a value; what weighed the least recently used makes room."""
        size = self._size_of(value)
        with self._lock:
            if mark in self._values or size > self._capacity:
                return
            self._values[mark] = value
            self._size += size
            while self._size > self._capacity:
                self._size -= self._size_of(self._values.popitem(last=False)[1])
