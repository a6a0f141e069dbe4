"""The keys of a vault. They never leave the process: not by an accessor, not in a repr, not in a pickle."""

import hmac
import secrets
from typing import TYPE_CHECKING, NoReturn

from privguard.core.errors import ConfigError
from privguard.core.holding import Owner
from privguard.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MIN_KEY = 32  # bytes, or characters of a text
KEY_ID = 8  # bytes
NONCE = 12  # bytes: 96 random bits
HOW_TO_MAKE_ONE = 'python -c "import secrets; print(secrets.token_urlsafe(32))"'

_SALT = b"privguard/vault/1"
_SEPARATORS = lazy_pattern(r"[\s,]+")


class RingKey:
    """One master key, and what is derived from it: an id, the index of records, and their encryption."""

    __slots__ = ("_cipher", "_index", "id")

    def __init__(self, master: bytes) -> None:
        self.id = _derive(master, b"id", KEY_ID)
        self._index = _derive(master, b"index", 32)
        self._cipher = _cipher(_derive(master, b"record", 32))

    def slot(self, owner: Owner, reference: str) -> bytes:
        """Return where a record lies: 32 bytes that tell neither owner nor reference."""
        named = packed(b"slot", text(owner.tenant), text(owner.scope), text(reference))
        return hmac.digest(self._index, named, "sha256")

    def encrypt(self, plain: bytes, bound: bytes) -> bytes:
        """Return a random nonce and the ciphertext, which opens together with `bound` alone."""
        nonce = secrets.token_bytes(NONCE)
        return nonce + self._cipher.encrypt(nonce, plain, bound)

    def decrypt(self, sealed: bytes, bound: bytes) -> bytes | None:
        """Return what was encrypted; None where nonce, ciphertext or `bound` is not what it was."""
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher.decrypt(sealed[:NONCE], sealed[NONCE:], bound)
        except (InvalidTag, ValueError):
            return None

    def __repr__(self) -> str:
        return "RingKey(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key of the vault is never pickled; open the vault in the process that uses it")


class VaultKeys:
    """A ring of master keys: the newest encrypts, all decrypt. Compare by identity.

    Args:
        masters: random bytes, at least 32 each, the newest first.

    Raises:
        ConfigError: none is given, one is too short or twice there, or the extra `crypto` is missing.
    """

    __slots__ = ("_ring",)

    def __init__(self, *masters: bytes) -> None:
        if not masters:
            raise ConfigError(f"the vault has no key; make one: {HOW_TO_MAKE_ONE}")
        for master in masters:
            if len(master) < MIN_KEY:
                raise ConfigError(
                    f"a key of the vault (PRIVGUARD_VAULT_KEY) has {len(master)} bytes; give at least {MIN_KEY} random "
                    f"ones, such as from {HOW_TO_MAKE_ONE}"
                )
        self._ring = tuple([RingKey(master) for master in masters])
        if len({key.id for key in self._ring}) < len(masters):
            raise ConfigError("a key of the vault (PRIVGUARD_VAULT_KEY) is given twice: name each once, newest first")

    @classmethod
    def random(cls) -> "VaultKeys":
        """Make a fresh key: what is kept under it is lost with this process."""
        return cls(secrets.token_bytes(MIN_KEY))

    @classmethod
    def from_text(cls, text: str) -> "VaultKeys":
        """Read keys from a text such as an environment variable: the newest first, separated by commas or spaces.

        Raises:
            ConfigError: as for the class.
        """
        return cls(*[each.encode("utf-8", "surrogatepass") for each in _SEPARATORS.split(text) if each])

    @property
    def ring(self) -> tuple[RingKey, ...]:
        """Return all keys, the newest first."""
        return self._ring

    @property
    def newest(self) -> RingKey:
        """Return the key that encrypts."""
        return self._ring[0]

    def __repr__(self) -> str:
        return f"VaultKeys({len(self._ring)} …)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("the keys of the vault are never pickled; open the vault in the process that uses them")


def packed(*parts: bytes) -> bytes:
    """Join bytes, each behind its length: no two different rows of parts give the same bytes."""
    return b"".join([len(part).to_bytes(8, "big") + part for part in parts])


def text(written: str) -> bytes:
    """Return a text as bytes, whatever code points it has."""
    return written.encode("utf-8", "surrogatepass")


def _derive(master: bytes, purpose: bytes, length: int) -> bytes:
    _need_crypto()
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=length, salt=_SALT, info=purpose).derive(master)


def _cipher(key: bytes) -> "AESGCM":
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)


def _need_crypto() -> None:
    try:
        import cryptography  # noqa: F401 - only whether it is there
    except ImportError:
        raise ConfigError("the vault needs an extra: pip install 'privguard[crypto]'") from None
