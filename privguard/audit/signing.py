"""Ed25519 keys for checkpoints: the one home of the library `cryptography` in the audit log (extra `crypto`)."""

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from privguard.core.errors import ConfigError
from privguard.storage.files import system_words

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_LONGEST = 1 << 16  # bytes of a key file


class Ed25519Signer:
    """Sign with a private key. It is neither shown nor pickled."""

    __slots__ = ("_key", "key_id")

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key
        self.key_id = _key_id(key.public_key())

    def sign(self, message: bytes) -> str:
        """Return the signature, 128 hexadecimal digits."""
        return self._key.sign(message).hex()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a signing key is not pickled")


class Ed25519Checker:
    """Check signatures with a public key."""

    __slots__ = ("_key", "key_id")

    def __init__(self, key: "Ed25519PublicKey") -> None:
        self._key = key
        self.key_id = _key_id(key)

    def accepts(self, message: bytes, signature: str) -> bool:
        """Tell whether the signature is one of this message."""
        from cryptography.exceptions import InvalidSignature

        with suppress(InvalidSignature, ValueError):
            self._key.verify(bytes.fromhex(signature), message)
            return True
        return False


def load_signer(path: str | Path) -> Ed25519Signer:
    """Read a private key that nobody else can read.

    Raises:
        ConfigError: there is no such key, others can read it, or the extra `crypto` is missing.
    """
    ed25519, serialization = _library()
    place = Path(path).expanduser()
    data = _read(place, private=True)
    with suppress(ValueError, TypeError):
        key = serialization.load_pem_private_key(data, password=None)
        if isinstance(key, ed25519.Ed25519PrivateKey):
            return Ed25519Signer(key)
    raise ConfigError(
        f"{place} holds no Ed25519 private key in PEM without a password: make one with `privguard audit keygen`"
    )


def load_public_key(path: str | Path) -> Ed25519Checker:
    """Read a public key.

    Raises:
        ConfigError: there is no such key, or the extra `crypto` is missing.
    """
    ed25519, serialization = _library()
    place = Path(path).expanduser()
    data = _read(place, private=False)
    with suppress(ValueError, TypeError):
        key = serialization.load_pem_public_key(data)
        if isinstance(key, ed25519.Ed25519PublicKey):
            return Ed25519Checker(key)
    raise ConfigError(f"{place} holds no Ed25519 public key in PEM")


def write_key_pair(path: str | Path) -> tuple[Path, str]:
    """Write a new private key to `path`, with mode 0600, and its public key beside it; a missing folder is made.

    Returns:
        the path of the public key (`.pub` behind the name), and the id of the pair.

    Raises:
        ConfigError: one of the files is there already or cannot be written, or the extra `crypto` is missing.
    """
    ed25519, serialization = _library()
    key = ed25519.Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    place = Path(path).expanduser()
    beside = place.with_name(f"{place.name}.pub")
    if beside.exists():
        raise ConfigError(f"{beside} is there already: name another file")
    _write_new(place, private, 0o600)
    _write_new(beside, public, 0o644)
    return beside, _key_id(key.public_key())


def _library() -> tuple[ModuleType, ModuleType]:
    """Return the modules for the keys and for their files."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise ConfigError("signed checkpoints need the extra crypto: pip install 'privguard[crypto]'") from None
    return ed25519, serialization


def _key_id(key: "Ed25519PublicKey") -> str:
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]


def _read(path: Path, *, private: bool) -> bytes:
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if private and os.name == "posix" and mode & _OTHERS:
                raise ConfigError(f"the signing key {path} can be read by others: give it mode 0600")
            return file.read(_LONGEST)
    except OSError as exc:
        raise ConfigError(f"cannot read the key {path}: {system_words(exc)}") from None


def _write_new(path: Path, data: bytes, mode: int) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            os.write(file, data)
        finally:
            os.close(file)
    except OSError as exc:
        raise ConfigError(f"cannot write the key {path}: {system_words(exc)}") from None
