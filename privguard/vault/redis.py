"""Keep records in Redis, for the processes of several machines."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from privguard.core.errors import ConfigError, VaultError
from privguard.vault.keys import KEY_ID
from privguard.vault.stores import Stored

Answer = TypeVar("Answer")

DEFAULT_PREFIX = "privguard:vault:"

_TIMEOUT_S = 5.0
_TIME = 8  # bytes, big-endian
_PAGE = 100  # records that are read at a time


class RedisStore:
    """Keep records under keys with a prefix; Redis removes them when they expire.

    Args:
        client: a `redis.Redis` that answers in bytes. Several stores may share one.
        prefix: what the names of the keys begin with.
    """

    def __init__(self, client: Any, *, prefix: str = DEFAULT_PREFIX) -> None:  # noqa: ANN401 - the client's types say too little
        self._client, self._prefix = client, prefix.encode()

    @classmethod
    def from_url(cls, url: str, *, prefix: str = DEFAULT_PREFIX) -> "RedisStore":
        """Connect to `redis://`, `rediss://` (TLS) or `unix://`, and see whether the server answers.

        Raises:
            ConfigError: the URL is none of these, or the extra `redis` is missing.
            VaultError: the server cannot be reached, or refuses.
        """
        try:
            import redis
        except ImportError:
            raise ConfigError("a vault in Redis needs an extra: pip install 'privguard[redis]'") from None
        client = None
        with suppress(ValueError, TypeError):  # what they say may hold the password
            client = redis.Redis.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S)
        if client is None:
            raise ConfigError("the URL of the vault in Redis cannot be read: redis://[:PASSWORD@]HOST[:PORT][/NUMBER]")
        store = cls(client, prefix=prefix)
        store._do("reach", client.ping)
        return store

    def load(self, slot: bytes) -> Stored | None:
        """Return the record in a slot, which may have expired by the clock of this machine."""
        return _unpack(slot, self._do("read", lambda: self._client.get(self._name(slot))))

    def write(self, record: Stored, *, expects: Stored | None, now_ms: int) -> bool:
        """Put a record in the place of another one, and tell whether that was possible."""
        return self._do("write", lambda: self._write(record, expects, now_ms))

    def delete(self, slot: bytes) -> bool:
        """Remove the record in a slot, and tell whether there was one."""
        return bool(self._do("write", lambda: self._client.delete(self._name(slot))))

    def purge(self, now_ms: int) -> int:  # noqa: ARG002 - of the protocol
        """Do nothing: Redis removes what has expired."""
        return 0

    def stale(self, key_id: bytes) -> Iterator[Stored]:
        """Yield the records that are sealed under another key, page by page; the same one perhaps twice."""
        cursor = 0
        while True:
            cursor, records = self._do("read", partial(self._page, cursor))
            yield from [record for record in records if record.key_id != key_id]
            if cursor == 0:
                return

    def close(self) -> None:
        """Close the connections; a second time does nothing."""
        self._do("close", self._client.close)

    def _write(self, record: Stored, expects: Stored | None, now_ms: int) -> bool:
        import redis

        name, value = self._name(record.slot), _pack(record)
        ttl_ms = max(1, record.expires_ms - now_ms)
        if expects is None and self._client.set(name, value, px=ttl_ms, nx=True):
            return True
        replaced = name if expects is None else self._name(expects.slot)
        with self._client.pipeline() as pipe:
            pipe.watch(name, replaced)
            present = _unpack(record.slot, pipe.get(name))
            if expects is not None and pipe.get(replaced) != _pack(expects):
                return False
            if replaced != name and present is not None:
                return False
            if expects is None and present is not None and present.expires_ms > now_ms:
                return False
            pipe.multi()
            pipe.delete(replaced)
            pipe.set(name, value, px=ttl_ms)
            try:
                pipe.execute()
            except redis.WatchError:
                return False
        return True

    def _page(self, cursor: int) -> tuple[int, Sequence[Stored]]:
        pattern = _literally(self._prefix) + b"*"
        cursor, names = self._client.scan(cursor, match=pattern, count=_PAGE)
        values = self._client.mget(names) if names else []
        found = [_unpack(self._slot(name), value) for name, value in zip(names, values, strict=True)]
        return cursor, [record for record in found if record is not None]

    def _name(self, slot: bytes) -> bytes:
        return self._prefix + slot.hex().encode("ascii")

    def _slot(self, name: bytes) -> bytes:
        try:
            return bytes.fromhex(name.removeprefix(self._prefix).decode("ascii"))
        except ValueError:
            return b""  # somebody else's: it does not open

    def _do(self, action: str, work: Callable[[], Answer]) -> Answer:
        import redis

        try:
            return work()
        except redis.RedisError as error:
            failure = type(error).__name__
        # Raised out here, without the text: it may hold the address and the password of the server.
        raise VaultError(f"cannot {action} the vault in Redis ({failure})")


def _literally(prefix: bytes) -> bytes:
    """Return a pattern that a prefix alone matches."""
    return re.sub(rb"([*?\[\]^\\])", rb"\\\1", prefix)


def _pack(record: Stored) -> bytes:
    return record.key_id + record.expires_ms.to_bytes(_TIME, "big") + record.sealed


def _unpack(slot: bytes, value: object) -> Stored | None:
    if value is None:
        return None
    if not isinstance(value, bytes):
        raise VaultError("the client of the vault in Redis does not answer in bytes: leave out decode_responses")
    head = KEY_ID + _TIME
    return Stored(
        slot=slot,
        key_id=value[:KEY_ID],
        expires_ms=int.from_bytes(value[KEY_ID:head], "big"),
        sealed=value[head:],
    )
