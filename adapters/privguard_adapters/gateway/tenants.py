"""Who calls: every caller's credential has a gate, and placeholders, of its own.

A placeholder is derived from the value under a key, and that key from the guard's and the caller's credential. So the
model server cannot tell that two callers speak of the same person, and no caller can find out by a guess what another
one's placeholder stands for. Values come back to the request that carried them alone, whoever calls.
"""

from collections import OrderedDict
from dataclasses import replace

import httpx2

from privguard.guard import Guard
from privguard.replacements.key import Key
from privguard_adapters.gate import Gate
from privguard_adapters.gateway.apis import APIS
from privguard_adapters.http_clients import guard_http_client
from privguard_adapters.wire.headers import Headers, credentials_of

KEPT = 128  # callers whose guards stay warm; the others are only slower


class Tenants:
    """The guarded clients of all callers, on the connections of one. For one event loop."""

    def __init__(self, guard: Guard, client: httpx2.AsyncClient, base_url: str, *, kept: int = KEPT) -> None:
        """Start without callers.

        Args:
            guard: whose key the callers' keys are derived from.
            client: whose connections are shared.
            base_url: of the model server.
            kept: number of callers whose guards are kept.
        """
        self._guard, self._client, self._base_url, self._kept = guard, client, base_url, kept
        self._clients: OrderedDict[bytes, httpx2.AsyncClient] = OrderedDict()

    def client_for(self, headers: Headers) -> httpx2.AsyncClient:
        """Return the guarded client of the caller who sent these headers; all without a credential are one."""
        # A hash, not the credential, is what is kept.
        secret = self._guard.parts.key.mac("gateway-caller", *credentials_of(headers))
        client = self._clients.get(secret)
        if client is None:
            client = self._clients[secret] = self._guarded(secret)
            while len(self._clients) > self._kept:
                self._clients.popitem(last=False)
        self._clients.move_to_end(secret)
        return client

    def _guarded(self, secret: bytes) -> httpx2.AsyncClient:
        parts, key = self._guard.parts, Key(secret)
        # What a vault keeps is the caller's own as well. Its name for the caller tells nothing of the credential.
        owner = replace(parts.owner, scope=key.mac("gateway-owner", parts.owner.scope).hex())
        guard = Guard(replace(parts, key=key, owner=owner))
        return guard_http_client(self._client, Gate(guard, lambda: self._base_url, APIS))
