"""The key that identities are derived from. It never leaves the process: not in a repr, not in a pickle."""

import hashlib
import hmac
import secrets
from typing import NoReturn

from privguard.core.errors import ConfigError

MIN_KEY_CHARACTERS = 16


class Key:
    """A secret for HMAC-SHA-256. Compare by identity; there is no way to read it back."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        """Hold a secret of at least 16 bytes."""
        if len(secret) < MIN_KEY_CHARACTERS:
            raise ConfigError(f"the key has {len(secret)} bytes; give at least {MIN_KEY_CHARACTERS} random ones")
        self._secret = secret

    @classmethod
    def random(cls) -> "Key":
        """Make a fresh key: placeholders of this process are then unrelated to those of any other."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_text(cls, text: str) -> "Key":
        """Derive the key from a text such as an environment variable.

        Raises:
            ConfigError: fewer than 16 characters.
        """
        if len(text) < MIN_KEY_CHARACTERS:
            raise ConfigError(f"the key has {len(text)} characters; give at least {MIN_KEY_CHARACTERS} random ones")
        return cls(hashlib.sha256(b"privguard key\0" + text.encode("utf-8", "surrogatepass")).digest())

    def mac(self, purpose: str, *parts: str) -> bytes:
        """Return the 32-byte HMAC of `parts`, each length-prefixed, under a purpose of its own."""
        message = bytearray()
        for part in (purpose, *parts):
            raw = part.encode("utf-8", "surrogatepass")
            message += len(raw).to_bytes(8, "big") + raw
        return hmac.digest(self._secret, bytes(message), "sha256")

    def __repr__(self) -> str:
        return "Key(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a privguard key is never pickled; build the guard in the process that uses it")
