"""What earlier requests have taught, under keyed hashes, so that a conversation costs its new messages only.

No text is kept: whoever puts a value here sees to it that the value holds none either.
"""

import hashlib
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

Value = TypeVar("Value")

CAPACITY = 4096  # values, where nothing else is said


def _one(value: object) -> int:  # noqa: ARG001 - every value weighs the same
    return 1


class Memory(Generic[Value]):
    """The latest value under each mark, the least recently used forgotten first. Thread-safe.

    A mark is a hash of a text under a secret of this memory: it tells nothing to whoever does not hold the text and
    the secret.
    """

    def __init__(self, capacity: int = CAPACITY, size_of: Callable[[Value], int] = _one) -> None:
        """Start empty.

        Args:
            capacity: the most that all values together may weigh.
            size_of: weighs a value, one each by default; what exceeds the capacity by itself is not kept.
        """
        self._capacity = capacity
        self._size_of = size_of
        self._secret = secrets.token_bytes(32)
        self._values: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = threading.Lock()
        self._size = 0
        _ALL.add(self)

    @property
    def size(self) -> int:
        """Return what all values together weigh."""
        return self._size

    def marks(self) -> tuple[bytes, ...]:
        """Return what values are kept under, the least recently used first."""
        with self._lock:
            return tuple(self._values)

    def mark(self, text: str, salt: bytes = b"") -> bytes:
        """Return a hash of a text under the secret of this memory.

        Args:
            text: what is hashed.
            salt: up to 16 bytes; texts under different salts have different marks.
        """
        raw = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(raw, key=self._secret, digest_size=20, salt=salt).digest()

    def get(self, mark: bytes) -> Value | None:
        """Return what is kept under a mark, None where nothing is."""
        with self._lock:
            value = self._values.get(mark)
            if value is not None:
                self._values.move_to_end(mark)
            return value

    def put(self, mark: bytes, value: Value) -> None:
        """Keep a value in the place of what was kept under its mark; the least recently used make room."""
        size = self._size_of(value)
        with self._lock:
            if mark in self._values:
                self._size -= self._size_of(self._values.pop(mark))
            if size > self._capacity:
                return
            self._values[mark] = value
            self._size += size
            while self._size > self._capacity:
                self._size -= self._size_of(self._values.popitem(last=False)[1])

    def begin_anew(self) -> None:
        """Go on in a child process: what a thread of the parent was writing at the fork is forgotten with the rest."""
        if self._lock.locked():
            self._values, self._size = OrderedDict(), 0
        self._lock = threading.Lock()


_ALL: "WeakSet[Memory[Any]]" = WeakSet()


def _begin_all_anew() -> None:
    for memory in list(_ALL):
        memory.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_all_anew)
