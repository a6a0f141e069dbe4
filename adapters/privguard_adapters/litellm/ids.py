"""The ids of responses, which LiteLLM writes anew: long, in base64, and in the proxy encrypted for each caller.

The vault keeps values under ids that look like those of a provider, so a short one stands for each of LiteLLM's.
"""

import hashlib
import sys
from typing import Any

from privguard_adapters.wire.fields import is_token


def standing_for(identifier: str) -> str:
    """Return the id under which the values of a response are kept, of one that its caller has."""
    security: Any = sys.modules.get("litellm.proxy.hooks.responses_id_security")
    if security is not None:
        identifier = str(security.decrypted_response_id(identifier))
    return _short(identifier)


def _short(identifier: str) -> str:
    if is_token(identifier):
        return identifier
    return f"resp_{hashlib.sha256(identifier.encode('utf-8', 'surrogatepass')).hexdigest()}"


class ReplyIds:
    """The ids of one reply, and what stands for them while it is restored."""

    def __init__(self) -> None:
        self._known: dict[bytes, bytes] = {}

    def shorten(self, raw: bytes, reply: object) -> bytes:
        """Put the short ids into a reply, or into an event of one."""
        response = getattr(reply, "response", reply)
        found = getattr(response, "id", None) if hasattr(response, "output") else None
        if isinstance(found, str) and not is_token(found):
            self._known[found.encode()] = _short(found).encode()
        for known, short in self._known.items():
            raw = raw.replace(known, short)
        return raw

    def lengthen(self, raw: bytes) -> bytes:
        """Put LiteLLM's own ids back."""
        for known, short in self._known.items():
            raw = raw.replace(short, known)
        return raw
