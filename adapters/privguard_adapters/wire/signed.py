"""What came signed by the provider: known again by keyed hashes, without the text and without the signature."""

import hashlib
import secrets
import threading
from collections import OrderedDict

_LIMIT = 100_000  # some 20 MB


class SignedTexts:
    """The last texts that came with a signature. Threads may share it; another process knows nothing of it."""

    def __init__(self, limit: int = _LIMIT) -> None:
        """Start empty.

        Args:
            limit: how many are known; the oldest are forgotten first.
        """
        self._limit, self._key, self._lock = limit, secrets.token_bytes(32), threading.Lock()
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def __repr__(self) -> str:
        return f"SignedTexts({len(self._known)})"

    def note(self, text: str, signature: str) -> None:
        """Remember a text that came with a signature."""
        if not signature:
            return
        digest = self._digest(text, signature)
        with self._lock:
            self._known[digest] = None
            self._known.move_to_end(digest)
            while len(self._known) > self._limit:
                self._known.popitem(last=False)

    def knows(self, text: str, signature: str) -> bool:
        """Tell whether this very text came with this very signature."""
        with self._lock:
            return self._digest(text, signature) in self._known

    def _digest(self, text: str, signature: str) -> bytes:
        sealed = hashlib.blake2b(key=self._key, digest_size=32)
        for part in (text, signature):
            written = part.encode("utf-8", "surrogatepass")
            sealed.update(len(written).to_bytes(8, "big") + written)
        return sealed.digest()
