"""Who calls the proxy: every key of it has placeholders, and values in the vault, of its own.

A placeholder is derived from the value under a key, and that from the guard's key and the caller's. So the model cannot
tell that two callers speak of the same person, and no caller finds out by a guess what another's placeholder stands
for. The same key of the guard in every worker makes the same placeholders in every worker.
"""

from collections import OrderedDict
from dataclasses import replace

from privguard.guard import Guard
from privguard.replacements.key import Key
from privguard_adapters.gate import Gate
from privguard_adapters.litellm.opening import gate_of

KEPT = 128  # callers whose guards stay warm; the others are only slower


class Callers:
    """The gates of all callers. For one event loop."""

    def __init__(self, guard: Guard, *, kept: int = KEPT) -> None:
        """Start without callers.

        Args:
            guard: whose key the callers' keys are derived from.
            kept: number of callers whose guards are kept.
        """
        self._guard, self._kept = guard, kept
        self._gates: OrderedDict[bytes, Gate] = OrderedDict()

    def gate_for(self, credential: str) -> Gate:
        """Return the gate of the caller with this credential; all without one are one caller."""
        # A hash, not the credential, is what is kept.
        secret = self._guard.parts.key.mac("litellm-caller", credential)
        gate = self._gates.get(secret)
        if gate is None:
            gate = self._gates[secret] = gate_of(self._guard_of(secret))
            while len(self._gates) > self._kept:
                self._gates.popitem(last=False)
        self._gates.move_to_end(secret)
        return gate

    def _guard_of(self, secret: bytes) -> Guard:
        parts, key = self._guard.parts, Key(secret)
        owner = replace(parts.owner, scope=key.mac("litellm-owner", parts.owner.scope).hex())
        return Guard(replace(parts, key=key, owner=owner))
